import type { Queue } from '../../engine/due.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** A device whose next push is due. */
export interface DueDevice {
  readonly deviceId: number;
  readonly passTypeIdentifier: string;
  readonly dueAt: Date;
  readonly pushToken: string;
  /** What the push will make the device ask for. */
  readonly tag: number;
  readonly attempts: number;
  /** Whether Apple has taken a push to this token before. */
  readonly isKnown: boolean;
}

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** Devices forgive a few pushes in a row, then one a minute. */
const pace = { intervalMs: 60_000, burst: 5 };
export const slackMs = pace.intervalMs * (pace.burst - 1);

/**
 * Gives every device that holds one of the cards, all of one workspace, a new tag, notes it on the cards' registrations,
 * and makes a push due: as soon as the device's pace allows, or once the rollout has ended. A push that is due or under
 * way already is enough: whoever records it sees the new tag. True when one is due by now.
 */
export async function wakeDevicesOf(
  tx: Tx,
  cards: readonly Card[],
  rolloutId: string | null,
  at: Date,
): Promise<boolean> {
  const workspaceId = cards[0]?.workspaceId;
  const { rows } = await sql<{ isDue: boolean }>`
    with registered as materialized (
      select r.instance_id, r.device_id
      from unnest(${cards.map((card) => card.instanceId)}::uuid[]) as c(instance_id)
      cross join lateral (
        select r.instance_id, r.device_id from apple_registrations r
        where r.workspace_id = ${workspaceId} and r.instance_id = c.instance_id
      ) as r
    ), held as materialized (
      select d.device_id
      from (select distinct device_id from registered order by device_id) as named
      cross join lateral (
        select device_id from apple_devices where device_id = named.device_id for no key update
      ) as d
    ), woken as (
      update apple_devices d
      set tag = greatest(d.tag + 1, ${at.getTime()}::bigint),
        due_at = case when d.due_at is null or (d.rollout_id is not null and ${rolloutId}::uuid is null)
          then greatest(${at}, d.paced_until - ${`${slackMs} milliseconds`}::interval) else d.due_at end,
        rollout_id = case when d.due_at is null then ${rolloutId}::uuid
          when ${rolloutId}::uuid is null then null else d.rollout_id end,
        attempts = case when d.due_at is null then 0 else d.attempts end
      where d.device_id = any(array(select device_id from held))
      returning d.device_id, d.tag, d.due_at <= ${at} and d.rollout_id is null as is_due
    ), noted as (
      update apple_registrations r set tag = woken.tag
      from (select * from woken join registered using (device_id) limit ${Number.MAX_SAFE_INTEGER}) as woken
      where r.workspace_id = ${workspaceId} and r.instance_id = woken.instance_id
        and r.device_id = woken.device_id
    )
    select coalesce(bool_or(is_due), false) as is_due from woken
  `.execute(tx);
  return rows[0]?.isDue === true;
}

/** The same for one card on one device, which the caller holds: the copy that it brought is old already. */
export async function wakeDeviceOf(tx: Tx, card: Card, deviceId: number, at: Date): Promise<void> {
  await sql`
    with woken as (
      update apple_devices
      set tag = greatest(tag + 1, ${at.getTime()}::bigint),
        due_at = case when due_at is null or rollout_id is not null
          then greatest(${at}, paced_until - ${`${slackMs} milliseconds`}::interval) else due_at end,
        rollout_id = null,
        attempts = case when due_at is null then 0 else attempts end
      where device_id = ${deviceId}
      returning device_id, tag
    )
    update apple_registrations r set tag = woken.tag
    from woken
    where r.workspace_id = ${card.workspaceId} and r.instance_id = ${card.instanceId}
      and r.device_id = woken.device_id
  `.execute(tx);
}

/** Lets devices go that waited for the end of a rollout, `spacingMs` apart from `from` on. Returns how many. */
export async function releaseHeldDevices(
  tx: Tx,
  rolloutId: string,
  release: { from: Date; spacingMs: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ released: number }>`
    with held as materialized (
      select device_id from apple_devices where rollout_id = ${rolloutId}
      order by device_id limit ${release.limit} for no key update
    ), placed as (
      select device_id, row_number() over (order by device_id) - 1 as place from held
    ), released as (
      update apple_devices d
      set rollout_id = null,
        due_at = greatest(
          ${release.from}::timestamptz + placed.place * ${`${release.spacingMs} milliseconds`}::interval,
          d.paced_until - ${`${slackMs} milliseconds`}::interval
        )
      from placed
      where d.device_id = placed.device_id
      returning 1
    )
    select count(*)::int as released from released
  `.execute(tx);
  return rows[0]?.released ?? 0;
}

