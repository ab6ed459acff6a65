import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import tls from 'node:tls';
import fc from 'fast-check';
import { makeAuthority } from '../../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { OrderRefused } from '../../tools/fakes/store-orders.ts';
import { WooCommerceStore } from '../../tools/fakes/woocommerce-store.ts';
import { createSafeCall } from '../kit/safe-fetch/safe-fetch.ts';
import { bytesOf } from './bodies.fixture.ts';
import {
  type Connector,
  type Exchange,
  type Page,
  type StoreApi,
  type StoreCustomer,
  type StoreOrder,
  StoreTrouble,
} from './connector.ts';
import { shopify } from './shopify/shopify.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';

const authority = makeAuthority('Simulated stores');
tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.certificate.toString()]);
const call = createSafeCall({ allow: ['127.0.0.1/32'], userAgent: 'Lab' });

let moment = Date.parse('2026-11-20T10:00:00Z');
/** Each change has a second of its own. */
const now = () => {
  moment += 1_000;
  return new Date(moment);
};
const customers = { count: 1_003, duplicateEvery: 10, noEmailEvery: 7, badEmailEvery: 11 };
const consentMeta = { key: 'newsletter', value: 'yes', otherwise: 'no' };
const presentment = { currency: 'USD', rate: 1.1 };
const shop = await ShopifyStore.start({ authority, customers, now, presentment, bucket: endlessBucket });
const site = await WooCommerceStore.start({
  authority,
  customers,
  now,
  utcOffsetHours: 5,
  consentMeta,
  consumerKey: 'ck_1',
  consumerSecret: 'cs_1',
});
after(() => Promise.all([shop.close(), site.close()]));

async function ask<T>(domain: string, { request, read }: Exchange<T>): Promise<T> {
  const { path, ...question } = request;
  return read(await call(`https://${domain}${path}`, { ...question, key: domain }));
}

/** Each kind of store: what it is, and how it is asked. */
const stores = {
  Shopify: {
    store: shop,
    ...reach(shopify, shop.domain, { accessToken: shop.accessToken }),
    topic: 'orders/updated',
  },
  WooCommerce: {
    store: site,
    ...reach(woocommerce, site.domain, { consumerKey: 'ck_1', consumerSecret: 'cs_1' }),
    topic: 'order.updated',
  },
} as const;

function reach(connector: Connector, domain: string, credentials: unknown) {
  const api = connector.api as StoreApi;
  return {
    connector,
    shop: () => ask(domain, api.getShop(credentials)),
    async customers(take: number) {
      const found: StoreCustomer[] = [];
      for (let after: string | null = null; ; ) {
        const page: Page<StoreCustomer> = await ask(domain, api.listCustomers(credentials, after, take));
        found.push(...page.items);
        if (page.next === null) return found;
        after = page.next;
      }
    },
    async orders(since: Date, take: number) {
      const found = new Map<string, StoreOrder>();
      for (let after: string | null = null; ; ) {
        const page: Page<StoreOrder> = await ask(domain, api.listOrders(credentials, since, after, take));
        for (const order of page.items) found.set(order.orderId, order);
        if (page.next === null) return found;
        after = page.next;
      }
    },
    trouble: async (wrong: unknown) => {
      const error = await ask(domain, api.getShop(wrong)).then(
        () => null,
        (raised) => raised,
      );
      return error instanceof StoreTrouble ? error.reason : error;
    },
  };
}

const price = fc.integer({ min: 1, max: 9_999 }).map((cents) => (cents / 100).toFixed(2));
const line = fc.record(
  {
    price,
    quantity: fc.integer({ min: 1, max: 4 }),
    discount: fc.constantFrom('0.00', '0.01'),
    taxRate: fc.constantFrom(0, 7, 19, 25.5),
    isGiftCard: fc.boolean(),
  },
  { requiredKeys: ['price'] },
);
const place = fc.record(
  {
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    shipping: price,
    tip: price,
    taxesIncluded: fc.boolean(),
    email: fc.constantFrom(null, 'Guest@Example.com'),
    isGuest: fc.boolean(),
  },
  { requiredKeys: ['lines'] },
);
const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pay' as const) }),
    fc.record({
      kind: fc.constant('refund' as const),
      lines: fc.array(fc.nat(3), { maxLength: 2 }),
      amount: fc.option(price),
      ofShipping: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('edit' as const), line: fc.nat(3), price }),
    fc.record({ kind: fc.constant('cancel' as const), refunds: fc.boolean() }),
  ),
  { maxLength: 5 },
);

