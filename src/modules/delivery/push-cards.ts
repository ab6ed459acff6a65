import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { wakeAfter } from '../../wake-after.ts';
import { wakeDevices } from '../apple/wake-devices.ts';
import { wakeObjects } from '../google/wake-objects.ts';
import { wakeWebCards } from '../webcard/wake-web-cards.ts';
import { jobsOf } from './jobs-of-cards.ts';
import { type PushedCard, upsertPushes } from './pushes.sql.ts';

interface Push {
  /** A top-up pays: the caller's re-send of the update will be free. */
  readonly repaid?: boolean;
  /** The rollout that reaches many cards: devices hear of all of them at once, when it has ended. */
  readonly rolloutId?: string;
}

/**
 * Puts the newest state of installed cards of one workspace on its way to every wallet that holds them, and wakes whoever
 * brings it there once the transaction is committed. The caller has reserved what they cost, or will as its last step.
 */
export async function pushCards(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly PushedCard[],
  { repaid = false, rolloutId }: Push = {},
): Promise<void> {
  const [first] = cards;
  if (first === undefined) return;
  const wakes = {
    pushDevices: (held: readonly PushedCard[]) => wakeDevices(tx, ctx, held, rolloutId ?? null),
    patchObjects: (held: readonly PushedCard[]) => wakeObjects(tx, ctx, held),
    pushWebCards: (held: readonly PushedCard[]) => wakeWebCards(tx, ctx, held),
  };
  const jobs = [...jobsOf(cards)].map(async ([job, held]) => ((await wakes[job](held)) ? [job] : []));
  const push = { repaid, rolledOut: rolloutId !== undefined, at: ctx.app.now() };
  const [due] = await Promise.all([Promise.all(jobs), upsertPushes(tx, first.workspaceId, cards, push)]);
  wakeAfter(tx, ctx, ...due.flat());
}
