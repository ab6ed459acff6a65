import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  copyCheckout,
  directoryOf,
  endService,
  hearStarted,
  isServed,
  needsNamespaces,
  needsRoot,
  query,
  runService,
  scratch,
  startHere,
  usedDataDir,
} from './harness.fixture.ts';

const nobody = 65534;
const nameless = 54_321;

for (const { rootStrategy, skip, owner } of [
  { rootStrategy: 'setuid', skip: needsRoot, owner: nobody },
  { rootStrategy: 'namespace', skip: needsNamespaces, owner: 0 },
] as const) {
  test(`root, by ${rootStrategy}, with checkout and data in a closed home directory`, { skip }, async (t) => {
    const home = await scratch(t);
    const programCache = [await openFolder(t)];
    const checkout = await copyCheckout(join(home, 'checkout'), 0o700);
    const dataDir = join(home, 'data');
    const options = { dataDir, rootStrategy, programCache };
    const service = runService(t, options, { checkout });
    const { url, pid } = await hearStarted(service);
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.equal((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid, owner);
    assert.equal(effectiveUid(pid), owner);
    assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /CapEff:\t0{16}\n/);
    assert.equal((await readdir(programCache[0] ?? '')).length, rootStrategy === 'setuid' ? 1 : 0);

    service.child.kill('SIGKILL');
    await service.ended;
    const next = runService(t, options, { checkout });
    const second = await hearStarted(next);
    assert.notEqual(second.pid, pid);
    assert.deepEqual(await endService(next), [0, null]);
    await rm(dataDir, { recursive: true });
  });
}

test('data made by one way of leaving root is opened by the other, and back', {
  skip: needsNamespaces,
}, async (t) => {
  const dataDir = await usedDataDir(t);
  const ways = ['namespace', 'setuid', 'namespace', 'setuid'] as const;
  for (const [round, rootStrategy] of ways.entries()) {
    const database = await startHere(t, { dataDir, rootStrategy });
    await query(database.url, 'CREATE TABLE IF NOT EXISTS round (number int)');
    await query(database.url, 'INSERT INTO round VALUES ($1)', [round]);
    const [{ count }] = await query(database.url, 'SELECT count(*)::int FROM round');
    assert.equal(count, round + 1);
    const owner = rootStrategy === 'setuid' ? nobody : 0;
    assert.equal((await stat(join(dataDir, 'postgres', 'base'))).uid, owner);
    await database.stop();
  }
});

test('an orphan of one way is stopped by a start in the other', { skip: needsNamespaces }, async (t) => {
  const dataDir = await usedDataDir(t);
  const service = runService(t, { dataDir, rootStrategy: 'namespace' });
  const { url, pid } = await hearStarted(service);
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
  service.child.kill('SIGKILL');
  await service.ended;
  const database = await startHere(t, { dataDir, rootStrategy: 'setuid' });
  assert.notEqual(database.pid, pid);
  assert.deepEqual(await query(database.url, 'SELECT one FROM kept'), [{ one: 1 }]);
});

test('a root that may become nobody else falls back to a namespace', { skip: needsNamespaces }, async (t) => {
  const dataDir = join(await scratch(t), 'data');
  const service = runService(t, { dataDir }, { within: ['unshare', '--user', '--map-root-user'] });
  const { url, pid } = await hearStarted(service);
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.notEqual(readFileSync(`/proc/${pid}/uid_map`, 'utf8'), readFileSync('/proc/self/uid_map', 'utf8'));
  assert.deepEqual(await endService(service), [0, null]);
});

test('process 1 of a container, killed and begun again with the same process numbers', {
  skip: needsNamespaces,
}, async (t) => {
  const dataDir = await usedDataDir(t);
  const within = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  for (const round of ['first', 'second', 'third']) {
    const service = runService(t, { dataDir }, { within });
    const { url, pid } = await hearStarted(service);
    assert.ok(pid < 1_000, 'its own process numbers');
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }], round);
    service.child.kill('SIGKILL');
    await service.ended;
  }
});

