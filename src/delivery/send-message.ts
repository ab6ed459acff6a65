import type { ActorCtx, KeyCtx } from '../context.ts';
import { freeCredits, reserveCredits } from '../credits/credits.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { announceToHolders } from '../passes/change-shown.ts';
import { lockFoundPass } from '../passes/find-pass.ts';
import { causeOf, type RolloutRow, rollOutMessage } from '../pushes/begin-rollout.ts';
import { presentMessage } from '../pushes/message.schema.ts';
import type { Audience } from '../pushes/rollouts.sql.ts';
import { countReached } from './audience.ts';

/** A message to all installed cards of a pass, or to an audience with its size. */
interface Input {
  readonly passId: string;
  readonly text: string;
  readonly to: { readonly audience: Audience; readonly recipients: number } | null;
  readonly endsAt: Date | null;
}

/**
 * Sends a text to the installed cards of a pass, or to an audience, at a credit each: the lock screen shows it, and the back
 * of the card keeps the newest. Raises `insufficient_credits` when there are not enough for all; then nothing is sent. Who
 * has come to match since the audience was counted may do without; what was paid for too many comes back.
 */
export async function sendMessage(tx: Tx, ctx: KeyCtx, input: Input) {
  const rolloutId = newUuidV7();
  const { cards: recipients } = await letMessageGo(tx, ctx, { ...input, rolloutId, sendAt: null });
  const messageId = encodeId('push', rolloutId);
  const { to } = input;
  audit(tx, ctx, {
    action: 'sendMessage',
    target: input.passId,
    detail: { messageId, recipients, ...(to !== null && { audience: Object.keys(to.audience) }) },
  });
  return { messageId, recipients, credits: recipients };
}

/** The message goes out now, under an id that it may have had for long. Raises what `sendMessage` raises. */
export async function letMessageGo(
  tx: Tx,
  ctx: ActorCtx,
  input: Input & { readonly rolloutId: string; readonly sendAt: Date | null },
): Promise<RolloutRow> {
  const { passId, text, to, rolloutId, sendAt, endsAt } = input;
  // Of two messages to a card the one that went out later is newer, however long it was planned.
  const newsId = sendAt === null ? rolloutId : newUuidV7();
  const pass =
    to === null
      ? await announceToHolders(tx, ctx, { passId, message: { text, id: newsId } })
      : await lockFoundPass(tx, ctx, passId);
  const recipients = to === null ? await countReached(tx, pass) : to.recipients;
  const credits = await freeCredits(tx, pass.workspaceId);
  if (credits < recipients) {
    throw refusal(
      'insufficient_credits',
      `The message would go to ${recipients} cards, at a credit each, and ${credits} credits are left. Nothing was sent. Top up and send it again.`,
    );
  }
  const audience = to?.audience ?? null;
  const rollout = await rollOutMessage(tx, ctx, pass, {
    rolloutId,
    newsId,
    message: text,
    audience,
    recipients,
    sendAt,
    endsAt,
  });
  recordEvent(tx, ctx, {
    type: 'message.sent',
    passId: rollout.passId,
    instanceId: null,
    data: presentMessage({ ...rollout, reason: null, delivered: 0, failed: 0 }),
  });
  await reserveCredits(tx, ctx, pass.workspaceId, recipients, causeOf(rollout));
  return rollout;
}
