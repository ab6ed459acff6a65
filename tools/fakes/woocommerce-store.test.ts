import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { makeAuthority } from './authority.ts';
import { OrderRefused } from './store-orders.ts';
import { WebhookReceiver } from './store-receiver.ts';
import { trustAuthority } from './store-server.ts';
import { WooCommerceStore } from './woocommerce-store.ts';

const authority = makeAuthority();
after(trustAuthority(authority));

describe('the API of the simulated WooCommerce', () => {
  it('gives customers in pages of a hundred at most', async () => {
    const shop = await open({ customers: 260 });
    const seen: unknown[] = [];
    for (let page = 1; page <= 3; page++) {
      const answer = await get(shop, `customers?role=all&orderby=id&order=asc&per_page=100&page=${page}`);
      assert.equal(answer.headers.get('x-wp-total'), '260');
      assert.equal(answer.headers.get('x-wp-totalpages'), '3');
      assert.equal(/rel="next"/.test(answer.headers.get('link') ?? ''), page < 3);
      seen.push(...answer.list.map(({ id }) => id));
    }
    assert.equal(new Set(seen).size, 260);
    assert.deepEqual(seen.slice(0, 3), [71, 74, 77]);
    assert.deepEqual((await get(shop, 'customers?role=all&page=99')).list, []);
    const backwards = await get(shop, 'customers?role=all&orderby=id&order=desc&per_page=2&offset=1');
    assert.deepEqual(
      backwards.list.map(({ id }) => id),
      [71 + 3 * 258, 71 + 3 * 257],
    );
  });

  it('shows the role that it is asked for, by name where nothing else is said', async () => {
    const shop = await open({ customers: 50 });
    const all = await get(shop, 'customers?role=all&per_page=100');
    const some = await get(shop, 'customers?per_page=100');
    assert.equal(all.list.length, 50);
    assert.ok(some.list.length < 50);
    assert.ok(some.list.every(({ role }) => role === 'customer'));
    assert.notDeepEqual(
      all.list.map(({ id }) => id),
      all.list.map(({ id }) => Number(id)).sort((one, other) => one - other),
    );
    assert.deepEqual(Object.keys((await get(shop, 'customers?_fields=id,billing.email')).list[0] ?? {}), [
      'id',
      'billing',
    ]);
  });

  it('shifts its pages when a customer goes', async () => {
    const shop = await open({ customers: 30 });
    const path = 'customers?role=all&orderby=id&per_page=10&page=';
    const first = await get(shop, `${path}1`);
    shop.customers.remove(shop.customerAt(0).id);
    const second = await get(shop, `${path}2`);
    assert.equal(first.list.at(-1)?.id, 71 + 27);
    assert.equal(second.list[0]?.id, 71 + 33);
  });

  it('shows consent nowhere but in what a plugin has left', async () => {
    const shop = await open({
      customers: 10,
      consentMeta: { key: 'newsletter', value: '1', otherwise: '0' },
    });
    const { list } = await get(shop, 'customers?role=all&orderby=id');
    const values = list.map((_, index) => at(list, `${index}.meta_data`) as { value: string }[]);
    assert.deepEqual(
      values.map(([meta]) => meta?.value),
      ['1', undefined, '1', '0', '1', '0', undefined, '1', '0', undefined],
    );
    assert.doesNotMatch(JSON.stringify({ ...list[1], meta_data: [] }), /consent|subscribe/i);
  });

  it('refuses what the real one refuses', async () => {
    const shop = await open({ customers: 1 });
    const refused: readonly (readonly [path: string, says: RegExp])[] = [
      ['customers?per_page=101', /^400 rest_invalid_param: Invalid parameter\(s\): per_page$/],
      ['customers?page=0&orderby=email', /^400 rest_invalid_param: .*orderby, page$/],
      ['orders?modified_after=yesterday', /^400 rest_invalid_param: .*modified_after$/],
      ['orders?dates_are_gmt=yes', /^400 rest_invalid_param/],
      ['customers/5', /^404 woocommerce_rest_invalid_id/],
      ['orders/5', /^404 woocommerce_rest_shop_order_invalid_id/],
      ['carts', /^404 rest_no_route/],
    ];
    for (const [path, says] of refused) assert.match(await refusal(shop, path), says, path);
    assert.match(await refusal(shop, 'orders', null), /^401 woocommerce_rest_cannot_view/);
    assert.match(
      await refusal(shop, 'orders', 'ck_no:cs_no'),
      /^401 woocommerce_rest_auth\w+: Consumer key is/,
    );
    assert.match(await refusal(shop, 'orders', `${shop.consumerKey}:x`), /^401 .*Consumer secret is invalid/);
    assert.match(
      await refusal(await open({ permissions: 'write' }), 'orders'),
      /^401 .*not have read permissions/,
    );
    const deaf = await open({ losesAuthorization: true });
    assert.match(await refusal(deaf, 'orders'), /^401 woocommerce_rest_cannot_view/);
    const query = `orders?consumer_key=${deaf.consumerKey}&consumer_secret=${deaf.consumerSecret}`;
    assert.deepEqual((await get(deaf, query)).list, []);
    const plain = await open({ hasPermalinks: false });
    assert.equal((await get(plain, 'orders')).status, 404);
  });

  it('fails on demand', async () => {
    const shop = await open({ customers: 300 });
    shop.fail({ matching: /customers\?/, outcome: 'throttled' });
    shop.fail({ matching: /page=2/, times: 2, outcome: { status: 503, body: '<html>maintenance</html>' } });
    const throttled = await get(shop, 'customers?page=1');
    assert.deepEqual([throttled.status, throttled.headers.get('retry-after')], [429, '2']);
    for (const status of [503, 503, 200]) assert.equal((await get(shop, 'customers?page=2')).status, status);
    assert.equal(shop.requests.length, 4);
  });

  it('gives the orders that were changed since, by the clock that it is asked for', async () => {
    let now = Date.parse('2026-11-22T10:00:00.700Z');
    const shop = await open({ now: () => new Date(now), utcOffsetHours: 9 });
    const [first, second, third] = [1, 2, 3].map(() => {
      now += 60_000;
      return shop.placeOrder({ total: '5.00', paid: true }).id;
    });
    now += 60_000;
    shop.refund(first ?? 0, { amount: '1.00' });
    const changed = (since: string) => `orders?orderby=modified&order=asc&modified_after=${since}`;
    const ids = async (path: string) => (await get(shop, path)).list.map(({ id }) => id);
    assert.deepEqual(await ids(`${changed('2026-11-22T10:02:00')}&dates_are_gmt=true`), [third, first]);
    assert.deepEqual(await ids(changed('2026-11-22T19:01:59')), [second, third, first]);
    // With a zone in it, it is taken for the time of the site, and nine hours of orders are missing.
    assert.deepEqual(await ids(`${changed('2026-11-22T10:00:00Z')}&dates_are_gmt=true`), []);
    const { list } = await get(shop, 'orders?orderby=id&order=asc');
    assert.equal(at(list, '0.date_created'), '2026-11-22T19:01:00');
    assert.equal(at(list, '0.date_modified_gmt'), '2026-11-22T10:04:00');
    shop.trash(first ?? 0);
    assert.deepEqual(await ids('orders?orderby=id'), [third, second]);
    assert.deepEqual(await ids('orders?status=trash'), [first]);
  });
});

