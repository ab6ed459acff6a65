import type { ActorCtx, PublicCtx, WalletJob } from '../context.ts';
import { freeCredits, reserveAtEnd } from '../credits/credits.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import { noteDelivery } from '../events/note-on-timeline.ts';
import { actorOf, recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import type { PushOutcome } from './push-outcome.ts';
import {
  type CausedCard,
  findPush,
  forgetRepaid,
  type LockedCard,
  type PushedCard,
  upsertPushes,
  upsertSkips,
} from './pushes.sql.ts';
import type { RolloutRow } from './rollouts.sql.ts';

/** A card with the wallets that hold it, before the change. */
export interface AnnouncedCard extends LockedCard {
  readonly installed: boolean;
}

/** The outcomes of changes of one workspace's cards in a unit of work. */
interface Changes {
  ctx: PublicCtx | null;
  /** The credits that are free, less those that the unit has taken: handed out in the order of the changes. */
  free: Promise<number> | null;
  taken: number;
  readonly pushed: Map<string, PushedCard & { readonly credits: number }>;
  readonly unpaid: Map<string, CausedCard>;
}

const deferred: DeferredWrite<Changes> = {
  lockRank: lockRankOf('pushes'),
  isFinal: ({ ctx }) => ctx === null,
  empty: () => ({ ctx: null, free: null, taken: 0, pushed: new Map(), unpaid: new Map() }),
  async write(tx, { ctx, pushed, unpaid }) {
    if (ctx === null) return;
    await Promise.all([pushCards(tx, ctx, [...pushed.values()]), noteSkips(tx, ctx, [...unpaid.values()])]);
  },
};

/** Nothing has happened that a wallet could show. */
export const nothingToPush: PushOutcome = { pushed: false, pushSkipReason: 'unchanged' };

/** Asks for what `announceChange` will want to know, for a caller who reads other things in parallel. */
export async function prefetchCredits(tx: Tx, { workspaceId }: ActorCtx): Promise<void> {
  const changes = tx.unit.of(deferred);
  changes.free ??= freeCredits(tx, workspaceId);
  await changes.free;
}

/** The same for a caller who has read the free credits, in this transaction. */
export function useCredits(tx: Tx, free: number): void {
  tx.unit.of(deferred).free ??= Promise.resolve(free);
}

/**
 * Decides on the push of a change: for one credit the card's newest state is pushed when the unit of work ends. `shown` is
 * true if anything that the card shows has changed. If a caller repeats an update whose push was skipped, it is pushed
 * now, for nothing if a top-up has paid for it. The caller has locked the card. The unit of work starts again if another
 * transaction takes the credits.
 */
export async function announceChange(
  tx: Tx,
  ctx: PublicCtx,
  card: AnnouncedCard,
  shown: boolean,
): Promise<PushOutcome> {
  if (shown) return deliver(tx, ctx, card);
  // Another change of this unit has put the newest state on its way already.
  if (tx.unit.of(deferred).pushed.has(card.instanceId)) return nothingToPush;
  const earlier = await findPush(tx, card);
  if (earlier?.repaid === true) {
    await forgetRepaid(tx, card);
    return { pushed: true };
  }
  return earlier === undefined || earlier.skippedAt === null ? nothingToPush : deliver(tx, ctx, card);
}

/**
 * Delivers the newest state of a card that has not changed. It costs a credit, unless the newest state is on its way
 * already or a top-up has paid for it.
 */
export async function announceAgain(tx: Tx, ctx: PublicCtx, card: AnnouncedCard): Promise<PushOutcome> {
  const earlier = await findPush(tx, card);
  if (earlier?.repaid === true) await forgetRepaid(tx, card);
  if (earlier?.repaid === true || (earlier?.underWay === true && earlier.skippedAt === null))
    return { pushed: true };
  return deliver(tx, ctx, card);
}

async function deliver(tx: Tx, ctx: PublicCtx, card: AnnouncedCard): Promise<PushOutcome> {
  const changes = tx.unit.of(deferred);
  changes.ctx = ctx;
  changes.free ??= freeCredits(tx, card.workspaceId);
  if ((await changes.free) <= changes.taken) {
    // Without a wallet there is nothing to make up for later: a wallet that adds the card gets the newest.
    if (card.installed) {
      const skipped = { ...card, requestId: ctx.requestId };
      emitSkipped(tx, ctx, skipped);
      changes.unpaid.set(card.instanceId, skipped);
    }
    return { pushed: false, pushSkipReason: 'insufficient_credits', installed: card.installed };
  }
  if (!card.installed) return { pushed: false, pushSkipReason: 'not_installed' };
  changes.taken += 1;
  const credits = (changes.pushed.get(card.instanceId)?.credits ?? 0) + 1;
  changes.pushed.set(card.instanceId, { ...card, credits, requestId: ctx.requestId });
  reserveAtEnd(tx, ctx, card.workspaceId, card.instanceId);
  return { pushed: true };
}

interface Push {
  /** A top-up pays: the caller's re-send of the update will be free. */
  readonly repaid?: boolean;
  /** The rollout that reaches many cards: devices hear of all of them at once, when it has ended. */
  readonly rollout?: RolloutRow;
}

/**
 * Schedules pushes of installed cards of one workspace to every wallet that holds them, and wakes the pushing jobs after
 * the commit. The caller has reserved the credits, or does so as its last step.
 */
export async function pushCards(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly PushedCard[],
  { repaid = false, rollout }: Push = {},
): Promise<void> {
  const [first] = cards;
  if (first === undefined) return;
  const { now, wakeWallets } = ctx.app;
  const at = now();
  const jobs = jobsOf(cards).map(([job, held]) => wakeWallets[job](tx, held, at, rollout?.rolloutId ?? null));
  const push = {
    repaid,
    // A message to an audience is noted on the timelines of its cards, like a change of their own.
    rolledOut: rollout !== undefined && rollout.audience === null,
    messageId: rollout?.kind === 'message' ? rollout.rolloutId : null,
    at,
  };
  const [due] = await Promise.all([Promise.all(jobs), upsertPushes(tx, first.workspaceId, cards, push)]);
  wakeAfter(tx, ctx, first.workspaceId, ...due.flat());
}

/** The jobs that bring cards to their wallets, each with the number of wallets of a card that it looks after. */
const walletsOf: Readonly<Record<WalletJob, (card: LockedCard) => number>> = {
  pushDevices: (card) => card.appleWallets,
  patchObjects: (card) => card.googleWallets,
  pushWebCards: (card) => card.webWallets,
};

/** The jobs that cards concern, each with those cards; none where no wallet holds them. In the order of their locks. */
function jobsOf<Card extends LockedCard>(
  cards: readonly Card[],
): (readonly [job: WalletJob, cards: Card[]])[] {
  const jobs = Object.keys(walletsOf) as WalletJob[];
  return jobs
    .map((job) => [job, cards.filter((card) => walletsOf[job](card) > 0)] as const)
    .filter(([, held]) => held.length > 0);
}

/** Lets changes of installed cards of one workspace wait for credits: a top-up delivers them. */
export async function skipPushes(tx: Tx, ctx: PublicCtx, cards: readonly CausedCard[]): Promise<void> {
  for (const card of cards) emitSkipped(tx, ctx, card);
  await noteSkips(tx, ctx, cards);
}

const noCredits = { reason: 'insufficient_credits' } as const;

/** Runs before the end of the unit, so that the event leaves with the others. */
function emitSkipped(tx: Tx, ctx: PublicCtx, card: CausedCard): void {
  const { workspaceId, passId, instanceId, requestId } = card;
  const data = { wallet: null, ...noCredits, messageIds: [] };
  recordEvent(
    tx,
    { ...ctx, requestId },
    { type: 'push.skipped', workspaceId, actor: actorOf(ctx), passId, instanceId, data },
  );
}

async function noteSkips(tx: Tx, ctx: PublicCtx, cards: readonly CausedCard[]): Promise<void> {
  const [first] = cards;
  if (first === undefined) return;
  const instanceIds = cards.map((card) => card.instanceId);
  await Promise.all([
    upsertSkips(tx, first.workspaceId, cards, ctx.app.now()),
    noteDelivery(tx, ctx, first.workspaceId, instanceIds, 'push.skipped', noCredits),
  ]);
}
