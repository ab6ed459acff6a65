import type { ActorCtx, KeyCtx } from '../context.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { zoneName } from '../kit/time.ts';
import {
  findWorkspace,
  lockWorkspaceRow,
  type WorkspaceDefaults,
  type WorkspaceRow,
} from './workspaces.sql.ts';

/** The caller's workspace at this moment, with the time zone by which days are counted; `lockWorkspace` keeps it from changing. */
export async function ownWorkspace(
  db: Db,
  { workspaceId }: Pick<ActorCtx, 'workspaceId'>,
): Promise<WorkspaceRow> {
  return present(await findWorkspace(db, workspaceId));
}

function present(row: WorkspaceRow | undefined): WorkspaceRow {
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return { ...row, timezone: zoneName(row.timezone) ?? 'UTC' };
}

export type { WorkspaceDefaults };

/** Locks the caller's workspace until the transaction ends: limits that count its rows are exact until then. */
export async function lockWorkspace(
  tx: Tx,
  ctx: KeyCtx,
): Promise<{ plan: string; defaults: WorkspaceDefaults }> {
  const row = await lockWorkspaceRow(tx, ctx.workspaceId);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row;
}
