import { randomBytes } from 'node:crypto';
import type { CardAccount, HolderRow, InstanceRow } from '../cards/instance-row.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import type { CheckedItem } from './issue-item.ts';

/** The row of a card that is about to be issued. */
export function newCard(
  { item, pass, partnerId, instanceId }: CheckedItem,
  barcode: string | null,
): InstanceRow {
  const now = item.ctx.app.now();
  const { fields = {}, expiresAt = null, metadata = {} } = item.input;
  return {
    workspaceId: pass.workspaceId,
    instanceId,
    passId: pass.passId,
    status: 'active',
    barcode,
    addressable: item.addressable,
    installed: false,
    appleWallets: 0,
    googleWallets: 0,
    webWallets: 0,
    fields,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    partnerId,
    metadata,
    linkSecret: randomBytes(16),
    authenticationToken: randomBytes(24).toString('base64url'),
    revision: 1,
    modifiedAt: now,
    updatedAt: now,
    seenPassRevision: pass.revision,
    passRevision: pass.revision,
    createdAt: now,
    externalRef: item.input.externalRef ?? null,
    installedAt: null,
    lastPushAt: null,
    lastPushResult: null,
    erasedAt: null,
    voidedAt: null,
    voidReason: null,
    passFields: pass.fields,
    passExpiry: pass.expiry,
    passModifiedAt: pass.modifiedAt,
    barcodeMode: pass.barcodeMode,
    sharedBarcode: pass.barcodeValue,
    holder: completeHolder(item.input.holder ?? null),
    loyalty: emptyAccount(pass),
  };
}

function emptyAccount({ programId, program }: CheckedItem['pass']): CardAccount | null {
  if (programId === null || program === null) return null;
  return { ...program, programId, balance: 0, lifetimePoints: 0, pendingRewards: 0 };
}

/**
 * The holder with every column, the identifier in NFC; null when nothing is known of the person. Raises `invalid_request`
 * for an identifier that is too long in it.
 */
export function completeHolder(holder: Partial<HolderRow> | null): HolderRow | null {
  if (holder === null) return null;
  const {
    identifier = null,
    name = null,
    email = null,
    phone = null,
    phoneGiven = null,
    locale = null,
  } = holder;
  const known = [identifier, name, email, phone, phoneGiven, locale].some((value) => value !== null);
  if (!known) return null;
  const normal = identifier === null ? null : normalText('holder.identifier', identifier);
  return { identifier: normal, name, email, phone, ...(phoneGiven !== null && { phoneGiven }), locale };
}

/** The holder after a change: absent leaves alone, null clears; with the number goes what was given for the former one. */
export function changedHolder(before: HolderRow | null, change: Partial<HolderRow> | null): HolderRow | null {
  return completeHolder({ ...before, ...(change?.phone !== undefined && { phoneGiven: null }), ...change });
}
