import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { award, makeProgram } from '../src/loyalty/account.fixture.ts';
import { startTcpProxy } from '../tools/fakes/tcp-proxy.ts';
import { makeCard } from './factories.ts';
import { startTestApp, temporaryDataDir } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { emptyDatabase, rowCounts, secretsOf } from './restored.ts';
import { refuse, succeed } from './run-command.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const { pass } = await makeProgram(client);
const card = await makeCard(client, pass.passId);
await award(client, card, 3);
const folder = await mkdtemp(join(tmpdir(), 'punchcard-backups-'));
after(() => rm(folder, { recursive: true }));
const secrets = await secretsOf(app);
const source = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
const dataDir = await temporaryDataDir();
const into = (url: string) => ({ ...secrets, DATABASE_URL: url, DATA_DIR: dataDir });

await succeed(['backup', folder], source);
const [name = ''] = await readdir(folder);
const file = join(folder, name);
const target = await emptyDatabase();

/** Nothing lies in the target: what failed has left nothing. */
async function assertEmpty(): Promise<void> {
  assert.deepEqual(await rowCounts(target.sql), {});
}

/** The command while it is held at a statement, and killed there. */
async function killedAt(words: string, url: string, args: string[], settings: Record<string, string>) {
  const proxy = await startTcpProxy(url);
  after(() => proxy.close());
  const command = new ServiceProcess(0, { ...settings, DATABASE_URL: proxy.url }, args);
  const isHeld = Promise.withResolvers<void>();
  proxy.holdOn(words, 'request', async () => {
    await command.end('SIGKILL');
    isHeld.resolve();
    return 'cut';
  });
  command.launch();
  const ended = command.ended().then((code) => assert.equal(code, null, command.said));
  await Promise.all([isHeld.promise, ended]);
}

