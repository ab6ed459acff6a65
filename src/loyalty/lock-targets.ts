import { instanceNotFound } from '../cards/find-instance.ts';
import { expiryOf } from '../cards/instance.schema.ts';
import { findForeign } from '../cards/instances.sql.ts';
import { shownNow } from '../cards/last-modified.ts';
import { listInstances } from '../cards/lists.sql.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { decodeId } from '../kit/ids.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { findSharedBarcodes } from '../passes/shared-barcodes.ts';
import {
  type AddressCards,
  type CardName,
  findCardsByBarcode,
  findCardsOf,
  findCardsOfAddresses,
  type LockedCard,
  type LockedRow,
  lockNamed,
} from './targets.sql.ts';

export type { LockedCard, LockedRow };

/** What names a card of a pass; identifiers and barcodes in NFC, addresses folded, numbers in the form of E.164. */
export type CardTarget =
  | { readonly identifier: string }
  | { readonly instanceId: string }
  | { readonly barcode: string }
  | { readonly email: string }
  | { readonly phone: string };

/** The same, or an account, which means the card that shows it now. */
export type Target = CardTarget | { readonly accountId: string };

/**
 * The cards of a pass that targets name, kept from changing until the transaction ends; in the place of each that
 * names none, or several, its refusal: `holder_not_found`, `ambiguous_holder`, `instance_not_found`, `forbidden`,
 * `ambiguous_barcode`.
 */
export async function lockTargets(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
): Promise<(LockedCard | ApiError)[]> {
  return resolveTargets(tx, pass, targets, await lockNamedCards(tx, pass, targets));
}

/** The first half of `lockTargets`, in one statement: for a caller that reads the pass at the same time. */
export async function lockNamedCards(
  tx: Tx,
  pass: { readonly workspaceId: string; readonly passId: string },
  targets: readonly Target[],
): Promise<(LockedCard | undefined)[]> {
  const held: (LockedCard | undefined)[] = targets.map(() => undefined);
  for (const { card, places } of await lockNamed(tx, pass, targets.map(nameOf)))
    for (const place of places) held[place - 1] = card;
  return held;
}

/** The second half: asks only what is left to ask. */
export async function resolveTargets(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
  found: readonly (LockedCard | undefined)[],
): Promise<(LockedCard | ApiError)[]> {
  const shared = await lockShared(
    tx,
    pass,
    targets.filter((_, place) => found[place] === undefined),
  );
  const lost = targets.flatMap((target, place) => {
    const id = 'instanceId' in target ? decodeId('inst', target.instanceId) : null;
    return id === null || found[place] !== undefined ? [] : [id];
  });
  const foreign = await findForeign(tx, pass.workspaceId, lost);
  const reached = await reachedBy(tx, pass, targets);
  const held = targets.map((target, place) => {
    const card = found[place];
    if (isAddress(target)) return lockedAlone(onlyHolderOf(target, reached), card);
    if (card?.passId === pass.passId) return card;
    if ('barcode' in target && isShared(pass, target.barcode)) return shared ?? notFound(target);
    if ('instanceId' in target && foreign.has(decodeId('inst', target.instanceId) ?? ''))
      return refusal('forbidden', 'This instance belongs to another account.');
    return notFound(target);
  });
  await refuseOvertaken(tx, pass, targets, held);
  return held;
}

/** A malformed instance id names no card. */
function nameOf(target: Target): CardName {
  if (!('instanceId' in target)) return target;
  const instanceId = decodeId('inst', target.instanceId);
  return instanceId === null ? {} : { instanceId };
}

/** When a card of a pass shows something new from now on: a whole second later than what it showed before. */
export function restamp(
  ctx: PublicCtx,
  { revision, modifiedAt }: PassRow,
  card: LockedRow,
): { readonly shownAt: Date; readonly shownPassRevision: number } {
  const shownAt = shownNow(ctx, { ...card, passRevision: revision, passModifiedAt: modifiedAt });
  return { shownAt, shownPassRevision: revision };
}

/** When a held card of a pass expires; null: never. */
export function expiryOn(pass: PassRow, { expiresAt, createdAt }: LockedCard): Date | null {
  return expiryOf({ expiresAt, createdAt, passExpiry: pass.expiry });
}

type AddressTarget = Extract<CardTarget, { readonly email: string } | { readonly phone: string }>;

function isAddress(target: Target): target is AddressTarget {
  return 'email' in target || 'phone' in target;
}

/** What the addresses among targets lead to now. */
async function reachedBy(
  db: Db,
  pass: PassRow,
  targets: readonly Target[],
): Promise<ReadonlyMap<string, AddressCards>> {
  const addresses = targets.filter(isAddress).map(addressOf);
  const asked = (['email', 'phone'] as const).map(async (kind) => {
    const named = addresses.filter((one) => one.kind === kind).map(({ address }) => address);
    const found = await findCardsOfAddresses(db, pass, kind, [...new Set(named)]);
    return found.map((cards) => [`${kind} ${cards.address}`, cards] as const);
  });
  return new Map((await Promise.all(asked)).flat());
}

