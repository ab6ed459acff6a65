import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  changeSchema,
  distributeTables,
  type Placement,
  patience,
  setForTransaction,
} from '../citus/citus.ts';
import { boundNodes } from '../citus/nodes.ts';

/**
 * Brings the database to the newest numbered migration of `folder` and returns the names applied. Safe to run
 * from several processes at once: an advisory lock lets one work while the others wait. Raises `MigrationRefused`
 * when an applied file was edited since, or the database is newer than the program.
 */
export async function migrate(pool: pg.Pool, folder: string, placement?: Placement): Promise<string[]> {
  const migrations = migrationsIn(folder);
  const client = await pool.connect();
  try {
    if (placement !== undefined) await acquirePace(client, () => boundNodes(client));
    const done: string[] = [];
    for (;;) {
      const name = await acquirePace(client, (applied) => applyNext(client, migrations, applied, placement));
      if (name === null) break;
      done.push(name);
    }
    if (placement !== undefined) await acquirePace(client, () => distributeTables(client, placement));
    return done;
  } finally {
    client.release();
  }
}

/** The database and the program do not fit together; the message says how. */
export class MigrationRefused extends Error {}

/** The names of migrations that the database lacks; changes nothing. Raises `MigrationRefused` as `migrate` does. */
export async function pendingMigrations(pool: pg.Pool, folder: string): Promise<string[]> {
  const migrations = migrationsIn(folder);
  const applied = checksumsOf(await appliedMigrations(pool));
  nextOf(migrations, applied);
  return migrations.flatMap(({ name }) => (applied.has(name) ? [] : [name]));
}

/** A migration as the database remembers it. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** What the schema of the database was made by, in this order; nothing where there is none. */
export async function appliedMigrations(session: pg.Pool | pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows: found } = await session.query(
    `select to_regclass('${migrationsTable}') is not null as exists`,
  );
  if (!found[0].exists) return [];
  const text = `select name, checksum from ${migrationsTable} order by name`;
  return (await session.query<AppliedMigration>(text)).rows;
}

/** Where the database remembers its migrations. */
export const migrationsTable = 'schema_migrations';

/**
 * Keeps other processes from making or changing the schema until the transaction of `client` ends: a program that starts
 * before that waits.
 */
export async function lockSchema(client: pg.ClientBase): Promise<void> {
  await setForTransaction(client, {
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  });
  const wait: pg.QueryConfig = { text: `select pg_advisory_xact_lock(${lockId})`, ...patience };
  await client.query(wait);
}

/**
 * Makes the schema of an empty database, in the transaction of `client`, as these migrations have made that of another.
 * Raises `MigrationRefused` when the program does not know one of them, or knows it by another text.
 */
export async function remakeSchema(
  client: pg.ClientBase,
  folder: string,
  wanted: readonly AppliedMigration[],
): Promise<void> {
  const checksums = checksumsOf(wanted);
  const migrations = migrationsIn(folder);
  nextOf(migrations, checksums);
  await appliedIn(client);
  for (const migration of migrations) if (checksums.has(migration.name)) await apply(client, migration);
}

/** Applies what the database lacks, all in the transaction of `client`. */
export async function catchUp(client: pg.ClientBase, folder: string, placement?: Placement): Promise<void> {
  const migrations = migrationsIn(folder);
  for (;;) {
    const next = nextOf(migrations, await appliedIn(client));
    if (next === undefined) return;
    await apply(client, next, placement);
  }
}

interface Migration extends AppliedMigration {
  readonly text: string;
}

/** Any constant; it only has to be the same in every process. */
const lockId = 7_052_017;

/**
 * Does a step in a transaction that begins with the lock, and again where another session did not release its lock in time. Lock
 * and settings end with the transaction: behind a pooler the session is another client's then.
 */
async function acquirePace<T>(
  client: pg.PoolClient,
  step: (applied: ReadonlyMap<string, string>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin');
      await lockSchema(client);
      const result = await step(await appliedIn(client));
      await client.query('commit');
      return result;
    } catch (error) {
      // Where the connection is gone the rollback fails too; the first error is the cause.
      await client.query('rollback').catch(() => undefined);
      const lockTimedOut = error instanceof Error && 'code' in error && error.code === '55P03';
      if (!lockTimedOut || attempt === 50) throw error;
      await sleep(200 + Math.random() * 300);
    }
  }
}

/** Applies the next migration that is missing, and answers its name; null when there is none. */
async function applyNext(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
  placement: Placement | undefined,
): Promise<string | null> {
  const next = nextOf(migrations, applied);
  if (next !== undefined) await apply(client, next, placement);
  return next?.name ?? null;
}

/** The checksum of each applied migration. */
async function appliedIn(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  await client.query(`create table if not exists ${migrationsTable} (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  return checksumsOf(await appliedMigrations(client));
}

function checksumsOf(applied: readonly AppliedMigration[]): ReadonlyMap<string, string> {
  return new Map(applied.map(({ name, checksum }) => [name, checksum]));
}

/** Raises `MigrationRefused` where the database and the program do not fit together. */
function nextOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration | undefined {
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of applied.keys()) {
    if (!known.has(name))
      throw new MigrationRefused(
        `The database has migration ${name}, which this program does not know: run a newer version.`,
      );
  }
  return migrations.find(({ name, checksum }) => {
    const found = applied.get(name);
    if (found !== undefined && found !== checksum)
      throw new MigrationRefused(`Migration ${name} was edited after it was applied.`);
    return found === undefined;
  });
}

/**
 * A DDL statement that waits for a lock blocks every later reader, so it waits briefly. One at a time: a cluster takes no
 * more of them at once.
 */
async function apply(
  client: pg.ClientBase,
  { name, text, checksum }: Migration,
  placement?: Placement,
): Promise<void> {
  await setForTransaction(client, { lock_timeout: '300' });
  await changeSchema(client, splitStatements(text), placement);
  const remember = `insert into ${migrationsTable} (name, checksum) values ($1, $2)`;
  await client.query(remember, [name, checksum]);
}

function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/**
 * The statements of a text of SQL, without the comments between them. Knows strings, quoted names, dollar quotes and comments,
 * in which a semicolon ends nothing.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const comment = statement === '' ? /^(?:\s+|--.*|\/\*[\s\S]*?\*\/)/.exec(rest) : null;
    const [token = ''] = comment ?? whole.exec(rest) ?? rest;
    at += token.length;
    if (comment !== null) continue;
    if (token === ';') {
      statements.push(statement.trimEnd());
      statement = '';
    } else statement += token;
  }
  return statement === '' ? statements : [...statements, statement.trimEnd()];
}

/** What is read at one go: a run of ordinary characters, or whatever may hold a semicolon. */
const whole =
  /^(?:[^;'"$\-/eE\w]+|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>[a-z_]\w*)?\$[\s\S]*?\$\k<tag>\$|--.*|\/\*[\s\S]*?\*\/|\w+)/i;
