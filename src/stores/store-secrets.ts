import type { App } from '../context.ts';
import type { StoreRow } from './store-row.ts';

/** A secret that signs webhooks; `until` is the moment from which on it does not, in ms. Null: for good. */
interface WebhookSecret {
  readonly secret: string;
  readonly until: number | null;
}

/** Whose secret it is. */
export type Owner = Pick<StoreRow, 'workspaceId' | 'storeId'>;

/** The platform may sign with the secret before for so long. */
const overlapMs = 3_600_000;
/** Limits the cost of a webhook's verification, however often the secret changes. */
const mostSecrets = 3;

/** What a store is read with, for storage. */
export function sealCredentials(app: App, store: Owner, credentials: unknown): string {
  return app.box.seal(JSON.stringify(credentials), contextOf(store, 'credentials'));
}

/** The secrets that sign from now on, for storage: the one that is given, and for an hour those that did before. */
export function sealWebhookSecret(
  app: App,
  store: Owner & Pick<StoreRow, 'webhookSecrets'>,
  secret: string,
): string {
  const until = app.now().getTime() + overlapMs;
  const kept = liveSecrets(app, store)
    .filter((one) => one.secret !== secret)
    .map((one) => ({ ...one, until: one.until ?? until }));
  const secrets: WebhookSecret[] = [{ secret, until: null }, ...kept].slice(0, mostSecrets);
  return app.box.seal(JSON.stringify(secrets), contextOf(store, 'webhooks'));
}

/** The secrets that may sign a webhook now. */
export function webhookSecretsOf(app: App, store: Owner & Pick<StoreRow, 'webhookSecrets'>): string[] {
  return liveSecrets(app, store).map(({ secret }) => secret);
}

function liveSecrets(app: App, store: Owner & Pick<StoreRow, 'webhookSecrets'>): WebhookSecret[] {
  if (store.webhookSecrets === null) return [];
  const text = app.box.open(store.webhookSecrets, contextOf(store, 'webhooks'));
  const now = app.now().getTime();
  return (JSON.parse(text) as WebhookSecret[]).filter(({ until }) => until === null || until > now);
}

/** A sealed value that is copied to another store or column does not open there. */
export function contextOf({ workspaceId, storeId }: Owner, what: string): string {
  return `stores/${workspaceId}/${storeId}/${what}`;
}
