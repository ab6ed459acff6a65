import type { SeqRange } from '../events/event-log.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { addDays } from './days.sql.ts';
import { tallyEvents } from './tally.sql.ts';

/**
 * Adds events of a workspace to its statistics; those of before `countsFrom` are left out. Returns the last number that was counted. The
 * caller holds the cursor of the log, so that each is counted once.
 */
export async function countEvents(
  tx: Tx,
  workspaceId: string,
  { from, to: last }: SeqRange,
  countsFrom: Date | null,
): Promise<number> {
  const { timezone } = await ownWorkspace(tx, { workspaceId });
  const next = { after: from - 1, to: last };
  const { to, counts } = await tallyEvents(tx, workspaceId, next, { timezone, countsFrom });
  await addDays(tx, workspaceId, counts);
  return to;
}
