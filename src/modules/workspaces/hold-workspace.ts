import type { KeyCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { lockWorkspace, type WorkspaceDefaults } from './workspaces.sql.ts';

export type { WorkspaceDefaults };

/** Locks the caller's workspace until the transaction ends: limits that count its rows are exact meanwhile. */
export async function holdWorkspace(
  tx: Tx,
  ctx: KeyCtx,
): Promise<{ plan: string; defaults: WorkspaceDefaults }> {
  const row = await lockWorkspace(tx, ctx.workspaceId);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row;
}
