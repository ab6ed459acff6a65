import type { JobName, PublicCtx } from './context.ts';
import type { Tx } from './kit/db/database.ts';

/** Wakes jobs once the transaction is committed: it leaves something for them to do. */
export function wakeAfter(tx: Tx, { app }: PublicCtx, ...jobs: readonly JobName[]): void {
  for (const job of jobs) tx.unit.afterCommit(job, () => app.wake(job));
}
