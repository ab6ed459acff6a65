import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Client, Json, Reply } from '../../test/client.ts';

export const webhookSecret = 'whsec_0123456789abcdef';
export const accessToken = 'shpat_0123456789abcdef0123456789abcdef';

let serial = 0;

/** The body that connects a store of its own. */
export function newStore(more: object = {}): Json {
  serial += 1;
  return {
    platform: 'shopify',
    domain: `blue-bean-${serial}.myshopify.com`,
    credentials: { accessToken },
    webhookSecret,
    ...more,
  };
}

export async function connectStore(client: Client, more: object = {}): Promise<Json> {
  const { status, body, text } = await client.post('/stores', newStore(more));
  assert.equal(status, 201, text);
  return body;
}

/** The signature of a body as all platforms make it. */
export function signatureOf(body: string | Buffer, secret = webhookSecret): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

interface Delivery {
  readonly topic?: string;
  readonly deliveryId?: string;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
}

let deliveries = 0;

/** Sends a webhook as Shopify does. */
export function deliver(
  client: Client,
  storeId: string,
  body: string,
  { topic = 'orders/paid', deliveryId, secret, headers = {} }: Delivery = {},
): Promise<Reply> {
  deliveries += 1;
  return client.as(null).post(`/stores/${storeId}/webhooks`, body, {
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-hmac-sha256': signatureOf(body, secret),
      'x-shopify-webhook-id': deliveryId ?? `delivery-${deliveries}`,
      ...headers,
    },
  });
}

/** What shops go by; tests that move the service's clock set it to that one. */
export const clock = { now: () => new Date() };

/** An order of a custom shop: ten euros by customer 7, paid now, by default. */
export function newOrder(orderId: string, state: object = {}, more: object = {}): string {
  const now = clock.now().toISOString();
  return JSON.stringify({
    orderId,
    state: {
      updatedAt: now,
      placedAt: now,
      paid: true,
      total: { amount: '10.00', currency: 'EUR' },
      customer: { id: '7', email: 'ada@example.com', name: 'Ada Lovelace' },
      ...state,
    },
    ...more,
  });
}

/** Sends a webhook as a custom shop does. */
export function send(
  client: Client,
  storeId: string,
  body: string | Buffer,
  { topic = 'order', deliveryId, secret, headers = {} }: Delivery = {},
): Promise<Reply> {
  return client.as(null).post(`/stores/${storeId}/webhooks`, body, {
    headers: {
      'x-topic': topic,
      'x-signature': signatureOf(body, secret),
      ...(deliveryId !== undefined && { 'x-delivery-id': deliveryId }),
      ...headers,
    },
  });
}

/** Connects a custom shop, of which nothing is read. */
export function connectShop(client: Client, more: object = {}): Promise<Json> {
  serial += 1;
  const shop = { platform: 'custom', domain: `shop-${serial}.example`, credentials: undefined };
  return connectStore(client, { ...shop, ...more });
}
