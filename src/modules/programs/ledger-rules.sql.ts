import type { Db } from '../../kit/db/database.ts';
import { prepared } from '../../kit/db/sql.ts';
import type { ProgramRow } from './program-row.ts';

interface Row extends ProgramRow {
  readonly dayEndsAt: Date;
  readonly expiries: readonly (Date | null)[];
}

/**
 * A program with the end of the day of `at` in its workspace's time zone, and for each of the moments when points that
 * are earned then expire: with the day that lies the program's months later, a shorter month's last day at most.
 */
export async function readRules(
  db: Db,
  workspaceId: string,
  passId: string,
  at: Date,
  moments: readonly Date[],
): Promise<Row | undefined> {
  const { rows } = await prepared<Row>`
    select pr.*,
      (date_trunc('day', ${at}::timestamptz at time zone w.timezone) + interval '1 day')
        at time zone w.timezone as day_ends_at,
      array(
        select (date_trunc('day', m.moment at time zone w.timezone + make_interval(months => pr.expiry_months))
          + interval '1 day') at time zone w.timezone
        from unnest(${moments}::timestamptz[]) with ordinality as m(moment, place)
        order by m.place
      ) as expiries
    from programs pr join workspaces w using (workspace_id)
    where pr.workspace_id = ${workspaceId} and pr.pass_id = ${passId}
  `.execute(db);
  return rows[0];
}
