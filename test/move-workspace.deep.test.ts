import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { Device, takeCard } from '../src/delivery/apple/device.fixture.ts';
import { invite } from '../src/invitations/invites.fixture.ts';
import { createKeyedHash } from '../src/kit/crypto/at-rest.ts';
import { decodeId } from '../src/kit/ids.ts';
import { award, makeProgram } from '../src/loyalty/account.fixture.ts';
import { connectShop, newOrder, send } from '../src/stores/stores.fixture.ts';
import { startTcpProxy } from '../tools/fakes/tcp-proxy.ts';
import { Client } from './client.ts';
import { makeCard } from './factories.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { secretsOf } from './restored.ts';
import { refuse, succeed } from './run-command.ts';
import { ServiceProcess } from './service-process.ts';

/** Two installations with one key; each has another workspace as well. */
const settings = { WORKERS: 'off' };
const source = await startTestApp(settings);
const secrets = await secretsOf(source);
const target = await startTestApp({ ...settings, ...secrets });
const folder = await mkdtemp(join(tmpdir(), 'punchcard-moves-'));
after(() => rm(folder, { recursive: true }));
const at = ({ databaseUrl, config }: TestApp) => ({
  ...secrets,
  DATABASE_URL: databaseUrl,
  DATA_DIR: config.dataDir,
});

const { client, workspaceId } = await source.newWorkspace('pro', 1_000);
const id = decodeId('ws', workspaceId) ?? '';
const { pass } = await makeProgram(client);
const { passId } = pass;
const card = await makeCard(client, passId, { holder: { identifier: 'ada', name: 'Ada \\ Moves' } });
await award(client, card, 3);
const phone = new Device(source);
const lockedCard = await takeCard(source, card);
assert.equal((await phone.register(lockedCard)).status, 201);
const { lastUpdated } = (await phone.list()).body;
const reference = { passId, instanceId: card.instanceId, points: 40, externalRef: 'till-1' };
const awarded = await client.post('/loyalty/points', reference);
assert.equal(awarded.status, 200, awarded.text);
const pooled = await client.post('/passes', { title: 'Pooled', type: 'coupon', barcode: { mode: 'pool' } });
assert.equal(pooled.status, 201, pooled.text);
await source.fillPool(pooled.body.passId, ['moved-1', 'moved-2']);
await invite(client, passId, { email: 'waiting@example.com' });
const shop = await connectShop(client, { passId });
assert.equal((await send(client, shop.storeId, newOrder('kept', { customer: { id: 'grace' } }))).status, 200);
await source.sql(
  'insert into suppressions (workspace_id, email_hash, reason, created_at) values ($1, $2, $3, now())',
  [id, Buffer.alloc(32, 7), 'unsubscribed'],
);
await source.sql(
  'insert into image_files (workspace_id, hash, bytes, width, height, kept_at) values ($1, $2, $3, 1, 1, now())',
  [id, 'a'.repeat(64), Buffer.from('a picture\n\t\\')],
);
await source.sql(
  "insert into web_cards (workspace_id, instance_id, viewer_id, expires_at) values ($1, $2, $2, now() + interval '1 year')",
  [id, decodeId('inst', card.instanceId)],
);

/** Another workspace, there and here. */
for (const app of [source, target]) {
  const { pass: other } = await makeProgram(app.client);
  await makeCard(app.client, other.passId, { holder: { identifier: 'mallory-of-another-tenant' } });
}

/** The rows of all tables that have some of a workspace: those of this one, or all others. */
async function rowsOf({ sql }: TestApp, own: boolean): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1",
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      `select t::text as row from ${name} t where (workspace_id = $1) = $2 order by 1`,
      [id, own],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const none = (rows: Record<string, string[]>) => Object.values(rows).every(({ length }) => length === 0);
const file = join(folder, 'moved.workspace');
const suspend = (app: TestApp, suspended: boolean) =>
  succeed(['workspaces', suspended ? 'suspend' : 'resume', workspaceId], at(app));

