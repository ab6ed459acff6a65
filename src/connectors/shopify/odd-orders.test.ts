import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, changed, readFixture } from '../bodies.fixture.ts';
import type { StoreOrder } from '../connector.ts';
import { shopify } from './shopify.ts';

const fixture = (name: string) => readFixture(import.meta.url, name);
const webhook = fixture('order-webhook');
const domain = 'blue-bean.myshopify.com';
const readWebhook = (topic: string, body: Buffer) => shopify.readWebhook(topic, body, domain);

function orderOf(body: unknown, topic = 'orders/updated'): StoreOrder {
  const event = readWebhook(topic, bytesOf(body));
  return event.kind === 'order' ? event.order : assert.fail();
}

describe('an order of Shopify with odd values', () => {
  it('has ids of 64 bits, whose digits are kept', () => {
    const long = '9223372036854775807';
    const raw = (body: unknown) => JSON.stringify(body).replaceAll('"#id"', long);
    const withIds = (
      ['id', 'customer.id', 'line_items.0.id', 'refunds.0.id', 'refunds.0.order_id'] as const
    ).reduce((body, path) => changed(body, path, '#id'), webhook);
    const order = orderOf(raw(withIds));
    assert.deepEqual(
      [order.orderId, order.state?.customer?.customerId, order.refunds[0]?.refundId],
      [long, long, long],
    );
    const refund = changed(changed(fixture('refund-webhook'), 'id', '#id'), 'order_id', '#id');
    assert.deepEqual(
      [orderOf(raw(refund), 'refunds/create')].map(({ orderId, refunds }) => [orderId, refunds[0]?.refundId]),
      [[long, long]],
    );
    assert.equal(orderOf(`{"id":${long}}`, 'orders/delete').orderId, long);
    const redact = { shop_domain: domain, customer: { id: '#id' }, orders_to_redact: ['#id', 7] };
    assert.deepEqual(readWebhook('customers/redact', bytesOf(raw(redact))), {
      kind: 'customer_redact',
      customerId: long,
      email: null,
      orderIds: [long, '7'],
    });
  });

  it('may lack what the samples of Shopify lack', () => {
    for (const [path, value] of [
      ['processed_at', null],
      ['customer', null],
      ['customer', {}],
      ['tax_lines', null],
      ['refunds', null],
      ['line_items.0.tax_lines', null],
      ['line_items.0.quantity', '2'],
      ['line_items.0.price_set', null],
      ['cancelled_at', ''],
    ] as const) {
      const odd = path in (webhook as object) || path.includes('.') ? changed(webhook, path, value) : webhook;
      const { state } = orderOf(odd);
      assert.deepEqual([state?.paid, state?.cancelled], [true, false], path);
    }
    assert.equal(orderOf(changed(webhook, 'customer', {})).state?.customer?.customerId, null);
  });
});
