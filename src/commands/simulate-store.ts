import { join } from 'node:path';
import { ShopifyStore } from '../../test/fakes/shopify-store.ts';
import { WooCommerceStore } from '../../test/fakes/woocommerce-store.ts';
import { type Config, readConfig } from '../config.ts';
import { controlHelp, type SimulatedStore } from './simulate-store-actions.ts';
import { openStoreControl, type StoreControl } from './simulate-store-control.ts';
import { readStoreFiles, type StoreFiles } from './simulate-store-files.ts';
import { readOptions, type SimulateStoreOptions, type StorePlan } from './simulate-store-options.ts';
import { runSimulation, say } from './simulate-terms.ts';

/** Opens a shop on this machine, says how to connect it, and prints what happens to it until it is interrupted. */
export function simulateStore(options: SimulateStoreOptions): Promise<void> {
  return runSimulation(
    () => simulate(options),
    (error) => explain(error, options),
  );
}

async function simulate(options: SimulateStoreOptions): Promise<void> {
  const plan = readOptions(options);
  const config = readConfig();
  const files = await readStoreFiles(join(config.dataDir, 'simulated-stores'));
  const store = await openStore(plan, files);
  try {
    const control = await openStoreControl(store, plan.controlPort);
    try {
      introduce(store, control, { plan, files, config });
      if (plan.webhooks !== null) await store.subscribe(plan.webhooks);
      await untilInterrupted();
    } finally {
      await control.close();
    }
  } finally {
    await store.close();
  }
  console.log('Stopped. Its orders are forgotten; its address, keys and customers are the same next time.');
}

/** Numbers of orders depend on the time, so that none of an earlier run comes again. */
function openStore(plan: StorePlan, { authority, secrets }: StoreFiles): Promise<SimulatedStore> {
  const { customers, port, currency, secret } = plan;
  const common = {
    authority,
    customers,
    port,
    currency,
    webhookSecret: secret ?? secrets.webhooks,
    print: say,
    ordersAbove: Date.now(),
  };
  if (plan.platform === 'shopify') {
    const accessToken = `shpat_${secrets.token}`;
    return ShopifyStore.start({ ...common, accessToken });
  }
  return WooCommerceStore.start({
    ...common,
    consumerKey: `ck_${secrets.key}`,
    consumerSecret: `cs_${secrets.token}`,
    consentMeta,
  });
}

/** As a newsletter plugin might do it. */
const consentMeta = { key: 'newsletter', value: 'yes', otherwise: 'no' };

function introduce(
  store: SimulatedStore,
  control: StoreControl,
  { plan, files, config }: { readonly plan: StorePlan; readonly files: StoreFiles; readonly config: Config },
): void {
  const isWoo = store instanceof WooCommerceStore;
  const connection = {
    platform: plan.platform,
    domain: store.domain,
    credentials: isWoo
      ? { consumerKey: store.consumerKey, consumerSecret: store.consumerSecret }
      : { accessToken: store.accessToken },
    webhookSecret: store.webhookSecret,
    ...(isWoo && { consent: { metaKey: consentMeta.key, metaValue: consentMeta.value } }),
    passId: 'pass_…',
  };
  const lines = [
    `A shop of ${isWoo ? 'WooCommerce' : 'Shopify'} with ${store.customers.count} customers, at https://${store.domain}`,
    '',
    'The service trusts and reaches it when it is started with',
    `  NODE_EXTRA_CA_CERTS=${files.authorityFile} FETCH_ALLOW_CIDRS=127.0.0.1/32`,
    '',
    'Connect it, with a key and a pass of yours:',
    `  curl -s ${config.publicUrl}/stores -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '${JSON.stringify(connection)}'`,
    ...(plan.webhooks === null
      ? [
          '',
          'Tell it the webhookUrl of the answer, or start it again with --webhooks:',
          `  curl -s -X PUT ${control.url}/webhooks -d '{"url":"…"}'`,
        ]
      : []),
    '',
    'Place an order:',
    `  curl -s ${control.url}/orders -d '{"customer":0,"total":"12.50","paid":true}'`,
    '',
    `All that can happen, at ${control.url}:`,
    ...controlHelp(store).map((line) => `  ${line}`),
    '',
  ];
  console.log(lines.join('\n'));
}

async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

/** In one line what to do; null when nobody but a developer can. */
function explain(error: unknown, { port, controlPort }: SimulateStoreOptions): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return null;
  const { code } = error as NodeJS.ErrnoException;
  const isControl = 'port' in error && String(error.port) === controlPort;
  const taken = isControl ? `--control-port ${controlPort}` : `--port ${port}`;
  if (code === 'EADDRINUSE') return `${taken} is in use: stop the program that has it, or choose another`;
  return code === 'EACCES' ? `this account may not listen on ${taken}: choose one above 1023` : null;
}
