import type { EventCounts } from '../events/event-counts.ts';
import { countedTypes } from '../events/event-log.sql.ts';
import type { Db } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import { decodeId } from '../kit/ids.ts';
import { dayOf } from '../kit/time.ts';
import type { PassKey } from '../passes/pass-row.ts';

/** The partner of counts over all partners and none in `statistics_days`. */
export const allPartners = '00000000-0000-0000-0000-000000000000';

/** What is counted of cards, as their timelines name it. */
const cardKinds = countedTypes
  .filter((type) => type.startsWith('instance.'))
  .map((type) => type.slice('instance.'.length));

/** How often something happened on a day. */
export interface DayCount {
  readonly passId: string;
  /** UUID, or `allPartners`. */
  readonly partnerId: string;
  /** `2026-11-03`. */
  readonly day: string;
  readonly kind: string;
  readonly happened: number;
  /** Sums may be beyond what a number can say exactly. */
  readonly pointsIn: string;
  readonly pointsOut: string;
  /** Which cards were active by it; of `allPartners` alone. */
  readonly activeIds: readonly string[];
}

/** Which days they are, and from which moment on events count; null: all do. */
export interface Calendar {
  readonly timezone: string;
  readonly countsFrom: Date | null;
}

type Between = { readonly after: number; readonly to: number };

/**
 * Counts the events of a workspace after one number, up to another. Returns the last number that it has counted: a
 * transaction whose counts were written as a whole is counted only if all its events are within the range.
 */
export async function tallyEvents(
  db: Db,
  workspaceId: string,
  between: Between,
  calendar: Calendar,
): Promise<{ to: number; counts: DayCount[] }> {
  const written = await countWriterEvents(db, workspaceId, between, calendar);
  return written ?? { to: between.to, counts: await tallyLogged(db, workspaceId, between, calendar) };
}

/**
 * Sums the counts that the writers of the events stored with them. Undefined if a former version wrote events without
 * counts, if some events are to be left out, or if the first ones are the rest of a transaction that was counted in part.
 */
async function countWriterEvents(
  db: Db,
  workspaceId: string,
  { after, to }: Between,
  { timezone, countsFrom }: Calendar,
): Promise<{ to: number; counts: DayCount[] } | undefined> {
  const { rows } = await prepared<{ isCounted: boolean; counts: string | null; instanceIds: string | null }>`
    select bool_and(case when seq = ${after}::bigint + 1 then counts <> '' else counts is not null end) as is_counted,
      string_agg(nullif(counts, ''), E'\\n' order by seq) as counts,
      string_agg(coalesce(instance_id::text, ''), ',' order by seq) as instance_ids
    from event_log where workspace_id = ${workspaceId} and seq > ${after} and seq <= ${to}
  `.execute(db);
  const [row] = rows;
  if (row?.isCounted !== true) return undefined;
  const instanceIds = row.instanceIds?.split(',') ?? [];
  const counts: QuarterCount[] = [];
  let place = 0;
  for (const line of row.counts?.split('\n') ?? []) {
    const written: EventCounts = JSON.parse(line);
    if (countsFrom !== null && written.since !== null && written.since < countsFrom.getTime())
      return undefined;
    if (place + written.events > instanceIds.length) break;
    for (const { quarter, active, ...count } of written.counts) {
      const activeIds = active.map((at) => instanceIds[place + at] ?? '');
      const common = { ...count, quarter: new Date(quarter) };
      counts.push({ ...common, partner: null, isEverywhere: true, activeIds });
      if (count.partner !== null) counts.push({ ...common, isEverywhere: false, activeIds: [] });
    }
    place += written.events;
  }
  return place === 0 ? undefined : { to: after + place, counts: byDay(counts, timezone) };
}

/** Counts the events themselves. */
function tallyLogged(
  db: Db,
  workspaceId: string,
  { after, to }: Between,
  calendar: Calendar,
): Promise<DayCount[]> {
  const events = sql`
    select type, pass_id, instance_id, data, created_at from event_log
    where workspace_id = ${workspaceId} and seq > ${after} and seq <= ${to}
  `;
  return tally(db, happenedBy(events, calendar), calendar);
}

/**
 * Turns events about cards and their points into rows to count. `at` is the time of the entry, or of the card, as lists
 * filter by it. Events that an erasure has emptied give no entries: they were counted before.
 */
export function happenedBy(events: Sql, { countsFrom }: Pick<Calendar, 'countsFrom'>): Sql {
  return sql`
    select * from (
      select e.pass_id, e.instance_id, fields."partnerId" as partner, coalesce(fields.kind, substr(e.type, 10)) as kind,
        coalesce(fields.points, 0) as points,
        case when fields.kind is null and e.type <> 'instance.issued' then e.created_at
          else coalesce(fields."createdAt", e.created_at) end as at
      from (
        select * from (${events}) as log
        where type = any(${countedTypes}::text[])
          and pass_id is not null
        offset 0
      ) as e
      cross join lateral json_to_record(e.data)
        as fields(kind text, points bigint, "partnerId" text, "createdAt" timestamptz)
      where fields.kind is not null or e.type like 'instance.%'
    ) as happened
    where ${countsFrom === null ? sql`true` : sql`at >= ${countsFrom}`}
  `;
}

