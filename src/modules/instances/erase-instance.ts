import { audit } from '../../audit.ts';
import type { ActorCtx } from '../../context.ts';
import { overwriteAnswers } from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { announceChange } from '../delivery/announce-change.ts';
import { wipeObject } from '../google/wipe-object.ts';
import { forgetInviteeOf } from '../invites/forget-invitee.ts';
import { endWebCards } from '../webcard/end-web-cards.ts';
import { insertEvent, listClaimsOf } from './events.sql.ts';
import { holdInstance } from './find-instance.ts';
import { deleteHolder } from './holders.sql.ts';
import { presentInstance, presentUpdate } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';
import { changeInstance } from './instances.sql.ts';
import { shownNow } from './last-modified.ts';
import { markVoided } from './void-instance.ts';

/**
 * Erases the person behind a card: holder, own values, metadata, and the answers kept for replays. The card is
 * voided and its row stays, without the person; wallets that hold it are told. Erasing it again changes nothing.
 */
export async function eraseInstance(tx: Tx, ctx: ActorCtx, input: { instanceId: string }): Promise<void> {
  const row = await holdInstance(tx, ctx, input.instanceId);
  if (row.erasedAt !== null) return;
  const erasedAt = ctx.app.now();
  if (row.status === 'active') await markVoided(tx, ctx, row);
  await deleteHolder(tx, row);
  await changeInstance(tx, row, { fields: {}, metadata: {}, erasedAt }, shownNow(ctx, row));
  const erased = { ...row, status: 'voided' as const, holder: null, fields: {}, metadata: {}, erasedAt };
  await forgetAnswers(tx, ctx, erased);
  await forgetInviteeOf(tx, row);
  await insertEvent(tx, row, { kind: 'erased', detail: {}, createdAt: erasedAt });
  audit(tx, ctx, { action: 'eraseInstance', target: input.instanceId });
  await endWebCards(tx, ctx, row);
  await wipeObject(tx, ctx, row);
  await announceChange(tx, ctx, row, true);
}

/** What was kept for replays shows the erased card from now on, in the shape of its operation. */
async function forgetAnswers(tx: Tx, ctx: ActorCtx, erased: InstanceRow): Promise<void> {
  const { publicUrl } = ctx.app.config;
  const claims = Map.groupBy(
    await listClaimsOf(tx, erased),
    ({ operation }) => operation === 'issueInstance',
  );
  const { workspaceId } = erased;
  const issued = JSON.stringify(presentInstance(publicUrl, erased));
  await overwriteAnswers(tx, workspaceId, claims.get(true) ?? [], issued);
  const updated = JSON.stringify(
    presentUpdate(publicUrl, erased, { pushed: false, pushSkipReason: 'unchanged' }),
  );
  await overwriteAnswers(tx, workspaceId, claims.get(false) ?? [], updated);
}
