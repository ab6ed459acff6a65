import { resolve } from 'node:path';
import {
  ConfigError,
  digits,
  issuerAddress,
  key256,
  mailAddress,
  mailServer,
  networks,
  oneOf,
  processCount,
  refuseMisspelt,
  tokenSetting,
  url,
  webAddress,
  wholeNumber,
} from './kit/settings.ts';

export { ConfigError };

/** Everything that the operator can set; read once at the start, frozen, passed to what needs it. */
export type Config = ReturnType<typeof readConfig>;

/** A setting as the README's table shows it. */
interface Setting<T> {
  readonly meaning: string;
  readonly fallback: string;
  parse(text: string | undefined, name: string): T;
}

export const settings = {
  PORT: setting('port to listen on', '3000', (text) => wholeNumber(text ?? '3000', 'PORT', 0, 65_535)),
  HOST: setting('address to listen on', '127.0.0.1', (text) => text ?? '127.0.0.1'),
  PUBLIC_URL: setting(
    "the service's address as phones see it; links and the web service URL are built on it",
    '`http://localhost:PORT`',
    (text) => (text === undefined ? null : webAddress(text, 'PUBLIC_URL')),
  ),
  DATA_DIR: setting(
    'embedded database, generated secrets, first-run.json, development certificates',
    '`./data`',
    (text) => resolve(text ?? 'data'),
  ),
  DATABASE_URL: setting('PostgreSQL 15 or newer', 'embedded PostgreSQL 18', (text) =>
    text === undefined ? null : url(text, 'DATABASE_URL', ['postgres:', 'postgresql:']),
  ),
  DATABASE_POOL: setting('connections to the database per process', '10', (text) =>
    wholeNumber(text ?? '10', 'DATABASE_POOL', 2, 500),
  ),
  DATABASE_NODE_POOL: setting(
    'connections to each node of a Citus cluster per process; 0: all goes through the coordinator',
    '`DATABASE_POOL`',
    (text) => (text === undefined ? null : wholeNumber(text, 'DATABASE_NODE_POOL', 0, 500)),
  ),
  REDIS_URL: setting('Redis or Valkey for rate limits over several processes', 'limits in memory', (text) =>
    text === undefined ? null : url(text, 'REDIS_URL', ['redis:', 'rediss:']),
  ),
  OPERATOR_TOKEN: setting('Bearer token of the operator routes', 'generated into `DATA_DIR`', (text) =>
    text === undefined ? null : tokenSetting(text, 'OPERATOR_TOKEN'),
  ),
  ENCRYPTION_KEY: setting(
    'encrypts secrets at rest: 32 bytes as hex or base64',
    'generated into `DATA_DIR`',
    (text) => (text === undefined ? null : key256(text, 'ENCRYPTION_KEY')),
  ),
  RATE_LIMIT_PER_SECOND: setting(
    'requests per second and API key, with bursts of twice that',
    '100',
    (text) => wholeNumber(text ?? '100', 'RATE_LIMIT_PER_SECOND', 1, 100_000),
  ),
  TRUST_PROXY: setting(
    'addresses (CIDR, comma separated) of proxies whose X-Forwarded-For is believed',
    'none',
    (text) => networks(text, 'TRUST_PROXY'),
  ),
  APPLE_PASS_CERT: setting(
    'Pass Type ID certificate: PEM text, or a path to PEM or .p12',
    'development certificates',
    (text) => text ?? null,
  ),
  APPLE_PASS_KEY: setting(
    'its key: PEM text or a path; not needed with .p12',
    'unset',
    (text) => text ?? null,
  ),
  APPLE_PASS_PASSPHRASE: setting('passphrase of the key or .p12', 'unset', (text) => text ?? null),
  APPLE_WWDR_CERT: setting("Apple's WWDR intermediate: PEM text, or a path", 'unset', (text) => text ?? null),
  APNS_URL: setting(
    "Apple's push service",
    '`https://api.push.apple.com`; with development certificates the simulator at `https://localhost:2197`',
    (text) => (text === undefined ? null : webAddress(text, 'APNS_URL')),
  ),
  GOOGLE_SERVICE_ACCOUNT: setting(
    'key of the service account that writes to Google Wallet: JSON, or a path',
    'no Google Wallet',
    (text) => text ?? null,
  ),
  GOOGLE_ISSUER_ID: setting('issuer account of Google Wallet, a number', 'unset', (text) =>
    text === undefined ? null : digits(text, 'GOOGLE_ISSUER_ID'),
  ),
  GOOGLE_WALLET_URL: setting("Google Wallet's API", '`https://walletobjects.googleapis.com`', (text) =>
    webAddress(text ?? 'https://walletobjects.googleapis.com', 'GOOGLE_WALLET_URL'),
  ),
  GOOGLE_CALLBACK_KEYS_URL: setting(
    "the keys that sign Google's call-backs",
    '`https://pay.google.com/gp/m/issuer/keys`',
    (text) => webAddress(text ?? 'https://pay.google.com/gp/m/issuer/keys', 'GOOGLE_CALLBACK_KEYS_URL'),
  ),
  WEB_PUSH_HOSTS: setting(
    'further hosts of browser push services, comma separated; those of the known browsers are allowed',
    'none',
    (text) =>
      (text ?? '')
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
  ),
  ROLLOUT_DEVICES_PER_SECOND: setting(
    'devices that are pushed to per second when a pass changes: each comes back for all of its cards',
    '500',
    (text) => wholeNumber(text ?? '500', 'ROLLOUT_DEVICES_PER_SECOND', 1, 1_000_000),
  ),
  FETCH_ALLOW_CIDRS: setting(
    'networks (CIDR, comma separated) that images may be fetched from although they are not public; for development and tests only. `127.0.0.0/8,::1` allows `https://localhost`',
    'none',
    (text) => networks(text, 'FETCH_ALLOW_CIDRS'),
  ),
  FETCH_ALLOW_CIDRS_IN_PRODUCTION: setting(
    '`yes` if `FETCH_ALLOW_CIDRS` is meant with NODE_ENV=production too; else the service does not start',
    'unset',
    (text) => text !== undefined && oneOf(text, 'FETCH_ALLOW_CIDRS_IN_PRODUCTION', ['yes']) === 'yes',
  ),
  OIDC_ISSUER: setting(
    'OpenID Connect provider that people may sign in with: its https address, as its tokens have it. It may be in a private network',
    'none',
    (text) => (text === undefined ? null : issuerAddress(text, 'OIDC_ISSUER')),
  ),
  OIDC_CLIENT_ID: setting('what the provider calls this service', 'unset', (text) => text ?? null),
  OIDC_CLIENT_SECRET: setting('the secret that it has given to it', 'unset', (text) => text ?? null),
  WEBHOOK_ALLOW_HTTP: setting(
    '`yes` lets webhooks go to http, too: anyone on the network path can read the events',
    'unset',
    (text) => text !== undefined && oneOf(text, 'WEBHOOK_ALLOW_HTTP', ['yes']) === 'yes',
  ),
  SMTP_URL: setting(
    'mail server for invitations: `smtp://user:password@host:587` or `smtps://…`',
    'mails become files in `DATA_DIR/mail`',
    (text) => (text === undefined ? null : mailServer(text, 'SMTP_URL')),
  ),
  MAIL_FROM: setting(
    "address that mails come from, under the workspace's name; needed with SMTP_URL",
    '`no-reply@` the host of PUBLIC_URL',
    (text) => (text === undefined ? null : mailAddress(text, 'MAIL_FROM')),
  ),
  MAIL_PER_MINUTE: setting(
    'mails per minute, over all processes where REDIS_URL is set, else of each `npm start`',
    '600',
    (text) => wholeNumber(text ?? '600', 'MAIL_PER_MINUTE', 1, 1_000_000),
  ),
  DEFAULT_CREDITS: setting(
    'credits that a workspace made by the operator begins with by default',
    '1000',
    (text) => wholeNumber(text ?? '1000', 'DEFAULT_CREDITS', 0, 1_000_000_000_000),
  ),
  REQUEST_LOG: setting(
    '`off`: the outcomes of requests are not kept, so that none can be found by its id',
    'on',
    (text) => oneOf(text ?? 'on', 'REQUEST_LOG', ['on', 'off']),
  ),
  CONSOLE: setting('`off`: people cannot sign in, and only keys open the service', 'on', (text) =>
    oneOf(text ?? 'on', 'CONSOLE', ['on', 'off']),
  ),
  WORKERS: setting(
    'on, or off: whether `serve` does the background work too; if not, run `punchcard work`',
    'on',
    (text) => oneOf(text ?? 'on', 'WORKERS', ['on', 'off']),
  ),
  PROCESSES: setting(
    'processes of `npm start` that serve, besides one for the background work; `auto` is one a core. With 1 one process does it all',
    '1',
    (text) => processCount(text ?? '1', 'PROCESSES'),
  ),
  LOG_LEVEL: setting('trace, debug, info, warn, error or silent', 'info', (text) =>
    oneOf(text ?? 'info', 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  ),
  LOG_FORMAT: setting(
    'json, or pretty: lines to read, with the stacks of errors',
    'pretty on a terminal, json elsewhere',
    (text) => (text === undefined ? null : oneOf(text, 'LOG_FORMAT', ['json', 'pretty'])),
  ),
  DRAIN_MS: setting(
    'milliseconds for which it still serves after SIGTERM, with readiness 503: twice the interval of a load balancer in front',
    '0',
    (text) => wholeNumber(text ?? '0', 'DRAIN_MS', 0, 25_000),
  ),
} as const;

/** The configuration from the process's environment. Empty variables count as unset. Raises ConfigError. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  refuseMisspelt(env, Object.keys(settings));
  const read = <N extends keyof typeof settings>(name: N): ReturnType<(typeof settings)[N]['parse']> =>
    settings[name].parse(env[name] === '' ? undefined : env[name], name) as ReturnType<
      (typeof settings)[N]['parse']
    >;
  const port = read('PORT');
  const publicUrl = read('PUBLIC_URL') ?? `http://localhost:${port}`;
  return Object.freeze({
    port,
    host: read('HOST'),
    publicUrl,
    dataDir: read('DATA_DIR'),
    databaseUrl: read('DATABASE_URL'),
    databasePool: read('DATABASE_POOL'),
    databaseNodePool: read('DATABASE_NODE_POOL') ?? read('DATABASE_POOL'),
    redisUrl: read('REDIS_URL'),
    operatorToken: read('OPERATOR_TOKEN'),
    encryptionKey: read('ENCRYPTION_KEY'),
    rateLimitPerSecond: read('RATE_LIMIT_PER_SECOND'),
    trustProxy: read('TRUST_PROXY'),
    apple: Object.freeze({
      cert: read('APPLE_PASS_CERT'),
      key: read('APPLE_PASS_KEY'),
      passphrase: read('APPLE_PASS_PASSPHRASE'),
      wwdr: read('APPLE_WWDR_CERT'),
    }),
    apnsUrl: read('APNS_URL'),
    google: Object.freeze({
      serviceAccount: read('GOOGLE_SERVICE_ACCOUNT'),
      issuerId: read('GOOGLE_ISSUER_ID'),
      walletUrl: read('GOOGLE_WALLET_URL'),
      callbackKeysUrl: read('GOOGLE_CALLBACK_KEYS_URL'),
    }),
    webPushHosts: read('WEB_PUSH_HOSTS'),
    fetchAllow: fetchAllow(read('FETCH_ALLOW_CIDRS'), {
      isProduction: env.NODE_ENV === 'production',
      isMeant: read('FETCH_ALLOW_CIDRS_IN_PRODUCTION'),
    }),
    oidc: oidcSettings(read('OIDC_ISSUER'), read('OIDC_CLIENT_ID'), read('OIDC_CLIENT_SECRET')),
    webhookAllowHttp: read('WEBHOOK_ALLOW_HTTP'),
    rolloutDevicesPerSecond: read('ROLLOUT_DEVICES_PER_SECOND'),
    mail: mailSettings(read('SMTP_URL'), read('MAIL_FROM'), read('MAIL_PER_MINUTE'), publicUrl),
    defaultCredits: read('DEFAULT_CREDITS'),
    requestLog: read('REQUEST_LOG') === 'on',
    console: read('CONSOLE') === 'on',
    workers: read('WORKERS') === 'on',
    processes: read('PROCESSES'),
    logLevel: read('LOG_LEVEL'),
    logFormat: read('LOG_FORMAT'),
    drainMs: read('DRAIN_MS'),
  });
}

/** Whether the environment says where the service is. */
export function isAddressSet(env: Record<string, string | undefined> = process.env): boolean {
  return [env.PORT, env.PUBLIC_URL].some((text) => text !== undefined && text !== '');
}

/** The environment of this process with other values for some settings, for one that it starts. */
export function environmentWith(changes: Partial<Record<keyof typeof settings, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

function setting<T>(
  meaning: string,
  fallback: string,
  parse: (text: string | undefined, name: string) => T,
): Setting<T> {
  return { meaning, fallback, parse };
}

/** A provider works with all three alone. */
function oidcSettings(issuer: string | null, clientId: string | null, clientSecret: string | null) {
  if (issuer && clientId && clientSecret) return Object.freeze({ issuer, clientId, clientSecret });
  if (issuer === null && clientId === null && clientSecret === null) return null;
  throw new ConfigError(
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need each other: set all or none.',
  );
}

/** A guessed sender is fit for files alone: mail servers refuse what comes from a domain that knows nothing of it. */
function mailSettings(smtpUrl: string | null, from: string | null, perMinute: number, publicUrl: string) {
  if (smtpUrl !== null && from === null)
    throw new ConfigError('SMTP_URL needs MAIL_FROM, the address that mails come from.');
  const { hostname } = new URL(publicUrl);
  return Object.freeze({ smtpUrl, from: from ?? `no-reply@${hostname}`, perMinute });
}

/** A setting that stayed from development would open the operator's own network to every holder of an API key. */
function fetchAllow(
  allowed: readonly string[],
  { isProduction, isMeant }: { isProduction: boolean; isMeant: boolean },
): readonly string[] {
  if (allowed.length > 0 && isProduction && !isMeant) {
    throw new ConfigError(
      'FETCH_ALLOW_CIDRS is for development and tests. With NODE_ENV=production unset it, or set FETCH_ALLOW_CIDRS_IN_PRODUCTION=yes.',
    );
  }
  return allowed;
}
