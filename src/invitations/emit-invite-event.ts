import { changedProperties } from '../events/changed-properties.ts';
import { recordEvent, type EventCtx } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { presentInvite } from './invite.schema.ts';
import type { InviteRow } from './invite-row.ts';

/** Tells the event log what has become of an invitation, without the address: an invitation without a card is not erased. */
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
