import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { cardIdOf } from '../test/fill-cards.ts';
import { bareAwards, openBareLedger } from './bare-awards.ts';
import { httpLoad } from './http-load.ts';
import { type BenchResult, report } from './result.ts';
import { callService, type Service, withPostgres } from './service.ts';
import { anyCard, cards, connections, sendOnce, shopLoad, startShop } from './shop.ts';
import { compare, type Rounds, roundMs, takeTurns } from './turns.ts';

/**
 * Process Order over HTTP, 64 connections, the API in one process: for customers who have a card, for new ones, and
 * repeated; against bare clients that commit the least an award can be, as many of them and on the same server. The
 * cards are installed and there are credits, so each order reserves one and puts a push on its way. And webhooks of a
 * store, 3 KB each, as fast as a platform's 32 connections send them. All take turns.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const earn = { perCurrencyUnit: 2, perOrder: 5 };
    const shop = await startShop(server, 'orders', { entriesPerCard: 1, points: 10 }, earn);
    const bare = await openBareLedger(server, cards, connections);
    await assertCounted(shop);
    const known = await sendOnce(shop, 5_000, () => orderRequest(shop, customerOf(shop, anyCard())));
    const webhook = await connectStore(shop);
    let answered = 0;
    const measured = await takeTurns(200, {
      order: () => shopLoad(shop, () => orderRequest(shop, customerOf(shop, anyCard()))),
      bare: () => bareAwards(bare, roundMs),
      first: () => shopLoad(shop, () => orderRequest(shop, `new-${randomBytes(8).toString('hex')}`)),
      replay: () => shopLoad(shop, () => known[Math.floor(Math.random() * known.length)] ?? ''),
      webhook: async () => {
        const load = await httpLoad(shop.port, platformConnections, roundMs, webhook);
        answered += load.statuses.get(200) ?? 0;
        return load;
      },
    });
    const kept = await shop.pool.query<{ count: number }>('select count(*)::int from store_webhooks');
    assert.equal(kept.rows[0]?.count, answered);
    return figures(measured);
  });
}

type Contender = 'order' | 'bare' | 'first' | 'replay' | 'webhook';

/** So many a platform opens at once, at most. */
const platformConnections = 32;

function figures(measured: Rounds<Contender>): BenchResult[] {
  const { ratio, rate, p99Ms } = compare(measured);
  return [
    {
      name: 'webhook kept and answered, p99',
      value: p99Ms('webhook'),
      unit: 'ms',
      target: { max: 50 },
    },
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
    rate('webhooks kept and answered', 'webhook'),
    rate('award straight from pg', 'bare'),
  ];
}

function orderRequest({ headers, publicPassId }: Service, customer: string): string {
  const body = `{"passId":"${publicPassId}","orderId":"${randomBytes(8).toString('hex')}","customer":{"id":"${customer}","email":"${customer}@example.com"},"total":{"amount":"12.50","currency":"EUR"}}`;
  return `POST /v1/orders/process HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Connects a store, and answers what makes a webhook of it: an order of five lines, signed. */
async function connectStore(shop: Service): Promise<() => string> {
  const secret = randomBytes(24).toString('hex');
  const store = { platform: 'shopify', domain: 'blue-bean.myshopify.com', webhookSecret: secret };
  const { storeId } = await callService<{ storeId: string }>(shop, 'POST', '/stores', {
    ...store,
    credentials: { accessToken: 'shpat_0123456789abcdef0123456789abcdef' },
    passId: shop.publicPassId,
  });
  let serial = 0;
  return () => {
    serial += 1;
    const body = JSON.stringify({ ...webhookOrder, id: serial });
    const hmac = createHmac('sha256', secret).update(body).digest('base64');
    const delivery = `X-Shopify-Topic: orders/paid\r\nX-Shopify-Webhook-Id: ${serial}\r\nX-Shopify-Hmac-Sha256: ${hmac}\r\n`;
    return `POST /v1/stores/${storeId}/webhooks HTTP/1.1\r\nHost: 127.0.0.1:${shop.port}\r\n${delivery}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}

const webhookOrder = {
  admin_graphql_api_id: 'gid://shopify/Order/1',
  email: 'ada@example.com',
  currency: 'EUR',
  financial_status: 'paid',
  created_at: '2030-01-01T12:00:00Z',
  updated_at: '2030-01-01T12:00:00Z',
  taxes_included: true,
  line_items: Array.from({ length: 5 }, (_, line) => ({
    id: line,
    title: `Coffee number ${line}, roasted this week, a bag of one kilogram`,
    quantity: 1,
    price: '12.50',
    total_discount: '0.00',
    tax_lines: [{ title: 'VAT', rate: 0.07, price: '0.82' }],
    discount_allocations: [],
    properties: [],
  })),
  note_attributes: Array.from({ length: 10 }, (_, note) => ({ name: `note ${note}`, value: 'x'.repeat(80) })),
  refunds: [],
};

function customerOf({ passId }: Service, card: number): string {
  return `holder-${cardIdOf(passId, card)}`;
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
