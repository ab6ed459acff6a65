import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { startTestApp } from '../../../test/harness.ts';
import { openShop } from './shop.ts';

const run = promisify(execFile);
const home = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const tools = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** A folder as of a new user: nothing but what was packed is installed. */
const folder = await mkdtemp(join(tmpdir(), 'punchcard-user-'));
after(() => rm(folder, { recursive: true, force: true }));
const inTools = { cwd: home, env: { ...process.env, PATH: tools } };
const packed = JSON.parse(
  (await run('npm', ['pack', '--json', '--pack-destination', folder], inTools)).stdout,
);
const [{ filename, files, version }] = packed;
await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)];
await run('npm', install, { ...inTools, cwd: folder });

const readme = await readFile(join(home, 'README.md'), 'utf8');

/** The block of code below a heading of the README. */
function example(heading: string): string {
  const [, part = ''] = readme.split(`## ${heading}\n`);
  return /```js\n(.*?)```/s.exec(part)?.[1] ?? assert.fail(`"${heading}" has no example`);
}

const app = await startTestApp({ WORKERS: 'off' });
const shop = await openShop(app);
const env = { ...process.env, PUNCHCARD_URL: app.url, PUNCHCARD_API_KEY: shop.apiKey };

test('the package has what it needs and no more, in the version of the API', async () => {
  const names: string[] = files.map(({ path }: { path: string }) => path);
  for (const name of ['README.md', 'REFERENCE.md', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(
    names.filter((name) => !/^(dist\/.*\.(js|d\.ts)|[A-Z]+\.md|package\.json)$/.test(name)),
    [],
  );
  assert.equal(version, JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version);
  assert.ok((await readFile(join(home, 'CHANGELOG.md'), 'utf8')).includes(`## ${version}`));
  const { dependencies } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
});

test('the till of the README works, in 25 lines', async () => {
  const program = example('A till');
  assert.ok(program.trim().split('\n').length <= 25);
  await writeFile(join(folder, 'till.mjs'), program);
  const till = async (...words: string[]) =>
    (await run(process.execPath, ['till.mjs', ...words], { cwd: folder, env })).stdout.trim();
  const pass = await shop.punchcard.passes.create({
    title: 'Tea Club',
    type: 'loyalty',
    barcode: { mode: 'unique' },
  });
  await shop.punchcard.passes.update(pass.passId, { status: 'published' });
  const program2 = await shop.punchcard.programs.create({
    passId: pass.passId,
    mode: 'POINTS',
    reward: { title: 'Free tea', cost: 10 },
  });
  await shop.punchcard.programs.update(program2.programId, { status: 'active' });
  const { barcode } = await shop.punchcard.instances.issue(pass.passId);
  assert.ok(barcode);
  assert.equal(await till('sale', barcode, '8', 'receipt-1'), '8 points more, 8 together.');
  assert.equal(await till('sale', barcode, '8', 'receipt-1'), '8 points more, 8 together.');
  assert.equal(await till('redeem', barcode, 'receipt-2'), '2 points are missing.');
  assert.equal(await till('sale', barcode, '5', 'receipt-3'), '5 points more, 13 together.');
  assert.equal(await till('redeem', barcode, 'receipt-4'), 'Free tea, and 3 points are left.');
  assert.match(await till('sale', 'nobody', '5', 'receipt-5'), /^instance_not_found: .* \([0-9a-f]{32}\)$/);
});

test('the receiver of the README works, in 15 lines', async () => {
  const program = example('A webhook receiver');
  assert.ok(program.trim().split('\n').length <= 15);
  // It prints its port, so that any free one will do.
  const printing = program.replace('createServer(', 'const server = createServer(');
  await writeFile(
    join(folder, 'receiver.mjs'),
    `${printing}\nserver.on('listening', () => console.log(server.address().port));\n`,
  );
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...env, PORT: '0', PUNCHCARD_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => receiver.kill());
  const url = `http://127.0.0.1:${String((await once(receiver.stdout, 'data'))[0]).trim()}`;
  const data = { eventId: 'evt_1', seq: 7, type: 'points.awarded', data: { points: 5 } };
  const body = JSON.stringify({ type: data.type, timestamp: '2026-11-25T12:00:00.000Z', data });
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  };
  const told2 = once(receiver.stdout, 'data');
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 204);
  assert.equal(String((await told2)[0]).trim(), '7 points.awarded { points: 5 }');
  assert.equal((await fetch(url, { method: 'POST', headers, body: `${body} ` })).status, 400);
});

