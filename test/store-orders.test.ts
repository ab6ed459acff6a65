import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeId } from '../src/kit/ids.ts';
import { processStoreWebhooks } from '../src/orders/from-stores/process-store-webhooks.job.ts';
import { euros, Shop } from '../src/orders/shop.fixture.ts';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../tools/fakes/store-server.ts';
import type { Webhook } from '../tools/fakes/store-webhooks.ts';
import { WooCommerceStore } from '../tools/fakes/woocommerce-store.ts';
import type { Json } from './client.ts';
import { startTestApp } from './harness.ts';

/** What stores report of an order, as they report it: any of it late, twice, in any order. */
const authority = makeAuthority();
after(trustAuthority(authority));
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
let clock = Date.now();
const now = () => new Date(clock);
/** Stores distinguish whole seconds only. */
const later = () => {
  clock += 10_000;
};

type Fake = ShopifyStore | WooCommerceStore;
type Step = (shop: Fake, orderId: number) => void;

/** What happens to an order after it was placed for 20 euros and paid. */
const steps = {
  updated: (shop, id) => shop.edit(id, { add: [{ price: '4.00', quantity: 1 }] }),
  'partly refunded': (shop, id) => shop.refund(id, { lines: [{ line: 0, quantity: 1 }] }),
  refunded: (shop, id) => shop.refund(id),
  cancelled: (shop, id) => shop.cancel(id),
} satisfies Record<string, Step>;

const platforms = {
  async shopify() {
    const shop = await ShopifyStore.start({ authority, now });
    const credentials = { accessToken: shop.accessToken };
    return { shop, body: { platform: 'shopify', credentials } };
  },
  async woocommerce() {
    const shop = await WooCommerceStore.start({ authority, now });
    const { consumerKey, consumerSecret } = shop;
    return { shop, body: { platform: 'woocommerce', credentials: { consumerKey, consumerSecret } } };
  },
};

for (const [platform, start] of Object.entries(platforms)) {
  describe(`an order in a store of ${platform}`, async () => {
    const { shop, body } = await start();
    after(() => shop.close());
    const merchant = await Shop.open(app, euros);
    const store = await merchant.client.post('/stores', {
      ...body,
      domain: shop.domain,
      webhookSecret: shop.webhookSecret,
      passId: merchant.passId,
    });
    assert.equal(store.status, 201, store.text);
    shop.webhooks.subscribe(store.body.webhookUrl.replace('https://cards.example.test', app.url));
    let serial = 0;

    /** An order with a life, and the webhooks of each of its events. */
    function live(life: readonly (keyof typeof steps)[]): {
      orderId: string;
      email: string;
      events: Webhook[][];
    } {
      later();
      serial += 1;
      const email = `guest-${serial}@example.com`;
      shop.webhooks.pending.splice(0);
      const { id } = shop.placeOrder({ email, lines: [{ price: '10.00', quantity: 2 }] });
      later();
      shop.pay(id);
      const events = [shop.webhooks.pending.splice(0)];
      for (const step of life) {
        later();
        steps[step](shop, id);
        events.push(shop.webhooks.pending.splice(0));
      }
      return { orderId: String(id), email, events };
    }

    /** The final state of an order, without its number. */
    async function stateOf(orderId: string, email: string): Promise<Json> {
      const path = `/orders/${orderId}?storeId=${store.body.storeId}`;
      const order = (await merchant.client.get(path)).body;
      const [account] = await app.sql(
        `select coalesce(a.balance, 0)::int as balance, coalesce(a.lifetime_points, 0)::int as lifetime, count(*) over ()::int as cards from holders h
         left join loyalty_accounts a using (workspace_id, instance_id) where h.pass_id = $1 and h.email = $2`,
        [decodeId('pass', merchant.passId), email],
      );
      const { points, cancelled, total, refunded, refunds, waiting } = order;
      const { balance, lifetime, cards } = account ?? {};
      return {
        points,
        cancelled,
        total,
        refunded,
        refunds: refunds?.length,
        waiting,
        balance,
        lifetime,
        cards,
      };
    }

    async function deliver(webhooks: readonly Webhook[]): Promise<void> {
      for (const webhook of webhooks) assert.equal((await shop.webhooks.send(webhook)).status, 200);
      while (await processStoreWebhooks({ app: app.running.app, requestId: 'job' })) {}
    }

    const ends: [life: (keyof typeof steps)[], points: number][] = [
      [['updated', 'partly refunded', 'refunded', 'cancelled'], 0],
      [['updated', 'partly refunded'], 25],
      [['partly refunded', 'cancelled'], 0],
      [['updated'], 45],
    ];
    for (const [life, points] of ends) {
      it(`that was paid, ${life.join(', ')} is worth ${points} points, whatever arrives first or twice`, async () => {
        const usual = live(life);
        for (const event of usual.events) await deliver(event);
        const expected = await stateOf(usual.orderId, usual.email);
        assert.deepEqual([expected.points, expected.balance, expected.cards], [points, points || 0, 1]);
        const orders = permutations(usual.events.map((_, place) => place));
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...orders),
            fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5, maxLength: 5 }),
            fc.boolean(),
            async (order, times, isAtOnce) => {
              const { orderId, email, events } = live(life);
              const sent = order.flatMap((which, turn) =>
                Array.from({ length: times[turn] ?? 1 }, () => events[which] ?? []),
              );
              if (isAtOnce) await deliver(sent.flat());
              else for (const event of sent) await deliver(event);
              assert.deepEqual(await stateOf(orderId, email), expected);
            },
          ),
          { numRuns: Math.min(orders.length * 2, 40) },
        );
        await merchant.assertSound();
      });
    }
  });
}

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, place) =>
    permutations(items.toSpliced(place, 1)).map((others) => [item, ...others]),
  );
}
