import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { type RunningApp, startApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { decodeId, newUuidV7 } from '../src/kit/ids.ts';
import { Client } from './client.ts';
import { createDatabase, databaseUrl } from './server.ts';

/** A real service on a database of its own, and clients that check every answer against its schema. */
export interface TestApp {
  readonly running: RunningApp;
  readonly url: string;
  readonly databaseUrl: string;
  readonly config: Config;
  /** A full-access key of the workspace "Default" (entry plan). */
  readonly client: Client;
  readonly operator: Client;
  /** A caller without a key. */
  readonly anyone: Client;
  /** Moves the service's clock forward. */
  advance(ms: number): void;
  /** Stops the service's clock at this moment; it then moves by `advance` only. */
  stopClock(at: number): void;
  /** A fresh workspace with a client of its full-access key; by default on the pro plan and with 100 credits. */
  newWorkspace(plan?: 'entry' | 'pro', credits?: number): Promise<{ workspaceId: string; client: Client }>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Uploads codes to the pool of a pass, in this order. */
  fillPool(passId: string, codes: readonly string[]): Promise<void>;
  /** Every row of every table as text, to search for what must not be there. */
  dump(): Promise<string>;
  /** A second process of the service on the same database and settings; a client of it with the same key. */
  twin(): Promise<Client>;
}

/** Starts it for a test file; it is taken down, with its database, when the file's tests are over. */
export async function startTestApp(overrides: Record<string, string> = {}, log?: Logger): Promise<TestApp> {
  const database = overrides.DATABASE_URL ?? (await createTestDatabase());
  const dataDir = await makeDataDir();
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'https://cards.example.test',
    DATA_DIR: dataDir,
    DATABASE_URL: database,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
    ...overrides,
  });
  let ahead = 0;
  let stoppedAt: number | null = null;
  const started: RunningApp[] = [];
  // Ids run ahead of a clock that steps back by less than a minute, as after a file of this process that moved its own.
  newUuidV7(0);
  const start = async () => {
    const now = () => new Date((stoppedAt ?? Date.now()) + ahead);
    const one = await startApp(config, { now, works: config.workers, ...(log && { log }) });
    started.push(one);
    return one;
  };
  const running = await start();
  const pool = new pg.Pool({ connectionString: database, max: 3 });
  // A test may cut the connections to its database.
  pool.on('error', () => undefined);
  after(async () => {
    for (const one of started) await one.close();
    await pool.end();
    await dropTestDatabase(database);
    // Only now: as long as it runs it writes mails there.
    await removeDataDir(dataDir);
  });
  const as = (secret: string | null, url = running.url) => new Client(url, config.publicUrl, secret);
  assert.ok(running.firstRun, 'a new database makes a first workspace');
  const { apiKey, operatorToken } = running.firstRun;
  const operator = as(operatorToken);
  return {
    running,
    url: running.url,
    databaseUrl: database,
    config,
    client: as(apiKey),
    operator,
    anyone: as(null),
    advance: (ms) => {
      ahead += ms;
    },
    stopClock(at) {
      stoppedAt = at;
      ahead = 0;
    },
    async newWorkspace(plan = 'pro', credits = 100) {
      const { body } = await operator.post('/operator/workspaces', { name: 'Blue Bean', plan, credits });
      return { workspaceId: String(body.workspaceId), client: as(String(body.apiKey)) };
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
    async fillPool(passId, codes) {
      const id = decodeId('pass', passId);
      await pool.query(uploadCodes, [id, codes]);
      await pool.query(moveMark, [id]);
    },
    async dump() {
      const { rows: tables } = await pool.query(
        "select tablename from pg_tables where schemaname = 'public'",
      );
      const dumps = tables.map(({ tablename }) => pool.query(`select t::text as row from ${tablename} t`));
      return (await Promise.all(dumps)).flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
    },
    twin: async () => as(apiKey, (await start()).url),
  };
}

