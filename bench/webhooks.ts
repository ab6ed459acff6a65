import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordEvent } from '../src/events/record-event.ts';
import { openDatabase } from '../src/kit/db/database.ts';
import { decodeId } from '../src/kit/ids.ts';
import { withConcurrency } from '../src/kit/promises.ts';
import { type BareClient, bareClients, postBare } from './bare-posts.ts';
import { type CostTurn, microsEach } from './cost-turn.ts';
import type { Arrived, Receivers } from './event-receivers.ts';
import { options, scaled } from './options.ts';
import { processorMs } from './processor-ms.ts';
import { type BenchResult, median, report } from './result.ts';
import { type Bench, callService, type Service, startAsShipped, startPartner, withBench } from './service.ts';

/**
 * Webhooks of what `npm start` runs. How many deliveries a second it makes of a crowd of events, from their commits to the last
 * answer, against a bare client, undici's or Node's own, that signs and posts as many to the same receivers over as many connections. And
 * how long events of 100 workspaces are on their way to a receiver that answers, 500 a second, while each workspace has
 * another one that is dead, silent or slow; and what the service holds in memory during that.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const { child, said } = await startPartner(bench, 'event-receivers.ts', String(crowd.receivers));
    const receivers = JSON.parse(said) as Receivers;
    return [
      ...(await measureRate(bench, child, receivers)),
      ...(await measureDelays(bench, child, receivers)),
    ];
  });
}

const settings = {
  WEBHOOK_ALLOW_HTTP: 'yes',
  FETCH_ALLOW_CIDRS: '127.0.0.1/32',
  RATE_LIMIT_PER_SECOND: '100000',
};
const crowd = { receivers: 4, connections: 32, events: scaled(5_000) };
const fair = {
  workspaces: 100,
  perSecond: Math.max(50, scaled(500)),
  seconds: Math.max(5, options.seconds * 40),
};

async function measureRate(bench: Bench, child: ChildProcess, { quick }: Receivers): Promise<BenchResult[]> {
  const contenders = [await contender(bench, 'this', quick)];
  if (options.against !== undefined)
    contenders.push(await contender(bench, 'against', quick, resolve(options.against, 'src/main.ts')));
  // All of them with the crowd that is measured: a program that has not run much is half as quick.
  for (const one of contenders) await deliver(one, child, crowd.events);
  const bare: Record<BareClient, number[]> = { undici: [], 'node:http': [] };
  for (const client of bareClients) await postBare(client, quick, crowd);
  for (let round = 0; round < options.rounds; round++) {
    for (const client of bareClients) bare[client].push(await postBare(client, quick, crowd));
    for (const one of contenders) one.turns.push(await deliver(one, child, crowd.events));
  }
  return [
    ...contenders.flatMap(({ name, turns }) => figures(name, turns, bare)),
    ...bareClients.map((client) => ({
      name: `bare posts, ${client}`,
      value: median(bare[client]),
      unit: '/s' as const,
    })),
  ];
}

interface Contender {
  readonly name: string;
  readonly service: Service;
  /** One of its webhooks. */
  readonly webhookId: string;
  readonly turns: CostTurn[];
}

async function contender(
  bench: Bench,
  name: string,
  ports: readonly number[],
  program?: string,
): Promise<Contender> {
  const service = await startAsShipped(bench, `rate-${name}`, settings, program);
  let webhookId = '';
  for (const port of ports) {
    const webhook = { url: `http://127.0.0.1:${port}/`, types: ['*'] };
    ({ webhookId } = await callService<{ webhookId: string }>(service, 'POST', '/webhooks', webhook));
  }
  return { name, service, webhookId, turns: [] };
}

function figures(
  name: string,
  turns: readonly CostTurn[],
  bare: Readonly<Record<BareClient, readonly number[]>>,
): BenchResult[] {
  const middle = (pick: (turn: CostTurn) => number) => median(turns.map(pick));
  const ratioTo = (posts: readonly number[]) =>
    median(turns.map(({ perSecond }, round) => perSecond / (posts[round] ?? Number.NaN)));
  return [
    {
      name: `${name}: deliveries : a bare undici client`,
      value: ratioTo(bare.undici),
      unit: 'x',
      ...(name === 'this' && { target: { min: 0.4 } }),
    },
    { name: `${name}: deliveries : a bare node:http client`, value: ratioTo(bare['node:http']), unit: 'x' },
    {
      name: `${name}: deliveries`,
      value: middle(({ perSecond }) => perSecond),
      unit: '/s',
      note: `processor time: service ${middle(({ service }) => service).toFixed(0)} µs, PostgreSQL ${middle(({ database }) => database).toFixed(0)} µs`,
    },
  ];
}

