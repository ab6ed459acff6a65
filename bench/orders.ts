import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { httpLoad } from './http-load.ts';
import { type Load, unique } from './load-plan.ts';
import { scaled } from './options.ts';
import { orderText, orderTexts } from './order-text.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, callService, type Service, startAsShipped, withBench } from './service.ts';
import { awardTexts, openShop, type Shop, sendOnce, shopLoad } from './shop.ts';
import { compare, type Rounds, takeTurns } from './turns.ts';

/**
 * Process Order over HTTP by what `npm start` runs, 64 connections: for customers who have a card, for new ones, and
 * repeated; against awards to the same cards, which no wallet holds. And webhooks of a store, 3 KB each, as fast as a
 * platform's 32 connections send them; no job processes them during that time. The three run alternately.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const service = await startAsShipped(bench, 'orders');
    const shop = await openShop(service, { perCurrencyUnit: 2, perOrder: 5 });
    await assertCounted(shop);
    const known = shop.cards.map(({ identifier }, at) => orderText(shop, identifier, `known-${at}`));
    await sendOnce(service, known);
    const [awards, orders, first] = [awardTexts(shop), orderTexts(shop), [orderText(shop, `new-${unique}`)]];
    const webhooks = await openWebhooks(bench);
    const measured = await takeTurns(200, {
      award: () => shopLoad(service, awards),
      order: () => shopLoad(service, orders),
      first: () => shopLoad(service, first),
      replay: () => shopLoad(service, known),
      webhook: () => webhooks.turn(),
    });
    await webhooks.assertKept();
    return figures(measured);
  });
}

type Contender = 'award' | 'order' | 'first' | 'replay' | 'webhook';

function figures(measured: Rounds<Contender>): BenchResult[] {
  const { ratio, rate, p99Ms, refused } = compare(measured);
  return [
    {
      name: 'webhook kept and answered, p99',
      value: p99Ms('webhook'),
      unit: 'ms',
      target: { max: 50 },
    },
    {
      name: 'Process Order of a known customer : award',
      value: ratio('order', 'award'),
      unit: 'x',
      target: { min: 0.6 },
    },
    {
      name: 'Process Order that issues a card : one that finds it',
      value: ratio('first', 'order'),
      unit: 'x',
    },
    { name: 'replay : award', value: ratio('replay', 'award'), unit: 'x' },
    refused(),
    rate('Process Order of a known customer', 'order'),
    rate('Process Order that issues a card', 'first'),
    rate('replay', 'replay'),
    rate('webhooks kept and answered', 'webhook'),
    rate('award', 'award'),
  ];
}

/** So many a platform opens at once, at most. */
const platformConnections = 32;
const webhooksPerTurn = scaled(5_000);

/** A service that keeps webhooks, and turns that send them, each a new one. */
async function openWebhooks(bench: Bench): Promise<{ turn(): Promise<Load>; assertKept(): Promise<void> }> {
  // A platform has no key, whose limit could be raised.
  const settings = { WORKERS: 'off', RATE_LIMIT_PER_SECOND: '100000' };
  const service = await startAsShipped(bench, 'webhooks', settings);
  const nextWebhook = await connectStore(service);
  let answered = 0;
  return {
    async turn() {
      const texts = Array.from({ length: webhooksPerTurn }, nextWebhook);
      const plan = { port: service.port, connections: platformConnections, texts, once: true };
      const load = await httpLoad(plan);
      answered += load.statuses.get(200) ?? 0;
      return load;
    },
    async assertKept() {
      const kept = await service.pool.query<{ count: number }>('select count(*)::int from store_webhooks');
      assert.equal(kept.rows[0]?.count, answered);
    },
  };
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

/** An order earns once, by the rule, on the card of its customer. */
async function assertCounted(shop: Shop): Promise<void> {
  const identifier = shop.cards[0]?.identifier ?? '';
  const body = JSON.parse(orderText(shop, identifier, 'counted').split('\r\n\r\n')[1] ?? '');
  const process = () => callService<Record<string, unknown>>(shop.service, 'POST', '/orders/process', body);
  const [first, repeat] = [await process(), await process()];
  assert.deepEqual([first.issued, first.pointsAwarded, first.balance], [false, 30, 30]);
  assert.deepEqual(repeat, first);
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
