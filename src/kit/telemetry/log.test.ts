import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { errorForLog, readableLine } from './log.ts';

test('an error is logged without the rows that the database quotes', () => {
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
    where: 'COPY holders, line 1: "Ada"',
  });
  const shown = JSON.stringify(errorForLog(error));
  assert.match(shown, /duplicate key/);
  assert.match(shown, /23505/);
  assert.doesNotMatch(shown, /ada|COPY/i);
});

/** Logs for a while, then ends with 7. */
const program = `
  import { openLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
  const log = openLog('info');
  for (let line = 0; line < 200; line++) { log.info({ line }, 'x'.repeat(200)); await new Promise((go) => setTimeout(go, 1)); }
  process.exit(7);`;

test('a reader that goes away does not end the process, and what is left is written at its end', async () => {
  const gone = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  gone.stdout.once('data', () => gone.stdout.destroy());
  assert.deepEqual(await once(gone, 'exit'), [7, null]);

  const heard = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  let text = '';
  heard.stdout.on('data', (chunk) => {
    text += chunk;
  });
  assert.deepEqual(await once(heard, 'close'), [7, null]);
  assert.equal(text.trim().split('\n').length, 200);
});

test('a line is for people where that is asked for, and JSON in a pipe', async () => {
  const saying = async (options: string) => {
    // It lives until it was heard.
    const text = `import { openLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
      openLog('info', ${options}).info({ op: 'getMe' }, 'answered');
      setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', text]);
    const [said] = await once(child.stdout, 'data');
    child.kill();
    return String(said);
  };
  assert.equal(JSON.parse(await saying('{}')).op, 'getMe');
  assert.match(await saying("{ format: 'pretty' }"), /^[\d:.]+ info {2}answered getMe\n$/);
});

/** Two of them write to one pipe, whose reader is slower than they are. */
const writers = `
  import { openLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
  const log = openLog('info', { isShared: true });
  for (let line = 0; line < 4_000; line++) {
    log.info({ line }, String(line % 10).repeat(100 + (line % 97)));
    if (line % 50 === 0) await new Promise((go) => setTimeout(go, 1));
  }`;

test('lines of several processes that write to one pipe stay whole', async () => {
  const both = '"$0" --input-type=module-typescript --eval "$1"';
  const child = spawn('sh', ['-c', `${both} & ${both} & wait`, process.execPath, writers]);
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const pids = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).pid);
  assert.ok(pids.length > 4_000);
  assert.equal(new Set(pids).size, 2);
});

const needsFullDisk = existsSync('/dev/full') ? false : 'needs /dev/full';

test('a full disk does not keep the process from ending', {
  skip: needsFullDisk,
  timeout: 20_000,
}, async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', full, 'inherit'],
  });
  closeSync(full);
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

const at = { time: Date.UTC(2026, 10, 23, 9, 8, 7, 65), pid: 7, hostname: 'till' };
const shown = (fields: object) =>
  stripVTControlCharacters(readableLine(JSON.stringify({ ...at, ...fields })));

test('an answer is one short line', () => {
  const facts = { requestId: 'req_7', op: 'getPass', method: 'GET', route: '/passes/{passId}', status: 404 };
  assert.equal(
    shown({ level: 30, ...facts, code: 'pass_not_found', ms: 1.5, keyId: 'key_1', msg: 'answered' }),
    '09:08:07.065 info  answered GET /passes/{passId} 404 1.5 ms getPass req_7 code="pass_not_found" keyId="key_1"\n',
  );
  const unknown = { level: 30, op: null, method: null, route: null, status: 400, ms: 0, msg: 'answered' };
  assert.equal(shown(unknown), '09:08:07.065 info  answered 400 0 ms\n');
});

test('an error has its stack below, and nothing in it steers the terminal', () => {
  const err = { type: 'Error', message: 'x', stack: 'Error: \u001b[2J\u0007x\n    at db.ts:9' };
  assert.equal(
    shown({ level: 50, job: 'sendInvites', err, msg: 'a turn failed' }),
    '09:08:07.065 error a turn failed job="sendInvites"\n    Error:  x\n        at db.ts:9\n',
  );
});
