import type { Static } from 'typebox';
import { type DeviceRow, insertDevice } from '../access/devices.sql.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { findPartner } from '../passes/partners/partners.ts';
import { type NewDevice, presentDevice } from './device.schema.ts';
import { hashPairingCode, newPairingCode } from './pairing-code.ts';

const pairingMs = 900_000;

/** A till that waits to be paired: the code in the answer does it, once, within 15 minutes. Raises `partner_not_found`. */
export async function createDevice(tx: Tx, ctx: KeyCtx, input: Static<typeof NewDevice>) {
  const { name, partnerId = null } = input;
  const code = newPairingCode();
  const createdAt = ctx.app.now();
  const row: DeviceRow = {
    deviceId: newUuidV7(),
    workspaceId: ctx.workspaceId,
    name,
    partnerId: partnerId === null ? null : (await findPartner(tx, ctx, partnerId)).partnerId,
    pairingHash: hashPairingCode(ctx, code),
    pairingUntil: new Date(createdAt.getTime() + pairingMs),
    secretHash: null,
    createdAt,
  };
  await insertDevice(tx, row);
  const shown = presentDevice(row);
  audit(tx, ctx, {
    action: 'createDevice',
    target: shown.deviceId,
    detail: { name, partnerId: shown.partnerId },
  });
  return { ...shown, code };
}
