import { setTimeout as sleep } from 'node:timers/promises';
import { holdNextCards } from '../cards/wallets.sql.ts';
import type { ClockCtx, DueCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { holdTaken, takeTurn } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { pushCards, skipPushes } from '../pushes/announce-change.ts';
import { type RolloutRow, rolloutTurns, saveStep } from '../pushes/rollouts.sql.ts';
import { freeCredits, releaseCredits, reserveCredits } from '../workspaces/credits/credits.ts';
import { releaseHeldDevices } from './apple/devices.sql.ts';

/** A step is one transaction: what it did is committed with how far it came, so that a crash repeats nothing. */
const step = { cards: 500, devices: 5_000 };
/**
 * Devices are let go no longer than this before their turn comes: a device that is held back is still notified of a change of
 * its own card at once.
 */
const aheadMs = { first: 500, least: 1_000, step: 5_000 };

/** The rollouts that wait for their next step. */
export function rolloutsDue(ctx: DueCtx): DueWork {
  return { queues: [turnsOf(ctx)] };
}

/**
 * Takes the next step of the rollout that waited longest. False when there is none. A step that fails has had its turn:
 * the rollouts of others go on.
 */
export async function walkRollouts(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const queue = turnsOf(ctx);
  const next = await takeTurn({ app: ctx.app, queue }, now());
  if (next === undefined) return false;
  const began = performance.now();
  const isTaken = await database.transaction(async (tx) => {
    const rollout = await holdTaken(tx, queue, next);
    if (rollout === undefined) return false;
    if (rollout.stage === 'cards') await reachCards(tx, ctx, rollout);
    else await letDevicesGo(tx, ctx, rollout);
    return true;
  });
  // Those who wait for an answer use the same database: it gets as much rest as it had work.
  await sleep(performance.now() - began);
  return isTaken;
}

function turnsOf({ app }: ClockCtx) {
  return rolloutTurns(new Date(app.now().getTime() + aheadMs.least));
}

/** Puts the next cards on their way. Their devices are held back until all cards were reached. */
async function reachCards(tx: Tx, ctx: PublicCtx, rollout: RolloutRow): Promise<void> {
  const cards = await holdNextCards(tx, rollout, step.cards);
  const isPaid = rollout.kind === 'message';
  const credits = isPaid ? rollout.credits : await freeCredits(tx, rollout.workspaceId);
  const reached = cards.slice(0, credits);
  // Of a message that is paid for, who came after it was counted does without.
  const skipped = isPaid ? [] : cards.slice(reached.length);
  await pushCards(tx, ctx, reached, { rolloutId: rollout.rolloutId });
  await skipPushes(tx, ctx, skipped);
  await saveStep(tx, rollout, {
    cursor: cards.at(-1)?.instanceId ?? rollout.cursor,
    done: rollout.done + reached.length,
    skipped: rollout.skipped + skipped.length,
    credits: isPaid ? rollout.credits - reached.length : 0,
    stage: cards.length < step.cards ? 'devices' : 'cards',
  });
  if (!isPaid) await reserveCredits(tx, ctx, rollout.workspaceId, reached.length);
}

/** Spreads the pushes to the devices over time: each push brings the device back for all of its cards. */
async function letDevicesGo(tx: Tx, ctx: PublicCtx, rollout: RolloutRow): Promise<void> {
  const now = ctx.app.now();
  const spacingMs = 1_000 / ctx.app.config.rolloutDevicesPerSecond;
  // The pushes begin a moment later, so that letting go and pushing do not get in each other's way.
  const from = new Date(Math.max(now.getTime() + aheadMs.first, rollout.releaseAt.getTime()));
  const limit = Math.min(step.devices, Math.ceil(aheadMs.step / spacingMs));
  const released = await releaseHeldDevices(tx, rollout, { from, spacingMs, limit });
  const isLast = released < limit;
  await saveStep(tx, rollout, {
    releaseAt: new Date(from.getTime() + released * spacingMs),
    ...(isLast && { stage: 'finished', credits: 0, finishedAt: now }),
  });
  // Cards that were removed between the count and their turn.
  if (isLast) await releaseCredits(tx, ctx, rollout.workspaceId, rollout.credits);
}
