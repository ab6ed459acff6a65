import type { CardKey } from '../../engine/card-key.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { type DeviceOfWorkspace, pushFromAtFirst } from './devices.sql.ts';

/** A device for one pass type. Its library identifier is a secret: a caller that knows it may ask for its changes. */
export interface DeviceName {
  readonly deviceLibraryIdentifier: string;
  readonly passTypeIdentifier: string;
}

/** A device with its push token. */
export interface ReachableDevice extends DeviceName {
  readonly pushToken: string;
  /** Whether the pass type is the workspace's own, and its certificate pushes. */
  readonly isOwn: boolean;
}

/** What a device is to the workspace of a card. */
interface KnownDevice {
  readonly deviceId: string;
  readonly pushToken: string;
  /** Whether it holds the card. */
  readonly isRegistered: boolean;
}

/** The device of a card's workspace; undefined where it has no card of it. A caller that has the card locked knows whether it is registered. */
export function findDevice(tx: Tx, card: CardKey, device: DeviceName): Promise<KnownDevice | undefined> {
  return sql<KnownDevice>`
    select d.device_id, d.push_token, r.device_id is not null as is_registered
    from apple_devices d
    left join lateral (
      select device_id from apple_registrations
      where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId} and device_id = d.device_id
      limit 1
    ) as r on true
    where d.workspace_id = ${card.workspaceId}
      and d.device_library_identifier = ${device.deviceLibraryIdentifier}
      and d.pass_type_identifier = ${device.passTypeIdentifier}
  `.first(tx);
}

/**
 * Saves what a device reports to a workspace, and locks its row; returns its id, which is a new one where it had no card of
 * the workspace. The tag of a new one is the time: a device that comes back after it was deleted never sees a smaller one
 * than it remembers. A new push token while a push is under way to the old one counts as a change, so that the push is sent
 * again.
 */
export async function upsertDevice(
  tx: Tx,
  device: ReachableDevice & { readonly deviceId: string; readonly workspaceId: string },
  at: Date,
): Promise<string> {
  const { rows } = await sql<{ deviceId: string }>`
    insert into apple_devices as d
      (workspace_id, device_id, device_library_identifier, pass_type_identifier, is_own, push_token, registered_at, tag,
        push_from)
    values (${device.workspaceId}, ${device.deviceId}, ${device.deviceLibraryIdentifier}, ${device.passTypeIdentifier},
      ${device.isOwn}, ${device.pushToken}, ${at}, ${at.getTime()}, ${pushFromAtFirst(at)})
    on conflict (device_library_identifier, workspace_id, pass_type_identifier) do update set
      is_own = excluded.is_own,
      push_token = excluded.push_token,
      registered_at = excluded.registered_at,
      pushed_at = case when d.push_token = excluded.push_token then d.pushed_at end,
      tag = d.tag + (d.push_token <> excluded.push_token and d.due_at is not null)::int,
      attempts = case when d.push_token = excluded.push_token then d.attempts else 0 end
    returning device_id
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the device was not kept');
  return row.deviceId;
}

/** Informs another workspace that has cards on the device of its new push token, as if it had registered there. */
export async function renewPushToken(
  tx: Tx,
  workspaceId: string,
  device: ReachableDevice,
  at: Date,
): Promise<void> {
  await sql`
    update apple_devices
    set push_token = ${device.pushToken}, registered_at = ${at}, pushed_at = null, attempts = 0,
      tag = tag + (due_at is not null)::int
    where workspace_id = ${workspaceId} and device_library_identifier = ${device.deviceLibraryIdentifier}
      and pass_type_identifier = ${device.passTypeIdentifier} and push_token <> ${device.pushToken}
      and registered_at <= ${at}
  `.execute(tx);
}

/** Whether a card is registered on a device that has sent its push token no later than `until`. */
export async function isRegistered(tx: Tx, card: CardKey, deviceId: string, until: Date): Promise<boolean> {
  const { rows } = await sql`
    select from apple_devices d join apple_registrations r using (workspace_id, device_id)
    where d.workspace_id = ${card.workspaceId} and d.device_id = ${deviceId} and d.registered_at <= ${until}
      and r.instance_id = ${card.instanceId}
  `.execute(tx);
  return rows.length > 0;
}

/** Holds a device, unless it has sent its push token later than `until`; null: at any time. */
export async function lockDevice(
  tx: Tx,
  { workspaceId, deviceId }: DeviceOfWorkspace,
  until: Date | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from apple_devices
    where workspace_id = ${workspaceId} and device_id = ${deviceId}
      and (${until}::timestamptz is null or registered_at <= ${until})
    for update
  `.execute(tx);
  return rows.length > 0;
}

/** How many cards of a workspace are registered on a device that the caller holds. */
export async function countCardsOn(tx: Tx, { workspaceId, deviceId }: DeviceOfWorkspace): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from apple_registrations
    where workspace_id = ${workspaceId} and device_id = ${deviceId}
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Registers a card on a device. The caller holds both, and knows that it is not registered. */
export async function insertRegistration(tx: Tx, card: CardKey, deviceId: string, at: Date): Promise<void> {
  const { workspaceId, instanceId } = card;
  await tx
    .insertInto('appleRegistrations')
    .values({ workspaceId, instanceId, deviceId, createdAt: at })
    .execute();
}

