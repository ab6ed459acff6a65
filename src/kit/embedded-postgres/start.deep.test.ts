import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { sharedBuffersMb } from './cluster.ts';
import {
  afterwards,
  eventually,
  hearStarted,
  isServed,
  query,
  runService,
  scratch,
  startHere,
  usedDataDir,
} from './harness.fixture.ts';
import { keepLogBounded } from './log.ts';
import { stopPostmaster } from './postmaster.ts';
import { findRunningServer } from './start.ts';

test('the first start makes a durable UTF-8 database, and a later one finds its data', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  const begin = performance.now();
  const first = await startHere(t, { dataDir });
  t.diagnostic(`first start ${Math.round(performance.now() - begin)} ms`);
  assert.equal(first.majorVersion, 18);
  const [settings] = await query(
    first.url,
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
       current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS addresses,
       current_setting('max_connections')::int AS connections, current_setting('TimeZone') AS zone,
       pg_size_bytes(current_setting('shared_buffers')) / 1048576 AS buffers, current_setting('wal_buffers') AS wal,
       pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale,
       lower('ÀÉ') AS lower, 'a' < 'B' AS ignores_case
     FROM pg_database WHERE datname = current_database()`,
  );
  assert.deepEqual(settings, {
    fsync: 'on',
    commit: 'on',
    pages: 'on',
    addresses: '',
    connections: 100,
    zone: 'UTC',
    buffers: String(sharedBuffersMb()),
    wal: '2MB',
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    lower: 'àé',
    ignores_case: false,
  });
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  assert.equal(await isServed(dataDir), false);

  const restarted = performance.now();
  const second = await startHere(t, { dataDir });
  t.diagnostic(`later start ${Math.round(performance.now() - restarted)} ms`);
  assert.equal(second.url, first.url);
  assert.deepEqual(await query(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
});

test('a new server keeps a sixteenth of the memory for its tables, within bounds', () => {
  const gibibyte = 1024 ** 3;
  assert.deepEqual(
    [0.5, 1, 3, 4, 8, 64].map((size) => sharedBuffersMb(size * gibibyte)),
    [64, 64, 192, 256, 512, 512],
  );
});

test('the password is random, kept for this account only, and asked for', async (t) => {
  const dataDir = await usedDataDir(t);
  const database = await startHere(t, { dataDir });
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  assert.ok(password.length >= 32);
  assert.equal(new URL(database.url).password, password);
  for (const name of ['postgres.password', 'postgres.log']) {
    assert.equal((await stat(join(dataDir, name))).mode & 0o777, 0o600, name);
  }
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);

  const wrong = new URL(database.url);
  wrong.password = 'guess';
  await assert.rejects(query(wrong.href, 'SELECT 1'), { code: '28P01' });
  const [stored] = await query(database.url, 'SELECT rolpassword FROM pg_authid WHERE rolcanlogin');
  assert.match(stored.rolpassword, /^SCRAM-SHA-256\$/);
});

test('a lost password file is replaced by a new password', async (t) => {
  const dataDir = await usedDataDir(t);
  const file = join(dataDir, 'postgres.password');
  const lost = await readFile(file, 'utf8');
  await rm(file);
  const database = await startHere(t, { dataDir });
  assert.notEqual(await readFile(file, 'utf8'), lost);
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('others find a server only while it has published where it listens', async (t) => {
  const dataDir = await usedDataDir(t);
  assert.equal(await findRunningServer(dataDir), null);
  const database = await startHere(t, { dataDir });
  assert.equal(await findRunningServer(dataDir), database.url);
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const ready = await readFile(file, 'utf8');
  // As a start leaves it for a moment: process, directory, time and port.
  await writeFile(file, `${ready.split('\n').slice(0, 4).join('\n')}\n`);
  assert.equal(await findRunningServer(dataDir), null);
  await writeFile(file, ready);
  assert.equal(await findRunningServer(dataDir), database.url);
});

test('a directory with spaces and signs in its name is as good as any', async (t) => {
  const database = await startHere(t, { dataDir: await usedDataDir(t, 'my dáta #1 50%?&') });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('a path too long for a socket is served on loopback, with the password', async (t) => {
  const dataDir = await usedDataDir(t, 'long'.repeat(25));
  const database = await startHere(t, { dataDir });
  const url = new URL(database.url);
  assert.equal(url.hostname, '127.0.0.1');
  assert.deepEqual(await query(database.url, `SELECT host(inet_server_addr()) AS address`), [
    { address: '127.0.0.1' },
  ]);
  url.password = 'guess';
  await assert.rejects(query(url.href, 'SELECT 1'), { code: '28P01' });
});

test('a port that is asked for is used when it is free, and another one when it is busy', async (t) => {
  const dataDir = await usedDataDir(t);
  const squatter = createServer().listen(0, '127.0.0.1');
  t.after(() => squatter.close());
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };

  const warnings: string[] = [];
  const log = { info() {}, warn: (message: string) => void warnings.push(message) };
  const elsewhere = await startHere(t, { dataDir, port, log });
  const chosen = Number(new URL(elsewhere.url).port);
  assert.notEqual(chosen, port);
  assert.match(warnings.join('\n'), /could not create any TCP\/IP sockets.*Trying another address/);
  assert.deepEqual(await query(elsewhere.url, 'SELECT inet_server_port() AS port'), [{ port: chosen }]);
  await elsewhere.stop();

  warnings.length = 0;
  const asAsked = await startHere(t, { dataDir, port: chosen, log });
  const taken = /Trying another address/.test(warnings.join('\n'));
  assert.equal(new URL(asAsked.url).port === String(chosen), !taken);
});

test('where a socket file cannot be made, loopback serves', async (t) => {
  const dataDir = await usedDataDir(t);
  const obstacle = join(dataDir, 'postgres', '.s.PGSQL.5432');
  await mkdir(join(obstacle, 'in-the-way'), { recursive: true });
  afterwards(t, () => rm(obstacle, { recursive: true }));
  const database = await startHere(t, { dataDir });
  assert.equal(new URL(database.url).hostname, '127.0.0.1');
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('stop cuts open transactions, keeps commits, leaves nothing to recover and may be called twice', async (t) => {
  const dataDir = await usedDataDir(t);
  await rm(join(dataDir, 'postgres.log'));
  const database = await startHere(t, { dataDir });
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await client.query('CREATE TABLE entry (id int)');
  await client.query('INSERT INTO entry VALUES (1)');
  await client.query('BEGIN');
  await client.query('INSERT INTO entry VALUES (2)');
  await Promise.all([database.stop(), database.stop()]);
  assert.equal(await isServed(dataDir), false);

  const restarted = await startHere(t, { dataDir });
  assert.deepEqual(await query(restarted.url, 'SELECT id FROM entry'), [{ id: 1 }]);
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  assert.doesNotMatch(log, /not properly shut down/);
});

test('a server that ignores a fast shutdown is ended at last, and loses nothing', async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir });
  const { url, pid } = await hearStarted(service);
  await query(url, 'CREATE TABLE unstoppable AS SELECT 1 AS one');
  service.child.kill('SIGKILL');
  await service.ended;
  process.kill(pid, 'SIGSTOP');
  await stopPostmaster(pid, async () => !(await isServed(dataDir)), { fastMs: 100, immediateMs: 100 });

  const restarted = await startHere(t, { dataDir });
  assert.deepEqual(await query(restarted.url, 'SELECT one FROM unstoppable'), [{ one: 1 }]);
});

test('Ctrl-C reaches the service alone, so that it can finish its work first', async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir }, { ownGroup: true });
  const { url } = await hearStarted(service);
  // What a terminal does: the signal goes to every process of the group.
  process.kill(-(service.child.pid ?? 0), 'SIGINT');
  assert.deepEqual(await service.hear(), { draining: 'SIGINT' });
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  service.say('drained');
  assert.deepEqual(await service.ended, [0, null]);
  assert.equal(await isServed(dataDir), false);
});

test('a server that dies is started again at the same address', async (t) => {
  const dataDir = await usedDataDir(t);
  const database = await startHere(t, { dataDir });
  await query(database.url, 'CREATE TABLE revived AS SELECT 1 AS one');
  const before = database.pid;
  process.kill(before, 'SIGKILL');
  await eventually('the server is back', () =>
    query(database.url, 'SELECT one FROM revived').then(
      ([row]) => row.one === 1,
      () => false,
    ),
  );
  assert.notEqual(database.pid, before);
  await database.stop();
  assert.equal(await isServed(dataDir), false);
});

test('the log is cut when it grows, while the server goes on writing to it', async (t) => {
  const dataDir = await usedDataDir(t);
  const database = await startHere(t, { dataDir });
  const log = join(dataDir, 'postgres.log');
  await query(database.url, 'SELECT 1 / 0').catch(() => {});
  await keepLogBounded(log, 1_000_000);
  assert.match(await readFile(log, 'utf8'), /division by zero/);
  await keepLogBounded(log, 10);
  assert.equal((await stat(log)).size, 0);
  assert.match(await readFile(`${log}.1`, 'utf8'), /division by zero/);
  await query(database.url, 'SELECT no_such_column').catch(() => {});
  const rest = await readFile(log, 'utf8');
  assert.match(rest, /no_such_column/);
  assert.doesNotMatch(rest, /division|\0/);
});
