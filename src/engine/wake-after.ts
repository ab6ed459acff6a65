import type { CommandCtx, JobName } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';

/** Wakes jobs once the transaction is committed: it leaves something for them to do in a workspace. */
export function wakeAfter(
  tx: Tx,
  { app }: CommandCtx,
  workspaceId: string,
  ...jobs: readonly JobName[]
): void {
  for (const job of jobs) tx.unit.afterCommit(`${job} ${workspaceId}`, () => app.wake(job, workspaceId));
}