describe('orders of the simulated WooCommerce', () => {
  it('show goods, taxes, shipping and refunds as the platform does', async () => {
    const shop = await open({ customers: 1 });
    const { id: customerId } = shop.customerAt(0);
    const lines = [{ price: '12.00', quantity: 2, discount: '4.00', taxRate: 20 }];
    const order = shop.placeOrder({ customerId, lines, shipping: '4.90', tip: '1.00', taxesIncluded: true });
    const pending = shop.payloadOf(order);
    assert.deepEqual(
      [pending.status, pending.date_paid_gmt, pending.customer_id],
      ['pending', null, customerId],
    );
    shop.pay(order.id);
    shop.refund(order.id, { lines: [{ line: 0, quantity: 1 }], note: 'broken' });
    const { list } = await get(shop, 'orders');
    assert.equal(at(list, '0.status'), 'processing');
    assert.deepEqual(
      ['total', 'subtotal', 'total_tax'].map((name) => at(list, `0.line_items.0.${name}`)),
      ['16.67', '20.00', '3.33'],
    );
    assert.equal(at(list, '0.total'), '25.90');
    assert.equal(at(list, '0.total_tax'), '3.33');
    assert.deepEqual(at(list, '0.refunds'), [
      { id: order.refunds[0]?.id, reason: 'broken', total: '-10.00' },
    ]);
    const refunds = await get(shop, `orders/${order.id}/refunds`);
    assert.equal(at(refunds.list, '0.amount'), '10.00');
    assert.equal(at(refunds.list, '0.line_items.0.total'), '-8.34');
    shop.refund(order.id);
    assert.deepEqual([shop.payloadOf(order).status, order.refunds.length], ['processing', 2]);
    assert.throws(() => shop.refund(order.id, { amount: '9.00' }), OrderRefused);
  });

  it('lose lines that are taken off, and keep those that are refunded', async () => {
    const shop = await open();
    const order = shop.placeOrder({ lines: [{ price: '3.00', quantity: 2 }, { price: '5.00' }], paid: true });
    shop.edit(order.id, { remove: [{ line: 1 }, { line: 0, quantity: 1 }], add: [{ price: '7.00' }] });
    const payload = shop.payloadOf(order);
    assert.deepEqual([payload.total, payload.refunds], ['10.00', []]);
    assert.deepEqual(
      (payload.line_items as { total: string }[]).map(({ total }) => total),
      ['3.00', '7.00'],
    );
  });

  it('are of guests, completed, cancelled and of any status that the merchant chooses', async () => {
    const shop = await open();
    const guest = shop.placeOrder({ email: 'Ada@Example.org', firstName: 'Ada', total: '10.00' });
    const status = () => shop.payloadOf(guest).status;
    assert.deepEqual(
      [shop.payloadOf(guest).customer_id, at(shop.payloadOf(guest), 'billing.email')],
      [0, 'Ada@Example.org'],
    );
    shop.complete(guest.id);
    assert.deepEqual([status(), typeof shop.payloadOf(guest).date_paid_gmt], ['completed', 'string']);
    shop.setStatus(guest.id, 'processing');
    shop.setStatus(guest.id, 'on-hold');
    assert.equal(status(), 'on-hold');
    shop.cancel(guest.id);
    assert.deepEqual([status(), guest.refunds.length], ['cancelled', 0]);
  });
});

