import { lockNews, scanNews, setMessageOnCards } from '../cards/audience.sql.ts';
import { findInstances } from '../cards/instances.sql.ts';
import { shownNow } from '../cards/last-modified.ts';
import type { ClockCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { acquirePace, lockLeased } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { changeShown } from '../passes/change-shown.ts';
import { lockPassAlone } from '../passes/passes.sql.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { endMessage } from '../pushes/begin-rollout.ts';
import { endingMessages, type RolloutRow, saveStep } from '../pushes/rollouts.sql.ts';

/** A step is one transaction: what it did is committed with how far it came, so that a crash repeats nothing. */
const step = { cards: 500, looked: 5_000 };

/** Messages whose end has come, or that were taken back. */
export function messagesEnding(_ctx: ClockCtx): DueWork {
  return { queues: [endingMessages] };
}

/**
 * Takes the next step of the message that waited longest: its text leaves the cards, which their wallets learn as any other change, at a
 * credit each. Where a newer message is on a card, that stays. False when there is none.
 */
export async function endMessages(ctx: PublicCtx): Promise<boolean> {
  const next = await acquirePace({ app: ctx.app, queue: endingMessages }, ctx.app.now());
  if (next === undefined) return false;
  return ctx.app.database.transaction(async (tx) => {
    const message = await lockLeased(tx, endingMessages, next);
    if (message === undefined) return false;
    if (message.endedAt === null) await endMessage(tx, ctx, message);
    await (message.audience === null ? leavePass(tx, ctx, message) : leaveCards(tx, ctx, message));
    return true;
  });
}

async function leavePass(tx: Tx, ctx: PublicCtx, message: RolloutRow): Promise<void> {
  const pass = await lockPassAlone(tx, message.workspaceId, message.passId);
  if (pass?.messageId === newsIdOf(message)) await changeShown(tx, ctx, { ...pass, message: null });
  await saveStep(tx, message, { endingAt: null });
}

/** All cards that have it, in wallets or not: one that was removed may be added again. */
async function leaveCards(tx: Tx, ctx: PublicCtx, message: RolloutRow): Promise<void> {
  const { workspaceId, endingCursor } = message;
  const newsId = newsIdOf(message);
  const range = { newsId, after: endingCursor, look: step.looked, pick: step.cards };
  const { looked, last, matching, instanceIds } = await scanNews(tx, message, range);
  const held = await lockNews(tx, workspaceId, { newsId, instanceIds });
  const cards = (await findInstances(tx, workspaceId, held)).filter((row) => row !== undefined);
  const changed = cards.map((row) => ({ ...row, shownAt: shownNow(ctx, row) }));
  await setMessageOnCards(tx, changed, { text: null, id: newsId });
  for (const card of cards) await announceChange(tx, ctx, card, true);
  const isThrough = instanceIds.length === matching;
  await saveStep(tx, message, {
    endingCursor: (isThrough ? last : instanceIds.at(-1)) ?? endingCursor,
    endingAt: isThrough && looked < step.looked ? null : ctx.app.now(),
  });
}

function newsIdOf({ newsId, rolloutId }: RolloutRow): string {
  return newsId ?? rolloutId;
}