/** A copy of the file with another first line: sealed again, or with a right hash alone. */
async function relabelled(name: string, label: (line: string) => string, isSealed: boolean): Promise<string> {
  const whole = await readFile(file);
  const end = whole.indexOf(10) + 1;
  const line = label(whole.subarray(0, end).toString());
  const bytes = Buffer.concat([Buffer.from(line), whole.subarray(end, -64)]);
  const digest = createHash('sha256').update(bytes).digest();
  const seal = createKeyedHash(Buffer.from(secrets.ENCRYPTION_KEY ?? '', 'hex'), 'seals of files');
  const mark = isSealed ? seal(digest.toString('hex')) : Buffer.alloc(32);
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([bytes, digest, mark]));
  return path;
}

describe('punchcard workspaces export', () => {
  it('wants a workspace that is suspended, or --copy', async () => {
    await refuse(
      /is not suspended.*Suspend it first, or add --copy/,
      ['workspaces', 'export', workspaceId, file],
      at(source),
    );
    await assert.rejects(stat(file), /ENOENT/);
    const copy = join(folder, 'copied.workspace');
    await succeed(['workspaces', 'export', '--copy', workspaceId, copy], at(source));
    assert.equal(JSON.parse(await suspend(source, true)).suspended, true);
    await succeed(['workspaces', 'export', workspaceId, file], at(source));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await refuse(
      /exists already: name another file/,
      ['workspaces', 'export', workspaceId, file],
      at(source),
    );
  });

  it('refuses an unknown id', async () => {
    const path = join(folder, 'nobody');
    await refuse(/No workspace has this id/, ['workspaces', 'export', 'ws_nobody', path], at(source));
  });

  it('has nothing of another workspace in the file', async () => {
    const whole = await readFile(file);
    const plain = zstdDecompressSync(whole.subarray(whole.indexOf(10) + 1, -64)).toString('latin1');
    assert.ok(plain.includes('moved-1') && plain.includes('waiting@example.com'));
    assert.ok(!plain.includes('mallory'));
    const others = await source.sql<{ id: string }>(
      'select workspace_id as id from workspaces where workspace_id <> $1',
      [id],
    );
    assert.equal(others.length, 1);
    for (const other of others) assert.ok(!plain.includes(other.id));
  });
});

