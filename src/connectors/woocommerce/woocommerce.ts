import { Type } from 'typebox';
import { closed } from '../../kit/http/schemas/shapes.ts';
import { type Connector, readHost, type StoreEvent } from '../connector.ts';
import { fieldsOf, readJson } from '../read-answer.ts';
import { woocommerceApi } from './api.ts';
import { readDeleted, readOrder } from './read-order.ts';

const key = Type.String({ pattern: '^[\\x21-\\x39\\x3b-\\x7e]+$', minLength: 1, maxLength: 255 });
export const WooCommerceCredentials = closed(
  { consumerKey: key, consumerSecret: key },
  { $id: 'WooCommerceCredentials', description: 'of a key that may read; kept encrypted, and never shown' },
);

/** WooCommerce: REST API v3, of which webhooks have the shape too. */
export const woocommerce: Connector = {
  credentials: WooCommerceCredentials,
  knowsConsent: false,
  readDomain: readHost,
  readHeaders: (headers) => ({
    signature: headers['x-wc-webhook-signature'] ?? null,
    // None: the ping of a webhook that was just made.
    topic: headers['x-wc-webhook-topic'] ?? null,
    // The platform makes X-WC-Webhook-Delivery-ID of the second, so that two orders may share one.
    deliveryId: null,
  }),
  readWebhook(topic, body): StoreEvent {
    const isOfOrder = orderTopics.includes(topic);
    if (!isOfOrder && topic !== 'order.deleted') return { kind: 'other' };
    const fields = fieldsOf(readJson(body, 'the webhook'), 'the webhook');
    return { kind: 'order', order: isOfOrder ? readOrder(fields) : readDeleted(fields) };
  },
  api: woocommerceApi,
};

const orderTopics = ['order.created', 'order.updated'];
