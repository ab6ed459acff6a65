import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bytesOf, changed, hostile, readFixture, readsOrRefuses } from '../bodies.fixture.ts';
import { StoreTrouble } from '../connector.ts';
import { custom } from './custom.ts';

const order = readFixture(import.meta.url, 'order');
const readWebhook = (topic: string, body: Buffer) => custom.readWebhook(topic, body, 'shop.example.com');
const eur = (amount: string) => ({ amount, currency: 'EUR' });

/** What is wrong with a body. */
function problemOf(body: unknown, topic = 'order'): string {
  try {
    readWebhook(topic, bytesOf(body));
  } catch (error) {
    assert.ok(error instanceof StoreTrouble, String(error));
    assert.deepEqual([error.reason, error.retryMs], ['store_answer_unreadable', null]);
    return error.message;
  }
  return assert.fail('the body was taken');
}

describe('a store of any other kind', () => {
  it('contains an order and its refunds', () => {
    assert.deepEqual(readWebhook('order', bytesOf(order)), {
      kind: 'order',
      order: {
        orderId: '2026-1007',
        state: {
          version: Date.parse('2026-11-20T16:02:12Z'),
          paid: true,
          cancelled: false,
          total: eur('31.81'),
          placedAt: new Date('2026-11-20T09:15:00Z'),
          number: 'R-1007',
          customer: { customerId: '7012', email: 'ada@example.com', phone: null, name: 'Ada Lovelace' },
          test: false,
        },
        refunds: [{ refundId: '2026-1007/1', amount: eur('5.00') }],
      },
    });
  });

  it('may contain only refunds, and an order without a customer', () => {
    const refund = { orderId: 'a', refunds: [{ refundId: 'b', amount: eur('1.00') }] };
    assert.deepEqual(readWebhook('order', bytesOf(refund)), {
      kind: 'order',
      order: { ...refund, state: null },
    });
    for (const customer of [undefined, null, {}, { name: 'Ada' }, { email: ' ' }]) {
      const event = readWebhook('order', bytesOf(changed(order, 'state.customer', customer)));
      assert.equal(event.kind === 'order' && event.order.state?.customer, null);
    }
  });

  it('hears in a sentence what is wrong with a body', () => {
    assert.match(problemOf('{'), /^The body is not valid JSON: .* at line 1, column 2\.$/);
    assert.match(problemOf('{"orderId":"a","orderId":"b"}'), /^orderId is given twice/);
    assert.equal(problemOf([]), 'The body must be an object, not an array.');
    assert.equal(problemOf(changed(order, 'orderId', 7)), 'orderId must be a string, not a number.');
    assert.equal(problemOf(changed(order, 'state.paid', undefined)), 'state.paid is required.');
    assert.match(problemOf({ ...(order as object), total: 5 }), /^total is not known here; known are /);
    assert.match(problemOf(changed(order, 'state.total.amount', '-1')), /^state\.total\.amount /);
    assert.match(problemOf(changed(order, 'state.placedAt', '2026-11-20')), /^state\.placedAt /);
    assert.equal(
      problemOf(changed(order, 'state.total.amount', '1.005')),
      '1.005 has more decimals than EUR.',
    );
    assert.match(problemOf(changed(order, 'state.total.currency', 'QQQ')), /cannot be read/);
  });

  it('passes on what its customers demand', () => {
    const customer = { id: '7012', email: 'ada@example.com' };
    const subject = { customerId: '7012', email: 'ada@example.com', orderIds: ['2026-1007'] };
    for (const [topic, kind] of [
      ['customer.redact', 'customer_redact'],
      ['customer.data_request', 'data_request'],
    ] as const) {
      const body = { topic, customer, orderIds: ['2026-1007'] };
      assert.deepEqual(readWebhook(topic, bytesOf(body)), { kind, ...subject });
      const noCustomer = { kind, customerId: null, email: null, orderIds: [] };
      assert.deepEqual(readWebhook(topic, bytesOf({ topic, customer: {} })), noCustomer);
    }
    assert.equal(
      problemOf({ topic: 'customer.redact', orderIds: [] }, 'customer.redact'),
      'customer is required.',
    );
    assert.deepEqual(readWebhook('shop.redact', bytesOf({ topic: 'shop.redact' })), { kind: 'shop_redact' });
    assert.deepEqual(readWebhook('something.else', bytesOf('')), { kind: 'other' });
  });

  it('says in the body too what is to be erased, since no signature covers the header', () => {
    const request = { topic: 'customer.data_request', customer: { id: '7012' } };
    assert.equal(problemOf(request, 'customer.redact'), 'topic must be customer.redact, as in the header.');
    for (const body of [order, request, {}, '']) problemOf(body, 'shop.redact');
    for (const body of [order, { topic: 'shop.redact' }]) problemOf(body, 'customer.redact');
  });

  it('names a delivery in headers, and cannot be asked', () => {
    const headers = { 'x-signature': 's', 'x-topic': 'order', 'x-delivery-id': 'd' };
    assert.deepEqual(custom.readHeaders(headers), { signature: 's', topic: 'order', deliveryId: 'd' });
    assert.deepEqual(custom.readHeaders({}), { signature: null, topic: null, deliveryId: null });
    assert.deepEqual([custom.api, custom.credentials, custom.knowsConsent], [null, null, false]);
  });

  it('may send what it likes', () => {
    fc.assert(
      fc.property(fc.constantFrom('order', 'customer.redact'), hostile(order), (topic, body) =>
        readsOrRefuses(() => readWebhook(topic, bytesOf(body))),
      ),
      { numRuns: 2_000 },
    );
  });
});
