import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { explainFailure } from '../src/commands/explain-failure.ts';
import { importWorkspace } from '../src/commands/move-workspace.ts';
import { createKeyedHash } from '../src/kit/crypto/at-rest.ts';
import {
  type BackupHeader,
  codes,
  headBytes,
  type Seal,
  type UnsummedPart,
} from '../src/kit/db/backup/format.ts';
import { writeBackupFile } from '../src/kit/db/backup/write-file.ts';
import { decodeId } from '../src/kit/ids.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { secretsOf } from './restored.ts';
import { refuse, succeed } from './run-command.ts';

/** The author of these files has the key: only what is in them can stop them. */
const source = await startTestApp({ WORKERS: 'off' });
const secrets = await secretsOf(source);
const target = await startTestApp({ WORKERS: 'off', REQUEST_LOG: 'off', ...secrets });
const folder = await mkdtemp(join(tmpdir(), 'punchcard-hostile-'));
after(() => rm(folder, { recursive: true }));
const at = ({ databaseUrl, config }: TestApp) => ({
  ...secrets,
  DATABASE_URL: databaseUrl,
  DATA_DIR: config.dataDir,
});
const seal: Seal = createKeyedHash(Buffer.from(secrets.ENCRYPTION_KEY ?? '', 'hex'), 'seals of files');

const { client, workspaceId } = await source.newWorkspace('pro', 100);
const own = decodeId('ws', workspaceId) ?? '';
await makeCard(client, (await makePass(client)).passId);
const pooled = await client.post('/passes', { title: 'Pooled', type: 'coupon', barcode: { mode: 'pool' } });
await source.fillPool(pooled.body.passId, ['moved-1', 'moved-2']);
const honest = join(folder, 'honest.workspace');
await succeed(['workspaces', 'export', '--copy', workspaceId, honest], at(source));

/** Another workspace, at the target. */
const victim = await target.newWorkspace('pro', 100);
const victimId = decodeId('ws', victim.workspaceId) ?? '';
const victimKey = decodeId('key', (await victim.client.get('/me')).body.keyId) ?? '';
await makeCard(victim.client, (await makePass(victim.client)).passId);
const [{ victimSecret } = {}] = await target.sql<{ victimSecret: string }>(
  `select encode(secret_hash, 'hex') as "victimSecret" from api_key_secrets where workspace_id = $1`,
  [victimId],
);
const person = randomUUID();
await target.sql(
  "insert into people (person_id, email, created_at, password) values ($1, 'eve@example.com', now(), 'kept')",
  [person],
);
await target.sql(
  "insert into memberships (person_id, workspace_id, email, name, role, created_at) values ($1, $2, 'eve@example.com', 'Eve', 'owner', now())",
  [person, victimId],
);

interface Table {
  readonly table: string;
  columns: string[];
  rows: string;
}

/** An exported file, taken apart. */
interface Taken {
  header: BackupHeader;
  tables: Table[];
  /** Of a table that has some rows, or is given them. */
  of(table: string): Table;
}

async function takeApart(): Promise<Taken> {
  const whole = await readFile(honest);
  const start = whole.indexOf(10) + 1;
  const plain = zstdDecompressSync(whole.subarray(start, -64));
  const tables: Table[] = [];
  for (let place = 0; place < plain.length; ) {
    const length = plain.readUInt32BE(place + 1);
    const payload = plain.subarray(place + headBytes, place + headBytes + length);
    if (plain[place] === codes.table) tables.push({ ...JSON.parse(payload.toString()), rows: '' });
    const last = tables.at(-1);
    if (plain[place] === codes.rows && last !== undefined) last.rows += payload.toString('latin1');
    place += headBytes + length;
  }
  const { sealed: _, ...header } = JSON.parse(whole.subarray(0, start).toString());
  return {
    header,
    tables,
    of: (name) => tables.find(({ table }) => table === name) ?? assert.fail(`no table ${name}`),
  };
}

async function* partsOf(tables: readonly Table[]): AsyncGenerator<UnsummedPart> {
  for (const { table, columns, rows } of tables) {
    yield { kind: 'table', table, columns };
    yield { kind: 'rows', bytes: Buffer.from(rows, 'latin1') };
    yield { kind: 'table end' };
  }
  yield { kind: 'end', sequences: [{ table: 'pool_barcodes', column: 'seq', last: '9223372036854775807' }] };
}