/** Devices of one pass type: they belong to no tenant. */
export function dueDevices(passTypeIdentifier: string): Queue<DueDevice> {
  return {
    table: 'appleDevices',
    part: 'passTypeIdentifier',
    key: { deviceId: 'bigint' },
    due: 'dueAt',
    where: sql`pass_type_identifier = ${passTypeIdentifier} and rollout_id is null`,
    columns: sql`device_id, pass_type_identifier, due_at, push_token, tag, attempts, pushed_at is not null as is_known`,
  };
}

/**
 * Notes that devices were pushed to. One that has got another change since stays due, at its pace. Returns the cards
 * whose newest state the pushes stand for.
 */
export async function recordPushed(tx: Tx, devices: readonly DueDevice[], now: Date): Promise<Card[]> {
  // A statement that waits for these locks would show the registrations as they were before the wait.
  await lockDevices(
    tx,
    devices.map((device) => device.deviceId),
  );
  const { rows } = await sql<Card>`
    with pushed as materialized (
      select * from unnest(
        ${devices.map((device) => device.deviceId)}::bigint[], ${devices.map((device) => device.tag)}::bigint[]
      ) as p(device_id, tag)
    ), recorded as (
      update apple_devices d
      set due_at = case when d.tag = pushed.tag then null
          else greatest(${now}, greatest(d.paced_until, ${now}) - ${`${slackMs - pace.intervalMs} milliseconds`}::interval) end,
        paced_until = greatest(d.paced_until, ${now}) + ${`${pace.intervalMs} milliseconds`}::interval,
        pushed_at = ${now}, attempts = 0
      from pushed
      where d.device_id = pushed.device_id
    )
    select r.workspace_id, r.instance_id
    from pushed
    -- "offset 0" keeps the order of the join: by the statistics of a moment ago hardly any card has a tag.
    cross join lateral (
      select workspace_id, instance_id from apple_registrations r
      where r.device_id = pushed.device_id and r.tag > 0 and r.tag <= pushed.tag
      offset 0
    ) as r
  `.execute(tx);
  return rows;
}

async function lockDevices(tx: Tx, deviceIds: readonly number[]): Promise<void> {
  await sql`
    select from apple_devices where device_id = any(${deviceIds}::bigint[]) order by device_id for no key update
  `.execute(tx);
}

/**
 * Stops pushing to devices until their next change. One that has got another change since, or has told another token, is
 * due at once. Returns the cards of the others.
 */
export async function giveUpDevices(tx: Tx, devices: readonly DueDevice[], now: Date): Promise<Card[]> {
  await lockDevices(
    tx,
    devices.map((device) => device.deviceId),
  );
  const { rows } = await sql<Card>`
    with refused as materialized (
      select r.device_id, d.tag = r.tag as is_newest
      from unnest(
        ${devices.map((device) => device.deviceId)}::bigint[], ${devices.map((device) => device.tag)}::bigint[]
      ) as r(device_id, tag)
      join apple_devices d using (device_id)
    ), given_up as (
      update apple_devices d
      set due_at = case when refused.is_newest then null else ${now}::timestamptz end, attempts = 0
      from refused
      where d.device_id = refused.device_id
    )
    select r.workspace_id, r.instance_id
    from refused join apple_registrations r using (device_id)
    where refused.is_newest and r.tag > 0
  `.execute(tx);
  return rows;
}

/** Cards that are registered on a device, while its push token is not younger than `until`. */
export async function listCardsOnDevice(db: Db, deviceId: number, until: Date): Promise<Card[]> {
  const { rows } = await sql<Card>`
    select r.workspace_id, r.instance_id
    from apple_devices d join apple_registrations r using (device_id)
    where d.device_id = ${deviceId} and d.registered_at <= ${until}
    order by r.workspace_id, r.instance_id
  `.execute(db);
  return rows;
}

/**
 * Gives all devices, and all cards on them, a new tag, and takes back every push that is due: whoever asks next, with
 * whatever tag, gets all cards anew.
 */
export async function restampDevices(tx: Tx, at: Date): Promise<void> {
  await sql`
    update apple_devices
    set tag = greatest(tag + 1, ${at.getTime()}::bigint), due_at = null, rollout_id = null, attempts = 0
  `.execute(tx);
  await sql`
    update apple_registrations r set tag = d.tag from apple_devices d where d.device_id = r.device_id
  `.execute(tx);
}
