import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startShop } from '../../../bench/filled-shop.ts';
import type { BenchResult } from '../../../bench/result.ts';
import { type Service, withPostgres } from '../../../bench/service.ts';
import { type LinkTarget, linkTo } from '../../../src/cards/link-token.ts';
import { encodeId } from '../../../src/kit/ids.ts';
import type { Outcome, Task } from './generator.ts';
import type { Till } from './till-requests.ts';

const overloadMs = 30_000;
/** Before the overload and after it. */
const bestMs = 15_000;

/**
 * Finds what the service does at best, then offers three times as much for half a minute: calls that come whether or not
 * it keeps up. What it cannot do it must refuse at once, with the time to come back, and go on with the rest as before.
 */
export function overload(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const shop = await startShop(server, 'shop', { cards: 10_000, entriesPerCard: 1, points: 100 });
    const till: Till = {
      port: shop.port,
      headers: shop.headers,
      passId: shop.publicPassId,
      cards: await cardsOf(shop),
    };
    const generator = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)));
    server.onEnd(() => generator.kill('SIGKILL'));
    generator.send(till);

    await run(generator, { kind: 'closed', connections: 64, ms: 5_000 });
    const connections = await bestConnections(generator);
    const atBest = async () =>
      (await run(generator, { kind: 'closed', connections, ms: bestMs })).goodPerSecond;
    const before = await atBest();
    const stormy = await run(generator, { kind: 'open', perSecond: before * 3, ms: overloadMs });
    const recoveredMs = await recovery(generator, before);
    // Again, since the speed of a machine varies.
    const peak = (before + (await atBest())) / 2;
    return figures(peak, stormy, recoveredMs);
  });
}

/** Cards of the service's pass, as tills and phones know them. */
export async function cardsOf({ pool }: Service): Promise<Till['cards']> {
  const { rows } = await pool.query<{ workspace_id: string; instance_id: string; link_secret: Buffer }>(
    'select workspace_id, instance_id, link_secret from instances',
  );
  return rows.map(({ workspace_id: workspaceId, instance_id: instanceId, link_secret: linkSecret }) => {
    const target: LinkTarget = { workspaceId, instanceId, linkSecret };
    return [encodeId('inst', instanceId), linkTo('', target).slice('/p/'.length)];
  });
}

/** With how many connections, always busy, the most calls succeed. */
async function bestConnections(generator: ChildProcess): Promise<number> {
  let best = { connections: 0, goodPerSecond: 0 };
  for (const connections of [32, 64, 128, 256]) {
    const { goodPerSecond } = await run(generator, { kind: 'closed', connections, ms: 5_000 });
    if (goodPerSecond > best.goodPerSecond) best = { connections, goodPerSecond };
  }
  return best.connections;
}

async function run(generator: ChildProcess, task: Task): Promise<Outcome> {
  generator.send(task);
  const [outcome] = (await once(generator, 'message')) as [Outcome];
  return outcome;
}

/** How long it takes until everything succeeds for a second, at half of what was possible before. */
async function recovery(generator: ChildProcess, peak: number): Promise<number> {
  const endedAt = performance.now();
  for (;;) {
    const begunAt = performance.now();
    const calm = await run(generator, { kind: 'open', perSecond: peak / 2, ms: 1_000 });
    const isWell =
      Object.keys(calm.statuses).every((status) => Number(status) < 300) && calm.unanswered === 0;
    if (isWell || begunAt - endedAt > 30_000) return begunAt - endedAt;
  }
}

function figures(peak: number, stormy: Outcome, recoveredMs: number): BenchResult[] {
  const others = Object.keys(stormy.statuses).filter((status) => !/^(2..|503|429)$/.test(status));
  const count = (status: string) => stormy.statuses[status] ?? 0;
  return [
    {
      name: 'goodput at 3 x capacity : at best',
      value: stormy.goodPerSecond / peak,
      unit: 'x',
      target: { min: 0.8 },
      note: `${stormy.goodPerSecond.toFixed(0)} : ${peak.toFixed(0)} a second`,
    },
    { name: 'p99 of what was accepted', value: stormy.p99Ms, unit: 'ms', target: { max: 2_000 } },
    {
      name: 'answers other than success, 503 and 429',
      value: others.reduce((sum, status) => sum + count(status), 0),
      unit: 'x',
      target: { max: 0 },
      note: `${count('503')} x 503, ${count('429')} x 429 ${others.join(' ')}`,
    },
    { name: 'refusals without Retry-After', value: stormy.bareRefusals, unit: 'x', target: { max: 0 } },
    { name: 'calls without an answer', value: stormy.unanswered, unit: 'x', target: { max: 0 } },
    { name: 'time to recover', value: recoveredMs, unit: 'ms', target: { max: 5_000 } },
  ];
}
