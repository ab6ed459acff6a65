import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** A day of a pass, in the time zone of its workspace: `2027-01-31`. */
export interface JoinDay {
  readonly workspaceId: string;
  readonly passId: string;
  readonly day: string;
}

/** Counts one more who joins on a day. False where so many have joined already, and nothing was counted. */
export async function countJoin(
  tx: Tx,
  { workspaceId, passId, day }: JoinDay,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into join_days as d (workspace_id, pass_id, day, joined) values (${workspaceId}, ${passId}, ${day}, 1)
    on conflict (pass_id, day, workspace_id) do update set joined = d.joined + 1 where d.joined < ${most}
    returning 1
  `.execute(tx);
  return rows.length > 0;
}

/** How many have joined on a day. */
export async function countJoined(db: Db, { workspaceId, passId, day }: JoinDay): Promise<number> {
  const { rows } = await sql<{ joined: number }>`
    select joined from join_days where pass_id = ${passId} and day = ${day} and workspace_id = ${workspaceId}
  `.execute(db);
  return rows[0]?.joined ?? 0;
}

/** Days before a date, the oldest first. */
export function findPastDays(db: Db, before: string, limit: number): Promise<JoinDay[]> {
  return sql<JoinDay>`
    select workspace_id, pass_id, day::text as day from join_days d where d.day < ${before} order by d.day limit ${limit}
  `.rows(db);
}

export async function deleteDays(tx: Tx, workspaceId: string, days: readonly JoinDay[]): Promise<void> {
  await sql`
    delete from join_days d
    using unnest(${days.map(({ passId }) => passId)}::uuid[], ${days.map(({ day }) => day)}::date[]) as past(pass_id, day)
    where d.pass_id = past.pass_id and d.day = past.day and d.workspace_id = ${workspaceId}
  `.execute(tx);
}
