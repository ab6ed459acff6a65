import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { deleteFlush, postponeFlush, takeFlush } from './credits.sql.ts';

/** The workspace whose top-up has waited longest to pay for skipped pushes; nobody else works on it meanwhile. */
export async function takeNextFlush(tx: Tx): Promise<string | undefined> {
  return takeFlush(tx);
}

/** Ends the flush of a workspace, or lets those of others go before its next step. */
export async function endFlushStep(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  isLast: boolean,
): Promise<void> {
  if (isLast) await deleteFlush(tx, workspaceId);
  else await postponeFlush(tx, workspaceId, ctx.app.now());
}
