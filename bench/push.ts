import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { decodeId } from '../src/kit/ids.ts';
import { deviceOf, fillInstalledCards } from '../test/fill-cards.ts';
import type { Seen } from './apns-simulator.ts';
import { httpLoad } from './http-load.ts';
import { type BenchResult, report } from './result.ts';

/**
 * One change of a design that 100,000 cards on 20,000 devices show: how fast the devices are pushed to, against a bare
 * node:http2 client that sends as many pushes to the same simulator; what the worker holds in memory meanwhile; and
 * what the API's callers notice of it. API and worker are processes of their own.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  const processes: ChildProcess[] = [];
  try {
    return await measure(await prepare(folder, postgres.url, processes));
  } finally {
    for (const child of processes) child.kill('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const cards = 100_000;
const devices = 20_000;
const rounds = 3;
const passTypeIdentifier = 'pass.dev.punchcard.local';

interface Setting {
  readonly port: number;
  readonly headers: string;
  readonly apiKey: string;
  readonly passId: string;
  readonly certificates: string;
  readonly simulator: ChildProcess;
  readonly simulatorUrl: string;
  readonly worker: ChildProcess;
  readonly pool: pg.Pool;
}

interface Rollout {
  /** From the first push to the last. */
  readonly perSecond: number;
  /** From the change to the last settled credit. */
  readonly totalMs: number;
  /** The most pushes that one device got. */
  readonly most: number;
  readonly workerMb: number;
  readonly busyP99: number;
}

interface Round extends Rollout {
  readonly bare: number;
  readonly idleP99: number;
}

async function measure(setting: Setting): Promise<BenchResult[]> {
  await barePushes(setting);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await barePushes(setting);
    const idleP99 = (await callers(setting, () => sleep(5_000))).p99Ms;
    const run = await rollout(setting, round);
    measured.push({ bare, idleP99, ...run });
  }
  await setting.pool.end();
  const middle = (pick: (one: Round) => number) => median(measured.map(pick));
  return [
    {
      name: 'pushes of a rollout : a bare http2 client',
      value: middle((one) => one.perSecond / one.bare),
      unit: 'x',
      target: { min: 0.7 },
    },
    {
      name: 'API p99 while it runs : idle',
      value: middle((one) => one.busyP99 / one.idleP99),
      unit: 'x',
      target: { max: 2 },
      note: `${middle((one) => one.busyP99).toFixed(1)} ms : ${middle((one) => one.idleP99).toFixed(1)} ms`,
    },
    {
      name: 'memory of the worker, at most',
      value: Math.max(...measured.map((one) => one.workerMb)),
      unit: 'MB',
      target: { max: 300 },
      note: `by round: ${measured.map((one) => one.workerMb.toFixed(0)).join(', ')}`,
    },
    {
      name: 'pushes to one device, at most',
      value: Math.max(...measured.map((one) => one.most)),
      unit: 'x',
      target: { max: 1 },
    },
    { name: 'pushes of a rollout', value: middle((one) => one.perSecond), unit: '/s' },
    { name: 'pushes of a bare http2 client', value: middle((one) => one.bare), unit: '/s' },
    {
      name: 'from the change to the last push',
      value: middle((one) => one.totalMs),
      unit: 'ms',
      note: `${cards} cards, ${devices} devices`,
    },
  ];
}

/** Changes the design and waits until every device was pushed to and every credit is settled. */
async function rollout(setting: Setting, round: number): Promise<Rollout> {
  await ask(setting.simulator, 'reset');
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(residentMb(setting.worker.pid ?? 0)), 100);
  const started = performance.now();
  let totalMs = 0;
  const load = await callers(setting, async () => {
    const fields = [{ key: 'tier', label: `Tier ${round}`, value: 'Bronze', section: 'secondary' }];
    await call(setting, 'PATCH', `/passes/${setting.passId}`, { fields });
    for (;;) {
      await sleep(250);
      const { rows } = await setting.pool.query('select reserved::int from credit_accounts');
      const { state } = (await call(setting, 'GET', `/passes/${setting.passId}`)).rollout;
      if (state === 'finished' && rows.every(({ reserved }) => reserved === 0)) break;
    }
    totalMs = performance.now() - started;
  });
  clearInterval(watch);
  const seen = await ask(setting.simulator, 'reset');
  assert.ok(seen.pushes >= devices, `${seen.pushes} pushes to ${devices} devices`);
  return {
    perSecond: (seen.pushes / seen.ms) * 1_000,
    most: seen.most,
    totalMs,
    workerMb: Math.max(...memory),
    busyP99: load.p99Ms,
  };
}

