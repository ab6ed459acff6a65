import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { decodeId } from '../src/kit/ids.ts';
import { type BareClient, bareIssue, bareLoad, bareLookUp } from './bare-postgres.ts';
import { fillInstances } from './fill-instances.ts';
import { httpLoad, type Load } from './http-load.ts';
import { type BenchResult, report } from './result.ts';

/**
 * Issue and look-up over HTTP, 32 connections, the service in one process with its default settings, against the
 * same work sent straight from `pg` by as many clients to the same server; and the same once more in a database
 * that holds a million instances. All of them take turns, so that a machine that slows down slows each.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  const services: ChildProcess[] = [];
  try {
    const [small, large] = [
      await prepare(folder, postgres.url, 'small', services),
      await prepare(folder, postgres.url, 'large', services),
    ];
    await fillInstances(small.pool, small.workspaceId, small.passId, 0, 10_000);
    await fillInstances(large.pool, large.workspaceId, large.passId, 0, 1_000_000);
    const issue = await alternate({
      http: () => httpLoad(small.port, connections, roundMs, issueRequest(small)),
      large: () => httpLoad(large.port, connections, roundMs, issueRequest(large)),
      bare: () =>
        bareLoad(small.bare, roundMs, (client) => bareIssue(client, small.workspaceId, small.passId)),
    });
    const picks = { small: await barcodePicker(small), large: await barcodePicker(large) };
    const lookUp = await alternate({
      http: () => httpLoad(small.port, connections, roundMs, lookUpRequest(small, picks.small)),
      large: () => httpLoad(large.port, connections, roundMs, lookUpRequest(large, picks.large)),
      bare: () =>
        bareLoad(small.bare, roundMs, (client) => bareLookUp(client, small.workspaceId, picks.small())),
    });
    for (const setting of [small, large]) {
      await Promise.all([setting.pool.end(), ...setting.bare.map((client) => client.end())]);
    }
    return [...figures('issue', issue), ...figures('look-up', lookUp)];
  } finally {
    for (const service of services) service.kill('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const connections = 32;
const roundMs = 3_000;
const rounds = 5;

interface Setting {
  readonly port: number;
  readonly pool: pg.Pool;
  readonly bare: readonly BareClient[];
  readonly workspaceId: string;
  readonly passId: string;
  readonly publicPassId: string;
  readonly headers: string;
}

function issueRequest({ publicPassId, headers }: Setting): () => string {
  return () => {
    const id = randomBytes(8).toString('hex');
    const body = `{"externalRef":"${id}","holder":{"identifier":"${id}","name":"Ada Lovelace","email":"${id}@example.com"}}`;
    return `POST /v1/passes/${publicPassId}/instances HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}

function lookUpRequest({ headers }: Setting, pick: () => string): () => string {
  return () => `GET /v1/instances/lookup?barcode=${pick()} HTTP/1.1\r\n${headers}\r\n`;
}

type Contender = 'http' | 'large' | 'bare';
type Rounds = Record<Contender, Load[]>;

async function alternate(run: Record<Contender, () => Promise<Load>>): Promise<Rounds> {
  const measured: Rounds = { http: [], large: [], bare: [] };
  const contenders = Object.keys(measured) as Contender[];
  for (const contender of contenders) await run[contender]();
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const load = await run[contender]();
      for (const status of load.statuses.keys()) assert.ok(status < 300, `the service answered ${status}`);
      measured[contender].push(load);
    }
  }
  return measured;
}

function figures(name: string, measured: Rounds): BenchResult[] {
  const ratio = (a: Contender, b: Contender) =>
    median(measured[a].map((load, round) => load.perSecond / (measured[b][round]?.perSecond ?? Number.NaN)));
  const rate = (who: Contender) => median(measured[who].map((load) => load.perSecond));
  const p99 = (who: Contender) => `p99 ${median(measured[who].map((load) => load.p99Ms)).toFixed(1)} ms`;
  return [
    {
      name: `${name} over HTTP : straight from pg`,
      value: ratio('http', 'bare'),
      unit: 'x',
      target: { min: 0.6 },
    },
    {
      name: `${name} with 10,000 : 1,000,000 instances`,
      value: ratio('http', 'large'),
      unit: 'x',
      target: { max: 1.2 },
    },
    { name: `${name} over HTTP`, value: rate('http'), unit: '/s', note: p99('http') },
    { name: `${name} over HTTP, 1,000,000 instances`, value: rate('large'), unit: '/s', note: p99('large') },
    { name: `${name} straight from pg`, value: rate('bare'), unit: '/s', note: p99('bare') },
  ];
}

async function startService(folder: string, databaseUrl: string, services: ChildProcess[]): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  services.push(
    spawn(process.execPath, [main], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        RATE_LIMIT_PER_SECOND: '100000',
      },
    }),
  );
  for (let attempt = 0; attempt < 200; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return port;
    await sleep(100);
  }
  throw new Error('the service did not start');
}

/** A service of its own on a database of its own, with a published pass and bare connections to the same database. */
async function prepare(
  folder: string,
  server: string,
  name: string,
  services: ChildProcess[],
): Promise<Setting> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database bench_${name}`);
  await admin.end();
  const databaseUrl = Object.assign(new URL(server), { pathname: `/bench_${name}` }).href;
  const dataDir = join(folder, name);
  const port = await startService(dataDir, databaseUrl, services);
  const { apiKey, workspaceId } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const call = async (method: string, path: string, body: unknown) => {
    const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
    return reply.json() as Promise<{ passId: string }>;
  };
  const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
  const { passId } = await call('POST', '/passes', { title: 'Blue Bean Club', type: 'loyalty', fields });
  await call('PATCH', `/passes/${passId}`, { status: 'published' });
  const bare = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(bare.map((client) => client.connect()));
  return {
    port,
    pool: new pg.Pool({ connectionString: databaseUrl, max: 2 }),
    bare,
    workspaceId: decodeId('ws', workspaceId) ?? '',
    passId: decodeId('pass', passId) ?? '',
    publicPassId: passId,
    headers: `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n`,
  };
}

async function barcodePicker({ pool }: Setting): Promise<() => string> {
  const { rows } = await pool.query<{ barcode: string }>(
    'select barcode from instances order by random() limit 5000',
  );
  return () => rows[Math.floor(Math.random() * rows.length)]?.barcode ?? '';
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
