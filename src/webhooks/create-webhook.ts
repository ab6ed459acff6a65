import type { Static } from 'typebox';
import { ownPassIds } from '../administration/create-api-key.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { eventTypes } from '../events/event-kinds.ts';
import { followInTransaction } from '../events/follow-log.ts';
import { followAtOnce } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { FetchRefused } from '../kit/safe-fetch/safe-fetch.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { type NewWebhook, presentWebhook } from './webhook.schema.ts';
import type { WebhookRow } from './webhook-row.ts';
import { rotateSecrets } from './webhook-secrets.ts';
import { insertWebhook, listWebhooks } from './webhooks.sql.ts';

/** So many a workspace may have. */
const mostWebhooks = 16;

/**
 * Refuses a URL that nothing may be posted to, before anything is changed. The host is looked up here, and again at every
 * attempt. A URL whose host cannot be found at the moment is accepted.
 */
export async function checkReceiver({ app }: KeyCtx, { url }: { readonly url?: string }): Promise<void> {
  if (url === undefined) return;
  try {
    await app.webhookPost.check(url);
  } catch (error) {
    throw error instanceof FetchRefused ? invalidField('url', 'other', `${error.message}`) : error;
  }
}

/** Creates a webhook that receives events from now on. Only this answer shows its secret. Raises `webhook_limit_reached`. */
export async function createWebhook(tx: Tx, ctx: KeyCtx, input: Static<typeof NewWebhook>) {
  const { app, workspaceId } = ctx;
  checkTypes(input.types);
  // What came before is not for it.
  await followInTransaction(tx, ctx, workspaceId);
  await lockWorkspaceRow(tx, workspaceId);
  const others = await listWebhooks(tx, workspaceId, null, mostWebhooks);
  if (others.length >= mostWebhooks)
    throw refusal(
      'webhook_limit_reached',
      `A workspace has ${mostWebhooks} webhooks at most. Delete one, or have one take several kinds of events.`,
      { limit: mostWebhooks },
    );
  const now = app.now();
  const owner = { workspaceId, webhookId: newUuidV7() };
  const { secret, secrets } = rotateSecrets(app, owner, null);
  const row: WebhookRow = {
    ...owner,
    url: input.url,
    types: input.types,
    passIds: await ownPassIds(tx, workspaceId, input.passIds ?? null),
    description: input.description ?? null,
    payload: input.payload ?? 'full',
    status: 'active',
    secrets,
    problem: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertWebhook(tx, row);
  followAtOnce(tx, workspaceId, now);
  audit(tx, ctx, {
    action: 'createWebhook',
    target: encodeId('hook', row.webhookId),
    detail: { after: auditable(row) },
  });
  return { ...presentWebhook(row), secret };
}

const known = new Set<string>([
  '*',
  ...eventTypes,
  ...eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`),
]);

/** Raises `invalid_request` where there is no such kind. */
export function checkTypes(types: readonly string[]): void {
  const unknown = types.find((type) => !known.has(type));
  if (unknown !== undefined)
    throw invalidField(
      'types',
      'enum',
      `there is no kind "${unknown}". There are *, ${eventTypes.join(', ')}.`,
      { limit: ['*', ...eventTypes] },
    );
}

/** The properties of a webhook that may be recorded. The path of a URL may be a secret. */
export function auditable({ url, types, passIds, payload, status }: WebhookRow) {
  const passes = passIds?.map((passId) => encodeId('pass', passId)) ?? null;
  return { host: new URL(url).host, types, passIds: passes, payload, status };
}
