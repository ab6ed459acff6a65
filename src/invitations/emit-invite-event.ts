import { changedProperties } from '../events/changed-properties.ts';
import { type EventCtx, recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { presentInvite } from './invite.schema.ts';
import type { InviteRow } from './invite-row.ts';

/** Emits the outcome of an invitation, without the address, since an invitation without a card is never erased. */
export function emitInviteEvent(
  tx: Tx,
  ctx: EventCtx,
  type: 'invite.sent' | 'invite.accepted' | 'invite.unsubscribed',
  actor: 'holder' | 'system',
  before: InviteRow,
  after: InviteRow,
): void {
  const { workspaceId, passId, instanceId } = after;
  const data = withoutAddress(after);
  const { previous } = changedProperties(withoutAddress(before), data);
  recordEvent(tx, ctx, { type, workspaceId, actor, passId, instanceId, data, previous });
}

function withoutAddress(row: InviteRow) {
  const { email: _, ...shown } = presentInvite(row);
  return shown;
}
