import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cpuMs } from '../../../test/cpu-ms.ts';
import {
  answerOf,
  bytesOf,
  changed,
  hostile,
  readFixture,
  readsOrRefuses,
  troubleOf,
} from '../bodies.fixture.ts';
import type { StoreApi, StoreOrder } from '../connector.ts';
import { shopify } from './shopify.ts';

const fixture = (name: string) => readFixture(import.meta.url, name);
const webhook = fixture('order-webhook');
const answer = fixture('orders-answer');
const credentials = { accessToken: 'shpat_0123456789abcdef' };
const api = shopify.api as StoreApi;
const domain = 'blue-bean.myshopify.com';
const readWebhook = (topic: string, body: Buffer) => shopify.readWebhook(topic, body, domain);
const since = new Date('2026-11-20T20:00:00.500Z');

function orderOf(body: unknown, topic = 'orders/updated'): StoreOrder {
  const event = readWebhook(topic, bytesOf(body));
  assert.equal(event.kind, 'order');
  return event.kind === 'order' ? event.order : assert.fail();
}

function listed(body: unknown): readonly StoreOrder[] {
  return api.listOrders(credentials, since, null, 50).read(answerOf(body)).items;
}

/** The same change in both shapes of the order. */
function both(
  ...changes: readonly [inWebhook: string, inNode: string, value: unknown, nodeValue?: unknown][]
) {
  const edited = changes.reduce((body, [path, , value]) => changed(body, path, value), webhook);
  const asked = changes.reduce(
    (body, [, path, value, nodeValue = value]) => changed(body, `data.orders.nodes.0.${path}`, nodeValue),
    answer,
  );
  const order = orderOf(edited);
  assert.deepEqual(listed(asked), [order]);
  return order;
}

