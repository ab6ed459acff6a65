import type { CardKey } from '../../engine/card-key.ts';
import type { Queue } from '../../engine/queue.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Devices forgive a few pushes in a row, then one a minute. */
export const pace = { intervalMs: 60_000, burst: 5 };
export const slackMs = pace.intervalMs * (pace.burst - 1);

/** From when on a device that was not pushed to may be pushed to: it has all of its burst. */
export function pushFromAtFirst(now: Date): Date {
  return new Date(now.getTime() - slackMs);
}

/** What a device is to a workspace: its row there. */
export interface DeviceOfWorkspace {
  readonly workspaceId: string;
  readonly deviceId: string;
}

/** Those that push to devices: with the certificate of the installation, and with those of workspaces. */
type DeviceJob = 'pushDevices' | 'pushOwnDevices';

/** A device whose next push is due. */
export interface DueDevice extends DeviceOfWorkspace {
  readonly passTypeIdentifier: string;
  readonly dueAt: Date;
  readonly pushToken: string;
  /** What the push will make the device ask for. */
  readonly tag: number;
  readonly attempts: number;
  /** From when on its pace allowed the push. */
  readonly pushFrom: Date;
  /** Whether Apple has taken a push to this token before. */
  readonly isKnown: boolean;
}

/**
 * Gives every device that holds one of the cards, all of one workspace, a new tag, notes it on the cards' registrations,
 * and makes a push due: as soon as the device's pace allows, or once the rollout has ended. A push that is due or under
 * way already is enough: the worker that records it sees the new tag. Returns the jobs that now have something to do.
 */
export async function schedulePushes(
  tx: Tx,
  cards: readonly CardKey[],
  at: Date,
  rolloutId: string | null,
): Promise<readonly DeviceJob[]> {
  const workspaceId = cards[0]?.workspaceId;
  const { rows } = await sql<{ jobs: DeviceJob[] }>`
    with registered as materialized (
      select r.instance_id, r.device_id
      from unnest(${sql.list(cards, 'uuid', (card) => card.instanceId)}) as c(instance_id)
      cross join lateral (
        select r.instance_id, r.device_id from apple_registrations r
        where r.workspace_id = ${workspaceId} and r.instance_id = c.instance_id
      ) as r
    ), held as materialized (
      select d.device_id
      from (select distinct device_id from registered order by device_id) as named
      cross join lateral (
        select device_id from apple_devices
        where workspace_id = ${workspaceId} and device_id = named.device_id
        for no key update
      ) as d
    ), woken as (
      update apple_devices d
      set tag = greatest(d.tag + 1, ${at.getTime()}::bigint),
        due_at = case when d.due_at is null or (d.rollout_id is not null and ${rolloutId}::uuid is null)
          then greatest(${at}, d.push_from) else d.due_at end,
        rollout_id = case when d.due_at is null then ${rolloutId}::uuid
          when ${rolloutId}::uuid is null then null else d.rollout_id end,
        attempts = case when d.due_at is null then 0 else d.attempts end
      where d.workspace_id = ${workspaceId} and d.device_id = any(array(select device_id from held))
      returning d.device_id, d.tag, d.is_own, d.due_at <= ${at} and d.rollout_id is null as is_due
    ), noted as (
      update apple_registrations r set tag = woken.tag
      from (select * from woken join registered using (device_id) limit ${Number.MAX_SAFE_INTEGER}) as woken
      where r.workspace_id = ${workspaceId} and r.instance_id = woken.instance_id
        and r.device_id = woken.device_id
    )
    select coalesce(
      array_agg(distinct case when is_own then 'pushOwnDevices' else 'pushDevices' end) filter (where is_due), '{}'
    ) as jobs
    from woken
  `.execute(tx);
  return rows[0]?.jobs ?? [];
}

