import type { CardKey } from '../../engine/card-key.ts';
import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { type DueDevice, pace, slackMs } from './devices.sql.ts';

/** From when on a device that is pushed to now may be pushed to again. */
function pushFromAfter(pushFrom: Date, now: Date): Date {
  return new Date(Math.max(pushFrom.getTime(), now.getTime() - slackMs) + pace.intervalMs);
}

interface HeldDevice {
  readonly deviceId: string;
  readonly tag: number;
}

/** The device's current state alongside what we pushed. */
interface Pushed {
  readonly held: HeldDevice;
  readonly tag: number;
}

/** Holds devices of one workspace, in the order of their ids. Those that are gone are left out. */
async function lockDevices(
  tx: Tx,
  workspaceId: string,
  devices: readonly DueDevice[],
): Promise<readonly Pushed[]> {
  const tags = new Map(devices.map(({ deviceId, tag }) => [deviceId, tag]));
  const { rows } = await sql<HeldDevice>`
    select d.*
    from unnest(${sql.list([...tags.keys()].sort(), 'uuid')}) as named(device_id)
    cross join lateral (
      select device_id, tag from apple_devices
      where workspace_id = ${workspaceId} and device_id = named.device_id
      for no key update
    ) as d
  `.execute(tx);
  return rows.map((held) => ({ held, tag: tags.get(held.deviceId) ?? 0 }));
}

/**
 * Records that devices of one workspace were pushed to. One that has got another change since stays due, at its pace.
 * Returns the cards whose newest state was pushed.
 */
export async function recordPushed(
  tx: Tx,
  workspaceId: string,
  devices: readonly DueDevice[],
  now: Date,
): Promise<CardKey[]> {
  const sorted = [...devices].sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
  const ids = sql.list(sorted, 'uuid', ({ deviceId }) => deviceId);
  const tags = sql.list(sorted, 'bigint', ({ tag }) => tag);
  // Only the worker that has taken a device moves it.
  const froms = sorted.map(({ pushFrom }) => pushFromAfter(pushFrom, now));
  const recording = sql`
    with held as materialized (
      select pushed.*, d.tag = pushed.tag as is_newest
      from unnest(
        ${ids}, ${tags}, ${sql.list(froms, 'timestamptz')},
        ${sql.list(froms, 'timestamptz', (from) => laterOf(now, from))}
      ) as pushed(device_id, tag, push_from, later)
      cross join lateral (
        select d.tag from apple_devices d
        where d.workspace_id = ${workspaceId} and d.device_id = pushed.device_id
        for no key update
      ) as d
    )
    update apple_devices d
    set due_at = case when held.is_newest then null else held.later end,
      push_from = greatest(d.push_from, held.push_from), pushed_at = ${now}, attempts = 0
    from (select * from held limit ${sorted.length}) as held
    where d.workspace_id = ${workspaceId} and d.device_id = held.device_id
  `.execute(tx);
  // In the same write, as of after the wait for the locks: the first statement itself would show what was before it.
  const reading = sql<CardKey>`
    select ${workspaceId}::uuid as workspace_id, r.instance_id
    from unnest(${ids}, ${tags}) as pushed(device_id, tag)
    -- "offset 0" keeps the order of the join: by the statistics of a moment ago hardly any card has a tag.
    cross join lateral (
      select instance_id from apple_registrations r
      where r.workspace_id = ${workspaceId} and r.device_id = pushed.device_id
        and r.tag > 0 and r.tag <= pushed.tag
      offset 0
    ) as r
  `.execute(tx);
  const [, { rows }] = await Promise.all([recording, reading]);
  return rows;
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/**
 * Stops pushing to devices of one workspace until their next change. One that has got another change since, or has sent
 * another token, is due at once. Returns the cards of the others, less those that a device has which only asks while
 * Apple pushes to another one.
 */
export async function giveUpDevices(
  tx: Tx,
  workspaceId: string,
  devices: readonly DueDevice[],
  now: Date,
): Promise<CardKey[]> {
  const refused = await lockDevices(tx, workspaceId, devices);
  const dueAts = refused.map(({ held, tag }) => (held.tag === tag ? null : now));
  return sql<CardKey>`
    with refused as materialized (
      select * from unnest(${sql.list(refused, 'uuid', ({ held }) => held.deviceId)}, ${sql.list(dueAts, 'timestamptz')})
        as r(device_id, due_at)
    ), given_up as (
      update apple_devices d set due_at = refused.due_at, attempts = 0
      from (select * from refused limit ${refused.length}) as refused
      where d.workspace_id = ${workspaceId} and d.device_id = refused.device_id
    )
    select ${workspaceId}::uuid as workspace_id, r.instance_id
    from refused
    cross join lateral (
      select instance_id from apple_registrations r
      where r.workspace_id = ${workspaceId} and r.device_id = refused.device_id and r.tag > 0
      offset 0
    ) as r
    where refused.due_at is null and not exists (
      select from apple_devices own
      cross join lateral (
        select o.device_id from apple_registrations o
        join apple_devices d on d.workspace_id = ${workspaceId} and d.device_id = o.device_id
        where o.workspace_id = ${workspaceId} and o.instance_id = r.instance_id and not starts_with(d.push_token, ':')
        limit 1
      ) as other
      where own.workspace_id = ${workspaceId} and own.device_id = refused.device_id and starts_with(own.push_token, ':')
    )
  `.rows(tx);
}
