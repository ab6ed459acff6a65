import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { until } from '../../test/wallets.ts';
import { makeAuthority } from './authority.ts';
import { endlessBucket, ShopifyStore } from './shopify-store.ts';
import { OrderRefused } from './store-orders.ts';
import { WebhookReceiver } from './store-receiver.ts';
import { trustAuthority } from './store-server.ts';

const authority = makeAuthority();
after(trustAuthority(authority));

const people = `query($q: String!, $first: Int!) {
  customers(first: $first, sortKey: ID, query: $q) {
    pageInfo { hasNextPage endCursor }
    nodes { id firstName locale defaultEmailAddress { emailAddress marketingState } }
  }
}`;

describe('the API of the simulated Shopify', () => {
  it('gives customers in pages behind a number, those who agreed if it is asked for them', async () => {
    const shop = await open({ customers: 1_000 });
    const seen: string[] = [];
    let last = '0';
    for (let more = true; more; ) {
      const q = `id:>${last} AND email_marketing_state:SUBSCRIBED`;
      const { body } = await ask(shop, people, { variables: { q, first: 150 } });
      const nodes = at(body, 'data.customers.nodes') as Person[];
      assert.ok(nodes.every(({ defaultEmailAddress: mail }) => mail.marketingState === 'SUBSCRIBED'));
      seen.push(...nodes.map(({ id }) => id));
      last = nodes.at(-1)?.id.split('/').at(-1) ?? '';
      more = at(body, 'data.customers.pageInfo.hasNextPage') === true;
    }
    assert.equal(new Set(seen).size, 400);
    assert.equal(seen.length, 400);
    assert.equal(seen[0], 'gid://shopify/Customer/9999999999403');
    assert.match(seen.at(-1) ?? '', /^gid:\/\/shopify\/Customer\/100000000\d{5}$/);
  });

  it('goes on behind a cursor, in both directions, and no deeper than 25,000', async () => {
    const shop = await open({ customers: 25_600, bucket: endlessBucket });
    const query = `query($after: String, $reverse: Boolean) {
      customers(first: 250, after: $after, reverse: $reverse) { edges { node { id } cursor } pageInfo { endCursor } } }`;
    let cursor: unknown = null;
    let count = 0;
    for (let page = 0; page < 100; page++) {
      const { body } = await ask(shop, query, { variables: { after: cursor } });
      cursor = at(body, 'data.customers.pageInfo.endCursor');
      count += (at(body, 'data.customers.edges') as unknown[]).length;
    }
    assert.equal(count, 25_000);
    assert.match(
      await refusal(shop, query, { after: cursor }),
      /^BAD_REQUEST: Pagination is limited to 25000/,
    );
    const { body: back } = await ask(shop, query, { variables: { reverse: true } });
    assert.equal(
      at(back, 'data.customers.edges.0.node.id'),
      `gid://shopify/Customer/${shop.customerAt(25_599).id}`,
    );
  });

  it('refuses what the real one refuses', async () => {
    const shop = await open({ customers: 10 });
    const refused: readonly (readonly [query: string, says: RegExp])[] = [
      [
        '{ customers(first: 1) { nodes { nope } } }',
        /^undefinedField: Field 'nope' doesn't exist on type 'Customer'/,
      ],
      [
        '{ customers(first: 1, sort: ID) { nodes { id } } }',
        /^argumentNotAccepted: .*doesn't accept argument 'sort'/,
      ],
      ['{ customers { nodes { id } } }', /^BAD_REQUEST: you must provide one of first or last/],
      ['{ customers(first: 251) { nodes { id } } }', /^BAD_REQUEST: first cannot exceed 250/],
      ['{ customers(first: "1") { nodes { id } } }', /^argumentLiteralsIncompatible: .*Expected type 'Int'/],
      ['{ customers(first: 1, sortKey: "ID") { nodes { id } } }', /^argumentLiteralsIncompatible/],
      ['{ customers(first: 1) { nodes } }', /^selectionMismatch: Field must have selections/],
      ['{ shop { name { text } } }', /^selectionMismatch: Selections can't be made on scalars/],
      ['query($q: String) { shop { name } }', /^variableNotUsed/],
      ['{ customers(first: $n) { nodes { id } } }', /^variableNotDefined/],
      ['query($n: String!) { customers(first: $n) { nodes { id } } }', /^INVALID_VARIABLE/],
      ['query($n: Int) { customer(id: $n) { id } }', /^variableMismatch: Type mismatch on variable \$n/],
      ['{ customer { id } }', /^missingRequiredArguments/],
      ['{ shop { ...a } }', /^useAndDefineFragment/],
      ['{ shop { name }', /^PARSE_ERROR: Syntax Error: /],
      [
        '{ orders(first: 20) { nodes { lineItems(first: 250) { nodes { id } } } } }',
        /^MAX_COST_EXCEEDED: Query cost is 5062/,
      ],
    ];
    for (const [query, says] of refused) assert.match(await refusal(shop, query), says, query);
    assert.equal((await ask(shop, '{ shop { name } }', { token: 'shpat_other' })).status, 401);
    assert.equal((await ask(shop, '{ shop { name } }', { version: '2026-11' })).status, 404);
    assert.equal((await ask(shop, '{ shop { name } }', { version: '2039-01' })).status, 404);
    const old = await ask(shop, 'query Name { shop { ...named } } fragment named on Shop { it: name }', {
      version: '2020-01',
    });
    assert.deepEqual(old.body.data, { shop: { it: 'Blue Bean' } });
    assert.match(old.headers.get('x-shopify-api-version') ?? '', /^202[5-9]-\d\d$/);
  });

  it('lets an app see only what it was granted', async () => {
    const shop = await open({ customers: 1, scopes: ['read_orders'] });
    assert.match(
      await refusal(shop, '{ customers(first: 1) { nodes { id } } }'),
      /^ACCESS_DENIED: .*`read_customers`/,
    );
    shop.uninstall();
    assert.equal((await ask(shop, '{ shop { name } }')).status, 401);
  });

  it('finds out who takes a search for more than it is', async () => {
    const shop = await open({ customers: 20 });
    const { body } = await ask(shop, people, { variables: { q: 'consent:yes', first: 50 } });
    assert.equal((at(body, 'data.customers.nodes') as unknown[]).length, 20);
    assert.equal(at(body, 'extensions.search.0.warnings.0.code'), 'invalid_field');
    const { id } = shop.customerAt(0);
    shop.customers.change(id, { consent: 'unsubscribed', indexedConsent: 'subscribed' });
    const lagging = await ask(shop, people, {
      variables: { q: 'email_marketing_state:SUBSCRIBED', first: 1 },
    });
    assert.equal(
      at(lagging.body, 'data.customers.nodes.0.defaultEmailAddress.marketingState'),
      'UNSUBSCRIBED',
    );
  });

  it('counts the cost of queries, and throttles with 200 or 429 until the bucket is full again', async () => {
    const shop = await open({ customers: 300, bucket: { maximumAvailable: 600, restoreRate: 100 } });
    const wide = { variables: { q: '', first: 250 } };
    const { body } = await ask(shop, people, wide);
    assert.equal(body.extensions.cost.requestedQueryCost, 502);
    assert.equal(body.extensions.cost.actualQueryCost, 502);
    shop.bucket.drain();
    const throttled = await ask(shop, people, wide);
    assert.equal(throttled.status, 200);
    assert.equal(throttled.body.errors[0]?.message, 'Throttled');
    assert.equal(throttled.body.errors[0]?.extensions.code, 'THROTTLED');
    const { requestedQueryCost, actualQueryCost, throttleStatus } = throttled.body.extensions.cost;
    assert.equal(actualQueryCost, null);
    assert.ok(requestedQueryCost > throttleStatus.currentlyAvailable);
    const slow = await open({
      customers: 1,
      bucket: { maximumAvailable: 600, restoreRate: 1 },
      throttlesWith: 429,
    });
    slow.bucket.drain();
    const refused = await ask(slow, people, wide);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^(4[89]\d|50\d)\.0$/);
    await until('it is full again', async () => (await ask(shop, people, wide)).body.errors === undefined);
  });

  it('gives back what a page did not cost', async () => {
    const shop = await open({ customers: 3, bucket: { maximumAvailable: 600, restoreRate: 1 } });
    const { body } = await ask(shop, people, { variables: { q: '', first: 250 } });
    assert.equal(body.extensions.cost.actualQueryCost, 8);
    assert.equal(body.extensions.cost.throttleStatus.currentlyAvailable, 592);
  });

  it('fails on demand, once or several times', async () => {
    const shop = await open({ customers: 300 });
    shop.fail({ outcome: { status: 503, headers: { 'retry-after': '7' } } });
    shop.fail({ matching: /customers/, times: 2, outcome: 'malformed' });
    shop.fail({ matching: /customers/, outcome: 'cut' });
    shop.fail({ matching: /customers/, outcome: 'cut after' });
    shop.fail({ matching: /customers/, outcome: 'throttled' });
    const first = await ask(shop, '{ shop { name } }');
    assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '7']);
    const read = () => ask(shop, people, { variables: { q: '', first: 1 } });
    for (const problem of [SyntaxError, SyntaxError, TypeError, TypeError])
      await assert.rejects(read(), problem);
    assert.equal((await read()).body.errors[0]?.message, 'Throttled');
    assert.equal((await read()).body.errors, undefined);
    assert.deepEqual(
      shop.requests.map(({ status }) => status),
      [503, 200, 200, null, 200, 200, 200],
    );
  });
});