/** The same for one card on one device, which the caller holds: the copy that it brought is old already. */
export async function wakeDeviceOf(tx: Tx, card: CardKey, deviceId: string, at: Date): Promise<void> {
  await sql`
    with woken as (
      update apple_devices
      set tag = greatest(tag + 1, ${at.getTime()}::bigint),
        due_at = case when due_at is null or rollout_id is not null then greatest(${at}, push_from) else due_at end,
        rollout_id = null,
        attempts = case when due_at is null then 0 else attempts end
      where workspace_id = ${card.workspaceId} and device_id = ${deviceId}
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
  rollout: { readonly workspaceId: string; readonly rolloutId: string },
  release: { from: Date; spacingMs: number; limit: number },
): Promise<number> {
  const { workspaceId, rolloutId } = rollout;
  const { rows } = await sql<{ deviceId: string; pushFrom: Date }>`
    select device_id, push_from from apple_devices
    where rollout_id = ${rolloutId} and workspace_id = ${workspaceId}
    order by device_id limit ${release.limit} for no key update
  `.execute(tx);
  const dueAts = rows.map(
    ({ pushFrom }, place) =>
      new Date(Math.max(release.from.getTime() + place * release.spacingMs, pushFrom.getTime())),
  );
  await sql`
    update apple_devices d set rollout_id = null, due_at = released.due_at
    from (
      select * from unnest(${sql.list(rows, 'uuid', ({ deviceId }) => deviceId)}, ${sql.list(dueAts, 'timestamptz')})
        as released(device_id, due_at)
      limit ${rows.length}
    ) as released
    where d.workspace_id = ${workspaceId} and d.device_id = released.device_id
  `.execute(tx);
  return rows.length;
}

const devices = {
  table: 'appleDevices',
  part: 'workspaceId',
  key: { deviceId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, device_id, pass_type_identifier, due_at, push_token, tag, attempts,
    push_from, pushed_at is not null as is_known`,
} as const;

/** Devices with cards of the installation's pass type. */
export function dueDevices(passTypeIdentifier: string): Queue<DueDevice> {
  const where = sql`pass_type_identifier = ${passTypeIdentifier} and rollout_id is null`;
  return { ...devices, job: 'pushDevices', where };
}

/** Devices with cards of pass types that are workspaces' own. */
export const dueOwnDevices: Queue<DueDevice> = {
  ...devices,
  job: 'pushOwnDevices',
  where: sql`is_own and rollout_id is null`,
};

/** Cards that are registered on a device, while its push token is not younger than `until`. */
export function listCardsOnDevice(
  db: Db,
  { workspaceId, deviceId }: DeviceOfWorkspace,
  until: Date,
): Promise<CardKey[]> {
  return sql<CardKey>`
    select r.workspace_id, r.instance_id
    from apple_devices d join apple_registrations r using (workspace_id, device_id)
    where d.workspace_id = ${workspaceId} and d.device_id = ${deviceId} and d.registered_at <= ${until}
    order by r.instance_id
  `.rows(db);
}

/**
 * Gives all devices, and all cards on them, a new tag, and takes back every push that is due: a device that asks next, with
 * whatever tag, gets all cards anew.
 */
export async function restampDevices(tx: Tx, at: Date): Promise<void> {
  await sql`
    update apple_devices set ${newTag(at)}, due_at = null, rollout_id = null, attempts = 0
  `.execute(tx);
  await sql`${tagOfDevice}`.execute(tx);
}

/** Gives the devices of one workspace, and all cards on them, a new tag; what is due stays so. */
export async function restampArrived(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`update apple_devices set ${newTag(at)} where workspace_id = ${workspaceId}`.execute(tx);
  await sql`${tagOfDevice} and d.workspace_id = ${workspaceId} and r.workspace_id = ${workspaceId}`.execute(
    tx,
  );
}

const newTag = (at: Date) => sql`tag = greatest(tag + 1, ${at.getTime()}::bigint)`;

const tagOfDevice = sql`
  update apple_registrations r set tag = d.tag
  from apple_devices d
  where d.device_id = r.device_id and d.workspace_id = r.workspace_id`;
