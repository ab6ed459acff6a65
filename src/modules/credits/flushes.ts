import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { deleteAllFlushes, deleteFlush, holdFlush, nextFlush } from './credits.sql.ts';

/**
 * The workspace whose top-up has waited longest to pay for skipped pushes. It has had its turn with that, in a
 * transaction of its own: should its step fail, others go on.
 */
export async function takeNextFlush(ctx: PublicCtx): Promise<string | undefined> {
  const { database, now } = ctx.app;
  return database.transaction((tx) => nextFlush(tx, now()));
}

/** Keeps a flush from other workers until the transaction ends. False where one of them has it, or it has ended. */
export async function keepFlush(tx: Tx, workspaceId: string): Promise<boolean> {
  return holdFlush(tx, workspaceId);
}

/** Ends the flush of a workspace: all was paid for, or no credit is left. */
export async function endFlush(tx: Tx, workspaceId: string): Promise<void> {
  await deleteFlush(tx, workspaceId);
}

/** Ends the flushes of all workspaces: what waits for credits waits for the next top-up. */
export async function endAllFlushes(tx: Tx): Promise<void> {
  await deleteAllFlushes(tx);
}
