import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EmbeddedPostgresError, WrongMajorVersion } from './errors.ts';
import {
  afterwards,
  eventually,
  needsRoot,
  query,
  runService,
  scratch,
  snapshot,
  startHere,
} from './harness.fixture.ts';
import { startEmbeddedPostgres } from './start.ts';

const olderInitdb = '/usr/lib/postgresql/15/bin/initdb';

test('data of another PostgreSQL version is refused and left as it is', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  const cluster = join(dataDir, 'postgres');
  await makeOlderCluster(cluster);
  const before = await snapshot(dataDir);
  await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
    assert.ok(error instanceof WrongMajorVersion);
    assert.deepEqual([error.found, error.expected], [15, 18]);
    assert.match(error.message, /holds the data of PostgreSQL 15, but PostgreSQL 18 .*pg_dumpall/);
    return true;
  });
  assert.deepEqual(await snapshot(dataDir), before);
});

test('files that are no cluster are refused and left as they are', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'thesis.txt'), 'years of work');
  const before = await snapshot(dataDir);
  await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(error.message, /data\/postgres is not empty and holds no PostgreSQL data/);
    return true;
  });
  assert.deepEqual(await snapshot(dataDir), before);
});

test('an empty directory, and other files next to the cluster, are fine', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'signing.key'), 'kept');
  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('a data directory that is a file is refused', async (t) => {
  const file = join(await scratch(t), 'data');
  await writeFile(file, '');
  await assert.rejects(startEmbeddedPostgres({ dataDir: file }), {
    name: 'EmbeddedPostgresError',
    message: /is not a directory\. Remove it, or set DATA_DIR/,
  });
});

test('a creation that is killed midway is begun anew, and its remains disappear', async (t) => {
  const dataDir = join(await scratch(t), 'data');
  const unfinished = async () =>
    (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'));
  const service = runService(t, { dataDir });
  await eventually('half a cluster is there', async () => {
    const [name] = (await unfinished()).filter((entry) => !entry.endsWith('password'));
    return name !== undefined && existsSync(join(dataDir, name, 'PG_VERSION'));
  });
  service.child.kill('SIGKILL');
  await service.ended;
  assert.equal(existsSync(join(dataDir, 'postgres')), false);

  const database = await startHere(t, { dataDir });
  assert.deepEqual(await query(database.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await database.stop();
  // The killed service's initdb may have worked on for a moment; what it left then goes now.
  await startHere(t, { dataDir });
  assert.deepEqual(await unfinished(), []);
});

test('a full disk: a clear refusal and nothing half made; later no commit lost, and work goes on with new space', async (t) => {
  const disk = await smallDisk(t, '24m');
  if (!disk) return t.skip('needs the right to mount a tmpfs');
  const dataDir = join(disk, 'data');
  await assert.rejects(startEmbeddedPostgres({ dataDir }), {
    name: 'EmbeddedPostgresError',
    message: /no space left on the disk that holds .*data\. A new database needs about 60 MB/,
  });
  const left = (await readdir(dataDir)).filter((name) => !/^postgres\.(lock|password|log)$/.test(name));
  assert.deepEqual(left, []);

  execFileSync('mount', ['-o', 'remount,size=80m', disk]);
  const database = await startHere(t, { dataDir });
  await query(database.url, 'CREATE TABLE entry (id int PRIMARY KEY, filler text STORAGE EXTERNAL)');
  const insert = (id: number) =>
    query(database.url, 'INSERT INTO entry SELECT $1::int, repeat(md5($2), 20000)', [id, String(id)]);
  let acknowledged = 0;
  await assert.rejects(async () => {
    for (;;) {
      await insert(acknowledged + 1);
      acknowledged += 1;
    }
  });
  assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /No space left on device/);
  assert.ok(acknowledged > 5, `${acknowledged} rows`);

  execFileSync('mount', ['-o', 'remount,size=200m', disk]);
  await eventually('rows are accepted again', () =>
    insert(1_000_000).then(
      () => true,
      () => false,
    ),
  );
  const count = 'SELECT count(*)::int FROM entry WHERE id <= $1';
  assert.deepEqual(await query(database.url, count, [acknowledged]), [{ count: acknowledged }]);
});

/** A real one where an older PostgreSQL is installed; otherwise what a start looks at. */
async function makeOlderCluster(cluster: string): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  if (!existsSync(olderInitdb) || needsRoot) {
    await writeFile(join(cluster, 'PG_VERSION'), '15\n');
    return;
  }
  const place = await mkdtemp(join(tmpdir(), 'epg-older-'));
  try {
    await chown(place, 65534, 65534);
    execFileSync(olderInitdb, ['-D', place, '-A', 'trust', '--no-sync'], {
      uid: 65534,
      gid: 65534,
      stdio: 'ignore',
      cwd: '/',
    });
    execFileSync('cp', ['-a', `${place}/.`, cluster]);
  } finally {
    await rm(place, { recursive: true });
  }
}

/** A disk of that size, as root may mount one; undefined where mounting is not allowed. */
async function smallDisk(t: Parameters<typeof scratch>[0], size: string): Promise<string | undefined> {
  if (needsRoot) return undefined;
  const place = await mkdtemp(join(tmpdir(), 'epg-disk-'));
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', place]).status === 0;
  afterwards(t, async () => {
    if (mounted) execFileSync('umount', [place]);
    await rm(place, { recursive: true });
  });
  return mounted ? place : undefined;
}