/** A line of COPY's text: the named columns, NULL in all others. */
function lineOf({ columns }: Table, values: Record<string, string>): string {
  return `${columns.map((column) => values[column] ?? '\\N').join('\t')}\n`;
}

/** The first row with another value in one of its columns. */
function withValue(table: Table, column: string, value: string): string {
  const [first = '', ...others] = table.rows.split('\n');
  const values = first.split('\t');
  values[table.columns.indexOf(column)] = value;
  return [values.join('\t'), ...others].join('\n');
}

let serial = 0;
async function fileOf(change: (taken: Taken) => void, key: Seal | null = seal): Promise<string> {
  const taken = await takeApart();
  change(taken);
  const path = join(folder, `${++serial}.workspace`);
  await writeBackupFile(path, taken.header, partsOf(taken.tables), key);
  return path;
}

/** The honest file with other bytes, hashed and sealed again. */
async function bytesOf(change: (plain: Buffer) => Buffer): Promise<string> {
  const whole = await readFile(honest);
  const start = whole.indexOf(10) + 1;
  const plain = change(zstdDecompressSync(whole.subarray(start, -64)));
  const content = Buffer.concat([whole.subarray(0, start), zstdCompressSync(plain)]);
  const digest = createHash('sha256').update(content).digest();
  const path = join(folder, `${++serial}.workspace`);
  await writeFile(path, Buffer.concat([content, digest, seal(digest.toString('hex'))]));
  return path;
}

/** All that the target holds: every row of every table, and every sequence. */
async function stateOf({ sql }: TestApp): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const state: Record<string, unknown> = {};
  for (const { name } of tables)
    state[name] = (await sql(`select md5(string_agg(t::text, chr(10) order by t::text)) from ${name} t`))[0];
  state.sequences = await sql('select sequencename, last_value from pg_sequences order by 1');
  return state;
}

const hex = (text: string) => [...text].map((each) => `\\x${each.charCodeAt(0).toString(16)}`).join('');
const octal = (text: string) =>
  [...text].map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
const now = '2026-11-22 00:00:00+00';