const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('an order of Shopify', () => {
  it('is the same from a webhook and from the API', () => {
    assert.deepEqual(both(), {
      orderId: '5001',
      state: {
        version: Date.parse('2026-11-20T21:02:12Z'),
        paid: true,
        cancelled: false,
        // 2 × 11.90 − 3.80 − 3.19 of tax, and 3 × 5.95 − 2.85; no gift card, no shipping
        total: eur('31.81'),
        placedAt: new Date('2026-11-20T14:15:00Z'),
        number: '#1042',
        customer: {
          customerId: '7012',
          email: 'Ada@Example.com',
          phone: '+4915112345678',
          name: 'Ada Lovelace',
        },
        test: false,
      },
      refunds: [
        { refundId: '901', amount: eur('5.00') },
        { refundId: '902', amount: eur('2.00') },
        { refundId: '903', amount: eur('0.00') },
      ],
    });
  });

  it('has its taxes left in where prices are without them', () => {
    const { state, refunds } = both(['taxes_included', 'taxesIncluded', false]);
    assert.deepEqual([state?.total, refunds[0]?.amount], [eur('37.85'), eur('5.95')]);
  });

  it('is paid, cancelled or neither', () => {
    const outcomes = {
      pending: [false, false],
      authorized: [false, false],
      partially_paid: [false, false],
      paid: [true, false],
      partially_refunded: [true, false],
      refunded: [true, false],
      voided: [false, true],
      expired: [false, false],
      something_new: [false, false],
    };
    for (const [status, expected] of Object.entries(outcomes)) {
      const { state } = both(['financial_status', 'displayFinancialStatus', status, status.toUpperCase()]);
      assert.deepEqual([state?.paid, state?.cancelled], expected, status);
    }
    const { state } = both([
      'cancelled_at',
      'cancelledAt',
      '2026-11-20T17:00:00-05:00',
      '2026-11-20T22:00:00Z',
    ]);
    assert.deepEqual([state?.paid, state?.cancelled], [true, true]);
  });

  it('of a guest has an address only, and of a till no customer', () => {
    assert.deepEqual(both(['customer', 'customer', null]).state?.customer, {
      customerId: null,
      email: 'Ada@Example.com',
      phone: null,
      name: null,
    });
    assert.equal(both(['customer', 'customer', null], ['email', 'email', '']).state?.customer, null);
    const { state } = both(['email', 'email', '', null], ['test', 'test', true]);
    assert.deepEqual([state?.customer?.email, state?.test], ['ada@example.com', true]);
  });

  it('loses what a refund names; more or less of it is an adjustment', () => {
    const more = both([
      'refunds.1.order_adjustments.0.amount_set.shop_money.amount',
      'refunds.1.orderAdjustments.nodes.0.amountSet.shopMoney.amount',
      '1.50',
    ]);
    assert.deepEqual(more.refunds[1]?.amount, eur('0.00'));
    const gift = both([
      'refunds.0.refund_line_items.0.line_item.gift_card',
      'refunds.0.refundLineItems.nodes.0.lineItem.isGiftCard',
      true,
    ]);
    assert.deepEqual(gift.refunds[0]?.amount, eur('0.00'));
  });

  it('loses what was paid back where a refund says nothing else', () => {
    const { refunds } = both(['refunds.2.refund_shipping_lines', 'refunds.2.refundShippingLines.nodes', []]);
    assert.deepEqual(refunds[2]?.amount, eur('4.90'));
    const old = changed(webhook, 'refunds.2.refund_shipping_lines', undefined);
    const adjustment = { kind: 'shipping_refund', amount: '-4.90', tax_amount: '0.00' };
    assert.deepEqual(
      orderOf(changed(old, 'refunds.2.order_adjustments', [adjustment])).refunds[2]?.amount,
      eur('0.00'),
    );
  });

  it('is reported in the currency of the shop, with as many decimals as it has', () => {
    const inYen = (body: unknown) =>
      JSON.stringify(body)
        .replaceAll('EUR', 'JPY')
        .replaceAll(/"(-?\d+)\.(\d\d?)"/g, '"$100.0"');
    const [order] = listed(JSON.parse(inYen(answer)));
    assert.deepEqual(order, orderOf(JSON.parse(inYen(webhook))));
    assert.deepEqual(order?.state?.total, { amount: '2900', currency: 'JPY' });
  });

  it('is exact where floats are not', () => {
    const lines = [
      {
        ...structuredClone((webhook as { line_items: object[] }).line_items[2]),
        quantity: 3,
        price: '0.1',
        price_set: null,
        tax_lines: [],
      },
    ];
    assert.deepEqual(orderOf(changed(webhook, 'line_items', lines)).state?.total, eur('0.30'));
  });

  it('has amounts of older bodies without their sets', () => {
    const plain = JSON.parse(
      JSON.stringify(webhook, (key, value) => (key.endsWith('_set') ? undefined : value)),
    );
    assert.deepEqual(orderOf(plain), orderOf(webhook));
    const line = 'line_items.0.discount_allocations';
    const withDiscount = changed(changed(plain, line, undefined), 'line_items.0.total_discount', '3.80');
    assert.deepEqual(orderOf(withDiscount).state, orderOf(webhook).state);
  });

  it('has tips that are lines left out', () => {
    const [first, ...others] = (webhook as { line_items: object[] }).line_items;
    const tip = { ...first, id: 604, tip: { payment_gateway: 'shopify_payments' } };
    assert.deepEqual(orderOf(changed(webhook, 'line_items', [first, ...others, tip])), orderOf(webhook));
  });

  it('is left out of a list that does not hold all its lines, as is a refund', () => {
    const more = 'pageInfo.hasNextPage';
    assert.deepEqual(listed(changed(answer, `data.orders.nodes.0.lineItems.${more}`, true)), []);
    const [order] = listed(changed(answer, `data.orders.nodes.0.refunds.0.refundLineItems.${more}`, true));
    assert.deepEqual(
      order?.refunds.map(({ refundId }) => refundId),
      ['902', '903'],
    );
  });

  it('that cannot be read does not keep back the others of a list', () => {
    const [node] = (answer as { data: { orders: { nodes: object[] } } }).data.orders.nodes;
    const nodes = [{ ...node, currencyCode: 'XXXX' }, node, { ...node, lineItems: 5 }];
    assert.deepEqual(listed(changed(answer, 'data.orders.nodes', nodes)), listed(answer));
  });
});