/** The same of what happened before that moment to some cards of a pass: they are named by their ids. */
export async function tallyCards(
  db: Db,
  { workspaceId, passId }: PassKey,
  ids: { readonly after: string; readonly through: string },
  calendar: Calendar,
): Promise<DayCount[]> {
  const { countsFrom } = calendar;
  const happened = sql`
    select ${passId}::uuid as pass_id, instance_id, partner_id::text as partner, happened.kind, 0::bigint as points,
      happened.at
    from (
      select instance_id, partner_id, created_at from instances
      where pass_id = ${passId} and workspace_id = ${workspaceId}
        and instance_id > ${ids.after}::uuid and instance_id <= ${ids.through}::uuid
      offset 0
    ) as card
    cross join lateral (
      select 'issued' as kind, card.created_at as at where card.created_at < ${countsFrom}
      union all
      select replace(kind, 'instance.', ''), created_at from instance_events
      where instance_id = card.instance_id and workspace_id = ${workspaceId} and created_at < ${countsFrom}
        and replace(kind, 'instance.', '') = any(${cardKinds.filter((kind) => kind !== 'issued')}::text[])
    ) as happened
  `;
  return tally(db, happened, calendar);
}

/** The same of the entries of accounts. */
export async function tallyAccounts(
  db: Db,
  { workspaceId, passId }: PassKey,
  accountIds: readonly string[],
  calendar: Calendar,
): Promise<DayCount[]> {
  const happened = sql`
    select ${passId}::uuid as pass_id, e.instance_id, e.partner_id::text as partner,
      case e.kind when 'correction' then 'adjust' else e.kind end as kind, e.points, e.created_at as at
    from unnest(${accountIds}::uuid[]) as a(account_id)
    cross join lateral (
      select instance_id, partner_id, kind, points, created_at from loyalty_entries
      where account_id = a.account_id and workspace_id = ${workspaceId}
      offset 0
    ) as e
    where e.created_at < ${calendar.countsFrom}
  `;
  return tally(db, happened, calendar);
}

interface QuarterCount extends Omit<DayCount, 'day' | 'partnerId'> {
  /** The beginning of a quarter of an hour: each is within one day, whatever the time zone. */
  readonly quarter: Date;
  readonly partner: string | null;
  readonly isEverywhere: boolean;
}

/** Adds up what happened, everywhere and by partner. */
async function tally(db: Db, happened: Sql, { timezone }: Calendar): Promise<DayCount[]> {
  const { rows } = await sql<QuarterCount>`
    select pass_id, partner, quarter, kind, grouping(partner) = 1 as is_everywhere,
      count(*) as happened, sum(greatest(points, 0))::text as points_in, sum(least(points, 0))::text as points_out,
      case when grouping(partner) = 1 and kind in ('earn', 'redeem') then array_agg(distinct instance_id) else '{}' end
        as active_ids
    from (
      select *, date_bin('15 minutes', at, timestamptz 'epoch') as quarter from (${happened}) as happened
    ) as timed
    group by grouping sets ((pass_id, quarter, kind), (pass_id, quarter, kind, partner))
    having grouping(partner) = 1 or partner is not null
  `.execute(db);
  return byDay(rows, timezone);
}

/** Counts of days: they are made here, since the database may know other time zones than those that a workspace may have. */
function byDay(quarters: readonly QuarterCount[], timezone: string): DayCount[] {
  const days = new Map<number, string>();
  const dayAt = (quarter: Date) => {
    const day = days.get(quarter.getTime()) ?? dayOf(timezone, quarter);
    days.set(quarter.getTime(), day);
    return day;
  };
  const counts = quarters.map(({ partner, isEverywhere, quarter, ...count }) => ({
    ...count,
    day: dayAt(quarter),
    partnerId: isEverywhere ? allPartners : uuidOf(partner ?? ''),
  }));
  const keyOf = ({ passId, partnerId, day, kind }: DayCount) => [passId, partnerId, day, kind].join();
  return Map.groupBy(counts, keyOf).values().map(together).toArray();
}

/** Counts of one day together. */
function together(counts: DayCount[]): DayCount {
  const sum = (points: (count: DayCount) => string) =>
    String(counts.reduce((whole, count) => whole + BigInt(points(count)), 0n));
  return {
    ...(counts[0] as DayCount),
    happened: counts.reduce((whole, count) => whole + count.happened, 0),
    pointsIn: sum(({ pointsIn }) => pointsIn),
    pointsOut: sum(({ pointsOut }) => pointsOut),
    activeIds: [...new Set(counts.flatMap(({ activeIds }) => activeIds))],
  };
}

/** Events name a partner by its public id. */
function uuidOf(partner: string): string {
  const uuid = partner.startsWith('part_') ? decodeId('part', partner) : partner;
  if (uuid === null) throw new Error('an event names a partner by no id');
  return uuid;
}
