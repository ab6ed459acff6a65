import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
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
import { woocommerce } from './woocommerce.ts';

const fixture = (name: string) => readFixture(import.meta.url, name);
const order = fixture('order');
const credentials = { consumerKey: 'ck_0123456789', consumerSecret: 'cs_9876543210' };
const api = woocommerce.api as StoreApi;
const readWebhook = (topic: string, body: Buffer) => woocommerce.readWebhook(topic, body, 'shop.example.com');
const since = new Date('2026-11-20T16:00:00.900Z');
const eur = (amount: string) => ({ amount, currency: 'EUR' });

/** Reads an order from a webhook and from the API, which must agree. */
function orderOf(body: unknown): StoreOrder {
  const event = readWebhook('order.updated', bytesOf(body));
  assert.ok(event.kind === 'order');
  assert.deepEqual(api.listOrders(credentials, since, null, 50).read(answerOf([body])).items, [event.order]);
  return event.order;
}

function told2(path: string, value: unknown): StoreOrder {
  return orderOf(changed(order, path, value));
}

describe('an order of WooCommerce', () => {
  it('is its goods after discounts, without taxes and shipping', () => {
    assert.deepEqual(orderOf(order), {
      orderId: '727',
      state: {
        version: Date.parse('2026-11-20T16:02:12Z'),
        paid: true,
        cancelled: false,
        total: eur('27.00'),
        placedAt: new Date('2026-11-20T09:15:00Z'),
        number: 'R-1003',
        customer: {
          customerId: '26',
          email: 'Ada@Example.com',
          phone: '0151 12345678',
          name: 'Ada Lovelace',
        },
        test: false,
      },
      // 9.52 is a quarter of 38.08; the other is rounded up
      refunds: [
        { refundId: '726', amount: eur('6.75') },
        { refundId: '728', amount: eur('0.01') },
      ],
    });
  });

  it('is refunded as a whole when its parts are, however they are rounded', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.array(fc.integer({ min: 1, max: 8_000 }), { maxLength: 6 }),
        (goods, rest, cuts) => {
          const all = goods + rest;
          const edges = [0, ...cuts.filter((cut) => cut < all).sort((a, b) => a - b), all];
          const amounts = edges.slice(1).map((edge, at) => edge - (edges[at] ?? 0));
          const text = (cents: number) => (cents / 100).toFixed(2);
          const { state, refunds } = orderOf({
            ...(order as object),
            total: text(all),
            line_items: [{ total: text(goods) }],
            refunds: amounts.map((amount, at) => ({ id: at + 1, reason: null, total: `-${text(amount)}` })),
          });
          const sum = refunds.reduce(
            (cents, { amount }) => cents + Math.round(Number(amount.amount) * 100),
            0,
          );
          const total = Math.round(Number(state?.total.amount) * 100);
          assert.ok(total === goods && sum >= goods && sum <= goods + amounts.length, `${sum} of ${goods}`);
        },
      ),
    );
  });

  it('is refunded with no more than its goods, and with nothing where nothing was paid', () => {
    assert.deepEqual(told2('refunds.0.total', '-99.00').refunds[0]?.amount, eur('27.00'));
    assert.deepEqual(told2('refunds.0.total', '-38.08').refunds[0]?.amount, eur('27.00'));
    const free = changed(changed(order, 'line_items', []), 'total', '0.00');
    assert.deepEqual(orderOf(free).refunds[0]?.amount, eur('0.00'));
  });

  it('is paid, cancelled or neither', () => {
    const unpaid = changed(order, 'date_paid_gmt', null);
    const outcomes = {
      pending: [false, false],
      'on-hold': [false, false],
      processing: [false, false],
      completed: [true, false],
      refunded: [true, false],
      cancelled: [false, true],
      failed: [false, true],
      trash: [false, true],
      'wc-own-status': [false, false],
    };
    for (const [status, [paid, cancelled]] of Object.entries(outcomes)) {
      const { state } = orderOf(changed(unpaid, 'status', status));
      assert.deepEqual([state?.paid, state?.cancelled], [paid, cancelled], status);
      assert.equal(told2('status', status).state?.paid, true);
    }
  });

  it('of a guest has an address only', () => {
    const guest = changed(order, 'customer_id', 0);
    assert.deepEqual(orderOf(guest).state?.customer, {
      customerId: null,
      email: 'Ada@Example.com',
      phone: '0151 12345678',
      name: 'Ada Lovelace',
    });
    const noContact = { first_name: 'Ada', last_name: '', email: '', phone: '' };
    assert.equal(orderOf(changed(guest, 'billing', noContact)).state?.customer, null);
  });

  it('of a shop with finer prices than its currency has is added up before it is cut off', () => {
    const lines = ['0.33333333', '0.33333333', '0.33333334'].map((total) => ({ total }));
    assert.deepEqual(told2('line_items', lines).state?.total, eur('1.00'));
    assert.deepEqual(told2('line_items', lines.slice(0, 2)).state?.total, eur('0.66'));
  });

  it('is unpaid where its date of payment is none', () => {
    for (const none of ['', null, false, 'yesterday', '0000-00-00T00:00:00', '-0001-11-30T00:00:00', 0])
      for (const [status, paid] of [
        ['pending', false],
        ['wc-pending', false],
        ['completed', true],
        ['wc-completed', true],
        ['wc-refunded', true],
      ] as const) {
        const { state } = orderOf(changed(changed(order, 'date_paid_gmt', none), 'status', status));
        assert.equal(state?.paid, paid, `${none} ${status}`);
      }
    const { date_paid_gmt: _, ...former } = order as Record<string, unknown>;
    assert.equal(orderOf({ ...former, status: 'processing' }).state?.paid, true);
    assert.equal(orderOf({ ...former, date_paid: '', status: 'processing' }).state?.paid, false);
    assert.equal(told2('status', 'wc-cancelled').state?.cancelled, true);
  });

  it('has the dates that it was sent, in whatever form', () => {
    const created = new Date('2026-11-20T09:15:00Z');
    const at = (path: string, value: unknown) => told2(path, value).state;
    assert.equal(at('date_modified_gmt', '2026-11-20 16:02:12')?.version, Date.parse('2026-11-20T16:02:12Z'));
    assert.equal(
      at('date_modified_gmt', '2026-11-20T16:02:12Z')?.version,
      Date.parse('2026-11-20T16:02:12Z'),
    );
    assert.equal(
      at('date_modified_gmt', '2026-11-20T16:02:12+00:00')?.version,
      Date.parse('2026-11-20T16:02:12Z'),
    );
    assert.equal(at('date_modified_gmt', null)?.version, Date.parse('2026-11-20T17:02:12Z'), 'the local one');
    const never = changed(changed(order, 'date_modified_gmt', null), 'date_modified', null);
    assert.equal(orderOf(never).state?.version, Date.parse('2026-11-20T09:16:00Z'), 'when it was paid');
    assert.equal(orderOf(changed(never, 'date_paid_gmt', '')).state?.version, created.getTime());
    assert.deepEqual(at('date_created_gmt', '')?.placedAt, new Date('2026-11-20T10:15:00Z'));
  });

  it('counts what was never set as nothing, and reads numbers as texts and texts as numbers', () => {
    for (const none of ['', null, false])
      assert.deepEqual(told2('line_items.0.total', none).state?.total, eur('10.00'), String(none));
    for (const same of [17, '17', ' 17.00', '17.', 17.000000000000004, '16.999999999999998'])
      assert.deepEqual(told2('line_items.0.total', same).state?.total, eur('27.00'), String(same));
    assert.deepEqual(told2('refunds.0.total', '').refunds[0]?.amount, eur('0.00'));
    assert.deepEqual(told2('refunds.0.total', 9.52).refunds[0]?.amount, eur('6.75'));
    assert.equal(told2('id', '727').orderId, '727');
    for (const guest of [0, '0', '', null, false])
      assert.equal(told2('customer_id', guest).state?.customer?.customerId, null, String(guest));
    assert.equal(told2('customer_id', '26').state?.customer?.customerId, '26');
    // An object that cannot be made a number is refused like any other.
    assert.throws(() => told2('customer_id', { toString: 1 }), /cannot be read/);
    const long = JSON.stringify(order).replace('"id":727', '"id":9007199254740993');
    const event = readWebhook('order.updated', bytesOf(long));
    assert.equal(event.kind === 'order' && event.order.orderId, '9007199254740993');
    const [read] = api.listOrders(credentials, since, null, 50).read(answerOf(`[${long}]`)).items;
    assert.equal(read?.orderId, '9007199254740993');
  });

  it('is in a currency in whatever letters, and in no unknown one', () => {
    for (const code of ['eur', 'Eur', ' EUR '])
      assert.deepEqual(told2('currency', code).state?.total, eur('27.00'));
    assert.equal(told2('currency', 'ved').state?.total.currency, 'VED');
    for (const code of ['BTC', '', null, 978, 'EURO', 'XXX'])
      assert.throws(() => told2('currency', code), { orderId: '727', message: /is no currency of ISO 4217/ });
  });

  it('is taken with what PHP makes of lists and objects', () => {
    for (const empty of [[], '', null, false]) {
      const { state } = told2('billing', empty);
      assert.deepEqual(state?.customer, { customerId: '26', email: null, phone: null, name: null });
    }
    for (const empty of [{}, [], '', null, false])
      assert.deepEqual(told2('refunds', empty).refunds, [], JSON.stringify(empty));
    const { line_items: lines } = order as { line_items: unknown[] };
    const gaps = Object.fromEntries(lines.map((one, at) => [2 * at + 1, one]));
    assert.deepEqual(told2('line_items', gaps).state?.total, eur('27.00'));
    for (const odd of [{}, '', null, [null], [[]], ['x'], { 3: 'x' }])
      assert.equal(told2('meta_data', odd).orderId, '727');
  });

  it('has names as people write them', () => {
    const named = (name: string) => told2('billing.first_name', name).state?.customer?.name;
    assert.equal(named('O&#039;Brien'), "O'Brien Lovelace");
    assert.equal(named('Tom &amp; Jerry&#x20AC;'), 'Tom & Jerry€ Lovelace');
    assert.equal(named('R&D &unknown; &#99999999;'), 'R&D &unknown; &#99999999; Lovelace');
    assert.equal(named('&lt;b&gt;&#0;'), '<b> Lovelace');
  });

  it('that cannot be read does not keep back the others of a list', () => {
    const rows = [
      changed(order, 'currency', '???'),
      order,
      changed(order, 'id', 0),
      { id: 5, status: 'trash' },
    ];
    const { items, unread } = api.listOrders(credentials, since, null, 50).read(answerOf(rows));
    assert.deepEqual(items, [orderOf(order)]);
    assert.deepEqual(
      unread.map(({ trouble: { orderId, message } }) => [
        orderId,
        message.replace(/^.*cannot be read: /, ''),
      ]),
      [
        ['727', '"???" is no currency of ISO 4217.'],
        ['0', '"0" is no id.'],
        ['5', 'date is missing.'],
      ],
    );
  });
});

