import type { ClockCtx, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { futureMoment } from '../kit/http/endpoints/parameters.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { lockFoundPass } from '../passes/find-pass.ts';
import { insertPlanned, type PlannedRow } from '../pushes/planned-messages.sql.ts';
import type { Audience } from '../pushes/rollouts.sql.ts';

/** A message is planned no further ahead. */
const mostAheadMs = 3_653 * 86_400_000;

/** When a message goes out and ends, as a caller has asked. Raises `invalid_request` for what is not ahead, or not in this order. */
export function timesOf(
  { app }: ClockCtx,
  asked: { readonly sendAt?: string; readonly endsAt?: string | null },
): { readonly sendAt: Date | null; readonly endsAt: Date | null } {
  const now = app.now();
  const sendAt = futureMoment('sendAt', asked.sendAt ?? null, now);
  const endsAt = futureMoment('endsAt', asked.endsAt ?? null, now);
  if (sendAt !== null && sendAt.getTime() > now.getTime() + mostAheadMs)
    throw invalidField('sendAt', 'other', 'a message is planned ten years ahead at most.');
  if (sendAt !== null && endsAt !== null && endsAt <= sendAt)
    throw invalidField('endsAt', 'other', 'it must be later than sendAt.');
  return { sendAt, endsAt };
}

interface Input {
  readonly passId: string;
  readonly text: string;
  readonly audience: Audience | undefined;
  readonly recipients: number;
  readonly sendAt: Date;
  readonly endsAt: Date | null;
}

/** Keeps a message until its time. It is paid for when it goes out, to those who match then. */
export async function planMessage(tx: Tx, ctx: KeyCtx, input: Input) {
  const { workspaceId, passId } = await lockFoundPass(tx, ctx, input.passId);
  const { text, audience = null, recipients, sendAt, endsAt } = input;
  const row: PlannedRow = {
    workspaceId,
    messageId: newUuidV7(),
    passId,
    message: text,
    audience,
    sendAt,
    endsAt,
    dueAt: sendAt,
    state: 'planned',
    reason: null,
    requestId: ctx.requestId,
    actor: ctx.actor,
    createdAt: ctx.app.now(),
  };
  await insertPlanned(tx, row);
  const messageId = encodeId('push', row.messageId);
  audit(tx, ctx, {
    action: 'sendMessage',
    target: input.passId,
    detail: { messageId, recipients, sendAt: sendAt.toISOString() },
  });
  return { messageId, recipients, credits: 0 };
}