describe('customers of a simulated store', () => {
  it('come, go and change while a client pages', async () => {
    const shop = await open({ customers: 5 });
    const { id } = shop.customerAt(1);
    shop.customers.remove(id);
    shop.customers.change(shop.customerAt(2).id, { email: 'ada@example.org' });
    const added = shop.customers.add(2);
    const { body } = await ask(shop, people, { variables: { q: '', first: 50 } });
    const nodes = at(body, 'data.customers.nodes') as Person[];
    assert.equal(nodes.length, 6);
    assert.equal(nodes[1]?.defaultEmailAddress.emailAddress, 'ada@example.org');
    assert.equal(nodes[4]?.id, `gid://shopify/Customer/${added}`);
    assert.equal(at((await ask(shop, '{ customersCount { count } }')).body, 'data.customersCount.count'), 6);
  });

  it('have no address, a bad one, or that of another where the plan says so', async () => {
    const plan = { count: 12, consentEvery: 3, duplicateEvery: 4, noEmailEvery: 5, badEmailEvery: 6 };
    const shop = await open({ customers: plan });
    const addresses = Array.from({ length: 12 }, (_, index) => shop.customerAt(index).email);
    assert.equal(addresses[3], 'CUSTOMER2@mail.example');
    assert.equal(addresses[4], null);
    assert.equal(addresses[5], 'customer 5 at mail');
    const agreed = Array.from({ length: 12 }, (_, index) => shop.customerAt(index).consent === 'subscribed');
    assert.deepEqual(
      agreed.map((yes, index) => (yes ? index : -1)).filter((index) => index >= 0),
      [0, 3, 6, 9],
    );
  });
});