describe('punchcard workspaces import', () => {
  it('refuses what is cut, changed, foreign or of another workspace, before the database is asked', async () => {
    const nowhere = { ...at(target), DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
    const whole = await readFile(file);
    const broken = join(folder, 'broken');
    const bytes = Buffer.from(whole);
    bytes[whole.length >> 1] = (bytes[whole.length >> 1] ?? 0) ^ 1;
    await writeFile(broken, bytes);
    await refuse(/is damaged/, ['workspaces', 'import', broken], nowhere);
    await truncate(broken, whole.length >> 1);
    await refuse(/is damaged/, ['workspaces', 'import', broken], nowhere);
    await writeFile(broken, 'PGDMP');
    await refuse(/is not a backup/, ['workspaces', 'import', broken], nowhere);
    const backup = join(folder, 'all.backup');
    await succeed(['backup', backup], at(source));
    await refuse(/of the format punchcard-backup-2/, ['workspaces', 'import', backup], nowhere);
    await refuse(/of the format punchcard-workspace-2/, ['restore', file], nowhere);
    // The head names another workspace: the rows are not its own.
    const [other] = (await source.operator.get('/operator/workspaces')).body.data.filter(
      (one: { workspaceId: string }) => one.workspaceId !== workspaceId,
    );
    const renamed = await relabelled(
      'renamed',
      (line) => line.replace(workspaceId, other.workspaceId),
      false,
    );
    await refuse(
      /is not sealed with the key of this installation/,
      ['workspaces', 'import', renamed],
      nowhere,
    );
  });

  it('refuses another key, with what to do', async () => {
    const other = { ...at(target), ENCRYPTION_KEY: '0'.repeat(64) };
    await refuse(
      /belongs to the encryption key [0-9a-f]{16}, and that of this installation is [0-9a-f]{16}\. Import it/,
      ['workspaces', 'import', file],
      other,
    );
  });

  it('refuses an older and a newer installation, and says which side is older', async () => {
    const later = "insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')";
    const back = "delete from schema_migrations where name = '9999_later.sql'";
    await target.sql(later);
    await refuse(
      /The file is older than this installation: it lacks 9999_later\.sql/,
      ['workspaces', 'import', file],
      at(target),
    );
    await target.sql(back);
    const newer = await relabelled(
      'newer',
      (line) => {
        const header = JSON.parse(line);
        header.migrations.push({ name: '9999_later.sql', checksum: 'x' });
        return `${JSON.stringify(header)}\n`;
      },
      true,
    );
    await refuse(
      /This installation is older than the file: it lacks 9999_later\.sql/,
      ['workspaces', 'import', newer],
      at(target),
    );
  });

  it('that is killed on the way, or does not fit, leaves nothing', async () => {
    const before = await rowsOf(target, false);
    const proxy = await startTcpProxy(target.databaseUrl);
    after(() => proxy.close());
    const command = new ServiceProcess(0, { ...at(target), DATABASE_URL: proxy.url }, [
      'workspaces',
      'import',
      file,
    ]);
    const killed = Promise.withResolvers<void>();
    proxy.holdOn('copy "web_cards"', 'request', async () => {
      await command.end('SIGKILL');
      killed.resolve();
      return 'cut';
    });
    command.launch();
    await Promise.all([killed.promise, command.ended()]);
    assert.ok(none(await rowsOf(target, true)));
    // A card here has the id of one that the file brings.
    const [taken] = await target.sql<{ workspace_id: string }>('select workspace_id from workspaces');
    const partner = decodeId('pass', passId);
    await target.sql(
      "insert into partners (workspace_id, partner_id, name, metadata, created_at, updated_at) values ($1, $2, 'x', '{}', now(), now())",
      [taken?.workspace_id, partner],
    );
    await source.sql(
      "insert into partners (workspace_id, partner_id, name, metadata, created_at, updated_at) values ($1, $2, 'x', '{}', now(), now())",
      [id, partner],
    );
    const clashing = join(folder, 'clashing');
    await succeed(['workspaces', 'export', workspaceId, clashing], at(source));
    await refuse(
      /Rows of partners have ids that another workspace has here/,
      ['workspaces', 'import', clashing],
      at(target),
    );
    for (const { sql } of [source, target])
      await sql('delete from partners where partner_id = $1', [partner]);
    assert.ok(none(await rowsOf(target, true)));
    assert.deepEqual(await rowsOf(target, false), before);
  });

  it('brings every row, and touches no other', async () => {
    const before = await rowsOf(target, false);
    await target.sql("select setval(pg_get_serial_sequence('pool_barcodes', 'seq'), 5)");
    await source.sql(
      "insert into pool_barcodes (workspace_id, pass_id, barcode, seq) overriding system value values ($1, $2, 'the-900th', 900)",
      [id, decodeId('pass', pooled.body.passId)],
    );
    await source.sql(
      'update pass_counters set pooled = pooled + 1 where ctid = (select ctid from pass_counters where pass_id = $1 limit 1)',
      [decodeId('pass', pooled.body.passId)],
    );
    const moved = join(folder, 'again.workspace');
    await succeed(['workspaces', 'export', workspaceId, moved], at(source));
    await succeed(['workspaces', 'import', moved], at(target));
    const [there, here] = [await rowsOf(source, true), await rowsOf(target, true)];
    // Devices get new tags.
    for (const name of ['apple_devices', 'apple_registrations']) {
      assert.equal(here[name]?.length, 1);
      assert.notDeepEqual(here[name], there[name]);
      delete here[name];
      delete there[name];
    }
    assert.deepEqual(here, there);
    assert.deepEqual(await rowsOf(target, false), before);
    await assertInvariants(target.sql);
    const [next] = await target.sql<{ seq: string }>(
      "select nextval(pg_get_serial_sequence('pool_barcodes', 'seq')) as seq",
    );
    assert.equal(Number(next?.seq), 901);
  });

  it('lets a phone that asks find its card, whatever it got there', async () => {
    const here = Object.assign(new Device(target), { id: phone.id });
    const { status, body } = await here.list(lastUpdated);
    assert.deepEqual([status, body?.serialNumbers], [200, [lockedCard.serialNumber]]);
    assert.equal((await here.list(body.lastUpdated)).status, 204);
  });

  it('refuses a workspace that is here', async () => {
    await refuse(/The workspace is here already/, ['workspaces', 'import', file], at(target));
  });

  it('lets everyone in as before, and answers a repeated call as it did', async () => {
    const moved = new Client(target.url, target.config.publicUrl, client.secret);
    assert.equal((await moved.get('/me')).body.code, 'workspace_suspended');
    assert.equal(JSON.parse(await suspend(target, false)).suspended, false);
    const answered = async () => (await moved.post('/loyalty/points', reference)).status === 200;
    target.running.app.keyCache.clear();
    assert.ok(await answered());
    const repeat = await moved.post('/loyalty/points', reference);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal(repeat.text, awarded.text);
    assert.equal((await moved.post('/loyalty/points', { ...reference, externalRef: 'till-2' })).status, 200);
    assert.equal((await fetch(card.links.add.replace(target.config.publicUrl, target.url))).status, 200);
    assert.equal(
      (await send(moved, shop.storeId, newOrder('new', { customer: { id: 'grace' } }))).status,
      200,
    );
    assert.match(await succeed(['audit', '--workspace', workspaceId], at(target)), /^✓ ws_/m);
    await assertInvariants(target.sql);
  });
});

describe('punchcard workspaces, keys and credits', () => {
  it('make, show and change what the API of the operator does, with lines in its audit log', async () => {
    const run = async (...args: string[]) => JSON.parse(await succeed(args, at(source)));
    const made = await run('workspaces', 'create', 'By hand', '--credits', '5');
    assert.equal((await run('workspaces', 'show', made.workspaceId)).credits, 5);
    assert.ok((await run('workspaces', 'list')).length >= 3);
    const key = await run('keys', 'create', made.workspaceId, '--name', 'Till', '--access', 'read');
    const till = new Client(source.url, source.config.publicUrl, key.secret);
    assert.equal((await till.get('/me')).body.keyId, key.keyId);
    assert.deepEqual(
      (await run('keys', 'list', made.workspaceId)).map(({ name }: { name: string }) => name),
      ['Till', 'First key'],
    );
    assert.notEqual((await run('keys', 'revoke', made.workspaceId, key.keyId)).revokedAt, null);
    assert.equal((await run('credits', 'add', made.workspaceId, '7', '--note', 'January')).balance, 12);
    assert.equal((await run('credits', 'show', made.workspaceId)).balance, 12);
    const lines = await source.sql<{ action: string; actor: string }>(
      'select action, actor from audit_log where workspace_id = $1 order by audit_id',
      [decodeId('ws', made.workspaceId)],
    );
    assert.deepEqual(
      lines,
      ['createWorkspace', 'createApiKey', 'revokeApiKey', 'addCredits'].map((action) => ({
        action,
        actor: 'operator',
      })),
    );
    await refuse(/amount/, ['credits', 'add', made.workspaceId, 'many'], at(source));
    await refuse(/No API key has this id/, ['keys', 'revoke', made.workspaceId, 'key_none'], at(source));
  });
});