describe('a webhook of Shopify', () => {
  it('names itself in headers', () => {
    const headers = { 'x-shopify-hmac-sha256': 's', 'x-shopify-topic': 't', 'x-shopify-webhook-id': 'w' };
    const named = { signature: 's', topic: 't', deliveryId: 'w', isTrial: false };
    assert.deepEqual(shopify.readHeaders(headers), named);
    assert.deepEqual(shopify.readHeaders({ ...headers, 'x-shopify-test': 'true' }), {
      ...named,
      isTrial: true,
    });
    const none = { signature: null, topic: null, deliveryId: null, isTrial: false };
    assert.deepEqual(shopify.readHeaders({}), none);
  });

  it('of a refund reports the least possible amount, which is exact where taxes are included', () => {
    const refund = orderOf(fixture('refund-webhook'), 'refunds/create');
    assert.deepEqual(refund, {
      orderId: '5001',
      state: null,
      refunds: [{ refundId: '901', amount: eur('5.00') }],
    });
    assert.deepEqual(refund.refunds[0], orderOf(webhook).refunds[0]);
    const plain = JSON.parse(
      JSON.stringify(fixture('refund-webhook'), (key, value) => (key.endsWith('_set') ? undefined : value)),
    );
    // Only those name its currency; it is left to the order.
    assert.deepEqual(readWebhook('refunds/create', bytesOf(plain)), { kind: 'other' });
  });

  it('of what was paid back in the money of the customer says nothing of its worth', () => {
    const only = changed(webhook, 'refunds.2.refund_shipping_lines', undefined);
    const foreign = changed(only, 'refunds.2.transactions.0.currency', 'JPY');
    assert.deepEqual(orderOf(foreign).refunds[2]?.amount, eur('0.00'));
    const set = { shop_money: { amount: '4.50', currency_code: 'EUR' } };
    const both = changed(foreign, 'refunds.2.transactions.0', {
      ...(foreign as { refunds: { transactions: object[] }[] }).refunds[2]?.transactions[0],
      amount_set: set,
    });
    assert.deepEqual(orderOf(both).refunds[2]?.amount, eur('4.50'));
  });

  it('of a deleted order has only its number', () => {
    assert.deepEqual(readWebhook('orders/delete', bytesOf({ id: 5001 })), {
      kind: 'order',
      order: { orderId: '5001', state: null, refunds: [], deleted: true },
    });
  });

  it('of privacy says whom it is about', () => {
    const body = bytesOf(fixture('redact-webhook'));
    assert.deepEqual(readWebhook('customers/redact', body), {
      kind: 'customer_redact',
      customerId: '7012',
      email: 'ada@example.com',
      orderIds: ['5001', '5002'],
    });
    const request = {
      ...(fixture('redact-webhook') as object),
      orders_requested: [5003],
      data_request: { id: 9 },
    };
    assert.deepEqual(readWebhook('customers/data_request', bytesOf(request)), {
      kind: 'data_request',
      customerId: '7012',
      email: 'ada@example.com',
      orderIds: ['5003'],
    });
    const shop = { shop_id: 954889, shop_domain: domain };
    assert.deepEqual(readWebhook('shop/redact', bytesOf(shop)), { kind: 'shop_redact' });
    const gone = { id: 954889, name: 'Blue Bean', domain: 'bluebean.example', myshopify_domain: domain };
    assert.deepEqual(readWebhook('app/uninstalled', bytesOf(gone)), { kind: 'uninstalled' });
  });

  it('is what its body says, since no signature covers the topic', () => {
    const redact = fixture('redact-webhook');
    const shop = { shop_id: 954889, shop_domain: domain };
    const bodies = [webhook, fixture('refund-webhook'), redact, shop, { id: 5001, name: '#1042' }, {}];
    const takes: Record<string, unknown> = {
      'orders/delete': null,
      'shop/redact': shop,
      'app/uninstalled': null,
      'customers/redact': redact,
      'customers/data_request': null,
    };
    for (const [topic, own] of Object.entries(takes)) {
      for (const body of bodies.filter((other) => other !== own))
        assert.throws(() => readWebhook(topic, bytesOf(body)), { reason: 'store_answer_unreadable' }, topic);
    }
    // Signed with the secret of the same app, for another shop.
    const foreign = (body: unknown) => bytesOf({ ...(body as object), shop_domain: 'other.myshopify.com' });
    for (const [topic, body] of [
      ['shop/redact', shop],
      ['customers/redact', redact],
    ] as const)
      assert.throws(() => readWebhook(topic, foreign(body)), { reason: 'store_answer_unreadable' });
    const gone = { id: 1, myshopify_domain: 'other.myshopify.com' };
    assert.throws(() => readWebhook('app/uninstalled', bytesOf(gone)), { reason: 'store_answer_unreadable' });
  });

  it('of anything else is nothing of ours', () => {
    for (const topic of ['orders/edited', 'products/update', '', '__proto__'])
      assert.deepEqual(readWebhook(topic, bytesOf('not even JSON')), { kind: 'other' }, topic);
  });
});