describe('a webhook of WooCommerce', () => {
  it('has no name of its own: the one that it brings is of the second', () => {
    const headers = {
      'x-wc-webhook-signature': 's',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-delivery-id': 'the same for all of one second',
    };
    assert.deepEqual(woocommerce.readHeaders(headers), {
      signature: 's',
      topic: 'order.updated',
      deliveryId: null,
    });
    assert.deepEqual(woocommerce.readHeaders({}), { signature: null, topic: null, deliveryId: null });
  });

  it('of anything but orders is nothing of ours', () => {
    for (const topic of ['customer.updated', 'action.woocommerce_add_to_cart', ''])
      assert.deepEqual(readWebhook(topic, bytesOf('webhook_id=1')), { kind: 'other' });
    assert.equal(readWebhook('order.created', bytesOf(order)).kind, 'order');
  });

  it('of a deleted order has only its number', () => {
    const thrown = { orderId: '727', state: null, refunds: [], deleted: true };
    assert.deepEqual(readWebhook('order.deleted', bytesOf({ id: 727 })), {
      kind: 'order',
      order: thrown,
    });
    assert.throws(() => readWebhook('order.deleted', bytesOf({})), {
      reason: 'store_answer_unreadable',
    });
  });
});

/** Customers by their numbers. Some may be deleted while they are read. */
class Shop {
  ids: number[];
  readonly between: (page: number) => void;

