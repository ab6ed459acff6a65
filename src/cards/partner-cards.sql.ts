import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** Cards of one pass that were issued at a partner. */
export interface PartnerCards {
  readonly passId: string;
  readonly title: string;
  readonly programId: string | null;
  readonly cards: number;
}

/** The cards of a partner that were made from `from` until before `to`, counted by pass; their ids lie between two. */
export function countByPass(
  db: Db,
  { workspaceId, partnerId }: { workspaceId: string; partnerId: string },
  { from, to, firstId, lastId }: { from: Date; to: Date; firstId: string; lastId: string },
): Promise<PartnerCards[]> {
  return sql<PartnerCards>`
    select c.pass_id, p.title, p.program_id, c.cards
    from (
      select pass_id, count(*) as cards
      from instances
      where workspace_id = ${workspaceId} and partner_id = ${partnerId}
        and instance_id >= ${firstId} and instance_id < ${lastId}
        and created_at >= ${from} and created_at < ${to}
      group by pass_id
    ) as c
    join passes p on p.workspace_id = ${workspaceId} and p.pass_id = c.pass_id
  `.rows(db);
}