/** Takes a card off a device. */
export async function deleteRegistration(tx: Tx, card: CardKey, deviceId: string): Promise<void> {
  await sql`
    delete from apple_registrations
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId} and device_id = ${deviceId}
  `.execute(tx);
}

/**
 * Deletes a device that holds no card of the workspace; returns its name, or undefined where it holds one. The caller
 * has locked it, so that no transaction registers one at the same time.
 */
export function deleteIdleDevice(
  tx: Tx,
  { workspaceId, deviceId }: DeviceOfWorkspace,
): Promise<DeviceName | undefined> {
  return sql<DeviceName>`
    delete from apple_devices
    where workspace_id = ${workspaceId} and device_id = ${deviceId} and not exists (
      select from apple_registrations where workspace_id = ${workspaceId} and device_id = ${deviceId}
    )
    returning device_library_identifier, pass_type_identifier
  `.first(tx);
}

/** Which of the cards, all of one workspace, any device holds. */
export function listRegistered(db: Db, workspaceId: string, cards: readonly CardKey[]): Promise<CardKey[]> {
  return sql<CardKey>`
    select distinct ${workspaceId}::uuid as workspace_id, r.instance_id
    from unnest(${cards.map((card) => card.instanceId)}::uuid[]) as c(instance_id)
    cross join lateral (
      select instance_id from apple_registrations
      where instance_id = c.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as r
    order by r.instance_id
  `.rows(db);
}

/** What a device asks of a workspace: its cards that have changed since this tag; null asks for all. */
export interface ChangesAsked extends DeviceName {
  readonly since: number | null;
}

/** Cards of a device that have changed, and the tag up to which it knows everything. */
export interface Changes {
  readonly tag: number;
  /** The 16 bytes of the workspace and those of the card's id, as its serial number spells them, for each card; null: none. */
  readonly cards: Buffer | null;
}

/**
 * The changed cards of devices, all of one workspace; undefined where a device has none of its cards. A registration has
 * the tag that its device had when the card changed last, so a listed one is above `since`, and the device's own tag with
 * it: the same tag never comes with serial numbers. A tag above the device's own was never given out, or by a database that
 * has since been restored: everything counts as changed then.
 */
export async function listChanges(
  db: Db,
  workspaceId: string,
  asked: readonly ChangesAsked[],
): Promise<(Changes | undefined)[]> {
  // A device that knows everything up to its own tag is spared the look at its cards, which lie scattered.
  const { rows } = await sql<Changes & { place: number }>`
    select a.place::int, d.tag, r.cards
    from unnest(
      ${asked.map((one) => one.deviceLibraryIdentifier)}::text[], ${asked.map((one) => one.passTypeIdentifier)}::text[],
      ${asked.map((one) => one.since ?? -1)}::bigint[]
    ) with ordinality as a(device_library_identifier, pass_type_identifier, since, place)
    cross join lateral (
      select device_id, tag from apple_devices
      where workspace_id = ${workspaceId} and device_library_identifier = a.device_library_identifier
        and pass_type_identifier = a.pass_type_identifier
      limit 1
    ) as d
    cross join lateral (
      select string_agg(uuid_send(${workspaceId}::uuid) || uuid_send(instance_id), '') as cards
      from apple_registrations
      where workspace_id = ${workspaceId} and device_id = d.device_id
        and d.tag <> a.since and (tag > a.since or a.since > d.tag)
    ) as r
  `.execute(db);
  const changes: (Changes | undefined)[] = asked.map(() => undefined);
  for (const { place, ...found } of rows) changes[place - 1] = found;
  return changes;
}

/** The little that decides what a device gets: whether it may have the card, and whether its copy is old. */
export interface CardState {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly authenticationToken: string;
  readonly modifiedAt: Date;
  readonly seenPassRevision: number;
  readonly passRevision: number;
  readonly passModifiedAt: Date;
  /** The Last-Modified of the file that was handed out last. */
  readonly servedModifiedAt: Date | null;
  /** What that file was of, as `changedAt` has it. */
  readonly servedChangeAt: Date | null;
}

/** Cards of a workspace, in the order asked for; undefined where there is none. */
export async function findCardStates(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<(CardState | undefined)[]> {
  const { rows } = await sql<CardState>`
    select i.workspace_id, i.instance_id, i.authentication_token, i.served_modified_at, i.served_change_at,
      greatest(i.modified_at, a.shown_at) as modified_at,
      greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision,
      p.revision as pass_revision, p.modified_at as pass_modified_at
    from unnest(${instanceIds}::uuid[]) as asked(instance_id)
    cross join lateral (
      select * from instances where instance_id = asked.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    cross join lateral (
      select * from passes where pass_id = i.pass_id and workspace_id = ${workspaceId} limit 1
    ) as p
    left join lateral (
      select shown_at, shown_pass_revision from loyalty_accounts
      where instance_id = i.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as a on true
  `.execute(db);
  const found = new Map(rows.map((row) => [row.instanceId, row]));
  return instanceIds.map((instanceId) => found.get(instanceId));
}