test('a copy of the programs is made once, mended when damaged, and never taken from others', {
  skip: needsRoot,
}, async (t) => {
  const home = await scratch(t);
  const [trapped, cache] = [await openFolder(t), await openFolder(t)];
  const checkout = await copyCheckout(join(home, 'checkout'), 0o700);
  const dataDir = await usedDataDir(t);
  const start = async () => {
    const service = runService(
      t,
      { dataDir, rootStrategy: 'setuid', programCache: [trapped, cache] },
      { checkout },
    );
    const { pid } = await hearStarted(service);
    const program = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    assert.deepEqual(await endService(service), [0, null]);
    return program;
  };
  const original = await start();
  assert.ok(original.startsWith(trapped), original);
  const { ino } = await stat(original);

  assert.equal(await start(), original);
  assert.equal((await stat(original)).ino, ino, 'not copied again');

  await truncate(original, 1_000);
  assert.equal(await start(), original);
  assert.notEqual((await stat(original)).ino, ino, 'copied again');

  const [name = ''] = await readdir(trapped);
  await rm(join(trapped, name), { recursive: true });
  await directoryOf(nobody, trapped, name);
  const safe = await start();
  assert.ok(safe.startsWith(cache), safe);
});

test('an ordinary user, on an install whose scripts did not run', { skip: needsRoot }, async (t) => {
  const place = await openFolder(t);
  const checkout = await copyCheckout(join(place, 'checkout'));
  const dataDir = join(await directoryOf(nobody, place, 'home'), 'data');
  const service = runService(t, { dataDir }, { checkout, uid: nobody });
  const { url, pid } = await hearStarted(service);
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(effectiveUid(pid), nobody);
  service.child.kill('SIGKILL');
  await service.ended;

  // Root in between, as with sudo, runs it as its owner, who can go on with it.
  for (const host of [{ checkout, uid: nobody }, { checkout }, { checkout, uid: nobody }]) {
    const next = runService(t, { dataDir }, host);
    const started = await hearStarted(next);
    assert.notEqual(started.pid, pid);
    assert.equal(effectiveUid(started.pid), nobody);
    assert.deepEqual(await endService(next), [0, null]);
  }
  assert.equal(await isServed(dataDir), false);
});

test('a user number without a name makes its database in a namespace', {
  skip: needsNamespaces,
}, async (t) => {
  const place = await openFolder(t);
  const checkout = await copyCheckout(join(place, 'checkout'));
  const dataDir = join(await directoryOf(nameless, place, 'home'), 'data');
  for (const round of ['first', 'later']) {
    const service = runService(t, { dataDir }, { checkout, uid: nameless });
    const { url, pid } = await hearStarted(service);
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }], round);
    assert.equal(effectiveUid(pid), nameless);
    assert.deepEqual(await endService(service), [0, null]);
  }
  assert.equal((await stat(join(dataDir, 'postgres'))).uid, nameless);
});

test('an ordinary user is told whose data he opened', { skip: needsRoot }, async (t) => {
  const place = await openFolder(t);
  const checkout = await copyCheckout(join(place, 'checkout'));
  const dataDir = await usedDataDir(t);
  await chmod(dirname(dataDir), 0o755);
  await chmod(dataDir, 0o777);
  const refusal = async () => {
    const service = runService(t, { dataDir }, { checkout, uid: nameless });
    return (await service.hear()).message ?? '';
  };
  assert.match(await refusal(), /may not write to .*data\/postgres\. Give it the directory \(chown -R\)/);
  await chmod(dataDir, 0o777);
  await chmod(join(dataDir, 'postgres'), 0o755);
  for (const name of await readdir(dataDir)) await chmod(join(dataDir, name), 0o777);
  await chmod(join(dataDir, 'postgres', 'PG_VERSION'), 0o644);
  assert.match(await refusal(), /belongs to user number \d+, and this program runs as 54321/);
});

test('files that others could read, or that root edited, are put right', async (t) => {
  const dataDir = await usedDataDir(t);
  const cluster = join(dataDir, 'postgres');
  await chmod(cluster, 0o755);
  await writeFile(join(cluster, 'edited.conf'), "work_mem = '5MB'\n", { mode: 0o600 });
  await writeFile(join(cluster, 'postgresql.auto.conf'), "include 'edited.conf'\n");
  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SHOW work_mem'), [{ work_mem: '5MB' }]);
  assert.equal((await stat(cluster)).mode & 0o777, 0o700);
});

/** A directory that every account may enter. */
async function openFolder(t: TestContext): Promise<string> {
  const folder = await scratch(t);
  await chmod(folder, 0o755);
  return folder;
}

function effectiveUid(pid: number): number {
  const [, , uid = ''] = /^Uid:\t(\d+)\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number.parseInt(uid, 10);
}