test('the import of the README works, and can be started again', async () => {
  await writeFile(join(folder, 'import.mjs'), example('A CSV import with progress'));
  const lines = Array.from(
    { length: 700 },
    (_, index) => `c-${index},Customer ${index},c${index}@example.com`,
  );
  await writeFile(
    join(folder, 'holders.csv'),
    ['identifier,name,email', ...lines, 'c-bad,Bad,no address'].join('\r\n'),
  );
  for (let attempt = 0; attempt < 2; attempt++) {
    const words = ['import.mjs', 'holders.csv', shop.passId];
    const { stdout } = await run(process.execPath, words, { cwd: folder, env });
    const [first, refused, last, ...rest] = stdout.trim().split('\n');
    assert.equal(first, '500 of 701');
    assert.match(refused ?? '', /^line 702: invalid_request: holder\.email/);
    assert.equal(last, '701 of 701');
    assert.deepEqual(rest, []);
    const { counts } = await shop.punchcard.passes.get(shop.passId);
    assert.equal(counts.issued, 700);
  }
});

test('types are those of the packed files, under the strictest settings', async () => {
  await writeFile(join(folder, 'types.ts'), typed);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = [
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom,dom.asynciterable',
    '--types',
    '',
  ];
  await run(join(root, 'node_modules/.bin/tsc'), [...options, ...target, 'types.ts'], {
    ...inTools,
    cwd: folder,
  });
});

const typed = `
import { InsufficientPointsError, Punchcard, PunchcardError, verifyWebhook } from 'punchcard-client';
import type { Entry, EventType, Posting } from 'punchcard-client';

const punchcard = new Punchcard({ baseUrl: 'https://a.example', apiKey: 'key', maxRetries: 4, timeoutMs: 30_000, fetch });
const pass = await punchcard.passes.create({ title: 'Blue Bean Club', type: 'loyalty' });
await punchcard.passes.update(pass.passId, { status: 'published' });
const card = await punchcard.instances.issue(pass.passId, { holder: { identifier: 'ada' } });
const award: Posting = await punchcard.loyalty.earn({ passId: pass.passId, identifier: 'ada', points: 5 });
for await (const entry of punchcard.loyalty.entries({ passId: pass.passId })) entry satisfies Entry;
try {
  await punchcard.loyalty.redeem({ barcode: card.barcode ?? '' });
} catch (error) {
  if (error instanceof PunchcardError && error.code === 'insufficient_points') error.balance satisfies number | undefined;
  if (error instanceof InsufficientPointsError) error.balance satisfies number;
}
const event = verifyWebhook('{}', new Headers(), ['whsec_1', 'whsec_2']);
event.type satisfies EventType;
if (!award.pushed && award.pushSkipReason === 'insufficient_credits') award.warnings satisfies { code: string }[];
// @ts-expect-error: a card is named by one of them
await punchcard.loyalty.earn({ passId: pass.passId, points: 5 });
// @ts-expect-error: no such field
await punchcard.passes.create({ title: 'Blue Bean Club', type: 'loyalty', colour: 'blue' });
// @ts-expect-error: it may be null
card.barcode.length;
// @ts-expect-error: what is redeemed has no points
(await punchcard.loyalty.redeem({ passId: '', identifier: 'ada' })).points;
const { results } = await punchcard.loyalty.earnBatch({ awards: [] });
for (const result of results) result.error === undefined ? result.award.balance : result.error.code;
`;