const uploadCodes = `
  with pass as (select workspace_id, pass_id from passes where pass_id = $1),
  added as (
    insert into pool_barcodes (workspace_id, pass_id, barcode)
    select workspace_id, pass_id, code from pass, unnest($2::text[]) with ordinality as c(code, place) order by place
    returning 1
  )
  insert into pass_counters as c (workspace_id, pass_id, shard, pooled)
  select workspace_id, pass_id, 0, (select count(*) from added) from pass
  on conflict (workspace_id, pass_id, shard) do update set pooled = c.pooled + excluded.pooled`;

const moveMark = `
  update passes p
  set pool_low_seq = mark.seq, pool_low_since = case when mark.seq is null then pool_low_since end
  from (
    select (
      select seq from pool_barcodes where pass_id = $1 and instance_id is null
      order by seq desc offset (select pool_low_at from passes where pass_id = $1) limit 1
    ) as seq
  ) as mark
  where p.pass_id = $1`;

/** A data directory with signing certificates, removed when the file's tests are over. */
export async function temporaryDataDir(): Promise<string> {
  const dataDir = await makeDataDir();
  after(() => removeDataDir(dataDir));
  return dataDir;
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'punchcard-app-'));
  await cp(fromRun('PUNCHCARD_TEST_APPLE'), join(dataDir, 'apple-development'), { recursive: true });
  await cp(fromRun('PUNCHCARD_TEST_WEB'), join(dataDir, 'web'), { recursive: true });
  return dataDir;
}

function removeDataDir(dataDir: string): Promise<void> {
  // A database that was killed may still write there.
  return rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** A database with nothing in it, as a server makes it; on a cluster one on each server. Its URL. */
export async function createBareDatabase(): Promise<string> {
  const name = newName();
  await createDatabase(servers(), name);
  return databaseUrl(servers()[0] ?? '', name);
}

/** An empty, migrated database of its own, on a cluster one on each server; its URL. */
export async function createTestDatabase(): Promise<string> {
  const name = newName();
  // Two copies of a template cannot be made at once: the second waits for the first.
  for (const server of servers())
    await administer(
      server,
      `select pg_advisory_lock(7052019); create database ${name} template ${fromRun('PUNCHCARD_TEST_TEMPLATE')}`,
    );
  return databaseUrl(servers()[0] ?? '', name);
}

/** An empty one on each server, of which nothing makes a cluster yet; the URL of the first. */
export async function createLoneDatabases(): Promise<string> {
  const name = newName();
  for (const server of servers()) await administer(server, `create database ${name}`);
  return databaseUrl(servers()[0] ?? '', name);
}

/**
 * Removes it. A client that has just left may still be on its way out: only then are connections cut. Those that the nodes of a
 * cluster keep to each other never leave.
 */
export async function dropTestDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const server of servers()) await dropOn(server, name, servers().length > 1 ? 0 : 40);
}

async function dropOn(server: string, name: string, patience: number): Promise<void> {
  for (let attempt = 0; attempt < patience; attempt++) {
    const inUse = await administer(server, `drop database if exists ${name}`).then(
      () => false,
      (error) => {
        if (error.code === '55006') return true;
        throw error;
      },
    );
    if (!inUse) return;
    await sleep(50);
  }
  await administer(server, `drop database if exists ${name} with (force)`);
}

async function administer(server: string, statements: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  // One by one: CREATE DATABASE cannot run in the transaction of a multi-statement query.
  try {
    for (const statement of statements.split('; ')) await admin.query(statement);
  } finally {
    await admin.end();
  }
}

/** Whether the tests run on a Citus cluster; where they do not, why those of a cluster are passed over. */
export function isCluster(): boolean {
  return servers().length > 1;
}
export const needsCluster = isCluster()
  ? {}
  : { skip: 'TEST_DATABASE_URL names no coordinator of a Citus cluster' };

/** A database on each node of the cluster, the coordinator's first. */
export function nodesOf(url: string): string[] {
  return servers().map((server) => databaseUrl(server, new URL(url).pathname.slice(1)));
}

/** The coordinator of a cluster comes first; elsewhere there is one. */
function servers(): string[] {
  return fromRun('PUNCHCARD_TEST_SERVERS').split(' ');
}

function fromRun(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('Run tests with: npm test -- FILE');
  return value;
}

function newName(): string {
  return `punchcard_test_${randomBytes(6).toString('hex')}`;
}
