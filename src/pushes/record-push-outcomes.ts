import type { ClockCtx } from '../context.ts';
import { commonCause, endAllFlushes, noCause, releaseCredits, settleCredits } from '../credits/credits.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import type { CardKey } from '../engine/card-key.ts';
import { noteDelivery } from '../events/note-on-timeline.ts';
import { type EventCtx, recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId, firstId } from '../kit/ids.ts';
import { causeOf, finishRollout } from './begin-rollout.ts';
import { addDeliveries, type DeliveryCount } from './messages.sql.ts';
import {
  listOwing,
  recordWalletOutcome,
  type SettledCard,
  type WalletName,
  walletNames,
} from './pushes.sql.ts';
import { listOpenRollouts } from './rollouts.sql.ts';

interface Delivery {
  readonly wallet: WalletName;
  readonly cards: readonly CardKey[];
  /** Why the wallet will never take the cards' newest state; null when it was notified. */
  readonly failure: string | null;
  /** A remark for the timeline, where the wallet was notified. */
  readonly remark?: string | null;
  /** Passes over what a card owes since then or later. */
  readonly before?: Date;
}

/**
 * Records the outcome of pushes of cards to a wallet, as the last step of a transaction. The first wallet that was
 * notified spends the credits of a card; they are released, once, when all have failed for good. Cards without a pending
 * push to the wallet are skipped, so that it can be called again.
 */
export async function recordPushOutcomes(tx: Tx, ctx: EventCtx, delivery: Delivery): Promise<void> {
  if (delivery.cards.length === 0) return;
  const { wallet, failure, remark = null, before } = delivery;
  const all: (readonly [workspaceId: string, cards: readonly SettledCard[]])[] = [];
  for (const [workspaceId, cards] of byWorkspace(delivery.cards)) {
    const instanceIds = cards.map(({ instanceId }) => instanceId);
    const settled = await recordWalletOutcome(tx, workspaceId, wallet, failure === null, instanceIds, before);
    // The timelines show rollouts already.
    const noted = settled.filter(({ rolledOut }) => failure !== null || !rolledOut);
    const kind = failure === null ? 'push.delivered' : 'push.failed';
    await noteDelivery(
      tx,
      ctx,
      workspaceId,
      noted.map(({ instanceId }) => instanceId),
      kind,
      { wallet, reason: failure ?? remark },
    );
    await countForMessages(tx, workspaceId, settled);
    for (const card of settled)
      emitOutcome(tx, ctx, workspaceId, card, { wallet, reason: failure ?? remark });
    all.push([workspaceId, settled]);
  }
  // Last: the credits' row is the busiest.
  for (const [workspaceId, settled] of all) {
    await moveAll(tx, ctx, workspaceId, settled, 'delivered', settleCredits);
    await moveAll(tx, ctx, workspaceId, settled, 'failed', releaseCredits);
  }
}

/** Emits, once, that a push has reached the first of its wallets, or has failed with the last, with the request that caused it. */
function emitOutcome(
  tx: Tx,
  ctx: EventCtx,
  workspaceId: string,
  { instanceId, passId, outcome, messageIds, requestId }: SettledCard,
  how: { readonly wallet: WalletName; readonly reason: string | null },
): void {
  if (outcome === null) return;
  const caused = { ...ctx, requestId: requestId ?? ctx.requestId };
  const data = { ...how, messageIds: messageIds.map((messageId) => encodeId('push', messageId)) };
  const of = { workspaceId, actor: 'system', passId, instanceId };
  recordEvent(tx, caused, { type: `push.${outcome}`, ...of, data });
}

/** Counts what has ended for the messages that it brought. */
async function countForMessages(tx: Tx, workspaceId: string, settled: readonly SettledCard[]): Promise<void> {
  const counts = new Map<string, DeliveryCount>();
  for (const { messageIds, outcome } of settled) {
    if (outcome === null) continue;
    for (const messageId of messageIds) {
      const { delivered, failed } = counts.get(messageId) ?? { delivered: 0, failed: 0 };
      counts.set(messageId, {
        messageId,
        delivered: delivered + Number(outcome === 'delivered'),
        failed: failed + Number(outcome === 'failed'),
      });
    }
  }
  if (counts.size > 0) await addDeliveries(tx, workspaceId, [...counts.values()]);
}

/** Spends the credits of cards with one outcome, or gives them back, in one entry. */
async function moveAll(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  settled: readonly SettledCard[],
  outcome: SettledCard['outcome'],
  move: typeof settleCredits,
): Promise<void> {
  const moved = settled.filter((card) => card.outcome === outcome && card.credits > 0);
  const credits = moved.reduce((sum, card) => sum + card.credits, 0);
  const causes = moved.map(({ instanceId, requestId, messageIds: [messageId = null, ...more] }) => ({
    ...noCause,
    instanceId,
    requestId,
    messageId: more.length === 0 ? messageId : null,
  }));
  await move(tx, ctx, workspaceId, credits, commonCause(causes));
}

const cardsPerStep = 2_000;

/**
 * Gives up all pushes that wait, of all workspaces, since they may have been sent before the database was restored. Their
 * credits come back, and their timelines say why; the next change of a card brings its newest state. Answers how many
 * cards it concerns.
 */
export async function dropPushes(tx: Tx, ctx: EventCtx): Promise<number> {
  // A top-up that was paying for skipped pushes may have paid for them already: they wait for the next one.
  await endAllFlushes(tx);
  let last = { workspaceId: firstId, instanceId: firstId };
  for (let dropped = 0; ; ) {
    // What was settled lies in the table until the transaction ends: each step begins behind it.
    const owing = await listOwing(tx, cardsPerStep, last);
    last = owing.at(-1) ?? last;
    if (owing.length === 0) return dropped;
    for (const wallet of walletNames) {
      const cards = owing.filter((push) => push[wallet]);
      await recordPushOutcomes(tx, ctx, { wallet, cards, failure: 'restored' });
    }
    // The events of a step are written with it: there may be many.
    await tx.unit.endAll(tx);
    dropped += owing.length;
  }
}

/** Ends all rollouts where they are, with the credits of messages that they have yet to bring. Answers how many. */
export async function endRollouts(tx: Tx, ctx: EventCtx): Promise<number> {
  const rollouts = await listOpenRollouts(tx);
  for (const rollout of rollouts) {
    await finishRollout(tx, ctx, rollout);
    await releaseCredits(tx, ctx, rollout.workspaceId, rollout.credits, causeOf(rollout));
  }
  return rollouts.length;
}
