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
import { httpLoad } from './http-load.ts';
import { type BenchResult, report } from './result.ts';

/**
 * Issue and look-up over HTTP, 32 connections, the service in one process with its default settings, against the
 * same work sent straight from `pg` by as many clients to the same server. They take turns, so that a machine that
 * slows down slows both. Then the same with a million instances in the table.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  const service = await startService(folder, postgres.url);
  try {
    const setting = await prepare(folder, postgres.url, service.port);
    await fillInstances(setting.pool, setting.workspaceId, setting.passId, 0, small);
    const before = await measureBoth(setting);
    await fillInstances(setting.pool, setting.workspaceId, setting.passId, small, large);
    const after = await measureBoth(setting);
    await Promise.all([setting.pool.end(), ...setting.bare.map((client) => client.end())]);
    return [
      ...figures('issue', before.issue),
      ...figures('look-up', before.lookUp),
      growth('issue', before.issue, after.issue),
      growth('look-up', before.lookUp, after.lookUp),
    ];
  } finally {
    service.process.kill('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const connections = 32;
const roundMs = 3_000;
const rounds = 5;
const small = 10_000;
const large = 1_000_000;

interface Setting {
  readonly port: number;
  readonly pool: pg.Pool;
  readonly bare: readonly BareClient[];
  readonly workspaceId: string;
  readonly passId: string;
  readonly headers: string;
  readonly publicPassId: string;
}

/** Requests a second of each round, over HTTP and straight from pg. */
interface Rates {
  readonly http: number[];
  readonly bare: number[];
  readonly httpP99: number[];
  readonly bareP99: number[];
}

async function measureBoth(setting: Setting): Promise<{ issue: Rates; lookUp: Rates }> {
  const barcodes = await someBarcodes(setting.pool);
  const pick = () => barcodes[Math.floor(Math.random() * barcodes.length)] ?? '';
  const issueRequest = () => {
    const id = randomBytes(8).toString('hex');
    const body = `{"externalRef":"${id}","holder":{"identifier":"${id}","name":"Ada Lovelace","email":"${id}@example.com"}}`;
    return `POST /v1/passes/${setting.publicPassId}/instances HTTP/1.1\r\n${setting.headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const lookUpRequest = () => `GET /v1/instances/lookup?barcode=${pick()} HTTP/1.1\r\n${setting.headers}\r\n`;
  const issue = await alternate(
    () => httpLoad(setting.port, connections, roundMs, issueRequest),
    () => bareLoad(setting.bare, roundMs, (client) => bareIssue(client, setting.workspaceId, setting.passId)),
  );
  const lookUp = await alternate(
    () => httpLoad(setting.port, connections, roundMs, lookUpRequest),
    () => bareLoad(setting.bare, roundMs, (client) => bareLookUp(client, setting.workspaceId, pick())),
  );
  return { issue, lookUp };
}

type Run = () => Promise<{ perSecond: number; p99Ms: number; statuses: ReadonlyMap<number, number> }>;

async function alternate(http: Run, bare: Run): Promise<Rates> {
  const rates: Rates = { http: [], bare: [], httpP99: [], bareP99: [] };
  await http();
  await bare();
  for (let round = 0; round < rounds; round++) {
    const viaHttp = await http();
    for (const status of viaHttp.statuses.keys()) assert.ok(status < 300, `the service answered ${status}`);
    const viaPg = await bare();
    rates.http.push(viaHttp.perSecond);
    rates.bare.push(viaPg.perSecond);
    rates.httpP99.push(viaHttp.p99Ms);
    rates.bareP99.push(viaPg.p99Ms);
  }
  return rates;
}

function figures(name: string, rates: Rates): BenchResult[] {
  const ratio = median(rates.http.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN)));
  const p99 = `p99 ${median(rates.httpP99).toFixed(1)} ms over HTTP, ${median(rates.bareP99).toFixed(1)} ms bare`;
  return [
    {
      name: `${name} over HTTP : straight from pg`,
      value: ratio,
      unit: 'x',
      target: { min: 0.6 },
      note: p99,
    },
    { name: `${name} over HTTP`, value: median(rates.http), unit: '/s' },
    { name: `${name} straight from pg`, value: median(rates.bare), unit: '/s' },
  ];
}

/** How much slower with a million instances than with ten thousand, measured against pg in both, so that drift cancels. */
function growth(name: string, before: Rates, after: Rates): BenchResult {
  const value = median(before.http) / median(after.http);
  const note = `${median(after.http).toFixed(0)}/s; bare pg ${(median(before.bare) / median(after.bare)).toFixed(2)} x`;
  return { name: `${name}: 10,000 : 1,000,000 instances`, value, unit: 'x', target: { max: 1.2 }, note };
}

async function startService(
  folder: string,
  databaseUrl: string,
): Promise<{ process: ChildProcess; port: number }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'service'),
      RATE_LIMIT_PER_SECOND: '100000',
    },
  });
  for (let attempt = 0; attempt < 200; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) return { process: child, port };
    await sleep(100);
  }
  throw new Error('the service did not start');
}

async function prepare(folder: string, databaseUrl: string, port: number): Promise<Setting> {
  const { apiKey, workspaceId } = JSON.parse(
    await readFile(join(folder, 'service', 'first-run.json'), 'utf8'),
  );
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
  const bare: BareClient[] = [];
  for (let index = 0; index < connections; index++) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    bare.push(client);
  }
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

async function someBarcodes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ barcode: string }>(
    'select barcode from instances order by random() limit 5000',
  );
  return rows.map((row) => row.barcode);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
