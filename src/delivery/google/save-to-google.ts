import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import { resumeWallet, stopWallet } from '../../pushes/wallet-stops.ts';
import type { CardRow } from '../../rendering/read-cards.ts';
import { saveLink } from '../../wallet/google/save-link.ts';
import { type Asked, askGoogle } from './acquire-pace.ts';
import { forgetClass } from './classes.sql.ts';
import { googleCard, type HashedCard } from './google-card.ts';
import { type GoogleIssuer, walletUnavailable } from './google-issuer.ts';
import { keepClass } from './keep-class.ts';
import {
  type DueObject,
  doubtObjects,
  findObject,
  type ObjectRow,
  recordPatched,
  releaseObjects,
  takeUnsaved,
} from './objects.sql.ts';

/** How long a holder may wait for the page. */
const timeoutMs = 10_000;
const pollMs = 100;
/** Should this process die in the middle, the next press of the button takes over after so long. */
const leaseMs = 60_000;

/**
 * The link that saves a card to Google Wallet. Google is sent the card first, unless it has it as it is. Raises
 * `wallet_not_configured`; `wallet_unavailable` when Google cannot be reached now.
 */
export async function saveToGoogle(ctx: PublicCtx, card: CardRow): Promise<string> {
  const { now } = ctx.app;
  const known = await findObject(ctx.app.database.db, card);
  const google = await issuerOf(ctx, card, known);
  if (google === undefined) {
    throw refusal(
      'wallet_not_configured',
      'Google Wallet is not set up here. Use the other ways to add the card.',
    );
  }
  const wanted = googleCard(ctx, google.issuerId, await ctx.app.nearestPlaces.of(card));
  const { resource, content } = wanted.object;
  await google.saveWork.share(`${resource.id} ${content.toString('hex')}`, () =>
    patchUnsaved(ctx, google, card, { known, wanted }),
  );
  return saveLink({
    serviceAccount: google.serviceAccount,
    objectId: wanted.object.resource.id,
    classId: wanted.class.resource.id,
    type: wanted.type,
    issuedAt: now(),
  });
}

/** A card that a holder keeps stays that of the issuer that made it; any other is of the one that the workspace has now. */
async function issuerOf(
  ctx: PublicCtx,
  card: CardRow,
  known: ObjectRow | undefined,
): Promise<GoogleIssuer | undefined> {
  const { googleIssuers } = ctx.app;
  const made =
    known?.saved === true ? await googleIssuers.find(card.workspaceId, known.ownIssuerId) : undefined;
  return (
    made ?? (await googleIssuers.find(card.workspaceId, card.ownIssuerId)) ?? ctx.app.google ?? undefined
  );
}

/** What a holder keeps already, the background work keeps up to date. */
async function patchUnsaved(
  ctx: PublicCtx,
  google: GoogleIssuer,
  card: CardRow,
  { wanted, ...begun }: { readonly wanted: HashedCard; readonly known: ObjectRow | undefined },
): Promise<void> {
  const { database, now } = ctx.app;
  const end = performance.now() + timeoutMs;
  for (let { known } = begun; ; known = await findObject(database.db, card)) {
    if (known?.saved === true) return;
    await insist(ctx, google, await keepClass(ctx, google, card, wanted));
    if (known?.content?.equals(wanted.object.content)) return;
    const { content } = wanted.object;
    const { ownIssuerId } = google;
    const lease = { content, ownIssuerId, now: now(), until: new Date(now().getTime() + leaseMs) };
    const object = await database.transaction((tx) => takeUnsaved(tx, card, lease));
    if (object !== undefined) {
      const result = await sendObject(ctx, google, object, wanted);
      if (result.kind !== 'missing') return insist(ctx, google, result);
      // Google has lost the class: insert it again.
      await database.transaction((tx) => forgetClass(tx, { ...card, ownIssuerId }));
    }
    if (performance.now() > end) throw busy();
    // Another caller is sending the card to Google.
    await sleep(pollMs);
  }
}

async function sendObject(
  ctx: PublicCtx,
  google: GoogleIssuer,
  object: DueObject,
  { type, object: { resource, content } }: HashedCard,
): Promise<Asked> {
  const { database, now } = ctx.app;
  const how = { exists: object.content !== null, notify: false };
  const result = await askGoogle(() => google.wallet.putObject(type, resource, how));
  await database.transaction(async (tx) => {
    if (result.kind === 'done')
      await recordPatched(tx, object.workspaceId, [{ object, content, notified: false }], now());
    else await releaseObjects(tx, object.workspaceId, [object], now());
    if (result.kind === 'later') await doubtObjects(tx, object.workspaceId, [object]);
  });
  if (result.kind === 'done') await resumeWallet(ctx, 'google', google.scope);
  return result;
}

/** Raises what the holder is answered when Google did not get the card. */
async function insist(ctx: PublicCtx, google: GoogleIssuer, result: Asked): Promise<void> {
  if (result.kind === 'done') return;
  if (result.kind === 'quota' || result.kind === 'missing' || result.kind === 'busy') throw busy();
  const { kind, reason } = result;
  if (kind === 'refused') throw new Error(`Google refuses a card: ${reason}`);
  if (kind === 'misconfigured') await stopWallet(ctx, 'google', google.scope, reason);
  ctx.app.log.warn({ reason, requestId: ctx.requestId }, 'Google did not get a card that is to be saved');
  throw busy();
}

function busy(): ApiError {
  return walletUnavailable('Google Wallet cannot be reached at the moment. Try again in a minute.');
}
