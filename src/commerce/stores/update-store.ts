import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import type { Tx } from '../../kit/db/database.ts';
import { holdFoundPass } from '../../passes/find-pass.ts';
import { checkConsent, checkCredentials } from './check-store.ts';
import { findConnectedStore, holdStore, presentNow } from './find-store.ts';
import type { StoreChanges } from './store.schema.ts';
import { isReadable, type StoreRow } from './store-row.ts';
import { sealCredentials, sealWebhookSecret } from './store-secrets.ts';
import { changeStore } from './stores.sql.ts';
import { retryWaiting } from './webhooks.sql.ts';

interface Input {
  readonly storeId: string;
  readonly changes: Static<typeof StoreChanges>;
}

/**
 * Changes credentials, secret, pass, consent or whether edits count. Webhooks that waited are tried again at once, and
 * so is a store that could not be read. What its orders have earned stays where it is.
 */
export async function updateStore(tx: Tx, ctx: KeyCtx, input: Input) {
  const { app } = ctx;
  const { changes } = input;
  const passId = await passOf(tx, ctx, input);
  const before = await holdStore(tx, ctx, input.storeId);
  const now = app.now();
  const changed: Partial<StoreRow> = {
    ...(changes.credentials !== undefined && {
      credentials: sealed(ctx, before, checkCredentials(before.platform, changes.credentials)),
      problem: null,
      failures: 0,
      reconcileAt: isReadable(before) ? now : null,
    }),
    ...(changes.webhookSecret !== undefined && {
      webhookSecrets: sealWebhookSecret(app, before, changes.webhookSecret),
    }),
    ...(passId !== undefined && { passId }),
    ...(changes.consent !== undefined && {
      consent: checkConsent(ctx, before.platform, changes.consent),
    }),
    ...(changes.followsEdits !== undefined && { followsEdits: changes.followsEdits }),
    updatedAt: now,
  };
  await changeStore(tx, before, changed);
  await retryWaiting(tx, before, now);
  wakeAfter(tx, ctx, ctx.workspaceId, 'workOffWebhooks', 'reconcileStores');
  audit(tx, ctx, {
    action: 'updateStore',
    target: input.storeId,
    detail: { changed: Object.keys(changes), ...plainlyChanged(changes) },
  });
  return presentNow(tx, ctx, { ...before, ...changed });
}

/** The pass that the store is to have, held before the store: whoever deletes a pass takes it from its stores. */
async function passOf(
  tx: Tx,
  ctx: KeyCtx,
  { storeId, changes: { passId } }: Input,
): Promise<string | null | undefined> {
  if (passId == null) return passId;
  // An unknown store is refused before an unknown pass.
  await findConnectedStore(tx, ctx, storeId);
  return (await holdFoundPass(tx, ctx, passId)).passId;
}

function sealed(ctx: KeyCtx, store: StoreRow, credentials: unknown): string | null {
  return credentials === null ? null : sealCredentials(ctx.app, store, credentials);
}

/** What of a change may be recorded. */
function plainlyChanged({ credentials: _, webhookSecret: __, ...plain }: Static<typeof StoreChanges>) {
  return plain;
}
