import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startShop } from '../../../bench/filled-shop.ts';
import type { BenchResult } from '../../../bench/result.ts';
import { withPostgres } from '../../../bench/service.ts';
import { routes } from '../../../src/routes.ts';
import type { Outcome, Task } from './generator.ts';
import { cardsOf } from './overload.ts';
import type { Stalled, Stalling } from './stalled-load.ts';
import type { Till } from './till-requests.ts';

/** What the quiet key calls, and for how long at a time. */
const calm = { kind: 'open', perSecond: 60, ms: 30_000 } as const satisfies Task;
/** By then as many wait as ever will. */
const settleMs = 15_000;

const storms: readonly (readonly [name: string, storm: Omit<Stalling, 'port' | 'beginnings'>])[] = [
  ['95 a second from one address', { perSecond: 95, fromMany: false }],
  ['300 a second from one address', { perSecond: 300, fromMany: false }],
  ['300 a second, each from another address', { perSecond: 300, fromMany: true }],
];

/**
 * Opens connections whose requests never bring their bodies, to each route that takes one, while a quiet key does its work:
 * none of its calls may be refused, and the slowest hundredth may take three times as long as when nobody attacks.
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
    let before = await ask<Outcome>(quiet, calm);
    for (const [name, storm] of storms) {
      load.send({ ...storm, port, beginnings: beginnings() } satisfies Stalling);
      await sleep(settleMs);
      const during = await ask<Outcome>(quiet, calm);
      const { mostOpen } = await ask<Stalled>(load, 'stop');
      // Those that still wait are given up.
      await sleep(settleMs);
      const after = await ask<Outcome>(quiet, calm);
      results.push(...figures(name, during, (before.p99Ms + after.p99Ms) / 2, mostOpen));
      before = after;
    }
    return results;
  });
}

/** The beginning of a request to each route that takes a body, without a key or with one that nobody has. */
function beginnings(): string[] {
  const takers = routes.filter(
    ({ endpoint }) => endpoint.body !== undefined || endpoint.accepts !== undefined,
  );
  return takers.map(({ method, path, access, endpoint }) => {
    const key = ['public', 'signed'].includes(access) ? '' : 'Authorization: Bearer nobodys\r\n';
    const type = Object.keys(endpoint.accepts ?? {})[0] ?? 'application/json';
    return `${method} ${path.replaceAll(/[{}]/g, '')} HTTP/1.1\r\nHost: a\r\n${key}Content-Type: ${type}\r\nContent-Length: 8000\r\n\r\n{`;
  });
}

async function ask<Answer>(child: ChildProcess, task: Task | 'stop'): Promise<Answer> {
  child.send(task);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

function figures(name: string, during: Outcome, idleMs: number, mostOpen: number): BenchResult[] {
  const others = Object.entries(during.statuses).filter(([status]) => Number(status) >= 300);
  const failed = others.reduce((sum, [, count]) => sum + count, during.unanswered);
  return [
    {
      name: `${name}: p99 of a quiet key : when idle`,
      value: during.p99Ms / idleMs,
      unit: 'x',
      target: { max: 3 },
      note: `${during.p99Ms.toFixed(0)} : ${idleMs.toFixed(0)} ms; ${mostOpen} open at a time`,
    },
    {
      name: `${name}: calls refused or unanswered`,
      value: failed,
      unit: 'x',
      target: { max: 0 },
      note: others.map(([status, count]) => `${count} x ${status}`).join(', '),
    },
  ];
}
