import type { Page } from '../engine/page.ts';
import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { Ages } from '../ledger/ages.ts';
import type { KindCount } from './statistics.schema.ts';
import { allPartners } from './tally.sql.ts';

/** What is asked for: one pass of a workspace or all, from one day to another. */
export interface Asked {
  readonly workspaceId: string;
  /** UUID; null: all. */
  readonly passId: string | null;
  readonly from: string;
  readonly to: string;
}

export type Unit = 'day' | 'week' | 'month';

/** What has happened in each day, week or month: of a partner, or everywhere. */
export function countByPeriod(db: Db, asked: Asked, unit: Unit, partnerId: string | null) {
  return sql<KindCount & { begins: string }>`
    select date_trunc(${unit}, day::timestamp)::date::text as begins, kind, ${sums}
    from (${passesOf(asked)}) as p cross join lateral (${daysOf(asked, sql`${partnerId ?? allPartners}`)}) as d
    group by 1, 2
  `.rows(db);
}

/** What has happened at each of some partners. */
export function countByPartner(db: Db, asked: Asked, partnerIds: readonly string[]) {
  return sql<KindCount & { partnerId: string }>`
    select partner.id as partner_id, kind, ${sums}
    from unnest(${sql.list(partnerIds, 'uuid')}) as partner(id)
    cross join (${passesOf(asked)}) as p
    cross join lateral (${daysOf(asked, sql`partner.id`)}) as d
    group by 1, 2
  `.rows(db);
}

const sums = sql`sum(happened)::bigint as happened, sum(points_in)::text as points_in, sum(points_out)::text as points_out`;

function passesOf({ workspaceId, passId }: Pick<Asked, 'workspaceId' | 'passId'>): Sql {
  return passId === null
    ? sql`select pass_id from passes where workspace_id = ${workspaceId}`
    : sql`select ${passId}::uuid as pass_id`;
}

function daysOf({ workspaceId, from, to }: Asked, partnerId: Sql): Sql {
  return sql`
    select * from statistics_days
    where pass_id = p.pass_id and partner_id = ${partnerId} and day between ${from}::date and ${to}::date
      and workspace_id = ${workspaceId}
    offset 0
  `;
}

/** How many cards were active in each day, week or month. */
export function countActive(db: Db, asked: Asked, unit: Unit): Promise<{ begins: string; cards: number }[]> {
  return sql<{ begins: string; cards: number }>`
    select begins::text as begins, sum(cards)::bigint as cards
    from (${passesOf(asked)}) as p
    cross join lateral (
      select begins, cards from statistics_active
      where pass_id = p.pass_id and unit = ${unit} and begins between ${asked.from}::date and ${asked.to}::date
        and workspace_id = ${asked.workspaceId}
      offset 0
    ) as a
    group by 1
  `.rows(db);
}

/** Cards by when they were awarded or redeemed, to this day: the first time since one, the last time since it, and before another. */
export async function countVisitors(
  db: Db,
  { workspaceId, passId }: Pick<Asked, 'workspaceId' | 'passId'>,
  { from, awayFrom }: { readonly from: string; readonly awayFrom: string },
): Promise<{ came: number; new: number; away: number }> {
  const { rows } = await sql<{ came: number; new: number; away: number }>`
    select coalesce(sum(cards) filter (where visit = 'last' and day >= ${from}::date), 0)::bigint as came,
      coalesce(sum(cards) filter (where visit = 'first' and day >= ${from}::date), 0)::bigint as new,
      coalesce(sum(cards) filter (where visit = 'last' and day < ${awayFrom}::date), 0)::bigint as away
    from (${passesOf({ workspaceId, passId })}) as p
    cross join lateral (
      select visit, day, cards from statistics_visitors
      where pass_id = p.pass_id and workspace_id = ${workspaceId}
      offset 0
    ) as v
  `.execute(db);
  return rows[0] ?? { came: 0, new: 0, away: 0 };
}

/** Cards on which a reward waits: so many are counted at most. */
export async function countRewarded(
  db: Db,
  { workspaceId, passId }: Pick<Asked, 'workspaceId' | 'passId'>,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ cards: number }>`
    select count(*)::int as cards
    from (
      select 1
      from (${passesOf({ workspaceId, passId })}) as p
      cross join lateral (
        select program_id from programs where pass_id = p.pass_id and workspace_id = ${workspaceId} limit 1
      ) as program
      cross join lateral (
        select 1 from loyalty_accounts
        where program_id = program.program_id and workspace_id = ${workspaceId} and pending_rewards > 0
        limit ${most}
      ) as rewarded
      limit ${most}
    ) as counted
  `.execute(db);
  return rows[0]?.cards ?? 0;
}

/** The sum of all balances of points. */
export async function sumOutstanding(db: Db, asked: Pick<Asked, 'workspaceId' | 'passId'>): Promise<string> {
  const { rows } = await sql<{ points: string }>`
    select coalesce(sum(t.outstanding), 0)::text as points
    from (${passesOf(asked)}) as p
    cross join lateral (
      select program_id from programs
      where pass_id = p.pass_id and workspace_id = ${asked.workspaceId} and currency is null
      limit 1
    ) as program
    cross join lateral (
      select outstanding from program_totals
      where program_id = program.program_id and workspace_id = ${asked.workspaceId}
      offset 0
    ) as t
  `.execute(db);
  return rows[0]?.points ?? '0';
}

/** Partners of the workspace, newest first; deleted ones too, which have their figures as before. */
export function listAllPartners(db: Db, workspaceId: string, { after, take }: Page) {
  return sql<{ partnerId: string; name: string }>`
    select partner_id, name from partners
    where workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and partner_id < ${after}`}
    order by partner_id desc limit ${take}
  `.rows(db);
}

/** Whether what was before events were counted is counted, too. */
export async function isWalked(
  db: Db,
  { workspaceId, passId }: Pick<Asked, 'workspaceId' | 'passId'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from (${passesOf({ workspaceId, passId })}) as p
    cross join lateral (
      select 1 from statistics_walks where pass_id = p.pass_id and workspace_id = ${workspaceId} limit 1
    ) as walk
    limit 1
  `.execute(db);
  return rows.length === 0;
}

/** Points of programs by their ages, as the newest audit of the workspace has them, and when it began. */
export async function findAges(
  db: Db,
  { workspaceId, passId }: Pick<Asked, 'workspaceId' | 'passId'>,
): Promise<{ at: Date; ages: readonly (readonly string[])[] } | undefined> {
  const ofPass = passId === null ? sql`` : sql`and pass_id = ${passId}`;
  const { rows } = await sql<{ startedAt: Date; ages: Ages | null; programIds: string[] }>`
    select started_at, ages, array(
        select program_id from programs where workspace_id = ${workspaceId} and currency is null ${ofPass}
      ) as program_ids
    from ledger_audits
    where workspace_id = ${workspaceId} order by audit_id desc limit 1
  `.execute(db);
  const { startedAt: at, ages = null, programIds = [] } = rows[0] ?? {};
  if (at === undefined || ages === null) return undefined;
  return { at, ages: programIds.map((programId) => ages[programId] ?? []) };
}
