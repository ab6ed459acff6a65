import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, chown, cp, readdir, stat, writeFile } from 'node:fs/promises';
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

test('root, with data in a closed home directory, runs it as nobody', { skip: needsRoot }, async (t) => {
  const checkout = await copyCheckout(join(await openFolder(t), 'checkout'), { hasLinks: false });
  const dataDir = join(await scratch(t), 'data');
  const service = runService(t, { dataDir }, { checkout });
  const { url, pid } = await hearStarted(service);
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid, nobody);
  assert.equal(effectiveUid(pid), nobody);
  assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /CapEff:\t0{16}\n/);

  service.child.kill('SIGKILL');
  await service.ended;
  const next = runService(t, { dataDir }, { checkout });
  const second = await hearStarted(next);
  assert.notEqual(second.pid, pid);
  assert.deepEqual(await endService(next), [0, null]);
});

test('root gets an error when no other account may read the programs', { skip: needsRoot }, async (t) => {
  const home = await scratch(t);
  const checkout = await copyCheckout(join(home, 'checkout'), { mode: 0o700 });
  const service = runService(t, { dataDir: join(home, 'data') }, { checkout });
  assert.match(
    (await service.hear()).message ?? '',
    /refuses to run as root, .*EACCES\)\. Put this program where other accounts may read it, start it as an ordinary user/,
  );
});

test('a root that may not become another account gets an error', { skip: needsNamespaces }, async (t) => {
  const dataDir = join(await scratch(t), 'data');
  const service = runService(t, { dataDir }, { within: ['unshare', '--user', '--map-root-user'] });
  assert.match(
    (await service.hear()).message ?? '',
    /could not be run as another account \(.*(EINVAL|EPERM)\)/,
  );
});

test('data that belong to root, as former versions made them, are given to nobody', {
  skip: needsRoot,
}, async (t) => {
  const dataDir = await usedDataDir(t);
  const cluster = join(dataDir, 'postgres');
  for (const name of ['', ...(await readdir(cluster, { recursive: true }))])
    await chown(join(cluster, name), 0, 0);
  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal((await stat(join(cluster, 'base'))).uid, nobody);
  assert.equal(effectiveUid(database.pid), nobody);
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

test('an ordinary user, on an install whose scripts did not run', { skip: needsRoot }, async (t) => {
  const place = await openFolder(t);
  const checkout = await copyCheckout(join(place, 'checkout'), { hasLinks: false });
  const dataDir = join(await directoryOf(nobody, place, 'home'), 'data');
  const refused = runService(t, { dataDir }, { checkout, uid: nobody });
  assert.match((await refused.hear()).message ?? '', /The library links in .* are missing/);
  await chown(checkout.libraries, nobody, nobody);
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

test('a user number without a name makes no database, and opens one that is there', {
  skip: needsRoot,
}, async (t) => {
  const place = await openFolder(t);
  const checkout = await copyCheckout(join(place, 'checkout'));
  const dataDir = join(await directoryOf(nameless, place, 'home'), 'data');
  const refused = runService(t, { dataDir }, { checkout, uid: nameless });
  assert.match((await refused.hear()).message ?? '', /User number 54321 has no entry in \/etc\/passwd/);

  const made = await usedDataDir(t);
  await cp(made, dataDir, { recursive: true });
  for (const name of ['', ...(await readdir(dataDir, { recursive: true }))])
    await chown(join(dataDir, name), nameless, nameless);
  const service = runService(t, { dataDir }, { checkout, uid: nameless });
  const { url, pid } = await hearStarted(service);
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(effectiveUid(pid), nameless);
  assert.deepEqual(await endService(service), [0, null]);
});

test('an ordinary user gets an error that names the owner of the data', { skip: needsRoot }, async (t) => {
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
