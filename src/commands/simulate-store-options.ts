import { SimulationProblem, wholeNumber } from './simulate-terms.ts';

/** As they stand on the command line. */
export interface SimulateStoreOptions {
  readonly platform: string;
  readonly customers: string;
  readonly port: string;
  readonly controlPort: string;
  readonly webhooks?: string;
  readonly secret?: string;
  readonly currency: string;
}

/** What was asked for, checked. */
export interface StorePlan {
  readonly platform: 'shopify' | 'woocommerce';
  readonly customers: number;
  readonly port: number;
  readonly controlPort: number;
  readonly webhooks: string | null;
  readonly secret: string | null;
  readonly currency: string;
}

/** Raises SimulationProblem. */
export function readOptions(options: SimulateStoreOptions): StorePlan {
  const { platform, webhooks = null, secret = null, currency } = options;
  if (platform !== 'shopify' && platform !== 'woocommerce')
    throw new SimulationProblem(`--platform must be shopify or woocommerce, not "${platform}"`);
  if (webhooks !== null && !/^https?:\/\/\S+\/stores\/[^/\s]+\/webhooks$/.test(webhooks))
    throw new SimulationProblem(
      '--webhooks must be the webhookUrl of a store, http://…/stores/store_…/webhooks',
    );
  if (secret !== null && !/^[\x20-\x7e]{16,255}$/.test(secret))
    throw new SimulationProblem('--secret must have 16 to 255 printable characters');
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new SimulationProblem(`--currency must be one of ISO 4217, such as EUR, not "${currency}"`);
  return {
    platform,
    customers: wholeNumber(options.customers, '--customers', 0, 10_000_000),
    port: wholeNumber(options.port, '--port', 0, 65_535),
    controlPort: wholeNumber(options.controlPort, '--control-port', 0, 65_535),
    webhooks,
    secret,
    currency,
  };
}
