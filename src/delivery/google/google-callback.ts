import { countWallets, lockCard } from '../../cards/count-wallets.ts';
import type { PublicCtx } from '../../context.ts';
import type { CardKey } from '../../engine/card-key.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import { type CallbackEvent, namedObject, verifyCallback } from '../../wallet/google/callback.ts';
import { KeysUnavailable } from '../../wallet/google/google-wallet.ts';
import { findSaved, insertNonce, saveEvent } from './callbacks.sql.ts';
import { readObjectId } from './google-card.ts';
import { type GoogleIssuer, walletUnavailable } from './google-issuer.ts';
import { jobOf } from './objects.sql.ts';

/**
 * Takes Google's word that a holder has saved a card, or deleted it. Repetitions, reports older than the last one, and
 * reports of cards that are not ours change nothing. Raises `wallet_not_configured`, `invalid_signature`, and
 * `wallet_unavailable` when Google's keys cannot be fetched.
 */
export async function googleCallback(ctx: PublicCtx, body: unknown): Promise<void> {
  const { database, log } = ctx.app;
  const google = await addressee(ctx, body);
  if (google === undefined) throw refusal('wallet_not_configured', 'Google Wallet is not set up here.');
  const event = await verified(ctx, google, body);
  const card = readObjectId(google.issuerId, event.objectId);
  const outcome =
    card === null
      ? 'unknown'
      : await database.transaction((tx) => takeEvent(tx, ctx, { card, google, event }));
  const instanceId = card === null ? undefined : encodeId('inst', card.instanceId);
  log.info({ requestId: ctx.requestId, event: event.event, instanceId, outcome }, 'Google reports');
}

/** Whose call-back it says it is: that of a workspace's own issuer, or of the installation's. Nothing of it is believed yet. */
async function addressee(ctx: PublicCtx, body: unknown): Promise<GoogleIssuer | undefined> {
  const { google, googleIssuers } = ctx.app;
  const objectId = namedObject(body) ?? '';
  const issuerId = objectId.slice(0, objectId.indexOf('.'));
  const card = readObjectId(issuerId, objectId);
  if (card === null || issuerId === google?.issuerId) return google ?? undefined;
  return (await googleIssuers.find(card.workspaceId, issuerId)) ?? google ?? undefined;
}

async function verified(ctx: PublicCtx, google: GoogleIssuer, body: unknown): Promise<CallbackEvent> {
  const { issuerId, wallet } = google;
  const verify = async (fresh: boolean) =>
    verifyCallback(body, { issuerId, keys: await wallet.callbackKeys(fresh), now: ctx.app.now() });
  try {
    const first = await verify(false);
    const verdict = first.kind === 'refused' && first.mayBeNewKey ? await verify(true) : first;
    if (verdict.kind === 'genuine') return verdict.event;
    throw refusal('invalid_signature', `The call-back is not Google's: ${verdict.reason}.`);
  } catch (error) {
    if (!(error instanceof KeysUnavailable)) throw error;
    ctx.app.log.warn({ reason: error.message, requestId: ctx.requestId }, 'a call-back cannot be verified');
    throw walletUnavailable("Google's keys cannot be fetched at the moment. Send it again.");
  }
}

interface Taken {
  readonly card: CardKey;
  readonly google: GoogleIssuer;
  readonly event: CallbackEvent;
}

/** Google reports several times, and in any order. */
async function takeEvent(
  tx: Tx,
  ctx: PublicCtx,
  { card, google, event: { event, nonce, expiresAt } }: Taken,
): Promise<'taken' | 'repeated' | 'unknown' | 'older'> {
  if (!(await insertNonce(tx, nonce, expiresAt))) return 'repeated';
  await lockCard(tx, card);
  const before = await findSaved(tx, card);
  // An object that was in no wallet when the workspace got another issuer belongs to that issuer now.
  if (before === undefined || before.ownIssuerId !== google.ownIssuerId) return 'unknown';
  if (before.eventAt !== null && before.eventAt > expiresAt) return 'older';
  const saved = event === 'save';
  const hasChanged = saved !== before.saved;
  if (hasChanged) await countWallets(tx, ctx, card, { google: saved ? 1 : -1 });
  await saveEvent(tx, card, { saved, eventAt: expiresAt, now: ctx.app.now() });
  if (hasChanged && saved) wakeAfter(tx, ctx, card.workspaceId, jobOf(google.ownIssuerId));
  if (hasChanged && !saved)
    await recordPushOutcomes(tx, ctx, { wallet: 'google', cards: [card], failure: 'removed' });
  return 'taken';
}
