import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { holdTaken, takeTurn } from '../../engine/queue.sql.ts';
import type { Tx } from '../../kit/db/database.ts';
import { deleteAllFlushes, deleteFlush, type FlushRow, flushTurns } from './credits.sql.ts';

/** The top-ups that have yet to pay for skipped pushes. */
export function flushesDue(): DueWork {
  return { queues: [flushTurns] };
}

/**
 * The flush that has waited longest to pay for skipped pushes. It has had its turn with that, in a transaction of its
 * own: should its step fail, others go on.
 */
export async function takeNextFlush({ app }: PublicCtx): Promise<FlushRow | undefined> {
  return takeTurn({ app, queue: flushTurns }, app.now());
}

/** Keeps a flush from other workers until the transaction ends. False where one of them has it, or it has ended. */
export async function keepFlush(tx: Tx, flush: FlushRow): Promise<boolean> {
  return (await holdTaken(tx, flushTurns, flush)) !== undefined;
}

/** Ends the flush of a workspace: all was paid for, or no credit is left. */
export async function endFlush(tx: Tx, workspaceId: string): Promise<void> {
  await deleteFlush(tx, workspaceId);
}

/** Ends the flushes of all workspaces: what waits for credits waits for the next top-up. */
export async function endAllFlushes(tx: Tx): Promise<void> {
  await deleteAllFlushes(tx);
}