describe('orders of the simulated Shopify', () => {
  it('have one life in both shapes', async () => {
    const shop = await open({ customers: 3, presentment: { currency: 'JPY', rate: 160 } });
    const { id: customerId } = shop.customerAt(2);
    const line = { price: '10.00', quantity: 3, discount: '1.00', taxRate: 20 };
    const order = shop.placeOrder({
      customerId,
      lines: [line, { price: '25.00', isGiftCard: true }],
      shipping: '4.90',
      tip: '2.00',
      paid: true,
    });
    const money = '{ shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }';
    const query = `{ order(id: "gid://shopify/Order/${order.id}") {
      displayFinancialStatus test cancelledAt customer { id }
      subtotalPriceSet ${money} currentSubtotalPriceSet ${money} totalPriceSet ${money} totalRefundedSet ${money}
      lineItems(first: 5) { nodes { quantity currentQuantity isGiftCard originalTotalSet ${money} taxLines { priceSet ${money} }
        discountAllocations { allocatedAmountSet ${money} } } }
      refunds { id totalRefundedSet ${money} refundLineItems(first: 5) { nodes { quantity subtotalSet ${money} totalTaxSet ${money} } }
        orderAdjustments(first: 5) { nodes { amountSet ${money} } } }
    } }`;
    const paid = (await ask(shop, query)).body;
    assert.equal(at(paid, 'data.order.displayFinancialStatus'), 'PAID');
    assert.deepEqual(at(paid, 'data.order.subtotalPriceSet'), {
      shopMoney: { amount: '54.0', currencyCode: 'EUR' },
      presentmentMoney: { amount: '8640.0', currencyCode: 'JPY' },
    });
    assert.equal(at(paid, 'data.order.totalPriceSet.shopMoney.amount'), '66.7');
    assert.equal(at(paid, 'data.order.lineItems.nodes.0.taxLines.0.priceSet.shopMoney.amount'), '5.8');
    shop.refund(order.id, { lines: [{ line: 0, quantity: 2 }] });
    shop.refund(order.id, { amount: '1.50' });
    const both = (await ask(shop, query)).body;
    assert.equal(at(both, 'data.order.displayFinancialStatus'), 'PARTIALLY_REFUNDED');
    assert.equal(at(both, 'data.order.currentSubtotalPriceSet.shopMoney.amount'), '34.67');
    assert.equal(
      at(both, 'data.order.refunds.0.refundLineItems.nodes.0.subtotalSet.shopMoney.amount'),
      '19.33',
    );
    assert.equal(
      at(both, 'data.order.refunds.1.orderAdjustments.nodes.0.amountSet.shopMoney.amount'),
      '-1.5',
    );
    const payload = shop.payloadOf(order);
    assert.equal(payload.financial_status, 'partially_refunded');
    assert.equal(payload.current_subtotal_price, '34.67');
    assert.equal(at(payload, 'refunds.0.refund_line_items.0.subtotal'), 19.33);
    assert.equal(at(payload, 'refunds.1.order_adjustments.0.amount'), '-1.50');
    assert.equal(at(payload, 'line_items.0.discount_allocations.0.amount'), '1.00');
    assert.equal(at(payload, 'line_items.0.total_discount'), '0.00');
    assert.equal(at(payload, 'customer.id'), customerId);
    const whole = shop.refund(order.id);
    assert.deepEqual(
      [payload.financial_status, shop.payloadOf(order).financial_status, whole.shipping],
      ['partially_refunded', 'partially_refunded', 490],
    );
  });

  it('add up to what was paid, however they are refunded', async () => {
    const shop = await open();
    const { id } = shop.placeOrder({ lines: [{ price: '0.33', quantity: 7, taxRate: 19 }], paid: true });
    for (let count = 0; count < 7; count++) shop.refund(id, { lines: [{ line: 0, quantity: 1 }] });
    const order = shop.orders.find(id);
    assert.equal(
      order?.refunds.reduce((sum, { amount }) => sum + amount, 0),
      order?.paid,
    );
    assert.equal(at(order && shop.payloadOf(order), 'financial_status'), 'refunded');
    assert.throws(() => shop.refund(id, { amount: '0.01' }), OrderRefused);
  });

  it('are refused what makes no sense', async () => {
    const shop = await open();
    const { id } = shop.placeOrder({ total: '10.00' });
    assert.throws(() => shop.refund(id), /is not paid/);
    const sent = shop.placeOrder({ total: '10.00', shipping: '0.02', paid: true });
    shop.refund(sent.id, { shipping: '0.01' });
    assert.throws(() => shop.refund(sent.id, { shipping: '0.02' }), /less shipping/);
    assert.equal(shop.refund(sent.id).shipping, 1);
    assert.throws(() => shop.placeOrder({ total: '1.234' }), /is no amount of EUR/);
    assert.throws(() => shop.placeOrder({ customerId: 1 }), /no customer 1/);
    assert.throws(() => shop.edit(id, { remove: [{ line: 0, quantity: 2 }] }), /line 0 has 1 left/);
    shop.cancel(id);
    assert.throws(() => shop.pay(id), /is cancelled/);
    assert.throws(() => shop.pay(5), /no order 5/);
  });

  it('are listed by their last change, the longest ago first', async () => {
    let now = Date.parse('2026-11-22T10:00:00.500Z');
    const shop = await open({ now: () => new Date(now) });
    const orders = [1, 2, 3].map(() => {
      now += 60_000;
      return shop.placeOrder({ total: '5.00', paid: true });
    });
    now += 60_000;
    shop.refund(orders[0]?.id ?? 0, { amount: '1.00' });
    const list = `query($q: String, $after: String) { orders(first: 2, sortKey: UPDATED_AT, query: $q, after: $after) {
      nodes { name updatedAt } pageInfo { hasNextPage endCursor } } }`;
    const page = (await ask(shop, list, { variables: { q: "updated_at:>='2026-11-22T10:03:00Z'" } })).body;
    assert.deepEqual(at(page, 'data.orders.nodes'), [
      { name: '#1003', updatedAt: '2026-11-22T10:03:00Z' },
      { name: '#1001', updatedAt: '2026-11-22T10:04:00Z' },
    ]);
    assert.equal(at(page, 'data.orders.pageInfo.hasNextPage'), false);
    const bare = (await ask(shop, list, { variables: { q: 'updated_at:>=2026-11-22T10:04:00Z' } })).body;
    assert.equal((at(bare, 'data.orders.nodes') as unknown[]).length, 1);
    const first = (await ask(shop, list, { variables: {} })).body;
    const cursor = at(first, 'data.orders.pageInfo.endCursor');
    assert.deepEqual(
      at((await ask(shop, list, { variables: { after: cursor } })).body, 'data.orders.nodes.0.name'),
      '#1001',
    );
    now += 61 * 86_400_000;
    assert.deepEqual(at((await ask(shop, list)).body, 'data.orders.nodes'), []);
  });
});

