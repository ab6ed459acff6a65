import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startShop } from '../../../bench/filled-shop.ts';
import { type BenchResult, median } from '../../../bench/result.ts';
import { withPostgres } from '../../../bench/service.ts';
import { routes } from '../../../src/routes.ts';
import type { Outcome, Task } from './generator.ts';
import { cardsOf } from './overload.ts';
import type { Stalled, Stalling } from './stalled-load.ts';
import type { Till } from './till-requests.ts';

/** What the quiet key calls, and for how long at a time. */
const calm = { kind: 'open', perSecond: 60, ms: 10_000 } as const satisfies Task;
/** By then as many wait as ever will, and afterwards all of them are given up. */
const settleMs = 12_000;
/** Peace and storm by turns, since a machine is not as fast all the time. */
const rounds = 3;

const storms: readonly (readonly [name: string, storm: Omit<Stalling, 'port' | 'beginnings'>])[] = [
  ['95 a second from one address', { perSecond: 95, fromMany: false }],
  ['300 a second from one address', { perSecond: 300, fromMany: false }],
  ['300 a second, each from another address', { perSecond: 300, fromMany: true }],
];

/**
 * Opens connections whose requests never bring their bodies, to each route that takes one, while a quiet key does its work:
 * none of its calls may be refused, and the slowest hundredth may take three times as long as without an attack.
 */
export function stalled(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const shop = await startShop(server, 'stalled', { cards: 1_000, entriesPerCard: 1, points: 100 });
    const { port } = shop;
    const cards = await cardsOf(shop);
    const till: Till = { port, headers: shop.headers, passId: shop.publicPassId, cards };
    const [quiet, load] = ['./generator.ts', './stalled-load.ts'].map((file) => {
      const child = fork(fileURLToPath(new URL(file, import.meta.url)));
      server.onEnd(() => child.kill('SIGKILL'));
      return child;
    }) as [ChildProcess, ChildProcess];
    quiet.send(till);
    await ask<Outcome>(quiet, calm);

    const results: BenchResult[] = [];
    for (const [name, storm] of storms) {
      const peace: Outcome[] = [];
      const stormy: Outcome[] = [];
      let mostOpen = 0;
      for (let round = 0; round < rounds; round++) {
        peace.push(await ask<Outcome>(quiet, calm));
        load.send({ ...storm, port, beginnings: beginnings() } satisfies Stalling);
        await sleep(settleMs);
        stormy.push(await ask<Outcome>(quiet, calm));
        mostOpen = Math.max(mostOpen, (await ask<Stalled>(load, 'stop')).mostOpen);
        await sleep(settleMs);
      }
      results.push(...figures(name, peace, stormy, mostOpen));
    }
    return results;
  });
}

/** The beginning of a request to each route that takes a body, without a key or with an unknown one. */
function beginnings(): string[] {
  const takers = routes.filter(
    ({ endpoint }) => endpoint.body !== undefined || endpoint.accepts !== undefined,
  );
  return takers.map(({ method, path, access, endpoint }) => {
    const key = ['public', 'signed'].includes(access) ? '' : 'Authorization: Bearer missing\r\n';
    const type = Object.keys(endpoint.accepts ?? {})[0] ?? 'application/json';
    return `${method} ${path.replaceAll(/[{}]/g, '')} HTTP/1.1\r\nHost: a\r\n${key}Content-Type: ${type}\r\nContent-Length: 8000\r\n\r\n{`;
  });
}

async function ask<Answer>(child: ChildProcess, task: Task | 'stop'): Promise<Answer> {
  child.send(task);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

function figures(
  name: string,
  peace: readonly Outcome[],
  stormy: readonly Outcome[],
  mostOpen: number,
): BenchResult[] {
  const p99Of = (outcomes: readonly Outcome[]) => median(outcomes.map(({ p99Ms }) => p99Ms));
  const [idleMs, stormyMs] = [p99Of(peace), p99Of(stormy)];
  const others = stormy
    .flatMap(({ statuses }) => Object.entries(statuses))
    .filter(([status]) => Number(status) >= 300);
  const unanswered = stormy.reduce((sum, outcome) => sum + outcome.unanswered, 0);
  return [
    {
      name: `${name}: p99 of a quiet key : when idle`,
      value: stormyMs / idleMs,
      unit: 'x',
      target: { max: 3 },
      note: `${stormyMs.toFixed(0)} : ${idleMs.toFixed(0)} ms; ${mostOpen} open at a time`,
    },
    {
      name: `${name}: calls refused or unanswered`,
      value: others.reduce((sum, [, count]) => sum + count, unanswered),
      unit: 'x',
      target: { max: 0 },
      note: others.map(([status, count]) => `${count} x ${status}`).join(', '),
    },
  ];
}
