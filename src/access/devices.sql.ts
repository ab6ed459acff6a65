import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** A till that several people share. */
export interface DeviceRow {
  readonly deviceId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly partnerId: string | null;
  readonly pairingHash: Buffer | null;
  readonly pairingUntil: Date | null;
  readonly secretHash: Buffer | null;
  readonly createdAt: Date;
}

export async function insertDevice(tx: Tx, row: DeviceRow): Promise<void> {
  await tx.insertInto('devices').values(row).execute();
}

/** Pairs the device that waits for a code; the code is then used up. Of several simultaneous calls, one gets it. */
export function pairWaiting(
  tx: Tx,
  pairingHash: Buffer,
  secretHash: Buffer,
  now: Date,
): Promise<DeviceRow | undefined> {
  return prepared<DeviceRow>`
    update devices set pairing_hash = null, pairing_until = null, secret_hash = ${secretHash}
    where pairing_hash = ${pairingHash} and pairing_until > ${now}
    returning *
  `.first(tx);
}

/** The paired device that a secret opens. */
export async function findDeviceBySecret(db: Db, secretHash: Buffer): Promise<DeviceRow | undefined> {
  return await db.selectFrom('devices').selectAll().where('secretHash', '=', secretHash).executeTakeFirst();
}

export function findDevice(db: Db, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  return sql<DeviceRow>`
    select * from devices where device_id = ${deviceId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** Newest first. */
export async function listDeviceRows(
  db: Db,
  workspaceId: string,
  { after, take }: Page,
): Promise<DeviceRow[]> {
  let query = db.selectFrom('devices').selectAll().where('workspaceId', '=', workspaceId);
  if (after !== null) query = query.where('deviceId', '<', after);
  return await query.orderBy('deviceId', 'desc').limit(take).execute();
}

/** Removes a device, and ends the sessions of the people who are signed in at it. */
export async function removeDevice(tx: Tx, workspaceId: string, deviceId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('deviceId', '=', deviceId).execute();
  await tx
    .deleteFrom('devices')
    .where('deviceId', '=', deviceId)
    .where('workspaceId', '=', workspaceId)
    .execute();
}