describe('webhooks of the simulated Shopify', () => {
  it('report everything that happens, signed over their bytes', async () => {
    const [shop, receiver] = [await open({ customers: 2 }), await WebhookReceiver.start()];
    after(() => receiver.close());
    shop.subscribe(receiver.url);
    const { id } = shop.placeOrder({ customerId: shop.customerAt(0).id, total: '12.50', paid: true });
    shop.edit(id, { add: [{ price: '2.00' }] });
    shop.cancel(id);
    shop.changeCustomer(shop.customerAt(0).id, { consent: 'unsubscribed' });
    shop.redactCustomer(shop.customerAt(0).id);
    shop.deleteOrder(id);
    const sent = await shop.deliver();
    assert.deepEqual(receiver.header('x-shopify-topic'), [
      'orders/create',
      'orders/paid',
      'orders/updated',
      'orders/edited',
      'orders/updated',
      'refunds/create',
      'orders/cancelled',
      'orders/updated',
      'customers/update',
      'customers/redact',
      'orders/delete',
    ]);
    assert.equal(shop.orders.find(id), null);
    assert.ok(sent.every(({ status }) => status === 200));
    for (const { headers, body } of receiver.received) {
      const signature = createHmac('sha256', shop.webhookSecret).update(body).digest('base64');
      assert.equal(headers['x-shopify-hmac-sha256'], signature);
      assert.equal(headers['x-shopify-shop-domain'], shop.domain);
      assert.match(String(headers['x-shopify-triggered-at']), /^20\d\d-/);
    }
    assert.equal(new Set(receiver.header('x-shopify-webhook-id')).size, 11);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()));
    assert.equal(bodies[0].financial_status, 'pending');
    assert.equal(bodies[1].financial_status, 'paid');
    assert.equal(bodies[6].financial_status, 'refunded');
    assert.match(bodies[1].updated_at, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d-04:00$/);
    assert.deepEqual(bodies[9].orders_to_redact, [id]);
    assert.deepEqual(bodies[10], { id });
  });

  it('come twice, in any order, late or never, and again until a receiver takes them', async () => {
    const [shop, receiver] = [await open(), await WebhookReceiver.start()];
    after(() => receiver.close());
    shop.subscribe(receiver.url);
    const place = () => shop.placeOrder({ total: '1.00', paid: true });
    place();
    await shop.deliver({ times: 3, order: 'reversed', drop: ['orders/create'] });
    assert.deepEqual(receiver.header('x-shopify-topic'), [
      ...Array(3).fill('orders/updated'),
      ...Array(3).fill('orders/paid'),
    ]);
    assert.equal(new Set(receiver.header('x-shopify-webhook-id')).size, 2);
    for (let count = 0; count < 5; count++) place();
    receiver.received.length = 0;
    await shop.deliver({ order: 'shuffled', seed: 7, only: ['orders/create', 'orders/paid'], parallel: 1 });
    const topics = receiver.header('x-shopify-topic').join();
    assert.equal(receiver.received.length, 10);
    assert.notEqual(topics, Array(5).fill('orders/create,orders/paid').join());
    assert.equal(shop.webhooks.pending.length, 5);
    receiver.status = 500;
    await shop.deliver();
    receiver.received.length = 0;
    receiver.status = 200;
    const retried = await shop.retry();
    assert.deepEqual([retried.length, receiver.received.length, (await shop.retry()).length], [5, 5, 0]);
  });

  it('end when no receiver takes them, until one subscribes again', async () => {
    const [shop, receiver] = [await open(), await WebhookReceiver.start()];
    after(() => receiver.close());
    shop.subscribe(receiver.url);
    receiver.status = 401;
    for (let count = 0; count < 9; count++) shop.placeOrder();
    await shop.deliver();
    assert.equal(shop.webhooks.isActive, false);
    shop.placeOrder();
    assert.equal(shop.webhooks.pending.length, 0);
    shop.subscribe(receiver.url);
    shop.placeOrder();
    assert.equal(shop.webhooks.pending.length, 1);
  });
});

