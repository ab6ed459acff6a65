import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { tellHolders } from '../passes/change-shown.ts';
import { rollOutMessage } from '../pushes/begin-rollout.ts';
import { freeCredits, reserveCredits } from '../workspaces/credits/credits.ts';

/**
 * Sends a text to every installed card of a pass, at a credit each: the lock screen shows it, and the back of the card
 * keeps the newest. Raises `insufficient_credits` when there are not enough for all; then nothing is sent.
 */
export async function sendMessage(tx: Tx, ctx: KeyCtx, input: { passId: string; text: string }) {
  const pass = await tellHolders(tx, ctx, { passId: input.passId, message: input.text });
  const recipients = pass.installed;
  const credits = await freeCredits(tx, pass.workspaceId);
  if (credits < recipients) {
    throw refusal(
      'insufficient_credits',
      `The message would go to ${recipients} cards, at a credit each, and ${credits} credits are left. Nothing was sent. Top up and send it again.`,
    );
  }
  const messageId = encodeId('push', await rollOutMessage(tx, ctx, pass, recipients));
  audit(tx, ctx, { action: 'sendMessage', target: input.passId, detail: { messageId, recipients } });
  await reserveCredits(tx, ctx, pass.workspaceId, recipients);
  return { messageId, recipients, credits: recipients };
}
