import { countWallets, lockCard } from '../../cards/count-wallets.ts';
import type { PublicCtx } from '../../context.ts';
import type { CardKey } from '../../engine/card-key.ts';
import type { Tx } from '../../kit/db/database.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import type { Subscription } from './push-note.ts';
import {
  deleteEnded,
  deleteTwins,
  makeRoom,
  renewViewer,
  shortenViewersOf,
  upsertViewer,
  type Viewer,
  type ViewerCount,
  type ViewerState,
} from './web-cards.sql.ts';

/** How long a card counts as open without a sign of life; it is renewed three times in that time. */
export const watchedForMs = 60_000;
/** How long a card counts as installed that is not opened. */
export const installedForMs = 30 * 86_400_000;
/** A card has at most so many viewers. */
const mostViewers = 20;

/** Counts a browser that has the card open: from now on for a minute. It does nothing for a card without room. */
export async function keepOpen(tx: Tx, ctx: PublicCtx, viewer: Viewer): Promise<void> {
  const until = new Date(ctx.app.now().getTime() + watchedForMs);
  if (await renewViewer(tx, viewer, until)) return;
  await lockCard(tx, viewer);
  // Another transaction may have written it in the meantime.
  if (!(await renewViewer(tx, viewer, until)))
    await addViewer(tx, ctx, viewer, { until, subscription: null, added: false });
}

/**
 * Counts a browser that has the card installed: for 30 days, and with a subscription until its push service says that
 * it has ended.
 */
export async function keepInstalled(
  tx: Tx,
  ctx: PublicCtx,
  viewer: Viewer,
  subscription: Subscription | null,
): Promise<void> {
  const until = subscription === null ? new Date(ctx.app.now().getTime() + installedForMs) : 'infinity';
  await lockCard(tx, viewer);
  await addViewer(tx, ctx, viewer, { until, subscription, added: true });
}

/** Writes a viewer down, or what is new about it; one that has added the card stays so. The caller holds the card. */
async function addViewer(tx: Tx, ctx: PublicCtx, viewer: Viewer, state: ViewerState): Promise<void> {
  const { subscription } = state;
  const twins = subscription === null ? none : await deleteTwins(tx, viewer, subscription.pushEndpoint);
  const { others, evicted } = await makeRoom(tx, viewer, { most: mostViewers, until: state.until });
  const hasRoom = others - evicted.viewers < mostViewers;
  const written = hasRoom ? await upsertViewer(tx, viewer, state) : none;
  const web = written.viewers - twins.viewers - evicted.viewers;
  const added = written.added - twins.added - evicted.added;
  if (web !== 0 || added !== 0) await countWallets(tx, ctx, viewer, { web }, null, added);
}

const none = { viewers: 0, added: 0 };

/** Stops counting viewers of a card that have ended by `end`: all of them, or the one. */
export async function dropEnded(
  tx: Tx,
  ctx: PublicCtx,
  viewers: CardKey & { readonly viewerId?: string },
  end: Date,
): Promise<void> {
  await lockCard(tx, viewers);
  const dropped = await deleteEnded(tx, viewers, end);
  if (dropped.viewers > 0) await discount(tx, ctx, viewers, dropped, 'removed');
}

/**
 * Counts a card's web wallets down; the caller holds it and has deleted their rows. What they were still owed has
 * failed when they were the last.
 */
export async function discount(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  dropped: ViewerCount,
  reason: string,
): Promise<void> {
  const { web } = await countWallets(tx, ctx, card, { web: -dropped.viewers }, null, -dropped.added);
  if (web === 0) await recordPushOutcomes(tx, ctx, { wallet: 'web', cards: [card], failure: reason });
}

/** Long enough for a push to reach a browser, which then forgets its copy of the card. */
const graceMs = 86_400_000;

/** An erased card leaves no subscription behind: its browsers are forgotten within a day, installed or not. */
export async function endWebCards(tx: Tx, ctx: PublicCtx, card: CardKey): Promise<void> {
  await shortenViewersOf(tx, card, new Date(ctx.app.now().getTime() + graceMs));
}