/** So many events for all receivers. */
async function deliver(
  { service, webhookId }: Contender,
  child: ChildProcess,
  events: number,
): Promise<CostTurn> {
  await ask(child);
  const before = processorMs(service);
  const data = { entryId: 'entry_1', points: 12, balance: 52, externalRef: 'receipt-17' };
  const began = performance.timeOrigin + performance.now();
  const ofOne = Array.from({ length: 50 }, () => data);
  const transactions = Math.ceil(events / ofOne.length);
  await writeEvents(
    service,
    Array.from({ length: transactions }, () => [service.workspaceId, ofOne]),
  );
  // Calls that make events wake the service: sending a test to one of the receivers does so too.
  await callService(service, 'POST', `/webhooks/${webhookId}/test`);
  const wanted = transactions * ofOne.length * crowd.receivers + 1;
  let count = 0;
  let lastAt = 0;
  for (const last = performance.now() + 120_000; count < wanted && performance.now() < last; ) {
    await sleep(200);
    const arrived = await ask(child);
    count += arrived.count;
    lastAt = arrived.lastAt;
  }
  assert.ok(count >= wanted, `${count} of ${wanted} deliveries`);
  const after = processorMs(service);
  return { ...microsEach(before, after, count), perSecond: count / ((lastAt - began) / 1_000) };
}

async function measureDelays(
  bench: Bench,
  child: ChildProcess,
  receivers: Receivers,
): Promise<BenchResult[]> {
  const service = await startAsShipped(bench, 'delays', settings);
  const [healthy = 0] = receivers.quick;
  const bad = [8, receivers.blackHole, receivers.slow];
  const workspaces: string[] = [];
  for (let at = 0; at < fair.workspaces; at++) {
    const operator = { ...service, apiKey: service.operatorToken };
    const made = await callService<{ workspaceId: string; apiKey: string }>(
      operator,
      'POST',
      '/operator/workspaces',
      {
        name: `Shop ${at}`,
      },
    );
    const owner = { ...service, apiKey: made.apiKey };
    for (const port of [healthy, bad[at % bad.length]])
      await callService(owner, 'POST', '/webhooks', { url: `http://127.0.0.1:${port}/${at}`, types: ['*'] });
    workspaces.push(decodeId('ws', made.workspaceId) ?? '');
  }
  await ask(child);
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(residentMb(service.pid)), 250);
  const delays = await send(service, child, workspaces);
  clearInterval(watch);
  const sorted = delays.toSorted((a, b) => a - b);
  const quarter = (from: number) =>
    median(memory.slice(Math.floor((memory.length * from) / 4), Math.ceil((memory.length * (from + 1)) / 4)));
  return [
    {
      name: 'an event to a receiver that answers, p99',
      value: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
      unit: 'ms',
      target: { max: 1_000 },
      note: `${sorted.length} events, half of it within ${sorted[sorted.length >> 1]} ms; ${fair.workspaces} other receivers dead, silent or slow`,
    },
    {
      name: 'memory of the service, last quarter : second',
      value: quarter(3) / quarter(1),
      unit: 'x',
      target: { max: 1.25 },
      note: `${Math.max(...memory).toFixed(0)} MB at most`,
    },
  ];
}

/** Has events happen at a pace, for a while; how long each was on its way to the receiver that answers. */
async function send(service: Service, child: ChildProcess, workspaces: readonly string[]): Promise<number[]> {
  const stepMs = 20;
  const perStep = (fair.perSecond * stepMs) / 1_000;
  const delays: number[] = [];
  const began = performance.now();
  let sent = 0;
  for (let step = 0; step * stepMs < fair.seconds * 1_000; step++) {
    await sleep(Math.max(0, began + step * stepMs - performance.now()));
    const data = { entryId: 'entry_1', points: 12, leftAt: Date.now() };
    const chosen = Array.from(
      { length: perStep },
      (_, at) => workspaces[(sent + at) % workspaces.length] ?? '',
    );
    await writeEvents(
      service,
      chosen.map((workspaceId) => [workspaceId, [data]]),
    );
    sent += perStep;
  }
  for (const last = performance.now() + 60_000; delays.length < sent && performance.now() < last; ) {
    await sleep(200);
    delays.push(...(await ask(child)).delays);
  }
  assert.equal(delays.length, sent, 'each event arrives, once');
  return delays;
}

/** Writes events as the transactions of verbs do. It wakes no job: the next scan of the service finds them. */
async function writeEvents(
  { databaseUrl }: Service,
  transactions: readonly (readonly [workspaceId: string, data: readonly object[]])[],
): Promise<void> {
  const database = openDatabase({ url: databaseUrl, connections: 4, onError: () => undefined });
  const ctx = { app: { now: () => new Date() }, requestId: 'bench' };
  const event = { type: 'points.awarded', passId: null, instanceId: null, actor: 'system' } as const;
  try {
    await withConcurrency(transactions, 4, ([workspaceId, data]) =>
      database.transaction(async (tx) => {
        for (const one of data) recordEvent(tx, ctx, { ...event, workspaceId, data: one });
      }),
    );
  } finally {
    await database.close();
  }
}

async function ask(child: ChildProcess): Promise<Arrived> {
  const answered = once(child, 'message');
  child.send('');
  const [arrived] = (await answered) as [Arrived];
  return arrived;
}

function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4_096) / 1_048_576;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