describe('a backup', () => {
  it('has the time for a name in a folder, is for its owner alone, and names the key without showing it', async () => {
    assert.match(name, /^punchcard-\d{8}T\d{6}Z\.backup$/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const printed = await succeed(['restore', '--check', file], source);
    assert.match(printed, /is whole: \d+ rows of \d+ tables\n.*key [0-9a-f]{16}, as configured\n$/);
    assert.ok(!(await readFile(file)).includes(secrets.ENCRYPTION_KEY ?? ''));
  });

  it('takes the place of no other', async () => {
    await refuse(/exists already: name another file/, ['backup', file], source);
  });

  it('that is killed leaves nothing that looks like one', async () => {
    await killedAt('copy "rewards"', app.databaseUrl, ['backup', join(folder, 'killed.backup')], {
      DATA_DIR: app.config.dataDir,
    });
    const left = (await readdir(folder)).filter((found) => found.startsWith('killed'));
    assert.match(left.join(), /^killed\.backup\.[0-9a-f]{8}\.unfinished$/);
    await refuse(/is damaged/, ['restore', '--check', join(folder, left[0] ?? '')], source);
  });

  it('that loses the database fails, and leaves nothing', async () => {
    const proxy = await startTcpProxy(app.databaseUrl);
    after(() => proxy.close());
    proxy.holdOn('copy "rewards"', 'reply', async () => 'cut');
    const lost = { ...source, DATABASE_URL: proxy.url };
    await refuse(
      /The database cannot be used: Connection terminated/,
      ['backup', join(folder, 'cut.backup')],
      lost,
    );
    assert.deepEqual(
      (await readdir(folder)).filter((found) => found.startsWith('cut')),
      [],
    );
  });

  it('by an account that may read the tables but not the sequences is refused, with what to grant', async () => {
    const url = new URL(app.databaseUrl);
    const reader = `reader_${randomUUID().slice(0, 8)}`;
    await app.sql(`create role ${reader} login password 'reads'`);
    await app.sql(`grant select on all tables in schema public to ${reader}`);
    after(async () => {
      await app.sql(`drop owned by ${reader}`);
      await app.sql(`drop role ${reader}`);
    });
    [url.username, url.password] = [reader, 'reads'];
    const asReader = { ...source, DATABASE_URL: url.href };
    const path = join(folder, 'reader.backup');
    await refuse(
      /may not read the sequence \w+: grant it select on all sequences/,
      ['backup', path],
      asReader,
    );
    await app.sql(`grant select on all sequences in schema public to ${reader}`);
    await succeed(['backup', path], asReader);
    await succeed(['restore', '--check', path], source);
  });

  it('of an empty database is none', async () => {
    await refuse(/The database is empty/, ['backup', join(folder, 'none')], into(target.url));
  });
});

describe('a restore', () => {
  it('is refused with another key, and with none', async () => {
    const other = { ...into(target.url), ENCRYPTION_KEY: '0'.repeat(64) };
    await refuse(
      /belongs to the encryption key [0-9a-f]{16}, and the configured key is/,
      ['restore', file],
      other,
    );
    const { ENCRYPTION_KEY: _, ...none } = into(target.url) as Record<string, string>;
    await refuse(
      /and no key is configured\. Set ENCRYPTION_KEY, or put secrets\.json/,
      ['restore', file],
      none,
    );
    await assertEmpty();
  });

  it('is refused when the file is damaged or cut, before the database is asked', async () => {
    const nowhere = into('postgresql://nobody@127.0.0.1:1/none');
    const bytes = await readFile(file);
    const broken = join(folder, 'broken.backup');
    const begin = bytes.indexOf(10) + 1;
    // The format, a name within the description, its end, and what is compressed.
    const places = [2, begin >> 1, begin - 1, (begin + bytes.length) >> 1, bytes.length - 1];
    for (const place of places.slice(0, -1)) {
      await writeFile(broken, bytes.with(place, (bytes[place] ?? 0) ^ 1));
      await refuse(/is damaged/, ['restore', broken], nowhere);
    }
    for (const length of places.slice(1)) {
      await writeFile(broken, bytes.subarray(0, length));
      await refuse(/is damaged/, ['restore', broken], nowhere);
    }
    await writeFile(broken, 'PGDMP');
    await refuse(/is not a backup/, ['restore', broken], nowhere);
  });

  it('is refused without the seal of the key, but for --unsealed', async () => {
    const keyless = join(folder, 'keyless.backup');
    const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: await temporaryDataDir() };
    await succeed(['backup', keyless], settings);
    const changed = join(folder, 'changed.backup');
    const bytes = await readFile(file);
    const content = Buffer.from(
      bytes
        .subarray(0, -64)
        .toString('latin1')
        .replace(/"server":"1/, '"server":"2'),
      'latin1',
    );
    await writeFile(
      changed,
      Buffer.concat([content, createHash('sha256').update(content).digest(), bytes.subarray(-32)]),
    );
    for (const unsealed of [keyless, changed])
      await refuse(/is not sealed with the configured key/, ['restore', unsealed], into(target.url));
    await assertEmpty();
    assert.match(await succeed(['restore', '--check', keyless], into(target.url)), /^! It is not sealed/m);
    const second = await emptyDatabase();
    await succeed(['restore', '--unsealed', keyless], into(second.url));
    await assertInvariants(second.sql);
  });

  it('is refused when the backup is newer than the program, or of a schema that was edited', async () => {
    const known = await app.sql<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    );
    for (const [change, reason] of [
      [
        "insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')",
        /migration 9999_later\.sql, which this program does not know/,
      ],
      [
        "update schema_migrations set checksum = 'x' where name like '0002%'",
        /Migration 0002_wallets\.sql was edited/,
      ],
    ] as const) {
      await app.sql(change);
      const odd = join(folder, `odd-${change.length}.backup`);
      await succeed(['backup', odd], source);
      await app.sql('delete from schema_migrations');
      await app.sql(
        'insert into schema_migrations (name, checksum) select * from unnest($1::text[], $2::text[])',
        [known.map((one) => one.name), known.map((one) => one.checksum)],
      );
      await refuse(reason, ['restore', odd], into(target.url));
      await assertEmpty();
    }
  });

  it('that is killed leaves nothing, and can be repeated; a second one is refused', async () => {
    await killedAt('analyze ', target.url, ['restore', file], into(target.url));
    await assertEmpty();
    await succeed(['restore', file], into(target.url));
    await assertInvariants(target.sql);
    const counts = await rowCounts(target.sql);
    await refuse(/The database is not empty: it has api_key_secrets, /, ['restore', file], into(target.url));
    assert.deepEqual(await rowCounts(target.sql), counts);
  });

  it('keeps a service waiting that starts during it, until it is whole', async () => {
    const busy = await emptyDatabase();
    const proxy = await startTcpProxy(busy.url);
    after(() => proxy.close());
    const service = new ServiceProcess(await freePort(), { ...into(busy.url), WORKERS: 'off' });
    after(() => service.end('SIGKILL'));
    const isWaiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    proxy.holdOn('analyze ', 'request', async () => {
      service.launch();
      await until('it waits', async () => (await busy.sql(isWaiting)).length > 0, 60_000);
      await assert.rejects(busy.sql('select from workspaces'), /does not exist/);
      return 'goes on';
    });
    await succeed(['restore', file], into(proxy.url));
    await until(
      'it serves',
      async () => (await fetch(`${service.url}/readyz`).catch(() => null))?.ok === true,
      60_000,
    );
    const known = await fetch(`${service.url}/v1/instances/${card.instanceId}`, {
      headers: { authorization: `Bearer ${client.secret}` },
    });
    assert.equal(known.status, 200);
    await service.end('SIGTERM');
  });

  it('goes on with another key where that is asked for, and leaves out what is not the service’s', async () => {
    const second = await emptyDatabase();
    await app.sql('create table report (day date)');
    const more = join(folder, 'more.backup');
    await succeed(['backup', more], source);
    await app.sql('drop table report');
    const other = { ...into(second.url), ENCRYPTION_KEY: '0'.repeat(64) };
    const printed = await succeed(['restore', '--other-key', more], other);
    assert.match(printed, /^! report is no table of this program: it was left out$/m);
    await assertInvariants(second.sql);
  });

  it('of an older version is brought to this one', async () => {
    // As it was before the last migration.
    const [last] = await app.sql<{ name: string; checksum: string }>(
      "delete from schema_migrations where name like '0017%' returning name, checksum",
    );
    await app.sql('drop index invites_by_due, store_webhooks_by_due');
    const older = join(folder, 'older.backup');
    await succeed(['backup', older], source);
    const third = await emptyDatabase();
    await succeed(['restore', older], into(third.url));
    assert.equal((await third.sql("select from pg_indexes where indexname = 'invites_by_due'")).length, 1);
    assert.equal((await third.sql('select from schema_migrations where name = $1', [last?.name])).length, 1);
  });
});

