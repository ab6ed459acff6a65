import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { shopify } from '../src/connectors/shopify/shopify.ts';
import { type BenchResult, median, report } from './result.ts';
import {
  type BenchServer,
  callService,
  type Service,
  startPartner,
  startProcess,
  startService,
  withPostgres,
} from './service.ts';
import type { Simulated } from './store-simulator.ts';

/**
 * A sweep of a store with 100,000 customers, 40 percent of which are invited: how fast they are decided on and kept,
 * against a bare client that reads the same pages of the same store and does nothing with them; and what the worker holds
 * in memory during that. API, worker and store are processes of their own. The store takes a moment for its answers, as
 * stores do, though a short one; and once none at all.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => measure(await prepare(server)));
}

const customers = 100_000;
const customersPerPage = 250;
const rounds = 3;
/** A platform takes about ten times as long for a page of this many customers. */
const answerMs = 25;

interface Setting {
  readonly service: Service;
  readonly worker: ChildProcess;
  readonly store: Simulated;
  readonly simulator: ChildProcess;
}

interface Swept {
  readonly perSecond: number;
  readonly duplicates: number;
  /** In its first quarter, and in its last. */
  readonly memoryMb: { readonly early: number; readonly late: number };
}

async function measure(setting: Setting): Promise<BenchResult[]> {
  // This round warms all processes up.
  await take(setting, 0);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await take(setting, answerMs));
  const atOnce = await take(setting, 0);
  const all = [...measured, atOnce];
  const middle = (pick: (one: Round) => number) => median(measured.map(pick));
  return [
    {
      name: 'customers of a sweep : read by a bare client',
      value: middle((one) => one.perSecond / one.bare),
      unit: 'x',
      target: { min: 0.7 },
    },
    {
      name: 'invited twice, or not at all',
      value: Math.max(...all.map((one) => one.duplicates)),
      unit: 'x',
      target: { max: 0 },
    },
    {
      name: 'memory of the worker, whole sweep : first quarter',
      value: Math.max(...all.map(({ memoryMb: { early, late } }) => late / early)),
      unit: 'x',
      target: { max: 1.1 },
    },
    {
      name: 'memory of the worker, at most',
      value: Math.max(...all.map((one) => one.memoryMb.late)),
      unit: 'MB',
      note: `first and last quarter: ${all.map(({ memoryMb: { early, late } }) => `${early.toFixed(0)} ${late.toFixed(0)}`).join(', ')}`,
    },
    { name: 'customers of a sweep', value: middle((one) => one.perSecond), unit: '/s' },
    { name: 'customers read by a bare client', value: middle((one) => one.bare), unit: '/s' },
    { name: 'customers of a sweep, answered at once', value: atOnce.perSecond, unit: '/s' },
    { name: 'customers read by a bare client, answered at once', value: atOnce.bare, unit: '/s' },
  ];
}

interface Round extends Swept {
  readonly bare: number;
}

async function take(setting: Setting, delayMs: number): Promise<Round> {
  setting.simulator.send(delayMs);
  await once(setting.simulator, 'message');
  const bare = await readBare(setting.store);
  return { bare, ...(await sweep(setting)) };
}

/** Sweeps for a new pass, so that no customer was invited before. */
async function sweep({ service, worker, store }: Setting): Promise<Swept> {
  const { passId } = await callService<{ passId: string }>(service, 'POST', '/passes', {
    title: 'Blue Bean Club',
    type: 'loyalty',
  });
  await callService(service, 'PATCH', `/passes/${passId}`, { status: 'published' });
  const path = `/passes/${passId}/invites/sweep`;
  const memory: { readonly found: number; readonly mb: number }[] = [];
  await callService(service, 'POST', path, {});
  const began = await untilItReads(service);
  let answer = await callService<Answer>(service, 'GET', path);
  for (; answer.state.running; answer = await callService<Answer>(service, 'GET', path)) {
    memory.push({ found: answer.state.found, mb: residentMb(worker.pid ?? 0) });
    await sleep(100);
  }
  const { state, finishedAt, sweepId } = answer;
  assert.deepEqual([state.status, state.found], ['completed', customers], JSON.stringify(answer));
  const { rows } = await service.pool.query(
    `select count(distinct email)::int as people, count(*)::int as invites from invites i
     where sweep_id = (select sweep_id from sweeps order by sweep_id desc limit 1)`,
  );
  const [{ people = 0, invites = 0 } = {}] = rows;
  assert.equal(invites, state.invited, `${store.domain} ${sweepId}`);
  const most = (isIn: (found: number) => boolean) =>
    Math.max(...memory.filter(({ found }) => isIn(found)).map(({ mb }) => mb));
  return {
    perSecond: (customers / (Date.parse(finishedAt ?? '') - began)) * 1_000,
    duplicates: invites - people + Math.abs(people - customers * 0.4),
    memoryMb: { early: most((found) => found < customers / 4), late: most(() => true) },
  };
}

interface Answer {
  readonly sweepId: string;
  readonly finishedAt: string | null;
  readonly state: {
    readonly running: boolean;
    readonly status: string;
    readonly found: number;
    readonly invited: number;
  };
}

/** A worker looks for work every half second: when it has found the sweep. */
async function untilItReads({ pool }: Service): Promise<number> {
  for (;;) {
    const { rows } = await pool.query(
      "select 1 from sweeps where status = 'running' and due_at > started_at",
    );
    if (rows.length > 0) return Date.now();
    await sleep(5);
  }
}

/** How many customers a loop reads in a second that asks the same questions, and does nothing with the answers. */
async function readBare({ domain, accessToken, authority }: Simulated): Promise<number> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(authority) });
  const [host = '', port = ''] = domain.split(':');
  const started = performance.now();
  let count = 0;
  for (let after: string | null = null; ; ) {
    const question = shopify.api?.listCustomers({ accessToken }, after, customersPerPage).request;
    assert.ok(question);
    const { method, path, headers, body } = question;
    const asked = request({ agent, host, port, method, path, headers });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const { customers: page } = JSON.parse(Buffer.concat(chunks).toString('utf8')).data;
    count += page.nodes.length;
    if (!page.pageInfo.hasNextPage) break;
    after = page.nodes.at(-1).legacyResourceId;
  }
  agent.destroy();
  assert.equal(count, customers);
  return (count / (performance.now() - started)) * 1_000;
}

async function prepare(server: BenchServer): Promise<Setting> {
  const { said, child: simulator } = await startPartner(
    server,
    'store-simulator.ts',
    `${server.folder} ${customers}`,
  );
  const store: Simulated = JSON.parse(said);
  const service = await startService(server, 'sweep', {
    FETCH_ALLOW_CIDRS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: store.authority,
    WORKERS: 'off',
    LOG_LEVEL: 'warn',
  });
  await callService(service, 'POST', '/stores', {
    platform: 'shopify',
    domain: store.domain,
    credentials: { accessToken: store.accessToken },
    webhookSecret: 'whsec_0123456789abcdef',
  });
  const worker = startProcess(server, ['--max-semi-space-size=8'], ['work'], service.environment);
  return { service, worker, store, simulator };
}

function residentMb(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4_096) / 1_048_576;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