describe('a question to Shopify', () => {
  it('goes to a pinned version, with the token in a header only', () => {
    const { request } = api.listCustomers(credentials, '7011', 1_000);
    assert.deepEqual(
      { ...request, body: JSON.parse(request.body ?? '').variables },
      {
        method: 'POST',
        path: '/admin/api/2026-10/graphql.json',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': credentials.accessToken },
        body: { first: 250, query: 'id:>7011' },
      },
    );
  });

  it('for customers goes on behind the last number', () => {
    const { items, next } = api
      .listCustomers(credentials, null, 3)
      .read(answerOf(fixture('customers-answer')));
    assert.equal(next, '7014');
    assert.deepEqual(items, [
      {
        customerId: '7012',
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        locale: 'en-GB',
        consent: 'granted',
        meta: {},
      },
      {
        customerId: '7013',
        email: 'bool@example.com',
        name: 'Bool',
        locale: 'de',
        consent: 'denied',
        meta: {},
      },
      { customerId: '7014', email: null, name: null, locale: null, consent: 'denied', meta: {} },
    ]);
    const last = changed(fixture('customers-answer'), 'data.customers.pageInfo', {
      hasNextPage: false,
      endCursor: 'x',
    });
    assert.equal(api.listCustomers(credentials, null, 3).read(answerOf(last)).next, null);
  });

  it('takes nothing but SUBSCRIBED for consent', () => {
    const path = 'data.customers.nodes.0.defaultEmailAddress.marketingState';
    for (const state of [
      'subscribed',
      'PENDING',
      'NOT_SUBSCRIBED',
      'UNSUBSCRIBED',
      'INVALID',
      'REDACTED',
      'NEW',
      true,
      null,
    ]) {
      const body = changed(fixture('customers-answer'), path, state);
      assert.equal(api.listCustomers(credentials, null, 3).read(answerOf(body)).items[0]?.consent, 'denied');
    }
  });

  describe('for orders', () => {
    const asked = (after: string | null) => {
      const { query, variables } = JSON.parse(
        api.listOrders(credentials, since, after, 50).request.body ?? '',
      );
      return { ...variables, isLong: query.includes('order(id: $id)') };
    };
    const page = (after: string | null, body: unknown) =>
      api.listOrders(credentials, since, after, 50).read(answerOf(body));
    const next = (after: string | null, body: unknown = answer) =>
      page(after, body).next ?? assert.fail('the last');
    const query = "updated_at:>='2026-11-20T20:00:00Z'";

    it('goes on behind the cursor', () => {
      assert.deepEqual(asked(null), { first: 3, after: null, query, isLong: false });
      const after = 'eyJsYXN0X2lkIjo1MDAxfQ==';
      assert.deepEqual(asked(next(null)), { first: 3, after, query, isLong: false });
    });

    it('begins anew before the cursor leads too far', () => {
      const place = { since: '2026-11-20T20:00:00Z', seen: 19_999, cursor: 'abc', long: [], isLast: false };
      const anew = { first: 3, after: null, query: "updated_at:>='2026-11-20T21:02:12Z'", isLong: false };
      assert.deepEqual(asked(next(JSON.stringify({ ...place, seen: 19_998 }))).query, query);
      assert.deepEqual(asked(next(JSON.stringify(place))), anew);
      // Where all are of one second there is no other way.
      const stuck = next(JSON.stringify({ ...place, since: '2026-11-20T21:02:12Z' }));
      assert.deepEqual(asked(stuck).after, 'eyJsYXN0X2lkIjo1MDAxfQ==');
    });

    it('asks for long ones by themselves, and then goes on', () => {
      const { nodes } = (answer as { data: { orders: { nodes: { lineItems: object }[] } } }).data.orders;
      const [node] = nodes;
      const lineItems = { ...node?.lineItems, pageInfo: { hasNextPage: true } };
      const [one, other] = ['5002', '5003'].map((legacyResourceId) => ({
        ...node,
        legacyResourceId,
        lineItems,
      }));
      const broken = { ...node, lineItems: 5 };
      const body = changed(answer, 'data.orders.nodes', [node, one, broken, other]);
      const isLast = changed(body, 'data.orders.pageInfo', { hasNextPage: false, endCursor: null });
      for (const [list, ends] of [
        [body, false],
        [isLast, true],
      ] as const) {
        assert.deepEqual(page(null, list).items, [orderOf(webhook)]);
        const first = next(null, list);
        assert.deepEqual(asked(first), { id: 'gid://shopify/Order/5002', isLong: true });
        const whole = { data: { order: { ...node, legacyResourceId: '5002' } } };
        assert.deepEqual(page(first, whole).items, [{ ...orderOf(webhook), orderId: '5002' }]);
        const second = next(first, whole);
        assert.deepEqual(asked(second), { id: 'gid://shopify/Order/5003', isLong: true });
        // It is gone, or too long even so: its webhooks report it.
        for (const order of [null, other]) {
          const { items, next: place } = page(second, { data: { order } });
          assert.deepEqual(items, []);
          if (ends) assert.equal(place, null);
          else
            assert.deepEqual(asked(place), {
              first: 3,
              after: 'eyJsYXN0X2lkIjo1MDAxfQ==',
              query,
              isLong: false,
            });
        }
      }
    });
  });

  it('rests until the bucket holds as many points again', () => {
    const rest = (body: unknown) => api.listOrders(credentials, since, null, 50).restMs(answerOf(body));
    // 956 asked for, 706 left, 100 a second
    assert.equal(rest(answer), 2_500);
    assert.equal(rest(fixture('customers-answer')), 0);
    const status = 'extensions.cost.throttleStatus';
    assert.equal(rest(changed(answer, `${status}.restoreRate`, 0.001)), 60_000);
    for (const wrong of [0, -1, '100', null, {}])
      assert.equal(rest(changed(answer, `${status}.restoreRate`, wrong)), 0);
    for (const path of [status, 'extensions.cost', 'extensions'])
      assert.equal(rest(changed(answer, path, [])), 0);
  });

  it('says what is wrong with the store', () => {
    const exchange = api.getShop(credentials);
    const trouble = (status: number, body: unknown = '', headers = {}) => {
      const { reason, retryMs } = troubleOf(exchange, answerOf(body, status, headers));
      return [reason, retryMs];
    };
    for (const status of [401, 403]) assert.deepEqual(trouble(status), ['store_unauthorized', null]);
    for (const status of [301, 302, 307, 308, 402, 404, 410, 423])
      assert.deepEqual(trouble(status), ['store_not_connected', null]);
    for (const status of [408, 500, 502, 503, 504])
      assert.deepEqual(trouble(status), ['store_unavailable', 5_000]);
    assert.deepEqual(trouble(429, '', { 'retry-after': '2' }), ['store_throttled', 2_000]);
    assert.deepEqual(trouble(429, '', { 'retry-after': '2.0' }), ['store_throttled', 2_000]);
    assert.deepEqual(trouble(503, '', { 'retry-after': '999999' }), ['store_unavailable', 3_600_000]);
    const dates = { 'retry-after': 'Sun, 22 Nov 2026 06:00:30 GMT', date: 'Sun, 22 Nov 2026 06:00:00 GMT' };
    assert.deepEqual(trouble(429, '', dates), ['store_throttled', 30_000]);
    assert.deepEqual(trouble(400), ['store_answer_unreadable', null]);
    for (const body of [
      '',
      '<html>',
      '[]',
      'null',
      '{"data":null}',
      { data: { shop: null } },
      { data: { shop: { name: 1 } } },
    ])
      assert.deepEqual(trouble(200, body), ['store_answer_unreadable', null], JSON.stringify(body));
  });

  it('reads errors that come with 200', () => {
    const exchange = api.getShop(credentials);
    const { reason, retryMs } = troubleOf(exchange, answerOf(fixture('throttled-answer')));
    // 752 asked for, 602 left, 50 a second
    assert.deepEqual([reason, retryMs], ['store_throttled', 3_000]);
    const outcomes = {
      ACCESS_DENIED: ['store_unauthorized', null],
      SHOP_INACTIVE: ['store_not_connected', null],
      INTERNAL_SERVER_ERROR: ['store_unavailable', 2_000],
      MAX_COST_EXCEEDED: ['store_answer_unreadable', null],
    };
    for (const [code, expected] of Object.entries(outcomes)) {
      const trouble = troubleOf(
        exchange,
        answerOf({ errors: [{ message: 'No\nway', extensions: { code } }], data: {} }),
      );
      assert.deepEqual([trouble.reason, trouble.retryMs], expected);
      assert.match(trouble.message, /No way$/);
    }
    const gate = { errors: '[API] Invalid API key or access token' };
    assert.match(troubleOf(exchange, answerOf(gate, 401)).message, /\(401\): \[API\] Invalid API key/);
  });

  it('gives the name of the shop', () => {
    assert.deepEqual(api.getShop(credentials).read(answerOf({ data: { shop: { name: 'Blue Bean' } } })), {
      name: 'Blue Bean',
    });
  });
});

