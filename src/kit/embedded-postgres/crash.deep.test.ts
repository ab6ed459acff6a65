import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { DataDirectoryInUse } from './errors.ts';
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
import { startEmbeddedPostgres } from './start.ts';

test('after kill -9 of the service, the next start takes over and every commit is there', async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir });
  const { url, pid } = await hearStarted(service);
  const writer = await connect(url);
  await writer.query('CREATE TABLE entry (id int PRIMARY KEY)');
  let committed = 0;
  const writing = (async () => {
    for (;;) {
      await writer.query('INSERT INTO entry VALUES ($1)', [committed + 1]);
      committed += 1;
    }
  })().catch(() => {});
  await eventually('some rows are written', async () => committed > 20);
  service.child.kill('SIGKILL');
  await service.ended;
  assert.equal(await isServed(dataDir), true);

  const said: string[] = [];
  const log = { info: (message: string) => void said.push(message), warn() {} };
  const next = await startHere(t, { dataDir, log });
  await writing;
  assert.notEqual(next.pid, pid);
  assert.match(said.join('\n'), new RegExp(`pid ${pid}\\) that an earlier process left running`));
  const [{ count, highest }] = await query(next.url, 'SELECT count(*)::int, max(id) AS highest FROM entry');
  // The last insert may have been committed when its connection was cut, before it was counted.
  assert.ok(count === committed || count === committed + 1, `${count} rows, ${committed} acknowledged`);
  assert.equal(highest, count);
});

test('service and server killed together, as by a power cut: the next start recovers every commit', async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir });
  const { url, pid } = await hearStarted(service);
  await query(url, 'CREATE TABLE survivor AS SELECT generate_series(1, 1000) AS id');
  service.child.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await service.ended;

  const next = await startHere(t, { dataDir });
  assert.deepEqual(await query(next.url, 'SELECT count(*)::int FROM survivor'), [{ count: 1000 }]);
  assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /not properly shut down/);
});

test('killed again and again at any moment of its start, it still starts', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  for (const delayMs of [200, 400, 600, 800]) {
    const service = runService(t, { dataDir });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    service.child.kill('SIGKILL');
    await service.ended;
  }
  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('killed before it could set a new password for a lost one, it sets one at the next start', {
  skip: process.platform === 'linux' ? false : 'reads /proc',
}, async (t) => {
  const dataDir = await usedDataDir(t);
  const first = runService(t, { dataDir });
  const { pid } = await hearStarted(first);
  first.child.kill('SIGKILL');
  await first.ended;
  await rm(join(dataDir, 'postgres.password'));
  // A server that does not hear it is to stop holds the next start up.
  process.kill(pid, 'SIGSTOP');
  const second = runService(t, { dataDir });
  await eventually('it is asked to stop', async () => (await waitingSignals(pid)) !== 0n);
  second.child.kill('SIGKILL');
  await second.ended;
  process.kill(pid, 'SIGCONT');

  const third = await startHere(t, { dataDir });
  assert.deepEqual(await query(third.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

for (const { name, pidOf } of [
  { name: 'no process', pidOf: async () => deadPid() },
  { name: 'a process of the same account that took the number', pidOf: sleeper },
]) {
  test(`a stale postmaster.pid that names ${name} is no obstacle`, async (t) => {
    const dataDir = await usedDataDir(t);
    const cluster = join(dataDir, 'postgres');
    const { uid } = await stat(cluster);
    const pid = await pidOf(t, uid);
    const lines = [pid, cluster, 1_700_000_000, 5432, '.', '', '   123456      7890', 'ready   ', ''];
    for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      await writeFile(join(cluster, file), lines.join('\n'), { mode: 0o600 });
    }
    const database = await startHere(t, { dataDir });
    assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  });
}

test('an empty postmaster.pid, as a full disk leaves it, is no obstacle', async (t) => {
  const dataDir = await usedDataDir(t);
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('a second start on the same directory is refused by name, and the first is unharmed', async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir });
  const { url, pid } = await hearStarted(service);
  const session = await connect(url);
  afterwards(t, () => session.end());
  const owner = service.child.pid;
  await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
    assert.ok(error instanceof DataDirectoryInUse);
    assert.equal(error.pid, owner);
    assert.equal(
      error.message,
      `Another process is already running on ${dataDir} (pid ${owner}). Stop it, or set DATA_DIR to another directory.`,
    );
    return true;
  });
  assert.equal((await session.query('SELECT pg_postmaster_start_time() < now() AS same')).rows[0].same, true);
  assert.equal(await isServed(dataDir), true);
  process.kill(pid, 0);
});

test('a second start within one process is refused, and possible after stop', async (t) => {
  const dataDir = await usedDataDir(t);
  const first = await startHere(t, { dataDir });
  await assert.rejects(startEmbeddedPostgres({ dataDir }), DataDirectoryInUse);
  assert.deepEqual(await query(first.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await first.stop();
  const second = await startHere(t, { dataDir });
  assert.deepEqual(await query(second.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('of several starts at the same moment exactly one wins, on new data and on a dead owner’s', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  for (const round of ['new', 'orphaned']) {
    const rivals = Array.from({ length: 4 }, () => runService(t, { dataDir }));
    const outcomes = await Promise.all(rivals.map((rival) => rival.hear()));
    const winners = rivals.filter((_, index) => outcomes[index]?.url);
    const refused = outcomes.filter(({ error }) => error === 'DataDirectoryInUse');
    assert.deepEqual([winners.length, refused.length], [1, 3], `${round}: ${JSON.stringify(outcomes)}`);
    const url = outcomes.find((outcome) => outcome.url)?.url ?? '';
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
    winners[0]?.child.kill('SIGKILL');
    await winners[0]?.ended;
  }
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** A living process that has nothing to do with us, of the given account. */
async function sleeper(t: Parameters<typeof afterwards>[0], uid: number): Promise<number> {
  const child = spawn('sleep', ['60'], { uid, stdio: 'ignore' });
  const ended = once(child, 'exit');
  afterwards(t, () => {
    child.kill();
    return ended;
  });
  return child.pid ?? 0;
}

/** What a process was sent while it is stopped, as bits. */
async function waitingSignals(pid: number): Promise<bigint> {
  const [, bits = '0'] = /^ShdPnd:\t(\w+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return BigInt(`0x${bits}`);
}
