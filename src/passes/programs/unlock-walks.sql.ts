import type { Queue } from '../../engine/queue.sql.ts';
import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** How far the accounts of a program were looked through for balances that fill a card. */
export interface UnlockWalk {
  readonly workspaceId: string;
  readonly programId: string;
  readonly passId: string;
  /** The account that was looked at last. */
  readonly cursor: string | null;
  /** Who has lowered the threshold, and by which request; null where the walk began with an update of the service. */
  readonly actor: string | null;
  readonly requestId: string | null;
  /** When it begins again after its end; null: it does not. */
  readonly againAt: Date | null;
  readonly dueAt: Date;
}

/** The walks that are not at their ends. */
export const unlockWalks: Queue<UnlockWalk> = {
  job: 'unlockRewards',
  table: 'unlockWalks',
  part: 'workspaceId',
  key: { programId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, program_id, pass_id, cursor, actor, request_id, again_at, due_at`,
};

/** Begins a walk; one that is under way begins anew. */
export async function upsertWalk(tx: Tx, walk: Omit<UnlockWalk, 'cursor'>): Promise<void> {
  const { workspaceId, programId, passId, actor, requestId, againAt, dueAt } = walk;
  await sql`
    insert into unlock_walks (workspace_id, program_id, pass_id, actor, request_id, again_at, due_at)
    values (${workspaceId}, ${programId}, ${passId}, ${actor}, ${requestId}, ${againAt}, ${dueAt})
    on conflict (program_id, workspace_id) do update set
      cursor = null, actor = excluded.actor, request_id = excluded.request_id, again_at = excluded.again_at,
      due_at = excluded.due_at
  `.execute(tx);
}

/** Forgets a walk that is at its end. */
export async function deleteWalk(
  tx: Tx,
  { workspaceId, programId }: Pick<UnlockWalk, 'workspaceId' | 'programId'>,
): Promise<void> {
  await tx
    .deleteFrom('unlockWalks')
    .where('workspaceId', '=', workspaceId)
    .where('programId', '=', programId)
    .execute();
}
