import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { type RunningApp, startApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { Client } from './client.ts';
import { databaseUrl } from './server.ts';

/** A real service on a database of its own, and clients that check every answer against its schema. */
export interface TestApp {
  readonly running: RunningApp;
  readonly url: string;
  readonly databaseUrl: string;
  readonly config: Config;
  /** A full-access key of the workspace "Default" (entry plan). */
  readonly client: Client;
  readonly operator: Client;
  /** Nobody in particular. */
  readonly anyone: Client;
  /** Moves the service's clock forward. */
  advance(ms: number): void;
  /** A fresh workspace with a client of its full-access key; on the pro plan unless told. */
  newWorkspace(plan?: 'entry' | 'pro'): Promise<{ workspaceId: string; client: Client }>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Starts it for a test file; it is taken down when the file's tests are over. */
export async function startTestApp(overrides: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'punchcard-app-'));
  await cp(fromRun('PUNCHCARD_TEST_APPLE'), join(dataDir, 'apple-development'), { recursive: true });
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
  const running = await startApp(config, { now: () => new Date(Date.now() + ahead) });
  const pool = new pg.Pool({ connectionString: database, max: 3 });
  after(async () => {
    await running.close();
    await pool.end();
    await dropTestDatabase(database);
    await rm(dataDir, { recursive: true, force: true });
  });
  const as = (secret: string | null) => new Client(running.url, config.publicUrl, secret);
  assert.ok(running.firstRun, 'a new database makes a first workspace');
  const operator = as(running.firstRun.operatorToken);
  return {
    running,
    url: running.url,
    databaseUrl: database,
    config,
    client: as(running.firstRun.apiKey),
    operator,
    anyone: as(null),
    advance: (ms) => {
      ahead += ms;
    },
    async newWorkspace(plan = 'pro') {
      const { body } = await operator.post('/operator/workspaces', { name: 'Blue Bean', plan, credits: 100 });
      return { workspaceId: String(body.workspaceId), client: as(String(body.apiKey)) };
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
  };
}

/** An empty, migrated database of its own; its URL. */
export async function createTestDatabase(): Promise<string> {
  const server = fromRun('PUNCHCARD_TEST_SERVER');
  const name = `punchcard_test_${randomBytes(6).toString('hex')}`;
  // Two copies of a template cannot be made at once: the second waits for the first.
  await administer(
    `select pg_advisory_lock(7052019); create database ${name} template ${fromRun('PUNCHCARD_TEST_TEMPLATE')}`,
  );
  return databaseUrl(server, name);
}

export async function dropTestDatabase(url: string): Promise<void> {
  await administer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

async function administer(statements: string): Promise<void> {
  const admin = new pg.Client({ connectionString: fromRun('PUNCHCARD_TEST_SERVER') });
  await admin.connect();
  // One by one: CREATE DATABASE cannot run in the transaction of a multi-statement query.
  for (const statement of statements.split('; ')) await admin.query(statement);
  await admin.end();
}

function fromRun(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('Run tests with: npm test -- FILE');
  return value;
}