/** The fault of a file, the reason that is given, and the file. */
const hostile: readonly (readonly [what: string, reason: RegExp, file: () => Promise<string>])[] = [
  ...['workspaces', 'api_keys', 'api_key_secrets', 'passes', 'instances', 'audit_log', 'pool_barcodes'].map(
    (table) =>
      [
        `a row of another workspace in ${table}`,
        new RegExp(`rows of ${table} that are of another workspace`),
        () => fileOf(({ of }) => (of(table).rows = withValue(of(table), 'workspace_id', victimId))),
      ] as const,
  ),
  ...(
    [
      ['hexadecimal escapes', hex(victimId)],
      ['octal escapes', octal(victimId)],
      ['capitals and braces', `{${victimId.toUpperCase()}}`],
      ['NULL', '\\N'],
    ] as const
  ).map(
    ([how, spelt]) =>
      [
        `another workspace, spelt with ${how}`,
        how === 'NULL' ? /api_keys do not fit/ : /rows of api_keys that are of another workspace/,
        () => fileOf(({ of }) => (of('api_keys').rows = withValue(of('api_keys'), 'workspace_id', spelt))),
      ] as const,
  ),
  [
    'a tab that is part of a value, so that the columns seem to begin elsewhere',
    /rows of api_key_secrets that are of another workspace/,
    () =>
      fileOf(({ of }) => {
        of('api_key_secrets').rows += `x\\\t${own}\t${victimId}\t${victimKey}\t\\N\t${now}\n`;
      }),
  ],
  [
    'a line break that is part of a value',
    /api_key_secrets (do not fit|\d+ rows were loaded)|that are of another workspace/,
    () =>
      fileOf(({ of }) => {
        of('api_key_secrets').rows += `x\\\n${own}\t${own}\t${victimKey}\t\\N\t${now}\n`;
      }),
  ],
  [
    'rows behind the mark of the end',
    /Of api_keys \d rows were loaded instead of \d|api_keys do not fit/,
    () => fileOf(({ of }) => (of('api_keys').rows += `\\.\n${of('api_keys').rows}`)),
  ],
  [
    'lines that end with a carriage return alone',
    /Of api_keys \d rows were loaded instead of \d|api_keys do not fit/,
    () => fileOf(({ of }) => (of('api_keys').rows = of('api_keys').rows.replaceAll('\n', '\r'))),
  ],
  [
    'a table that holds none of a workspace',
    /a table that holds none of a workspace/,
    () =>
      fileOf(({ tables }) =>
        tables.push({
          table: 'people',
          columns: ['person_id', 'email', 'created_at'],
          rows: `${randomUUID()}\tmallory@example.com\t${now}\n`,
        }),
      ),
  ],
  [
    'a table of another schema',
    /a table that holds none of a workspace/,
    () => fileOf(({ tables }) => tables.push({ table: 'pg_authid', columns: ['rolname'], rows: 'x\n' })),
  ],
  [
    'a table twice',
    /or has some twice/,
    () => fileOf(({ tables, of }) => tables.push({ ...of('api_keys'), rows: '' })),
  ],
  [
    'a table less',
    /The file lacks web_cards/,
    () =>
      fileOf((taken) => {
        const place = taken.tables.findIndex(({ table }) => table === 'web_cards');
        taken.tables.splice(place, 1);
      }),
  ],
  [
    'a column more',
    /other columns of memberships/,
    () => fileOf(({ of }) => of('memberships').columns.push('person_id')),
  ],
  [
    'a column less',
    /other columns of memberships/,
    () => fileOf(({ of }) => of('memberships').columns.pop()),
  ],
  [
    'a column that is a statement',
    /other columns of memberships/,
    () =>
      fileOf(({ of }) => (of('memberships').columns[0] = '"person_id") from stdin; drop table people; --')),
  ],
  [
    'no row of the workspace itself',
    /do not fit|does not have the workspace/,
    () => fileOf(({ of }) => (of('workspaces').rows = '')),
  ],
  [
    'a number at the end of its sequence',
    /numbers of a sequence/,
    () =>
      fileOf(
        ({ of }) => (of('pool_barcodes').rows = withValue(of('pool_barcodes'), 'seq', '9223372036854775807')),
      ),
  ],
  [
    'the id of a key of another workspace',
    /api_keys have ids that another workspace has here/,
    () => fileOf(({ of }) => (of('api_keys').rows += withValue(of('api_keys'), 'key_id', victimKey))),
  ],
  [
    'the secret of a key of another workspace',
    /api_key_secrets do not fit what is here already: api_key_secrets_pkey/,
    () =>
      fileOf(({ of }) => {
        const secrets = of('api_key_secrets');
        secrets.rows = withValue(secrets, 'secret_hash', `\\\\x${victimSecret}`);
      }),
  ],
  [
    'a row that belongs to a card of another workspace',
    /consents do not fit/,
    () =>
      fileOf(({ of }) => {
        of('consents').rows = lineOf(of('consents'), {
          workspace_id: own,
          consent_id: randomUUID(),
          instance_id: randomUUID(),
          key: 'k',
          text: 't',
          agreed: 't',
          created_at: now,
        });
      }),
  ],
  [
    'a row longer than any can be',
    /a row that is longer than any can be/,
    () =>
      fileOf(({ of }) => {
        of('audit_log').rows += 'a'.repeat(80 * 1_048_576);
      }),
  ],
  [
    'a total that is not that of the rows',
    /does not hold as much as it says/,
    () =>
      bytesOf((plain) => {
        const place = plain.lastIndexOf('"rows":') + 7;
        plain[place] = plain[place] === 57 ? 56 : 57;
        return plain;
      }),
  ],
  [
    'a changed row with the sum of the honest one',
    /a table is not what was written/,
    () =>
      bytesOf((plain) => {
        plain.write('muved-1', plain.indexOf('moved-1'));
        return plain;
      }),
  ],
  [
    'a part of another kind within a table',
    /out of order/,
    () => bytesOf((plain) => Buffer.concat([plain.subarray(0, plain.readUInt32BE(1) + headBytes), plain])),
  ],
  ['no seal', /is not sealed with the key/, () => fileOf(() => undefined, null)],
  [
    'the seal of another key',
    /is not sealed with the key/,
    () => fileOf(() => undefined, createKeyedHash(Buffer.alloc(32, 1), 'seals of files')),
  ],
  [
    'control characters in what it says of itself',
    /is not a backup of this program/,
    () => fileOf((taken) => (taken.header = { ...taken.header, format: '\u001b[2Jpunchcard-workspace-2' })),
  ],
  [
    'control characters in the name of a table',
    /a table that holds none of a workspace/,
    () =>
      fileOf(({ tables }) => tables.push({ table: '\u001b]0;x\u0007', columns: ['\u001b[2J'], rows: '' })),
  ],
];