/** A few callers who look cards up, as tills do, for as long as `work` takes. */
async function callers(setting: Setting, work: () => Promise<void>) {
  let isOver = false;
  const request = `GET /v1/passes/${setting.passId}/instances?limit=1 HTTP/1.1\r\n${setting.headers}\r\n`;
  const load = httpLoad(
    setting.port,
    2,
    () => isOver,
    () => request,
    10,
  );
  await work();
  isOver = true;
  return load;
}

/** The rate of a loop that does nothing but push, with as many streams as the server allows. */
async function barePushes(setting: Setting): Promise<number> {
  await ask(setting.simulator, 'reset');
  const read = (name: string) => readFileSync(join(setting.certificates, name));
  const session = connect(setting.simulatorUrl, {
    cert: read('pass.pem'),
    key: read('pass.pem'),
    ca: read('root.pem'),
  });
  await once(session, 'remoteSettings');
  const most = session.remoteSettings.maxConcurrentStreams ?? 100;
  let next = 0;
  const lane = async () => {
    while (next < devices) {
      const { pushToken } = deviceOf(next++);
      const stream = session.request({
        ':method': 'POST',
        ':path': `/3/device/${pushToken}`,
        'apns-topic': passTypeIdentifier,
        'apns-push-type': 'background',
        'apns-priority': '5',
        'apns-expiration': '0',
      });
      stream.end('{}');
      stream.resume();
      const [headers] = await once(stream, 'response');
      assert.equal(headers[':status'], 200);
      if (!stream.closed) await once(stream, 'close');
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, 1_000) }, lane));
  session.close();
  const seen = await ask(setting.simulator, 'reset');
  return (seen.pushes / seen.ms) * 1_000;
}

async function prepare(folder: string, databaseUrl: string, processes: ChildProcess[]): Promise<Setting> {
  const dataDir = join(folder, 'data');
  const certificates = join(dataDir, 'apple-development');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const environment = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '100000',
    ROLLOUT_DEVICES_PER_SECOND: '1000000',
    WORKERS: 'off',
    LOG_LEVEL: 'warn',
  };
  const punchcard = (args: string[], more: Record<string, string> = {}) => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, ...more },
    });
    processes.push(child);
    return child;
  };
  punchcard(['serve']);
  await ready(port);
  const simulator = fork(fileURLToPath(new URL('apns-simulator.ts', import.meta.url)), [certificates]);
  processes.push(simulator);
  const [simulatorUrl] = (await once(simulator, 'message')) as [string];
  const { apiKey, workspaceId } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // After a failure the server ends first.
  pool.on('error', () => undefined);
  const keyed = { port, apiKey };
  const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
  const { passId } = await call(keyed, 'POST', '/passes', {
    title: 'Blue Bean Club',
    type: 'loyalty',
    fields,
  });
  await call(keyed, 'PATCH', `/passes/${passId}`, { status: 'published' });
  await pool.query('update credit_accounts set balance = 1000000000');
  const ids = { workspaceId: decodeId('ws', workspaceId) ?? '', passId: decodeId('pass', passId) ?? '' };
  await fillInstalledCards(pool, { ...ids, passTypeIdentifier, cards, devices });
  const worker = punchcard(['work'], { APNS_URL: simulatorUrl });
  return {
    port,
    headers: `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n`,
    apiKey,
    passId,
    certificates,
    simulator,
    simulatorUrl,
    worker,
    pool,
  };
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

async function call(
  { port, apiKey }: Pick<Setting, 'port' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ passId: string; rollout: { state: string } }> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
  return (await reply.json()) as { passId: string; rollout: { state: string } };
}

async function ask(simulator: ChildProcess, message: string): Promise<Seen> {
  simulator.send(message);
  const [seen] = (await once(simulator, 'message')) as [Seen];
  return seen;
}

function residentMb(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4_096) / 1_048_576;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
