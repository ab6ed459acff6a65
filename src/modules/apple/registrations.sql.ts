import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** A device for one pass type. Its library identifier is a secret: whoever knows it may ask for its changes. */
export interface DeviceName {
  readonly deviceLibraryIdentifier: string;
  readonly passTypeIdentifier: string;
}

/**
 * Keeps what a device tells of itself, and holds its row; its id. The tag of a new one is the time: a device that comes
 * back after it was forgotten never sees a smaller one than it remembers. A new push token while a push is under way to
 * the old one counts as a change, so that the push is sent again.
 */
export async function upsertDevice(
  tx: Tx,
  device: DeviceName & { readonly pushToken: string },
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ deviceId: number }>`
    insert into apple_devices as d
      (device_library_identifier, pass_type_identifier, push_token, registered_at, tag, paced_until)
    values (${device.deviceLibraryIdentifier}, ${device.passTypeIdentifier}, ${device.pushToken}, ${at}, ${at.getTime()},
      ${at})
    on conflict (device_library_identifier, pass_type_identifier) do update set
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

/** The device that a card is registered on; undefined when it is not. The caller holds the card. */
export async function findRegistration(tx: Tx, card: Card, device: DeviceName): Promise<number | undefined> {
  const { rows } = await sql<{ deviceId: number }>`
    select d.device_id
    from apple_devices d join apple_registrations r using (device_id)
    where d.device_library_identifier = ${device.deviceLibraryIdentifier}
      and d.pass_type_identifier = ${device.passTypeIdentifier}
      and r.workspace_id = ${card.workspaceId} and r.instance_id = ${card.instanceId}
  `.execute(tx);
  return rows[0]?.deviceId;
}

/** Whether a card is registered on a device that has told its push token no later than `until`. */
export async function isRegistered(tx: Tx, card: Card, deviceId: number, until: Date): Promise<boolean> {
  const { rows } = await sql`
    select from apple_devices d join apple_registrations r using (device_id)
    where d.device_id = ${deviceId} and d.registered_at <= ${until}
      and r.workspace_id = ${card.workspaceId} and r.instance_id = ${card.instanceId}
  `.execute(tx);
  return rows.length > 0;
}

/** Holds a device, unless it has told its push token later than `until`; null: at any time. */
export async function holdDevice(tx: Tx, deviceId: number, until: Date | null): Promise<boolean> {
  const { rows } = await sql`
    select from apple_devices
    where device_id = ${deviceId} and (${until}::timestamptz is null or registered_at <= ${until})
    for update
  `.execute(tx);
  return rows.length > 0;
}

/** How many cards are registered on a device that the caller holds. */
export async function countCardsOn(tx: Tx, deviceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('appleRegistrations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Registers a card on a device. The caller holds both, and knows that it is not registered. */
export async function insertRegistration(tx: Tx, card: Card, deviceId: number, at: Date): Promise<void> {
  const { workspaceId, instanceId } = card;
  await tx
    .insertInto('appleRegistrations')
    .values({ workspaceId, instanceId, deviceId, createdAt: at })
    .execute();
}

/** Takes a card off a device. */
export async function deleteRegistration(tx: Tx, card: Card, deviceId: number): Promise<void> {
  await tx
    .deleteFrom('appleRegistrations')
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .where('deviceId', '=', deviceId)
    .execute();
}

/** Deletes a device that holds no card any more. The caller holds it, so that nobody registers one meanwhile. */
export async function deleteIdleDevice(tx: Tx, deviceId: number): Promise<void> {
  await sql`
    delete from apple_devices
    where device_id = ${deviceId} and not exists (select from apple_registrations where device_id = ${deviceId})
  `.execute(tx);
}

/** Which of the cards any device holds. */
export async function listRegistered(db: Db, cards: readonly Card[]): Promise<Card[]> {
  const { rows } = await sql<Card>`
    select distinct r.workspace_id, r.instance_id
    from unnest(
      ${cards.map((card) => card.workspaceId)}::uuid[], ${cards.map((card) => card.instanceId)}::uuid[]
    ) as c(workspace_id, instance_id)
    cross join lateral (
      select workspace_id, instance_id from apple_registrations
      where instance_id = c.instance_id and workspace_id = c.workspace_id
      limit 1
    ) as r
    order by r.workspace_id, r.instance_id
  `.execute(db);
  return rows;
}

/** What a device asks: its cards that have changed since it was told this tag; null asks for all. */
export interface ChangesAsked {
  readonly deviceLibraryIdentifier: string;
  readonly since: number | null;
}

/** Cards of a device, and the tag that it has been told everything up to. */
export interface Changes {
  readonly tag: number;
  /** For each card the 16 bytes of its workspace and those of its own id, as its serial number spells them. */
  readonly cards: Buffer;
}

/**
 * The changed cards of devices of one pass type; undefined where nothing has changed. A registration has the tag that
 * its device had when the card changed last, so a listed one is above `since`, and the device's own tag with it: the
 * same tag never comes with serial numbers. A tag above the device's own was never given out, or by a database that has
 * since been restored: everything counts as changed then.
 */
export async function listChanges(
  db: Db,
  passTypeIdentifier: string,
  asked: readonly ChangesAsked[],
): Promise<(Changes | undefined)[]> {
  // Who has been told everything up to the device's tag is spared the look at its cards, which lie scattered.
  const { rows } = await sql<Changes & { place: number }>`
    select a.place::int, d.tag, string_agg(uuid_send(r.workspace_id) || uuid_send(r.instance_id), '') as cards
    from unnest(
      ${asked.map((one) => one.deviceLibraryIdentifier)}::text[], ${asked.map((one) => one.since ?? -1)}::bigint[]
    ) with ordinality as a(device_library_identifier, since, place)
    cross join lateral (
      select device_id, tag from apple_devices
      where device_library_identifier = a.device_library_identifier and pass_type_identifier = ${passTypeIdentifier}
      limit 1
    ) as d
    cross join lateral (
      select workspace_id, instance_id, tag from apple_registrations
      where device_id = d.device_id and d.tag <> a.since
      offset 0
    ) as r
    where r.tag > a.since or a.since > d.tag
    group by a.place, d.device_id, d.tag
  `.execute(db);
  const changes: (Changes | undefined)[] = asked.map(() => undefined);
  for (const row of rows) changes[row.place - 1] = row;
  return changes;
}
