import type { Db } from '../../kit/db/database.ts';
import { newestRollouts, type RolloutRow } from './rollouts.sql.ts';

export type { RolloutRow };

/** The newest rollout of each of the passes that has had one. */
export async function rolloutsOf(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<RolloutRow[]> {
  return passIds.length === 0 ? [] : newestRollouts(db, workspaceId, passIds);
}
