import type { Static } from 'typebox';
import { ownPassIds } from '../administration/create-api-key.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { followInTransaction } from '../events/follow-log.ts';
import type { Tx } from '../kit/db/database.ts';
import { auditable, checkTypes } from './create-webhook.ts';
import { findWebhook, lockWebhook, presentWebhooks } from './find-webhook.ts';
import { presentWebhook, type WebhookChanges } from './webhook.schema.ts';
import type { WebhookRow } from './webhook-row.ts';
import { rotateSecrets } from './webhook-secrets.ts';
import { replaceWebhook } from './webhooks.sql.ts';

/** Changes its address or its topics, or pauses or activates it. `recoverWebhook` sends what it missed during a pause. */
export async function updateWebhook(
  tx: Tx,
  ctx: KeyCtx,
  input: { webhookId: string; changes: Static<typeof WebhookChanges> },
) {
  const { changes } = input;
  if (changes.types !== undefined) checkTypes(changes.types);
  // What came before goes where it was to go.
  await followInTransaction(tx, ctx, ctx.workspaceId);
  const before = await lockWebhook(tx, ctx, input.webhookId);
  const isActivated = changes.status === 'active' && before.status !== 'active';
  const after: WebhookRow = {
    ...before,
    ...changes,
    passIds:
      changes.passIds === undefined ? before.passIds : await ownPassIds(tx, ctx.workspaceId, changes.passIds),
    // It starts anew.
    ...(isActivated && { problem: null, failingSince: null }),
    updatedAt: ctx.app.now(),
  };
  await replaceWebhook(tx, after);
  audit(tx, ctx, {
    action: 'updateWebhook',
    target: input.webhookId,
    detail: { before: auditable(before), after: auditable(after) },
  });
  const [shown] = await presentWebhooks(tx, ctx, [after]);
  return shown as NonNullable<typeof shown>;
}

/** Deletes a webhook: nothing more is sent to it. */
export async function deleteWebhook(tx: Tx, ctx: KeyCtx, input: { webhookId: string }): Promise<void> {
  const before = await lockWebhook(tx, ctx, input.webhookId);
  await replaceWebhook(tx, { ...before, status: 'deleted', secrets: '', updatedAt: ctx.app.now() });
  audit(tx, ctx, { action: 'deleteWebhook', target: input.webhookId, detail: { before: auditable(before) } });
}

/** A new secret. Those before sign along for a day, so that the receiver can change over at its leisure. */
export async function rotateWebhook(tx: Tx, ctx: KeyCtx, input: { webhookId: string }) {
  const before = await lockWebhook(tx, ctx, input.webhookId);
  const { secret, secrets } = rotateSecrets(ctx.app, before, before.secrets);
  const after = { ...before, secrets, updatedAt: ctx.app.now() };
  await replaceWebhook(tx, after);
  audit(tx, ctx, { action: 'rotateWebhook', target: input.webhookId });
  return { ...presentWebhook(after), secret };
}

/** A webhook of the caller as the API shows it. */
export async function readWebhook(ctx: KeyCtx, publicId: string) {
  const { db } = ctx.app.database;
  const [shown] = await presentWebhooks(db, ctx, [await findWebhook(db, ctx, publicId)]);
  return shown as NonNullable<typeof shown>;
}
