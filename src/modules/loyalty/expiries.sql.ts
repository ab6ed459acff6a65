import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Cards of one pass whose accounts have points that are over. */
export interface DueCards {
  readonly workspaceId: string;
  readonly passId: string;
  readonly instanceIds: readonly string[];
}

/** The cards of the pass whose points have been over for longest; those in `except` are passed over. */
export async function findDueCards(
  db: Db,
  at: Date,
  except: readonly string[],
  limit: number,
): Promise<DueCards | undefined> {
  // In the order of one index, and cut where another program begins: points of a program are over at one moment.
  const { rows } = await sql<DueCards>`
    with due as materialized (
      select workspace_id, program_id, instance_id
      from loyalty_accounts
      where next_expiry_at <= ${at} and not instance_id = any(${except}::uuid[])
      order by next_expiry_at, program_id
      limit ${limit}
    ), longest as (
      select workspace_id, program_id from due limit 1
    )
    select p.workspace_id, p.pass_id, array(
      select d.instance_id from due d where d.workspace_id = p.workspace_id and d.program_id = p.program_id
    ) as instance_ids
    from longest join programs p using (workspace_id, program_id)
  `.execute(db);
  return rows[0];
}
