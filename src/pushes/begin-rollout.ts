import type { CommandCtx, PublicCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import {
  insertMessageRollout,
  listRollouts,
  newestRollouts,
  type RolloutRow,
  upsertDesignRollout,
} from './rollouts.sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/**
 * Brings a changed design to the installed cards of a pass, in the background: a credit a card, as long as there are
 * any; the others wait for a top-up. `installed` is how many there are. Changed again meanwhile, the walk begins anew.
 */
export async function rollOutDesign(tx: Tx, ctx: CommandCtx, pass: Pass, installed: number): Promise<void> {
  if (installed === 0) return;
  await upsertDesignRollout(tx, pass, installed, ctx.app.now());
  wakeAfter(tx, ctx, pass.workspaceId, 'walkRollouts');
}

/** Brings a message to `recipients` installed cards of a pass; the caller reserves a credit for each. Its id. */
export async function rollOutMessage(
  tx: Tx,
  ctx: PublicCtx,
  pass: Pass,
  recipients: number,
): Promise<string> {
  const rolloutId = newUuidV7();
  await insertMessageRollout(tx, pass, rolloutId, recipients, ctx.app.now());
  wakeAfter(tx, ctx, pass.workspaceId, 'walkRollouts');
  return rolloutId;
}

export type { RolloutRow };

/** The newest rollout of each of the passes that has had one. */
export async function rolloutsOf(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<RolloutRow[]> {
  return passIds.length === 0 ? [] : newestRollouts(db, workspaceId, passIds);
}

/** Rollouts of a pass that began at `since` or later, below the id `before`, newest first. */
export async function rolloutsSince(
  db: Db,
  pass: { workspaceId: string; passId: string },
  range: { since: Date; before: string | null; take: number },
): Promise<RolloutRow[]> {
  return listRollouts(db, pass, range);
}
