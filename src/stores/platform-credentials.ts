import { ShopifyCredentials } from '../connectors/shopify/shopify.ts';
import { WooCommerceCredentials } from '../connectors/woocommerce/woocommerce.ts';

/** What is needed to read a store of each platform that can be read. */
export const platformCredentials = { shopify: ShopifyCredentials, woocommerce: WooCommerceCredentials };
