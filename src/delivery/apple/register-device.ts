import { countIn, type Limit } from '../../access/limits.ts';
import { countWallets, lockCard } from '../../cards/count-wallets.ts';
import { changedAt, isServed } from '../../cards/last-modified.ts';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import type { CheckedCard } from './check-pass-token.ts';
import { enterWorkspace, listWorkspacesOf } from './device-workspaces.sql.ts';
import { wakeDeviceOf } from './devices.sql.ts';
import {
  type CardState,
  countCardsOn,
  type DeviceName,
  findCardStates,
  findDevice,
  insertRegistration,
  type ReachableDevice,
  renewPushToken,
  upsertDevice,
} from './registrations.sql.ts';

interface Registration {
  /** The push token was new to the workspace. */
  readonly isNewToken: boolean;
  /** Null when the card was registered on the device before. */
  readonly registered: Registered | null;
}

interface Registered {
  readonly deviceId: string;
  /** Since when the card shows what it shows in the transaction. */
  readonly seen: Date;
  /** The device's copy was old already, and it is going to be notified. */
  readonly isBehind: boolean;
}

/** A link may be passed on and a token be made up, but each change of a card takes as long as it has devices. */
const most = { devicesOfCard: 100, cardsOfDevice: 1_000 };
/** Registrations of one card: each new one is noted on the timeline. */
const registrations: Limit = { atOnce: 500, everyS: 10 };

/**
 * Registers a device for the changes of a card, and keeps its push token in any case. A card that has changed since
 * its file was handed out is pushed at once. True when the registration is new. Raises `rate_limited` where there are
 * too many.
 */
export async function registerDevice(
  ctx: PublicCtx,
  { card, issuer }: CheckedCard,
  named: DeviceName & Pick<ReachableDevice, 'pushToken'>,
): Promise<boolean> {
  const { database, appleIssuers } = ctx.app;
  const isOwn = issuer !== appleIssuers.installation;
  const device = { ...named, isOwn };
  const name = `registrations:${card.instanceId}`;
  if (!(await countIn(ctx.app, name, registrations)).allowed) throw tooMany();
  const { registered, isNewToken } = await database.transaction((tx) => register(tx, ctx, card, device));
  if (isNewToken) await notifyOtherDevices(ctx, card.workspaceId, device);
  if (registered === null) return false;
  // A design that changed during the transaction has taken the card for one that no wallet holds.
  const isOvertaken = changedAt(await currentState(database.db, card)) > registered.seen;
  if (isOvertaken)
    await database.transaction((tx) => wakeDeviceOf(tx, card, registered.deviceId, ctx.app.now()));
  if (registered.isBehind || isOvertaken)
    ctx.app.wake(isOwn ? 'pushOwnDevices' : 'pushDevices', card.workspaceId);
  return true;
}

/**
 * Every transaction locks the rows in this order: the card, the device, its list of workspaces, its pushes; at the end of the unit of
 * work the counts of the pass, the credits.
 */
async function register(
  tx: Tx,
  ctx: PublicCtx,
  card: CardState,
  device: ReachableDevice,
): Promise<Registration> {
  const { workspaceId } = card;
  const at = ctx.app.now();
  await lockCard(tx, card);
  const known = await findDevice(tx, card, device);
  const isNewToken = known?.pushToken !== device.pushToken;
  const isNew = known?.isRegistered !== true;
  const devices = isNew ? (await countWallets(tx, ctx, card, { apple: 1 })).apple : 0;
  const newId = newUuidV7();
  const deviceId = await upsertDevice(tx, { ...device, workspaceId, deviceId: newId }, at);
  if (!isNew) return { isNewToken, registered: null };
  if (deviceId === newId && !(await enterWorkspace(tx, device, workspaceId))) throw tooMany();
  const held = { workspaceId, deviceId };
  if (devices > most.devicesOfCard || (await countCardsOn(tx, held)) >= most.cardsOfDevice) throw tooMany();
  await insertRegistration(tx, card, deviceId, at);
  const state = await currentState(tx, card);
  const isBehind = !isServed(state);
  if (isBehind) await wakeDeviceOf(tx, card, deviceId, at);
  return { isNewToken, registered: { deviceId, seen: changedAt(state), isBehind } };
}

/** Pushes of the other workspaces that the device has cards of go to its new token, too. */
async function notifyOtherDevices(
  ctx: PublicCtx,
  workspaceId: string,
  device: ReachableDevice,
): Promise<void> {
  const { database, groupCommit, now } = ctx.app;
  const { passTypeIdentifier, deviceLibraryIdentifier } = device;
  const all = await groupCommit.read(listWorkspacesOf, passTypeIdentifier, deviceLibraryIdentifier);
  for (const other of all)
    if (other !== null && other !== workspaceId)
      await database.transaction((tx) => renewPushToken(tx, other, device, now()));
}

function tooMany() {
  const message = 'This card is on too many devices, or this device has too many cards. Remove some of them.';
  return refusal('rate_limited', message, {}, { 'retry-after': '3600' });
}

async function currentState(db: Db, { workspaceId, instanceId }: CardState): Promise<CardState> {
  const [state] = await findCardStates(db, workspaceId, [instanceId]);
  if (state === undefined) throw new Error('the card that a device registers for is gone');
  return state;
}
