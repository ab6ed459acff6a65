import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

/** How far a pass was walked through for cards that were erased, and left something, before a moment. */
export interface ErasureWalk {
  readonly workspaceId: string;
  readonly passId: string;
  readonly erasedBefore: Date;
  /** The card that was looked at last. */
  readonly cursor: string | null;
  readonly dueAt: Date;
}

/** The walks that are not at their ends. */
export const erasureWalks: Queue<ErasureWalk> = {
  table: 'erasureWalks',
  part: 'workspaceId',
  key: { passId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, pass_id, erased_before, cursor, due_at`,
};

/** The next voided cards of a walk, so many at most, and which of them it is about. */
export function listVoided(db: Db, { workspaceId, passId, erasedBefore, cursor }: ErasureWalk, most: number) {
  return sql<{ instanceId: string; isErased: boolean }>`
    select instance_id, coalesce(erased_at < ${erasedBefore}, false) as is_erased
    from instances
    where pass_id = ${passId} and workspace_id = ${workspaceId} and status = 'voided'
      and instance_id > ${cursor ?? firstId}::uuid
    order by instance_id
    limit ${most}
  `.rows(db);
}

/** Forgets a walk that is at its end. */
export async function deleteWalk(tx: Tx, { workspaceId, passId }: ErasureWalk): Promise<void> {
  await sql`
    delete from erasure_walks where workspace_id = ${workspaceId} and pass_id = ${passId}
  `.execute(tx);
}
