import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../src/config.ts';
import { isCurrency } from '../src/kit/money/currencies.ts';
import { commandConfig } from '../src/start/address.ts';
import { type Authority, makeAuthority } from './fakes/authority.ts';
import { ShopifyStore } from './fakes/shopify-store.ts';
import { WooCommerceStore } from './fakes/woocommerce-store.ts';
import { controlHelp, type SimulatedStore } from './simulate-store-actions.ts';
import { openStoreControl, type StoreControl } from './simulate-store-control.ts';
import { runSimulation, SimulationProblem, say, wholeNumber } from './simulate-terms.ts';

/** Opens a shop on this machine, says how to connect it, and prints what happens to it until it is interrupted. */
export function simulateStore(options: SimulateStoreOptions): Promise<void> {
  return runSimulation(
    () => simulate(options),
    (error) => explain(error, options),
  );
}

async function simulate(options: SimulateStoreOptions): Promise<void> {
  const plan = readOptions(options);
  const config = commandConfig();
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
          'Set the webhookUrl of the answer there, or start it again with --webhooks:',
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

/** In one line what to do; null when only a developer can. */
function explain(error: unknown, { port, controlPort }: SimulateStoreOptions): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return null;
  const { code } = error as NodeJS.ErrnoException;
  const isControl = 'port' in error && String(error.port) === controlPort;
  const taken = isControl ? `--control-port ${controlPort}` : `--port ${port}`;
  if (code === 'EADDRINUSE') return `${taken} is in use: stop the program that has it, or choose another`;
  return code === 'EACCES' ? `this account may not listen on ${taken}: choose one above 1023` : null;
}

/** What simulated stores keep from one run to the next, so that a connected store stays connected. */
interface StoreFiles {
  readonly authority: Authority;
  /** The certificate of the authority, for programs that are to trust the stores. */
  readonly authorityFile: string;
  /** 40 hexadecimal digits for each purpose, always the same. */
  readonly secrets: Readonly<Record<'token' | 'key' | 'webhooks', string>>;
}

/** Reads them from the folder, or makes them there. */
async function readStoreFiles(folder: string): Promise<StoreFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authorityFile = join(folder, 'ca.pem');
  return {
    authority: await readAuthority(authorityFile, join(folder, 'ca.key')),
    authorityFile,
    secrets: await readSecrets(join(folder, 'secrets.json')),
  };
}

async function readAuthority(certificateFile: string, keyFile: string): Promise<Authority> {
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const certificate = new X509Certificate(await readFile(certificateFile));
    const privateKey = createPrivateKey(await readFile(keyFile));
    const tomorrow = Date.now() + 86_400_000;
    if (certificate.checkPrivateKey(privateKey) && certificate.validToDate.getTime() > tomorrow)
      return { certificate, privateKey };
  }
  const authority = makeAuthority('Simulated stores CA');
  const key = authority.privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(certificateFile, authority.certificate.toString());
  return authority;
}

async function readSecrets(file: string): Promise<StoreFiles['secrets']> {
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'));
  const make = () => randomBytes(20).toString('hex');
  const secrets = { token: make(), key: make(), webhooks: make() };
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

/** The options of the command line, as text. */
interface SimulateStoreOptions {
  readonly platform: string;
  readonly customers: string;
  readonly port: string;
  readonly controlPort: string;
  readonly webhooks?: string;
  readonly secret?: string;
  readonly currency: string;
}

/** What was asked for, checked. */
interface StorePlan {
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
  if (!isCurrency(currency))
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
