import assert from 'node:assert/strict';
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { findRunningServer, startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { decodeId } from '../src/kit/ids.ts';
import { freePort } from '../test/service-process.ts';

/** A benchmark that is under way. */
export interface Bench {
  /** It is gone when the benchmark is over. */
  readonly folder: string;
  /** Ends something that the benchmark has started, when it is over or has failed; the last first. */
  onEnd(close: () => unknown): void;
}

/** With a database server of the benchmark's own. */
export interface BenchServer extends Bench {
  readonly url: string;
}

/** A service in a process of its own with a published pass. */
export interface Service {
  readonly pid: number;
  readonly port: number;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly operatorToken: string;
  /** `Host` and `Authorization`, each with its end of line. */
  readonly headers: string;
  /** For what the benchmark itself asks of the database. */
  readonly pool: pg.Pool;
  /** UUIDs. */
  readonly workspaceId: string;
  readonly passId: string;
  /** As clients spell it. */
  readonly publicPassId: string;
  readonly publicWorkspaceId: string;
}

/** What a call is sent with. */
export type Caller = Pick<Service, 'port' | 'apiKey' | 'headers'>;

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The pass type of the certificate that a service makes for itself. */
export const passTypeIdentifier = 'pass.dev.punchcard.local';

/** Runs `work` in a folder of its own; nothing of it is left afterwards. */
export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-bench-'));
  const closers: (() => unknown)[] = [];
  const end = async () => {
    for (const close of closers.splice(0)) await (async () => close())().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  // An interrupted benchmark leaves no services running.
  const leave = () => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    return await work({ folder, onEnd: (close) => closers.unshift(close) });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave);
    await end();
  }
}

/** Runs `work` on a new PostgreSQL server; nothing of it is left afterwards. */
export function withPostgres<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  return withBench(async (bench) => {
    const postgres = await startEmbeddedPostgres({ dataDir: join(bench.folder, 'database') });
    bench.onEnd(() => postgres.stop());
    return work({ ...bench, url: postgres.url });
  });
}

/**
 * Starts what a user runs: `npm start` in a data directory of its own, with the embedded PostgreSQL, the background work and
 * every default, but for the settings given here; `program` may be that of another checkout.
 */
export async function startAsShipped(
  bench: Bench,
  name: string,
  settings: Readonly<Record<string, string>> = {},
  program = main,
): Promise<Service> {
  const dataDir = join(bench.folder, name);
  const environment = await environmentOf({ DATA_DIR: dataDir, ...settings });
  const child = startProcess(bench, [], ['serve'], environment, program);
  await ready(Number(environment.PORT));
  const databaseUrl = (await findRunningServer(dataDir)) ?? '';
  return describe(bench, child.pid ?? 0, databaseUrl, dataDir, environment);
}

/** Starts a service on the benchmark's server, with its default settings but for those given here; `name` is that of its database and folder. */
export async function startService(
  server: BenchServer,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startOn(server, name, await createDatabase(server, name), settings);
}

/** Starts a service on a database, with its default settings but for those given here; `name` is that of its folder. */
export async function startOn(
  bench: Bench,
  name: string,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const { pid, dataDir, environment } = await launchOn(bench, name, databaseUrl, settings);
  return describe(bench, pid, databaseUrl, dataDir, environment);
}

/** Starts a service on a database that holds workspaces already; what calls of one of these are sent with. */
export async function startOnFilled(
  bench: Bench,
  name: string,
  databaseUrl: string,
  publicWorkspaceId: string,
): Promise<Caller> {
  const { environment } = await launchOn(bench, name, databaseUrl);
  const port = Number(environment.PORT);
  const asCommand = [main, 'keys', 'create', publicWorkspaceId, '--name', 'Benchmark', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, asCommand, { env: environment });
  const apiKey = await makeKey({ port, apiKey: JSON.parse(stdout).secret });
  return { port, apiKey, headers: headersOf(port, apiKey) };
}

async function launchOn(
  bench: Bench,
  name: string,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const dataDir = join(bench.folder, name);
  const environment = await environmentOf({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // The routes of devices have no key, whose limit could be raised.
    RATE_LIMIT_PER_SECOND: '100000',
    ...settings,
  });
  const { pid = 0 } = startProcess(bench, [], ['serve'], environment);
  await ready(Number(environment.PORT));
  return { pid, dataDir, environment };
}

async function environmentOf(settings: Readonly<Record<string, string>>) {
  return { PATH: process.env.PATH ?? '', PORT: String(await freePort()), ...settings };
}

async function describe(
  bench: Bench,
  pid: number,
  databaseUrl: string,
  dataDir: string,
  environment: Service['environment'],
): Promise<Service> {
  const port = Number(environment.PORT);
  const first = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const { workspaceId, operatorToken } = first;
  const apiKey = await makeKey({ port, apiKey: first.apiKey });
  const publicPassId = await publishPass({ port, apiKey });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // After a failure the server ends first.
  pool.on('error', () => undefined);
  bench.onEnd(() => pool.end());
  return {
    pid,
    port,
    databaseUrl,
    dataDir,
    environment,
    apiKey,
    operatorToken,
    publicWorkspaceId: workspaceId,
    headers: headersOf(port, apiKey),
    pool,
    workspaceId: decodeId('ws', workspaceId) ?? '',
    passId: decodeId('pass', publicPassId) ?? '',
    publicPassId,
  };
}

/** The secret of a key that may call as often as it likes. */
async function makeKey(caller: Pick<Service, 'port' | 'apiKey'>): Promise<string> {
  const key = { name: 'Benchmark', access: 'full', rateLimit: 100_000 };
  return (await callService<{ secret: string }>(caller, 'POST', '/api-keys', key)).secret;
}

function headersOf(port: number, apiKey: string): string {
  return `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n`;
}

/** Runs `punchcard` with the arguments, under Node with the flags. */
export function startProcess(
  bench: Bench,
  flags: readonly string[],
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = main,
): ChildProcess {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  bench.onEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  });
  return child;
}

/** Runs a file of this folder with arguments, and waits for the text that it sends once it is ready. */
export async function startPartner(
  bench: Bench,
  file: string,
  ...args: readonly string[]
): Promise<{ child: ChildProcess; said: string }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  bench.onEnd(() => child.kill('SIGKILL'));
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
  const text = await reply.text();
  assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`);
  return JSON.parse(text) as Answer;
}

/** Makes an empty database and returns its URL. */
export async function createDatabase({ url }: Pick<BenchServer, 'url'>, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database bench_${name}`);
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/bench_${name}` }).href;
}

async function ready(port: number): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  throw new Error('the service did not start');
}

/** Makes and publishes a pass, and answers its id as clients spell it. */
export async function publishPass(
  service: Pick<Service, 'port' | 'apiKey'>,
  type = 'loyalty',
): Promise<string> {
  const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
  const design = { title: 'Blue Bean Club', type, fields };
  const { passId } = await callService<{ passId: string }>(service, 'POST', '/passes', design);
  await callService(service, 'PATCH', `/passes/${passId}`, { status: 'published' });
  return passId;
}
