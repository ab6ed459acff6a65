import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../harness.ts';
import { freePort } from '../service-process.ts';

/**
 * What the first start writes to its output may be read by every reader of a log: a file, a journal, the output of a
 * container. Only a terminal is shown the key and the token.
 */
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const hasTerminals = spawnSync('script', ['--version']).status === 0;

interface FirstStart {
  readonly said: string;
  readonly secrets: readonly string[];
  readonly file: string;
}

/** Starts the service on an empty database and ends it. `run` is given the command, and where to write what it says. */
async function firstStart(
  run: (environment: NodeJS.ProcessEnv, output: string) => Promise<ChildProcess>,
): Promise<FirstStart> {
  const [databaseUrl, dataDir] = [await createTestDatabase(), await temporaryDataDir()];
  after(() => dropTestDatabase(databaseUrl));
  const file = join(dataDir, 'first-run.json');
  const output = join(dataDir, 'output');
  const port = await freePort();
  const child = await run(
    {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'trace',
      DRAIN_MS: '0',
    },
    output,
  );
  const ended = once(child, 'close');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const all = async () => said + (await readFile(output, 'utf8').catch(() => ''));
  while (child.exitCode === null && !(await all()).includes(file)) await sleep(50);
  const { apiKey, operatorToken } = JSON.parse(await readFile(file, 'utf8'));
  child.kill('SIGTERM');
  await ended;
  return { said: await all(), secrets: [apiKey, operatorToken], file };
}

const counts = ({ said, secrets }: FirstStart) => secrets.map((secret) => said.split(secret).length - 1);

describe('the first start', { concurrency: true }, () => {
  it('writes no secret into a file, but where they are', async () => {
    const start = await firstStart(async (env, output) => {
      const file = await open(output, 'w');
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', file.fd, file.fd] });
      await file.close();
      return child;
    });
    assert.deepEqual(counts(start), [0, 0], start.said);
    assert.match(start.said, /API key and operator token .*first-run\.json/);
  });

  it('writes no secret into a pipe, such as the one to a journal', async () => {
    const start = await firstStart(async (env) =>
      spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    assert.deepEqual(counts(start), [0, 0], start.said);
  });

  it('shows them on a terminal, once', { skip: !hasTerminals && 'needs script(1)' }, async () => {
    const start = await firstStart(async (env) => {
      const command = `'${process.execPath}' '${main}'`;
      return spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    });
    assert.deepEqual(counts(start), [1, 1], start.said);
  });
});