describe('a domain of Shopify', () => {
  it('is the one that each store has, or has a port', () => {
    assert.equal(shopify.readDomain('Blue-Bean.MyShopify.com'), 'blue-bean.myshopify.com');
    assert.equal(shopify.readDomain('127.0.0.1:8443'), '127.0.0.1:8443');
    for (const domain of ['www.bluebean.com', 'myshopify.com.evil.example', 'evilmyshopify.com'])
      assert.throws(() => shopify.readDomain(domain), { code: 'invalid_request' }, domain);
  });
});

describe('a hostile body', () => {
  it('is read or refused, and nothing else comes of it', () => {
    const topics = ['orders/updated', 'refunds/create', 'customers/redact', 'customers/data_request'];
    fc.assert(
      fc.property(fc.constantFrom(...topics), hostile(webhook), (topic, body) =>
        readsOrRefuses(() => readWebhook(topic, bytesOf(body))),
      ),
      { numRuns: 1_500 },
    );
    const questions = [
      api.getShop(credentials),
      api.listCustomers(credentials, '1', 9),
      api.listOrders(credentials, since, null, 9),
    ];
    const bodies = fc.oneof(
      hostile(answer),
      hostile(fixture('customers-answer')),
      hostile(fixture('throttled-answer')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...questions),
        fc.constantFrom(200, 200, 200, 401, 429, 500),
        bodies,
        (question, status, body) => {
          readsOrRefuses(() => question.read(answerOf(body, status)));
          readsOrRefuses(() => assert.ok(question.restMs(answerOf(body)) >= 0));
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('that would fill the memory is not parsed', () => {
    const began = cpuMs();
    const before = process.memoryUsage().rss;
    assert.throws(() => readWebhook('orders/paid', Buffer.alloc(5_242_880, '[')), {
      reason: 'store_answer_unreadable',
    });
    assert.throws(() => readWebhook('orders/paid', Buffer.from('[{}],'.repeat(1_000_000))), {
      reason: 'store_answer_unreadable',
    });
    assert.ok(cpuMs() - began < 1_000 && process.memoryUsage().rss - before < 64 * 1_048_576);
  });
});