  constructor(count: number, between: (page: number, shop: Shop) => void) {
    this.ids = Array.from({ length: count }, (_, at) => 10 + 3 * at);
    this.between = (page) => between(page, this);
  }

  /** All that a reader gets to see. */
  read(take: number): { seen: string[]; questions: number } {
    const seen: string[] = [];
    let after: string | null = null;
    for (let questions = 1; questions < 1_000; questions++) {
      const exchange = api.listCustomers(credentials, after, take);
      const query = new URL(exchange.request.path, 'https://x').searchParams;
      const [offset, perPage] = [Number(query.get('offset')), Number(query.get('per_page'))];
      const rows = this.ids.slice(offset, offset + perPage).map((id) => ({ id, email: `${id}@example.com` }));
      const page = exchange.read(answerOf(rows));
      seen.push(...page.items.map(({ customerId }) => customerId));
      if (page.next === null) return { seen, questions };
      after = page.next;
      this.between(questions);
    }
    return assert.fail('it never ends');
  }
}

describe('customers of WooCommerce', () => {
  it('are each read, whatever plugins have made of one', () => {
    const [ada] = fixture('customers') as Record<string, unknown>[];
    for (const odd of [
      {},
      '',
      null,
      false,
      'x',
      7,
      [null],
      [7],
      [[]],
      { 3: { key: 'newsletter', value: 'yes' } },
    ]) {
      const row = { ...ada, billing: odd, meta_data: odd };
      const { items } = api.listCustomers(credentials, null, 100).read(answerOf([row]));
      assert.deepEqual(
        items.map(({ customerId, email }) => [customerId, email]),
        [['26', 'ada@example.com']],
      );
    }
  });

  it('are read with what plugins keep of them, and without a word on consent', () => {
    const { items, next } = api.listCustomers(credentials, null, 100).read(answerOf(fixture('customers')));
    assert.equal(next, null);
    const [ada, ...others] = items;
    assert.deepEqual(Object.entries(ada?.meta ?? {}), [
      ['newsletter', 'yes'],
      ['visits', '7'],
      ['__proto__', 'x'],
    ]);
    assert.equal(Object.getPrototypeOf(ada?.meta), Object.prototype);
    assert.deepEqual(
      { ...ada, meta: null },
      {
        customerId: '26',
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        locale: null,
        consent: 'unknown',
        meta: null,
      },
    );
    const base = { locale: null, consent: 'unknown', meta: {} };
    assert.deepEqual(others, [
      { customerId: '31', email: 'bool@example.com', name: 'George Bool', ...base },
      { customerId: '32', email: null, name: null, ...base },
    ]);
  });

  it('are asked for by their numbers, a hundred at most, whatever their role', () => {
    const { path, headers } = api.listCustomers(credentials, '200:640', 250).request;
    assert.equal(path, '/wp-json/wc/v3/customers?orderby=id&order=asc&role=all&per_page=100&offset=199');
    const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    assert.equal(basic, 'ck_0123456789:cs_9876543210');
    assert.match(api.listCustomers(credentials, null, 250).request.path, /offset=0$/);
  });

  it('are each read once when others are added, and none is left out when others are deleted', () => {
    const shop = new Shop(25, (page, { ids }) => {
      // Of those that were read already, two; and a new customer.
      if (page === 1) ids.splice(1, 2);
      if (page === 3) ids.push(500);
    });
    const { seen } = shop.read(10);
    assert.deepEqual(seen, [...new Set(seen)]);
    assert.ok(shop.ids.every((id) => seen.includes(String(id))));
    const moves = fc.array(fc.tuple(fc.nat(12), fc.nat(80), fc.boolean()), { maxLength: 10 });
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), moves, (count, take, all) => {
        let newest = 1_000;
        const crowd = new Shop(count, (page, { ids }) => {
          for (const [at, index, comes] of all) {
            if (at !== page) continue;
            if (comes) ids.push(newest++);
            else ids.splice(index, 3);
          }
        });
        const read = crowd.read(take).seen;
        assert.deepEqual(read, [...new Set(read)]);
        for (const id of crowd.ids) assert.ok(read.includes(String(id)), `${id} is left out`);
      }),
      { numRuns: 500 },
    );
  });

  it('behind a number begin anew', () => {
    const exchange = api.listCustomers(credentials, '26', 100);
    assert.match(exchange.request.path, /offset=0$/);
    const { items } = exchange.read(answerOf(fixture('customers')));
    assert.deepEqual(
      items.map(({ customerId }) => customerId),
      ['31', '32'],
    );
  });

  it('out of order cannot be read', () => {
    const rows = [{ id: 9 }, { id: 7 }];
    assert.equal(
      troubleOf(api.listCustomers(credentials, null, 100), answerOf(rows)).reason,
      'store_answer_unreadable',
    );
  });
});

