import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { allPartners, type DayCount } from './tally.sql.ts';

/** Adds to the days of a workspace, and to its active cards. The cursor of the workspace is held. */
export async function addDays(tx: Tx, workspaceId: string, counts: readonly DayCount[]): Promise<void> {
  if (counts.length === 0) return;
  await prepared`
    insert into statistics_days as d (workspace_id, pass_id, partner_id, day, kind, happened, points_in, points_out)
    select ${workspaceId}, *
    from unnest(
      ${sql.list(counts, 'uuid', ({ passId }) => passId)}, ${sql.list(counts, 'uuid', ({ partnerId }) => partnerId)},
      ${sql.list(counts, 'date', ({ day }) => day)}, ${sql.list(counts, 'text', ({ kind }) => kind)},
      ${sql.list(counts, 'bigint', ({ happened }) => happened)},
      ${sql.list(counts, 'numeric', ({ pointsIn }) => pointsIn)},
      ${sql.list(counts, 'numeric', ({ pointsOut }) => pointsOut)}
    )
    on conflict (pass_id, partner_id, day, kind, workspace_id) do update
    set happened = d.happened + excluded.happened, points_in = d.points_in + excluded.points_in,
      points_out = d.points_out + excluded.points_out
  `.execute(tx);
  await addActive(tx, workspaceId, counts);
}

/** Counts cards in the days, weeks and months that are new to them. */
async function addActive(tx: Tx, workspaceId: string, counts: readonly DayCount[]): Promise<void> {
  const active = counts
    .filter(({ partnerId }) => partnerId === allPartners)
    .flatMap(({ passId, day, activeIds }) => activeIds.map((instanceId) => ({ passId, day, instanceId })));
  const seen = await leaveOutKnown(tx, workspaceId, active);
  if (seen.length === 0) return;
  await moveVisitors(tx, workspaceId, seen);
  const days = sql`
    unnest(
      ${sql.list(seen, 'uuid', ({ passId }) => passId)}, ${sql.list(seen, 'uuid', ({ instanceId }) => instanceId)},
      ${sql.list(seen, 'date', ({ day }) => day)}
    ) as seen(pass_id, instance_id, day)
  `;
  await prepared`
    insert into statistics_active as a (workspace_id, pass_id, unit, begins, cards)
    select ${workspaceId}, pass_id, unit, begins, count(distinct instance_id)
    from (
      select seen.pass_id, seen.instance_id, period.*
      from ${days}
      left join lateral (
        select first_day, last_day from statistics_cards
        where instance_id = seen.instance_id and workspace_id = ${workspaceId}
        limit 1
      ) as known on true
      cross join lateral (
        select unit, date_trunc(unit, seen.day::timestamp)::date as begins,
          date_trunc(unit, known.first_day::timestamp)::date as first, date_trunc(unit, known.last_day::timestamp)::date as last
        from (values ('day'), ('week'), ('month')) as units(unit)
      ) as period
    ) as new
    where first is null or begins < first or begins > last
    group by pass_id, unit, begins
    on conflict (pass_id, unit, begins, workspace_id) do update set cards = a.cards + excluded.cards
  `.execute(tx);
  await prepared`
    insert into statistics_cards as c (workspace_id, instance_id, first_day, last_day)
    select ${workspaceId}, instance_id, min(day), max(day) from ${days} group by instance_id
    on conflict (instance_id, workspace_id) do update
    set first_day = least(c.first_day, excluded.first_day), last_day = greatest(c.last_day, excluded.last_day)
  `.execute(tx);
}

/** Counts cards on the days of their first and last visits: off the days that they had, and on the new ones. */
async function moveVisitors(
  tx: Tx,
  workspaceId: string,
  seen: readonly { readonly passId: string; readonly instanceId: string; readonly day: string }[],
): Promise<void> {
  await prepared`
    insert into statistics_visitors as v (workspace_id, pass_id, visit, day, cards)
    select ${workspaceId}, pass_id, visit, day, sum(cards)
    from (
      select seen.pass_id, seen.instance_id, min(seen.day) as first_day, max(seen.day) as last_day
      from unnest(
        ${sql.list(seen, 'uuid', ({ passId }) => passId)}, ${sql.list(seen, 'uuid', ({ instanceId }) => instanceId)},
        ${sql.list(seen, 'date', ({ day }) => day)}
      ) as seen(pass_id, instance_id, day)
      group by seen.pass_id, seen.instance_id
    ) as new
    left join lateral (
      select first_day, last_day from statistics_cards
      where instance_id = new.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as known on true
    cross join lateral (
      values ('first', known.first_day, -1), ('first', least(known.first_day, new.first_day), 1),
        ('last', known.last_day, -1), ('last', greatest(known.last_day, new.last_day), 1)
    ) as moved(visit, day, cards)
    where day is not null
    group by pass_id, visit, day
    having sum(cards) <> 0
    on conflict (pass_id, visit, day, workspace_id) do update set cards = v.cards + excluded.cards
  `.execute(tx);
}

/** Without the cards that were counted on these days already: most were, at a busy shop, and all that follows is for the others. */
async function leaveOutKnown<Seen extends { readonly instanceId: string; readonly day: string }>(
  tx: Tx,
  workspaceId: string,
  seen: readonly Seen[],
): Promise<Seen[]> {
  if (seen.length === 0) return [];
  const { rows } = await prepared<{ place: number }>`
    select seen.place
    from unnest(
      ${sql.list(seen, 'uuid', ({ instanceId }) => instanceId)}, ${sql.list(seen, 'date', ({ day }) => day)}
    ) with ordinality as seen(instance_id, day, place)
    left join lateral (
      select true as is_known from statistics_cards
      where instance_id = seen.instance_id and workspace_id = ${workspaceId}
        and first_day <= seen.day and last_day >= seen.day
      limit 1
    ) as known on true
    where known.is_known is null
  `.execute(tx);
  return rows.flatMap(({ place }) => seen[place - 1] ?? []);
}
