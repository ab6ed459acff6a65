import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { endMessage } from '../pushes/begin-rollout.ts';
import type { MessageRow } from '../pushes/messages.sql.ts';
import { lockPlanned, type PlannedRow, replacePlanned } from '../pushes/planned-messages.sql.ts';
import { type Audience, lockMessage } from '../pushes/rollouts.sql.ts';
import { findMessage } from './find-message.ts';
import { timesOf } from './plan-message.ts';

interface Changes {
  readonly messageId: string;
  readonly text?: string;
  readonly audience?: Audience | null;
  readonly sendAt?: string;
  readonly endsAt?: string | null;
}

/** Changes a message that waits for its time. Raises what `findMessage` raises, and `message_already_sent`. */
export async function updateMessage(tx: Tx, ctx: KeyCtx, changes: Changes): Promise<MessageRow> {
  const { workspaceId, rolloutId } = await findMessage(tx, ctx, changes.messageId);
  const before = await lockPlanned(tx, workspaceId, rolloutId);
  if (before?.state !== 'planned') throw alreadySent();
  const { text = before.message, audience = before.audience, messageId, ...times } = changes;
  const { sendAt, endsAt } = timesOf(ctx, {
    sendAt: times.sendAt ?? before.sendAt.toISOString(),
    endsAt: times.endsAt === undefined ? (before.endsAt?.toISOString() ?? null) : times.endsAt,
  });
  const after: PlannedRow = {
    ...before,
    message: text,
    audience,
    sendAt: sendAt ?? before.sendAt,
    endsAt,
    dueAt: sendAt,
    requestId: ctx.requestId,
  };
  await replacePlanned(tx, after);
  audit(tx, ctx, { action: 'updateMessage', target: messageId, detail: { changed: Object.keys(changes) } });
  return findMessage(tx, ctx, messageId);
}

/**
 * Takes a message back: one that waits is not sent, and the text of one that has gone out leaves the cards. Notifications that phones
 * have shown stay. Raises what `findMessage` raises.
 */
export async function takeBackMessage(
  tx: Tx,
  ctx: KeyCtx,
  { messageId }: { readonly messageId: string },
): Promise<MessageRow> {
  const { workspaceId, rolloutId } = await findMessage(tx, ctx, messageId);
  const planned = await lockPlanned(tx, workspaceId, rolloutId);
  // Looked for after that lock: it may have gone out while this waited.
  const sent = planned === undefined ? await lockMessage(tx, workspaceId, rolloutId) : undefined;
  if (planned?.state === 'planned') await replacePlanned(tx, { ...planned, state: 'cancelled', dueAt: null });
  if (sent?.endedAt === null) await endMessage(tx, ctx, sent);
  audit(tx, ctx, { action: 'takeBackMessage', target: messageId });
  return findMessage(tx, ctx, messageId);
}

function alreadySent() {
  return refusal(
    'message_already_sent',
    'The message has gone out, or was taken back. Take it back and send another one.',
  );
}