describe('punchcard settle-restored', () => {
  it('is refused while a service uses the database', async () => {
    // Idle connections are closed after a minute.
    await client.get('/credits');
    await refuse(/other sessions? uses? the database\. Stop the service/, ['settle-restored'], source);
  });

  it('gives up what waits in a database that was restored by other means', async () => {
    const copy = await emptyDatabase();
    const service = new ServiceProcess(await freePort(), { ...into(copy.url), WORKERS: 'off' });
    after(() => service.end('SIGKILL'));
    await succeed(['restore', file], into(copy.url));
    await service.start();
    const [{ workspace_id, instance_id } = {}] = await copy.sql(
      'select workspace_id, instance_id from instances',
    );
    await copy.sql('update instances set web_wallets = 1, installed = true');
    await copy.sql('update pass_counters set installed = issued');
    await copy.sql(
      "insert into web_cards (workspace_id, instance_id, viewer_id, expires_at) values ($1, $2, $2, now() + interval '1 year')",
      [workspace_id, instance_id],
    );
    const url = `${service.url}/v1/instances/${card.instanceId}/fields`;
    const changed = await fetch(url, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${client.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fields: { tier: 'Gold' } }),
    });
    assert.equal(changed.status, 200, await changed.text());
    assert.equal((await copy.sql('select from pushes where web and credits = 1')).length, 1);
    await service.end('SIGTERM');
    assert.match(await succeed(['settle-restored'], into(copy.url)), /pushes given up {7}1 /);
    assert.deepEqual(await copy.sql('select * from pushes'), []);
    await assertInvariants(copy.sql);
  });
});