function addressOf(target: AddressTarget) {
  return 'email' in target
    ? ({ kind: 'email', address: target.email } as const)
    : ({ kind: 'phone', address: target.phone } as const);
}

/** The card of the only holder who has the address. */
function onlyHolderOf(target: AddressTarget, reached: ReadonlyMap<string, AddressCards>): string | ApiError {
  const { kind, address } = addressOf(target);
  const { matchCount = 0, instanceId = null } = reached.get(`${kind} ${address}`) ?? {};
  if (matchCount > 1) {
    return refusal(
      'ambiguous_holder',
      `${matchCount} holders of this pass share this ${kind}. Name the card by identifier, instanceId or barcode instead.`,
      { matchCount },
    );
  }
  return instanceId ?? notFound(target);
}

/** The card, where it is the locked one; raises `LostRace` where the address now belongs to another card. */
function lockedAlone(only: string | ApiError, held: LockedCard | undefined): LockedCard | ApiError {
  if (only instanceof ApiError) return only;
  if (held?.instanceId !== only) throw new LostRace();
  return held;
}

/** The card that carries the shared code of its pass, where a target names it and there is only one. */
async function lockShared(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
): Promise<LockedCard | ApiError | undefined> {
  if (!targets.some((target) => 'barcode' in target && isShared(pass, target.barcode))) return undefined;
  const instanceId = await onlyCarrier(tx, pass);
  if (instanceId instanceof ApiError) return instanceId;
  return (await lockNamed(tx, pass, [{ instanceId }]))[0]?.card;
}

/**
 * Raises `LostRace` where a holder whose card was voided has another one now: the card may have been waited for
 * while that happened.
 */
async function refuseOvertaken(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
  held: readonly (LockedRow | ApiError)[],
): Promise<void> {
  const voided = new Map<string, string>();
  for (const [place, target] of targets.entries()) {
    const row = held[place];
    if ('identifier' in target && row !== undefined && !(row instanceof ApiError) && row.status === 'voided')
      voided.set(target.identifier, row.instanceId);
  }
  const now = await findCardsOf(tx, pass, [...voided.keys()]);
  if (now.some(({ identifier, instanceId }) => voided.get(identifier) !== instanceId)) throw new LostRace();
}

/** The instance of each target, or its refusal; one that is named by its id need not exist. */
export async function findTargets(
  db: Db,
  pass: PassRow,
  targets: readonly CardTarget[],
): Promise<(string | ApiError)[]> {
  const identifiers = targets.flatMap((target) => ('identifier' in target ? [target.identifier] : []));
  const barcodes = targets.flatMap((target) => ('barcode' in target ? [target.barcode] : []));
  const cards = await findCardsOf(db, pass, [...new Set(identifiers)]);
  const carriers = await findCardsByBarcode(db, pass, [...new Set(barcodes)]);
  const byIdentifier = new Map(cards.map(({ identifier, instanceId }) => [identifier, instanceId]));
  const byBarcode = new Map(carriers.map(({ barcode, instanceId }) => [barcode, instanceId]));
  const shared = barcodes.some((barcode) => isShared(pass, barcode)) ? await onlyCarrier(db, pass) : null;
  const reached = await reachedBy(db, pass, targets);
  return targets.map((target) => {
    if (isAddress(target)) return onlyHolderOf(target, reached);
    if ('identifier' in target) return byIdentifier.get(target.identifier) ?? notFound(target);
    if ('instanceId' in target) return decodeId('inst', target.instanceId) ?? notFound(target);
    if (shared !== null && isShared(pass, target.barcode)) return shared;
    return byBarcode.get(target.barcode) ?? notFound(target);
  });
}

function isShared(pass: PassRow, barcode: string): boolean {
  return pass.barcodeMode === 'simple' && pass.barcodeValue === barcode;
}

/** The card of a pass whose cards all carry one code, where there is only one. */
async function onlyCarrier(db: Db, pass: PassRow): Promise<string | ApiError> {
  const { workspaceId, passId, barcodeValue } = pass;
  const passes = await findSharedBarcodes(db, workspaceId, [barcodeValue ?? '']);
  const matchCount = passes.find((shared) => shared.passId === passId)?.issued ?? 0;
  if (matchCount > 1) {
    return refusal(
      'ambiguous_barcode',
      `${matchCount} instances carry this barcode. Name the card by identifier or instanceId instead.`,
      { matchCount },
    );
  }
  const [card] = await listInstances(db, { workspaceId, passId, since: null }, null, 1);
  return card?.instanceId ?? instanceNotFound('this barcode');
}

function notFound(target: Target): ApiError {
  if ('barcode' in target) return instanceNotFound('this barcode');
  for (const name of ['identifier', 'email', 'phone'])
    if (name in target) return refusal('holder_not_found', `No holder of this pass has this ${name}.`);
  return instanceNotFound('this instanceId');
}

/** The card with an identifier in a pass, as for a target. */
export async function findCardOf(db: Db, pass: PassRow, identifier: string): Promise<string | undefined> {
  return (await findCardsOf(db, pass, [identifier]))[0]?.instanceId;
}