describe('webhooks of the simulated WooCommerce', () => {
  it('ping first, then report each change twice, with one number for a whole second', async () => {
    const now = new Date('2026-11-22T10:00:00Z');
    const [shop, receiver] = [await open({ now: () => now }), await WebhookReceiver.start()];
    after(() => receiver.close());
    await shop.subscribe(receiver.url);
    assert.deepEqual(receiver.header('x-wc-webhook-signature'), Array(4).fill(undefined));
    assert.equal(receiver.received[1]?.body.toString(), 'webhook_id=2');
    assert.equal(receiver.received[1]?.headers['content-type'], 'application/x-www-form-urlencoded');
    receiver.received.length = 0;
    const one = shop.placeOrder({ total: '1.00', paid: true });
    const other = shop.placeOrder({ total: '2.00' });
    shop.trash(other.id);
    await shop.deliver();
    assert.deepEqual(receiver.header('x-wc-webhook-topic'), [
      'order.created',
      'order.updated',
      'order.updated',
      'order.created',
      'order.updated',
      'order.deleted',
    ]);
    for (const { headers, body } of receiver.received) {
      const signature = createHmac('sha256', shop.webhookSecret).update(body).digest('base64');
      assert.equal(headers['x-wc-webhook-signature'], signature);
      assert.equal(headers['x-wc-webhook-source'], `https://${shop.domain}/`);
    }
    assert.equal(new Set(receiver.header('x-wc-webhook-delivery-id')).size, 3);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()));
    assert.deepEqual(
      bodies.map(({ id }) => id),
      [one.id, one.id, one.id, other.id, other.id, other.id],
    );
    assert.deepEqual(bodies[1], bodies[2]);
    assert.deepEqual(bodies[5], { id: other.id });
  });

  it('end after seven failures', async () => {
    const [shop, receiver] = [await open(), await WebhookReceiver.start()];
    after(() => receiver.close());
    await shop.subscribe(receiver.url);
    receiver.status = 500;
    for (let count = 0; count < 3; count++) shop.placeOrder();
    await shop.deliver();
    assert.equal(shop.webhooks.isActive, true);
    shop.placeOrder();
    await shop.deliver();
    assert.equal(shop.webhooks.isActive, false);
  });
});

/** A shop that ends with the tests. */
async function open(options: Parameters<typeof WooCommerceStore.start>[0] = {}): Promise<WooCommerceStore> {
  const shop = await WooCommerceStore.start({ authority, ...options });
  after(() => shop.close());
  return shop;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

/** Asks for a path below wc/v3; `credentials` are the right ones unless others are given, null: none. */
async function get(
  shop: WooCommerceStore,
  path: string,
  credentials: string | null = `${shop.consumerKey}:${shop.consumerSecret}`,
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
  const answer = await fetch(`https://${shop.domain}/wp-json/wc/v3/${path}`, {
    headers: credentials === null ? {} : { authorization },
  });
  const text = await answer.text();
  const body: unknown = text.startsWith('<') ? text : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body, list: Array.isArray(body) ? body : [] };
}

/** Status, code and message of an error. */
async function refusal(shop: WooCommerceStore, path: string, credentials?: string | null): Promise<string> {
  const { status, body } = await get(shop, path, credentials);
  assert.equal(at(body, 'data.status'), status);
  return `${status} ${at(body, 'code')}: ${at(body, 'message')}`;
}

/** What lies deep in a value: `0.billing.email`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((found, key) => {
    assert.ok(typeof found === 'object' && found !== null, `nothing at ${path}: ${JSON.stringify(value)}`);
    return Reflect.get(found, key);
  }, value);
}
