import type { KeyObject } from 'node:crypto';
import type { App } from '../context.ts';
import { newSigningSecret, signingKey } from './sign-message.ts';
import type { WebhookRow } from './webhook-row.ts';

/** What signs; `until` is the moment from which on it does not, in ms. Null: for good. */
interface SigningSecret {
  readonly secret: string;
  readonly until: number | null;
}

type Owner = Pick<WebhookRow, 'workspaceId' | 'webhookId'>;

/** The secret before signs along for so long. */
const overlapMs = 24 * 3_600_000;
/** Limits the signatures of a message, however often the secret is rotated. */
const mostSecrets = 4;

/** A new secret, and for storage all that sign from now on: it and, for a day, those before. */
export function rotateSecrets(
  app: App,
  owner: Owner,
  before: string | null,
): { secret: string; secrets: string } {
  const secret = newSigningSecret();
  const until = app.now().getTime() + overlapMs;
  const kept = before === null ? [] : liveSecrets(app, { ...owner, secrets: before });
  const all: SigningSecret[] = [
    { secret, until: null },
    ...kept.map((one) => ({ ...one, until: one.until ?? until })),
  ];
  const secrets = app.box.seal(JSON.stringify(all.slice(0, mostSecrets)), contextOf(owner));
  return { secret, secrets };
}

/** What signs a message now: the newest first. */
export function signingKeys(app: App, webhook: Owner & Pick<WebhookRow, 'secrets'>): KeyObject[] {
  return liveSecrets(app, webhook).map(({ secret }) => signingKey(secret));
}

function liveSecrets(app: App, webhook: Owner & Pick<WebhookRow, 'secrets'>): SigningSecret[] {
  const now = app.now().getTime();
  const all = JSON.parse(app.box.open(webhook.secrets, contextOf(webhook))) as SigningSecret[];
  return all.filter(({ until }) => until === null || until > now);
}

/** A sealed value that is copied to another webhook does not open there. */
function contextOf({ workspaceId, webhookId }: Owner): string {
  return `webhooks/${workspaceId}/${webhookId}`;
}
