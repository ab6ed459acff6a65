import type { Db } from '../../kit/db/database.ts';
import { listRollouts, newestRollouts, type RolloutRow } from './rollouts.sql.ts';

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