for (const [name, { store, connector, topic, ...reached }] of Object.entries(stores)) {
  describe(`a simulated store of ${name}`, () => {
    /** A cent of it, as long as there is one. */
    function shippingLeft(id: number): string {
      const { shipping = 0, refunds = [] } = store.orders.find(id) ?? {};
      return refunds.reduce((left, refund) => left - refund.shipping, shipping) > 0 ? '0.01' : '0.00';
    }

    function move(id: number, what: typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never): void {
      if (what.kind === 'pay') store.pay(id);
      else if (what.kind === 'edit')
        store.edit(id, { add: [{ price: what.price }], remove: [{ line: what.line }] });
      else if (what.kind === 'cancel') store.cancel(id, { refunds: what.refunds });
      else
        store.refund(id, {
          ...(what.lines.length > 0 && { lines: what.lines.map((line) => ({ line })) }),
          ...(what.amount !== null && { amount: what.amount }),
          ...(what.ofShipping && { shipping: shippingLeft(id) }),
        });
    }

    it('reports each order alike in webhooks and in lists, whatever happens to it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(place, moves), { minLength: 1, maxLength: 4 }), async (lives) => {
          const since = now();
          const ids = lives.map(([{ isGuest = false, ...plan }, changes], index) => {
            const { id } = store.placeOrder({
              ...plan,
              ...(!isGuest && { customerId: store.customerAt(index).id }),
            });
            for (const change of changes) {
              try {
                move(id, change);
              } catch (error) {
                // It was not paid, or no longer has such a line.
                if (!(error instanceof OrderRefused)) throw error;
              }
            }
            return id;
          });
          const listed = await reached.orders(since, 2);
          for (const id of ids) {
            const order = store.orders.find(id);
            assert.ok(order !== null);
            const event = connector.readWebhook(topic, bytesOf(store.payloadOf(order)), store.domain);
            assert.ok(event.kind === 'order');
            const { refunds } = event.order;
            const found = listed.get(String(id));
            // The list has as many refunds as fit in.
            assert.deepEqual(found, { ...event.order, refunds: refunds.slice(0, found?.refunds.length) });
            assert.ok((found?.refunds.length ?? 0) >= Math.min(3, refunds.length));
          }
        }),
        { numRuns: 80 },
      );
    });

    it('has nothing left of an order that was refunded as a whole', async () => {
      for (const taxesIncluded of [true, false]) {
        const since = now();
        const lines = [
          { price: '11.90', quantity: 3, taxRate: 19 },
          { price: '0.99', taxRate: 7 },
        ];
        const { id } = store.placeOrder({ lines, shipping: '4.90', taxesIncluded, paid: true });
        store.refund(id, { lines: [{ line: 0, quantity: 1 }] });
        store.refund(id, { lines: [{ line: 0, quantity: 1 }, { line: 1 }] });
        store.refund(id);
        const order = (await reached.orders(since, 50)).get(String(id));
        const cents = (amount = '') => Math.round(Number(amount) * 100);
        const back = order?.refunds.reduce((sum, { amount }) => sum + cents(amount.amount), 0) ?? 0;
        const left = cents(order?.state?.total.amount) - back;
        assert.ok(left <= 0 && left > -4, `${left} cents are left`);
      }
    });

    it('reports a long order in full', async () => {
      const lines = Array.from({ length: 110 }, (_, index) => ({ price: `${index}.10`, taxRate: 19 }));
      const since = now();
      const { id } = store.placeOrder({ lines, paid: true });
      const order = store.orders.find(id);
      assert.ok(order !== null);
      store.placeOrder({ paid: true });
      const event = connector.readWebhook(topic, bytesOf(store.payloadOf(order)), store.domain);
      const listed = await reached.orders(since, 50);
      assert.deepEqual(listed.get(String(id)), event.kind === 'order' && event.order);
      assert.ok(listed.size >= 2);
    });

    it('gives each customer once, however many to a page', async () => {
      const all = await reached.customers(250);
      assert.equal(all.length, customers.count);
      assert.equal(new Set(all.map(({ customerId }) => customerId)).size, customers.count);
      assert.deepEqual(all[3]?.email, store.customerAt(3).email);
      const small = await reached.customers(90);
      assert.deepEqual(small, all);
    });

    it('refuses other credentials', async () => {
      assert.equal(typeof (await reached.shop()).name, 'string');
      const wrong = { accessToken: 'shpat_wrong', consumerKey: 'ck_1', consumerSecret: 'cs_2' };
      assert.equal(await reached.trouble(wrong), 'store_unauthorized');
    });
  });
}

describe('consent', () => {
  it('is what Shopify says, and what a plugin of WooCommerce left', async () => {
    const customers = await stores.Shopify.customers(250);
    for (const [index, { consent }] of customers.slice(0, 100).entries())
      assert.equal(
        consent === 'granted',
        shop.customerAt(index).consent === 'subscribed' && shop.customerAt(index).email !== null,
      );
    const kept = await stores.WooCommerce.customers(100);
    assert.ok(kept.every(({ consent }) => consent === 'unknown'));
    assert.ok(kept.some(({ meta }) => meta.newsletter === 'yes'));
  });
});