describe('the orders of WooCommerce that were changed', () => {
  const at = (second: number, id: number) => ({
    ...(order as object),
    id,
    date_modified_gmt: new Date(Date.parse('2026-11-20T16:00:00Z') + second * 1_000)
      .toISOString()
      .slice(0, 19),
  });

  function readAll(
    rows: { id: number; date_modified_gmt: string }[],
    between: (turn: number) => void,
  ): string[] {
    const seen: string[] = [];
    let after: string | null = null;
    for (let turn = 1; turn < 500; turn++) {
      const exchange = api.listOrders(credentials, since, after, 5);
      const query = new URL(exchange.request.path, 'https://x').searchParams;
      const behind = query.get('modified_after') ?? '';
      const found = rows
        .filter((row) => row.date_modified_gmt > behind)
        .sort((a, b) => (a.date_modified_gmt < b.date_modified_gmt ? -1 : 1));
      const offset = Number(query.get('offset'));
      const page = exchange.read(answerOf(found.slice(offset, offset + Number(query.get('per_page')))));
      seen.push(...page.items.map(({ orderId }) => orderId));
      if (page.next === null) return seen;
      after = page.next;
      between(turn);
    }
    return assert.fail('it never ends');
  }

  it('are asked for from the second before', () => {
    assert.equal(
      api.listOrders(credentials, since, null, 250).request.path,
      '/wp-json/wc/v3/orders?modified_after=2026-11-20T15%3A59%3A59&dates_are_gmt=true&orderby=modified&order=asc&per_page=100&offset=0',
    );
  });

  it('are all read, while some change and where many changed in one second', () => {
    const seconds = fc.array(fc.nat(4), { maxLength: 40 });
    fc.assert(
      fc.property(
        seconds,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(40)), { maxLength: 5 }),
        (all, changes) => {
          const rows = all.map((second, index) => at(second, index + 1));
          const seen = readAll(rows, (turn) => {
            for (const [when, index] of changes)
              if (when === turn && index < rows.length && new Set(all).size > 2)
                rows[index] = at(60 + turn, index + 1);
          });
          // With one second that fills pages a change may move others forward; webhooks report them.
          if (
            changes.length === 0 ||
            Math.max(0, ...[0, 1, 2, 3, 4].map((s) => all.filter((x) => x === s).length)) < 3
          )
            for (const { id } of rows) assert.ok(seen.includes(String(id)), `${id} is left out`);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a WooCommerce store', () => {
  it('is asked for its customers to see whether the key is good', () => {
    const exchange = api.getShop(credentials);
    assert.deepEqual(exchange.read(answerOf([])), { name: 'WooCommerce' });
    assert.equal(exchange.restMs(answerOf([])), 0);
    const trouble = troubleOf(exchange, answerOf(fixture('denied-answer'), 401));
    assert.deepEqual([trouble.reason, trouble.retryMs], ['store_unauthorized', null]);
    assert.match(trouble.message, /\(401\): Sorry, you cannot list resources\.$/);
    assert.equal(
      troubleOf(exchange, answerOf({ code: 'rest_no_route', message: 'No route' }, 404)).reason,
      'store_not_connected',
    );
    assert.equal(troubleOf(exchange, answerOf('<html>Log in</html>')).reason, 'store_answer_unreadable');
    assert.equal(troubleOf(exchange, answerOf('', 501)).reason, 'store_unavailable');
  });

  it('has any host', () => {
    assert.equal(woocommerce.readDomain('Shop.Example.com:8443'), 'shop.example.com:8443');
    const wrong = [
      '',
      'shop',
      'https://shop.example.com',
      'shop.example.com/',
      'shop.example.com/wp',
      'a@b.example',
      'a b.example',
      'a.example?x',
      'a.example#x',
      'a.example:99999',
      'localhost',
      'a\\b.example',
      `${'a.'.repeat(80)}example`,
    ];
    for (const domain of wrong)
      assert.throws(() => woocommerce.readDomain(domain), { code: 'invalid_request' }, domain);
  });
});

describe('a hostile body', () => {
  it('is read or refused, and nothing else comes of it', () => {
    fc.assert(
      fc.property(hostile(order), (body) =>
        readsOrRefuses(() => readWebhook('order.updated', bytesOf(body))),
      ),
      { numRuns: 1_500 },
    );
    const questions = [
      api.getShop(credentials),
      api.listCustomers(credentials, '5:9', 9),
      api.listOrders(credentials, since, null, 1),
    ];
    const bodies = fc.oneof(
      hostile([order]),
      hostile(fixture('customers')),
      hostile(fixture('denied-answer')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...questions),
        fc.constantFrom(200, 200, 401, 500),
        bodies,
        (question, status, body) => readsOrRefuses(() => question.read(answerOf(body, status))),
      ),
      { numRuns: 1_500 },
    );
  });
});
