import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { KindCount } from './statistics.schema.ts';
import { allPartners, happenedBy } from './tally.sql.ts';

/** The pass of a program of points, and how far the events of its workspace are counted. */
export interface CountedProgram {
  readonly passId: string;
  readonly countedSeq: number;
  readonly lastSeq: number;
  readonly countsFrom: Date | null;
  readonly isWalked: boolean;
}

export function findCountedProgram(
  db: Db,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
): Promise<CountedProgram | undefined> {
  return sql<CountedProgram>`
    select p.pass_id, coalesce(c.counted_seq, 0) as counted_seq, coalesce(e.last_seq, 0) as last_seq, c.counts_from,
      not exists (
        select from statistics_walks w where w.pass_id = p.pass_id and w.workspace_id = ${workspaceId}
      ) as is_walked
    from programs p
    left join statistics_cursors c on c.workspace_id = ${workspaceId}
    left join event_counters e on e.workspace_id = ${workspaceId}
    where p.program_id = ${programId} and p.workspace_id = ${workspaceId} and p.currency is null
  `.first(db);
}

/** What statistics say of a pass from the first day on, with what they will say of the events that are not counted yet. */
export function countWhole(
  db: Db,
  workspaceId: string,
  { passId, countedSeq, countsFrom }: CountedProgram,
): Promise<KindCount[]> {
  const uncounted = sql`
    select type, pass_id, instance_id, data, created_at from event_log
    where workspace_id = ${workspaceId} and seq > ${countedSeq} and pass_id = ${passId}
  `;
  return sql<KindCount>`
    select kind, sum(happened)::bigint as happened, sum(points_in)::text as points_in, sum(points_out)::text as points_out
    from (
      select kind, happened, points_in, points_out from statistics_days
      where pass_id = ${passId} and partner_id = ${allPartners} and workspace_id = ${workspaceId}
      union all
      select kind, 1, greatest(points, 0), least(points, 0) from (${happenedBy(uncounted, { countsFrom })}) as happened
    ) as whole
    group by kind
  `.rows(db);
}
