import type { ClockCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { firstId } from '../kit/ids.ts';
import { endAllFlushes } from '../workspaces/credits/flushes.ts';
import { releaseCredits } from '../workspaces/credits/hold-credits.ts';
import { listOwing, walletNames } from './pushes.sql.ts';
import { listOpenRollouts, saveStep } from './rollouts.sql.ts';
import { settlePushes } from './settle-pushes.ts';

const cardsPerStep = 2_000;

/**
 * Gives up all pushes that wait, of all workspaces, since they may have been sent before the database was restored. Their
 * credits come back, and their timelines say why; the next change of a card brings its newest state. Answers how many
 * cards it concerns.
 */
export async function dropPushes(tx: Tx, ctx: ClockCtx): Promise<number> {
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
      await settlePushes(tx, ctx, { wallet, cards, failure: 'restored' });
    }
    dropped += owing.length;
  }
}

/** Ends all rollouts where they are, with the credits of messages that they have yet to bring. Answers how many. */
export async function endRollouts(tx: Tx, ctx: ClockCtx): Promise<number> {
  const rollouts = await listOpenRollouts(tx);
  for (const rollout of rollouts) {
    await saveStep(tx, rollout, { stage: 'finished', credits: 0, finishedAt: ctx.app.now() });
    await releaseCredits(tx, ctx, rollout.workspaceId, rollout.credits);
  }
  return rollouts.length;
}
