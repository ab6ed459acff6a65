import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { decodeId } from '../src/kit/ids.ts';
import { freePort } from '../test/service-process.ts';

/** A database server of a benchmark's own, and a folder that goes with it. */
export interface BenchServer {
  readonly url: string;
  readonly folder: string;
  /** Ends something that the benchmark has started, when it is over or has failed. */
  onEnd(close: () => unknown): void;
}

/** A service in a process of its own on a database of its own, with a published pass. */
export interface Service {
  readonly pid: number;
  readonly port: number;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiKey: string;
  /** `Host` and `Authorization`, each with its end of line. */
  readonly headers: string;
  /** For what the benchmark itself asks of the database. */
  readonly pool: pg.Pool;
  /** UUIDs. */
  readonly workspaceId: string;
  readonly passId: string;
  /** As clients spell it. */
  readonly publicPassId: string;
}

/** The pass type of the certificate that a service makes for itself. */
export const passTypeIdentifier = 'pass.dev.punchcard.local';

/** Runs `work` on a new PostgreSQL server; nothing of it is left afterwards. */
export async function withPostgres<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  const closers: (() => unknown)[] = [];
  try {
    return await work({ url: postgres.url, folder, onEnd: (close) => closers.push(close) });
  } finally {
    await Promise.allSettled(closers.map(async (close) => close()));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a service with its default settings, but for those given here; `name` is that of its database and folder. */
export async function startService(
  server: BenchServer,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const databaseUrl = await createDatabase(server, name);
  const dataDir = join(server.folder, name);
  const port = await freePort();
  const environment = {
    ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '100000',
    ...settings,
  };
  const { pid = 0 } = startProcess(server, [], ['serve'], environment);
  await ready(port);
  const { apiKey, workspaceId } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const publicPassId = await publishPass({ port, apiKey });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // After a failure the server ends first.
  pool.on('error', () => undefined);
  server.onEnd(() => pool.end());
  return {
    pid,
    port,
    databaseUrl,
    dataDir,
    environment,
    apiKey,
    headers: `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n`,
    pool,
    workspaceId: decodeId('ws', workspaceId) ?? '',
    passId: decodeId('pass', publicPassId) ?? '',
    publicPassId,
  };
}

/** Runs `punchcard` with the arguments, under Node with the flags. */
export function startProcess(
  server: BenchServer,
  flags: readonly string[],
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [...flags, main, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  server.onEnd(() => child.kill('SIGKILL'));
  return child;
}

/** Runs a file of this folder with an argument, and waits for the text that it sends once it is ready. */
export async function startPartner(
  server: BenchServer,
  file: string,
  argument: string,
): Promise<{ child: ChildProcess; said: string }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [argument]);
  server.onEnd(() => child.kill('SIGKILL'));
  const [said] = (await once(child, 'message')) as [string];
  return { child, said };
}

/** Calls the service with its key. Fails on anything but success. */
export async function callService<Answer>(
  { port, apiKey }: Pick<Service, 'port' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
  return (await reply.json()) as Answer;
}

/** Makes an empty database and returns its URL. */
export async function createDatabase(server: BenchServer, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database bench_${name}`);
  await admin.end();
  return Object.assign(new URL(server.url), { pathname: `/bench_${name}` }).href;
}

async function ready(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  throw new Error('the service did not start');
}

async function publishPass(service: Pick<Service, 'port' | 'apiKey'>): Promise<string> {
  const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
  const design = { title: 'Blue Bean Club', type: 'loyalty', fields };
  const { passId } = await callService<{ passId: string }>(service, 'POST', '/passes', design);
  await callService(service, 'PATCH', `/passes/${passId}`, { status: 'published' });
  return passId;
}
