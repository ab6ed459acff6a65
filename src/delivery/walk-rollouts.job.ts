import { setTimeout as sleep } from 'node:timers/promises';
import { scanCards, setMessageOnCards } from '../cards/audience.sql.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import { findInstances } from '../cards/instances.sql.ts';
import { shownNow } from '../cards/last-modified.ts';
import { lockCards, lockNextCards } from '../cards/wallets.sql.ts';
import type { ClockCtx, DueCtx, PublicCtx } from '../context.ts';
import { freeCredits, releaseCredits, reserveCredits } from '../credits/credits.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { acquirePace, lockLeased } from '../engine/queue.sql.ts';
import { noteMessage } from '../events/note-on-timeline.ts';
import type { Tx } from '../kit/db/database.ts';
import { findPassOf } from '../passes/passes.sql.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import { pushCards, skipPushes } from '../pushes/announce-change.ts';
import { causeOf, finishRollout } from '../pushes/begin-rollout.ts';
import type { LockedCard } from '../pushes/pushes.sql.ts';
import { type Audience, type RolloutRow, rolloutTurns, saveStep } from '../pushes/rollouts.sql.ts';
import { releaseHeldDevices } from './apple/devices.sql.ts';
import { matchOf } from './audience.ts';

/** A step is one transaction: what it did is committed with how far it came, so that a crash repeats nothing. */
const step = { cards: 500, looked: 5_000, devices: 5_000 };
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
  const next = await acquirePace({ app: ctx.app, queue }, now());
  if (next === undefined) return false;
  const began = performance.now();
  const isTaken = await database.transaction(async (tx) => {
    const rollout = await lockLeased(tx, queue, next);
    if (rollout === undefined) return false;
    if (rollout.stage === 'cards') await pushToCards(tx, ctx, rollout);
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
async function pushToCards(tx: Tx, ctx: PublicCtx, rollout: RolloutRow): Promise<void> {
  const { cards, cursor, isLast } = await nextCards(tx, ctx, rollout);
  const isPaid = rollout.kind === 'message';
  const credits = isPaid ? rollout.credits : await freeCredits(tx, rollout.workspaceId);
  const requestId = rollout.requestId ?? ctx.requestId;
  const caused = cards.map((card) => ({ ...card, requestId }));
  const reached = caused.slice(0, credits);
  // A paid message does not go to cards that were issued after it was counted.
  const skipped = isPaid ? [] : caused.slice(reached.length);
  await pushCards(tx, ctx, reached, { rollout });
  await skipPushes(tx, ctx, skipped);
  await saveStep(tx, rollout, {
    cursor,
    done: rollout.done + reached.length,
    skipped: rollout.skipped + skipped.length,
    credits: isPaid ? rollout.credits - reached.length : 0,
    stage: isLast ? 'devices' : 'cards',
  });
  if (!isPaid) await reserveCredits(tx, ctx, rollout.workspaceId, reached.length, causeOf(rollout));
}

interface NextCards {
  readonly cards: readonly LockedCard[];
  readonly cursor: string | null;
  readonly isLast: boolean;
}

/** The next installed cards, kept from changing; those of an audience show its message from now on. */
async function nextCards(tx: Tx, ctx: PublicCtx, rollout: RolloutRow): Promise<NextCards> {
  if (rollout.audience !== null) return nextOfAudience(tx, ctx, rollout, rollout.audience);
  const next = await lockNextCards(tx, rollout, step.cards);
  // A void card shows no message.
  const cards = rollout.kind === 'message' ? next.filter(({ status }) => status === 'active') : next;
  return { cards, cursor: next.at(-1)?.instanceId ?? rollout.cursor, isLast: next.length < step.cards };
}

/** Looks at many cards to find a few; what it has looked at is behind it, whether or not they match later. */
async function nextOfAudience(
  tx: Tx,
  ctx: PublicCtx,
  rollout: RolloutRow,
  audience: Audience,
): Promise<NextCards> {
  const { workspaceId, passId, rolloutId, newsId, message } = rollout;
  const [pass, program] = await Promise.all([
    findPassOf(tx, workspaceId, passId),
    programOfPass(tx, workspaceId, passId),
  ]);
  if (pass === undefined) return { cards: [], cursor: rollout.cursor, isLast: true };
  const pick = Math.min(step.cards, rollout.credits);
  const range = { after: rollout.cursor, look: step.looked, pick };
  const { looked, last, matching, instanceIds } = await scanCards(
    tx,
    matchOf({ pass, program }, audience, ctx.app.now()),
    range,
  );
  await lockCards(tx, workspaceId, instanceIds);
  const rows = await findInstances(tx, workspaceId, instanceIds);
  // One that was removed while it was waited for is passed over.
  const cards = rows.filter((row) => row?.installed === true) as InstanceRow[];
  const notified = cards.map((row) => ({ ...row, shownAt: shownNow(ctx, row) }));
  await setMessageOnCards(tx, notified, { text: message, id: newsId ?? rolloutId });
  await noteMessage(tx, ctx, workspaceId, cards, rollout.actor);
  const isThrough = instanceIds.length === matching;
  return {
    cards,
    cursor: (isThrough ? last : instanceIds.at(-1)) ?? rollout.cursor,
    isLast: (isThrough && looked < step.looked) || cards.length === rollout.credits,
  };
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
  await saveStep(tx, rollout, { releaseAt: new Date(from.getTime() + released * spacingMs) });
  if (!isLast) return;
  await finishRollout(tx, ctx, rollout);
  // Cards that were removed between the count and their turn.
  await releaseCredits(tx, ctx, rollout.workspaceId, rollout.credits, causeOf(rollout));
}
