import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cardIdOf } from '../test/fill-cards.ts';
import { bareAwards, openBareLedger } from './bare-awards.ts';
import { httpLoad, type Load } from './http-load.ts';
import { type BenchResult, median, report } from './result.ts';
import { callService, type Service, withPostgres } from './service.ts';
import { cards, connections, shopLoad, startShop } from './shop.ts';
import { type Rounds, roundMs, takeTurns } from './turns.ts';

/**
 * Process Order over HTTP, 64 connections, the API in one process: for customers who have a card, for new ones, and
 * repeated; against bare clients that commit the least an award can be, as many of them and on the same server. The
 * cards are installed and there are credits, so each order reserves one and puts a push on its way. All take turns.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const earn = { perCurrencyUnit: 2, perOrder: 5 };
    const shop = await startShop(server, 'orders', { entriesPerCard: 1, points: 10 }, earn);
    const bare = await openBareLedger(server, cards, connections);
    await assertCounted(shop);
    const known = await recordOrders(shop, 5_000);
    const measured = await takeTurns(200, {
      order: () => shopLoad(shop, () => orderRequest(shop, customerOf(shop, anyCard()))),
      bare: () => bareAwards(bare, roundMs),
      first: () => shopLoad(shop, () => orderRequest(shop, `new-${randomBytes(8).toString('hex')}`)),
      replay: () => shopLoad(shop, () => known[Math.floor(Math.random() * known.length)] ?? ''),
    });
    return figures(measured);
  });
}

type Contender = 'order' | 'bare' | 'first' | 'replay';

function figures(measured: Rounds<Contender>): BenchResult[] {
  const ratio = (a: Contender, b: Contender) =>
    median(measured[a].map((load, round) => load.perSecond / (measured[b][round]?.perSecond ?? Number.NaN)));
  const rate = (name: string, who: Contender): BenchResult => ({
    name,
    value: median(measured[who].map((load) => load.perSecond)),
    unit: '/s',
    note: `p99 ${median(measured[who].map((load) => load.p99Ms)).toFixed(1)} ms`,
  });
  return [
    {
      name: 'Process Order over HTTP : award straight from pg',
      value: ratio('order', 'bare'),
      unit: 'x',
      target: { min: 0.5 },
    },
    {
      name: 'Process Order that issues a card : one that finds it',
      value: ratio('first', 'order'),
      unit: 'x',
    },
    { name: 'replay over HTTP : award straight from pg', value: ratio('replay', 'bare'), unit: 'x' },
    rate('Process Order over HTTP', 'order'),
    rate('Process Order that issues a card', 'first'),
    rate('replay over HTTP', 'replay'),
    rate('award straight from pg', 'bare'),
  ];
}

function orderRequest({ headers, publicPassId }: Service, customer: string): string {
  const body = `{"passId":"${publicPassId}","orderId":"${randomBytes(8).toString('hex')}","customer":{"id":"${customer}","email":"${customer}@example.com"},"total":{"amount":"12.50","currency":"EUR"}}`;
  return `POST /v1/orders/process HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function customerOf({ passId }: Service, card: number): string {
  return `holder-${cardIdOf(passId, card)}`;
}

function anyCard(): number {
  return Math.floor(Math.random() * cards);
}

/** Processes orders, and returns the requests, for whoever wants to repeat one. */
async function recordOrders(shop: Service, times: number): Promise<readonly string[]> {
  const requests = Array.from({ length: times }, () => orderRequest(shop, customerOf(shop, anyCard())));
  let sent = 0;
  const { statuses }: Load = await httpLoad(
    shop.port,
    connections,
    () => sent === times,
    () => requests[sent++] ?? '',
  );
  assert.deepEqual([...statuses], [[200, times]]);
  return requests;
}

/** An order earns once, by the rule, on the card of its customer, and puts a push on its way. */
async function assertCounted(shop: Service): Promise<void> {
  const body = JSON.parse(orderRequest(shop, customerOf(shop, 7)).split('\r\n\r\n')[1] ?? '');
  const process = () => callService<Record<string, unknown>>(shop, 'POST', '/orders/process', body);
  const [first, again] = [await process(), await process()];
  assert.deepEqual([first.issued, first.pointsAwarded, first.balance, first.pushed], [false, 30, 40, true]);
  assert.deepEqual(again, first);
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
