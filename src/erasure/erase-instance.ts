import { changeInstance } from '../cards/changes.sql.ts';
import { emitCardEvent } from '../cards/emit-card-event.ts';
import { lockInstance } from '../cards/find-instance.ts';
import { deleteHolder } from '../cards/holders.sql.ts';
import { changedNow } from '../cards/last-modified.ts';
import { markVoided } from '../cards/void-instance.ts';
import type { ActorCtx } from '../context.ts';
import { wipeObject } from '../delivery/google/wipe-object.ts';
import { endWebCards } from '../delivery/web/keep-viewer.ts';
import { audit } from '../engine/audit.ts';
import { hideOwnKeys } from '../engine/idempotency.ts';
import { forgetJoin } from '../enrolment/forget-join.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import { forgetInviteeOf } from '../invitations/forget-invitee.ts';
import type { Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { clearItems } from '../orders/orders.sql.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { forgetNames, scrubFreeText } from './scrub-free-text.ts';

/**
 * Erases the person behind a card: holder, own values, metadata, its barcode, what was said of its entries and orders, what
 * callers have named, and the answers kept for replays. The card is voided and its row stays, without the person; wallets that hold it are notified.
 * Erasing it again takes only what a former version has left.
 */
export async function eraseInstance(tx: Tx, ctx: ActorCtx, input: { instanceId: string }): Promise<void> {
  const instanceId = decodeId('inst', input.instanceId);
  // Orders are taken before cards; what is ordered while the card is waited for is found below.
  if (instanceId !== null) await clearItems(tx, { workspaceId: ctx.workspaceId, instanceId });
  const row = await lockInstance(tx, ctx, input.instanceId);
  hideOwnKeys(tx);
  if (row.erasedAt !== null) return forgetNames(tx, ctx, row, null);
  const erasedAt = ctx.app.now();
  const [voided = row] =
    row.status === 'active' ? await markVoided(tx, row.workspaceId, [{ ctx, row, reason: null }]) : [];
  await deleteHolder(tx, row);
  const blank = { fields: {}, metadata: {}, voidReason: null, externalRef: null, erasedAt };
  const updatedAt = changedNow(ctx, voided);
  await changeInstance(tx, row, blank, { at: updatedAt, shown: true });
  await forgetInviteeOf(tx, ctx, row);
  await forgetJoin(tx, ctx, row);
  const erased = { ...voided, ...blank, holder: null, updatedAt };
  const barcode = await scrubFreeText(tx, ctx, erased, row.holder?.identifier ?? null);
  await insertEvent(tx, row, { kind: 'instance.erased', detail: {}, actor: ctx.actor, createdAt: erasedAt });
  // Other former values would reveal the person.
  const after = { ...erased, barcode };
  emitCardEvent(tx, ctx, 'instance.erased', {
    before: { ...after, status: row.status, voidedAt: row.voidedAt },
    after,
  });
  const detail = { before: { status: row.status }, after: { status: 'voided' } };
  audit(tx, ctx, { action: 'eraseInstance', target: input.instanceId, detail });
  await endWebCards(tx, ctx, row);
  await wipeObject(tx, ctx, row);
  await announceChange(tx, ctx, row, true);
}
