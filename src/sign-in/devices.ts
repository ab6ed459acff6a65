import {
  type DeviceRow,
  findDevice,
  findDeviceBySecret,
  pairWaiting,
  removeDevice,
} from '../access/devices.sql.ts';
import { deviceCookie, devicePrefix, sentDevice } from '../access/session-cookie.ts';
import type { KeyCtx, PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { hashSecret, newSecret } from '../kit/crypto/tokens.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { decodeId } from '../kit/ids.ts';
import { listMembersWithPin } from '../people/people.sql.ts';
import { presentDevice, presentPaired } from './device.schema.ts';
import { limitTries } from './limit-tries.ts';
import { hashPairingCode, pairingLimits } from './pairing-code.ts';
import { refuseForeign } from './refuse-foreign.ts';

type Headers = Input['headers'];

/** Makes the browser that sends a code the till that waits for it, and sets its cookie. Raises `invalid_link`, and `rate_limited` after wrong codes. */
export async function pairDevice(ctx: PublicCtx, code: string, headers: Headers) {
  refuseForeign(ctx, headers);
  const { app } = ctx;
  const secret = newSecret(devicePrefix);
  const giveBack = await limitTries(ctx, 'pairing', 'any till', pairingLimits);
  const hash = hashPairingCode(ctx, code);
  const device = await app.database.transaction((tx) => pairWaiting(tx, hash, hashSecret(secret), app.now()));
  if (device === undefined)
    throw refusal('invalid_link', 'This code is wrong, was used, or is too old. Make the till anew.');
  await giveBack();
  return { body: await withPeople(app.database.db, device), cookie: deviceCookie(app, secret) };
}

/** The till that a browser is, with the people who can sign in at it. Raises `invalid_session`. */
export async function currentDevice(ctx: PublicCtx, headers: Headers) {
  const device = await deviceOf(ctx, 'GET', headers);
  return withPeople(ctx.app.database.db, device);
}

/** The till that a browser is. Raises `invalid_session`. */
export async function deviceOf(ctx: PublicCtx, method: 'GET' | 'POST', headers: Headers): Promise<DeviceRow> {
  const secret = sentDevice(ctx.app, { method, headers, isPage: false });
  const device =
    secret === null ? undefined : await findDeviceBySecret(ctx.app.database.db, hashSecret(secret));
  if (device === undefined)
    throw refusal('invalid_session', 'This is not a paired till, or it was revoked. A manager pairs it.');
  return device;
}

async function withPeople(db: Db, device: DeviceRow) {
  return presentPaired(device, await listMembersWithPin(db, device.workspaceId));
}

/** A till of the caller's workspace by its public id. Raises `device_not_found`. */
async function findOwnDevice(tx: Tx, { workspaceId }: KeyCtx, publicId: string): Promise<DeviceRow> {
  const deviceId = decodeId('device', publicId);
  const row = deviceId === null ? undefined : await findDevice(tx, workspaceId, deviceId);
  if (row === undefined)
    throw refusal('device_not_found', 'No till of this workspace has this id. GET /devices lists them.');
  return row;
}

/** Revokes a till. New sign-ins are refused and active sessions end within a second. */
export async function revokeDevice(tx: Tx, ctx: KeyCtx, publicId: string): Promise<void> {
  const device = await findOwnDevice(tx, ctx, publicId);
  await removeDevice(tx, ctx.workspaceId, device.deviceId);
  const { deviceId, name } = presentDevice(device);
  audit(tx, ctx, { action: 'revokeDevice', target: deviceId, detail: { before: { name } } });
}