interface Person {
  readonly id: string;
  readonly defaultEmailAddress: { readonly emailAddress: string; readonly marketingState: string };
}

interface Answer {
  readonly data?: unknown;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions: {
    readonly cost: {
      readonly requestedQueryCost: number;
      readonly actualQueryCost: number | null;
      readonly throttleStatus: { readonly currentlyAvailable: number };
    };
  };
}

/** A shop that ends with the tests. */
async function open(options: Parameters<typeof ShopifyStore.start>[0] = {}): Promise<ShopifyStore> {
  const shop = await ShopifyStore.start({ authority, ...options });
  after(() => shop.close());
  return shop;
}

/** Asks a shop, with the right version and token unless others are given. */
async function ask(
  shop: ShopifyStore,
  query: string,
  options: { readonly variables?: object; readonly version?: string; readonly token?: string } = {},
): Promise<{ status: number; headers: Headers; body: Answer }> {
  const { variables = {}, version = '2026-10', token = shop.accessToken } = options;
  const answer = await fetch(`https://${shop.domain}/admin/api/${version}/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query, variables }),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

/** The first error of an answer without data. */
async function refusal(shop: ShopifyStore, query: string, variables: object = {}): Promise<string> {
  const { status, body } = await ask(shop, query, { variables });
  assert.equal(status, 200);
  assert.equal(body.data, undefined);
  return `${body.errors[0]?.extensions.code}: ${body.errors[0]?.message}`;
}

/** What lies deep in a value: `data.customers.nodes.0.id`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((found, key) => {
    assert.ok(typeof found === 'object' && found !== null, `nothing at ${path}: ${JSON.stringify(value)}`);
    return Reflect.get(found, key);
  }, value);
}