/** What the command would say, which has the settings of the target. A process for each file would take minutes. */
async function refusalOf(path: string): Promise<string> {
  const kept = { ...process.env };
  Object.assign(process.env, at(target));
  try {
    await importWorkspace(path);
    return 'It was imported.';
  } catch (error) {
    return explainFailure(error) ?? String(error);
  } finally {
    for (const name of Object.keys(at(target))) delete process.env[name];
    Object.assign(process.env, kept);
  }
}

describe('punchcard workspaces import', () => {
  it('refuses whatever else a file brings, with the reason, and leaves nothing', async () => {
    const before = await stateOf(target);
    const wrong: string[] = [];
    for (const [what, reason, file] of hostile) {
      const said = await refusalOf(await file());
      if (!reason.test(said) || /\p{Cc}/u.test(said)) wrong.push(`${what}: ${said}`);
    }
    assert.deepEqual(wrong, []);
    const [[, reason, file] = assert.fail()] = hostile;
    await refuse(reason, ['workspaces', 'import', await file()], at(target));
    assert.deepEqual(await stateOf(target), before);
  });

  it('takes the columns in any order, shows no control character, and goes on counting behind its rows', async () => {
    const picture = Buffer.from('the right picture');
    const hash = createHash('sha256').update(picture).digest('hex');
    const insert =
      'insert into image_files (workspace_id, hash, bytes, width, height, kept_at) values ($1, $2, $3, 1, 1, now())';
    const file = await fileOf((taken) => {
      const { header, of } = taken;
      taken.header = { ...header, facts: { ...header.facts, name: 'Bean\u001b[2J\u009b2J\u202e' } };
      const pool = of('pool_barcodes');
      const rows = pool.rows.trimEnd().split('\n');
      pool.rows = rows.map((row) => `${row.split('\t').reverse().join('\t')}\n`).join('');
      pool.columns.reverse();
      // A picture of its own, under the name of one that another workspace will have.
      of('image_files').rows = lineOf(of('image_files'), {
        workspace_id: own,
        hash,
        bytes: '\\\\x6e6f',
        width: '1',
        height: '1',
        kept_at: now,
      });
    });
    const printed = await succeed(['workspaces', 'import', file], at(target));
    assert.ok(printed.includes('Bean\\u001b[2J\\u{9b}2J\\u{202e}'), printed);
    await target.sql(insert, [victimId, hash, picture]);
    assert.deepEqual(await target.running.app.images.read(hash), picture);
    await target.sql('delete from image_files where hash = $1', [hash]);
    const [numbers] = await target.sql<{ highest: string; next: string }>(
      "select (select max(seq) from pool_barcodes) as highest, nextval(pg_get_serial_sequence('pool_barcodes', 'seq')) as next",
    );
    assert.equal(BigInt(numbers?.next ?? 0), BigInt(numbers?.highest ?? 0) + 1n);
    await assertInvariants(target.sql);
  });

  it('makes a new account for a member with the id and the address of a person who is here', async () => {
    const email = 'eve@example.com';
    const other = (await source.newWorkspace()).workspaceId;
    const moved = join(folder, 'members.workspace');
    await source.sql(
      "insert into memberships (person_id, workspace_id, email, name, role, created_at) values ($1, $2, $3, 'Mallory', 'owner', now())",
      [person, decodeId('ws', other), email],
    );
    await succeed(['workspaces', 'export', '--copy', other, moved], at(source));
    await succeed(['workspaces', 'import', moved], at(target));
    const people = await target.sql<{ personId: string; password: string | null; homeId: string | null }>(
      'select person_id as "personId", password, home_id as "homeId" from people where email = $1 order by created_at',
      [email],
    );
    const own = people.find(({ personId }) => personId === person);
    const made = people.find(({ personId }) => personId !== person);
    assert.equal(people.length, 2);
    assert.deepEqual([own?.password, own?.homeId], ['kept', null]);
    assert.deepEqual([made?.password, made?.homeId], [null, decodeId('ws', other)]);
  });
});
