import { Type } from 'typebox';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { closed } from '../../kit/http/shapes.ts';
import { type Connector, readHost } from '../connector.ts';
import { shopifyApi } from './api.ts';
import { readShopifyWebhook } from './read-webhook.ts';

export const ShopifyCredentials = closed(
  {
    accessToken: Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      minLength: 1,
      maxLength: 255,
      description: 'the access token of an app that may read customers and orders, e.g. shpat_…',
    }),
  },
  { $id: 'ShopifyCredentials', description: 'kept encrypted, and never shown' },
);

/** Shopify: the GraphQL Admin API, and webhooks that are shaped like the REST API before it. */
export const shopify: Connector = {
  credentials: ShopifyCredentials,
  knowsConsent: true,
  readDomain(text) {
    const host = readHost(text);
    // Its other domains lead to the storefront only. A port has none of the real ones, but a simulated one.
    if (host.endsWith('.myshopify.com') || /:\d+$/.test(host)) return host;
    throw invalidRequest(
      'domain: a Shopify store has a name such as blue-bean.myshopify.com, whatever others it has.',
    );
  },
  readHeaders: (headers) => ({
    signature: headers['x-shopify-hmac-sha256'] ?? null,
    topic: headers['x-shopify-topic'] ?? null,
    // The same each time that a delivery is repeated.
    deliveryId: headers['x-shopify-webhook-id'] ?? null,
  }),
  readWebhook: readShopifyWebhook,
  api: shopifyApi,
};
