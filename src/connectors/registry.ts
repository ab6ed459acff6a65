import type { Connector } from './connector.ts';
import { custom } from './custom/custom.ts';
import { shopify } from './shopify/shopify.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';

/** The platforms that stores run on. */
export type Platform = 'shopify' | 'woocommerce' | 'custom';

/** How to talk to each of them. */
export const connectors: Readonly<Record<Platform, Connector>> = { shopify, woocommerce, custom };
