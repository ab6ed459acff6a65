import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { type Db, LostRace, type Tx } from '../../kit/db/database.ts';
import { ApiError } from '../../kit/http/api-error.ts';
import { decodeId } from '../../kit/ids.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { findSharedBarcodes } from '../passes/shared-barcodes.ts';
import { instanceNotFound } from './find-instance.ts';
import { listInstances } from './instances.sql.ts';
import { shownNow } from './shown-now.ts';
import {
  findCardsOf,
  findCarriersOf,
  findForeign,
  type HeldRow,
  holdRows,
  restampRows,
} from './targets.sql.ts';

export type { HeldRow };

/** What names a card of a pass; identifiers and barcodes in NFC. */
export type Target =
  | { readonly identifier: string }
  | { readonly instanceId: string }
  | { readonly barcode: string };

/**
 * The cards of a pass that targets name, kept from changing until the transaction ends; in the place of each that
 * names none, or several, its refusal: `holder_not_found`, `instance_not_found`, `forbidden`, `ambiguous_barcode`.
 */
export async function holdTargets(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
): Promise<(HeldRow | ApiError)[]> {
  const found = await findTargets(tx, pass, targets);
  const ids = found.filter((id) => typeof id === 'string');
  const rows = new Map(
    (await holdRows(tx, pass.workspaceId, [...new Set(ids)])).map((row) => [row.instanceId, row]),
  );
  const foreign = await findForeign(
    tx,
    pass.workspaceId,
    ids.filter((id) => !rows.has(id)),
  );
  const held = targets.map((target, place) => {
    const id = found[place];
    if (typeof id !== 'string') return id ?? notFound(target);
    const row = rows.get(id);
    if (foreign.has(id)) return refusal('forbidden', 'This instance belongs to another account.');
    if (row === undefined || row.passId !== pass.passId) return notFound(target);
    return row;
  });
  await refuseOvertaken(tx, pass, targets, held);
  return held;
}

/** A new revision of what held cards of a pass show. */
export async function restampCards(
  tx: Tx,
  ctx: PublicCtx,
  pass: PassRow,
  cards: readonly HeldRow[],
): Promise<void> {
  const { revision: passRevision, modifiedAt: passModifiedAt } = pass;
  const stamped = cards.map((card) => ({
    instanceId: card.instanceId,
    modifiedAt: shownNow(ctx, { ...card, passRevision, passModifiedAt }),
  }));
  await restampRows(tx, pass.workspaceId, passRevision, stamped);
}

/**
 * Raises `LostRace` where a holder whose card was voided has another one by now: the card may have been waited for
 * while that happened.
 */
async function refuseOvertaken(
  tx: Tx,
  pass: PassRow,
  targets: readonly Target[],
  held: readonly (HeldRow | ApiError)[],
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
  targets: readonly Target[],
): Promise<(string | ApiError)[]> {
  const identifiers = targets.flatMap((target) => ('identifier' in target ? [target.identifier] : []));
  const barcodes = targets.flatMap((target) => ('barcode' in target ? [target.barcode] : []));
  const cards = await findCardsOf(db, pass, [...new Set(identifiers)]);
  const carriers = await findCarriersOf(db, pass, [...new Set(barcodes)]);
  const byIdentifier = new Map(cards.map(({ identifier, instanceId }) => [identifier, instanceId]));
  const byBarcode = new Map(carriers.map(({ barcode, instanceId }) => [barcode, instanceId]));
  const shared = barcodes.some((barcode) => isShared(pass, barcode)) ? await onlyCarrier(db, pass) : null;
  return targets.map((target) => {
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
  if (!('identifier' in target))
    return instanceNotFound('barcode' in target ? 'this barcode' : 'this instanceId');
  return refusal('holder_not_found', 'No holder of this pass has this identifier.');
}

/** The card that stands for an identifier with a pass, as for a target. */
export async function findCardOf(db: Db, pass: PassRow, identifier: string): Promise<string | undefined> {
  return (await findCardsOf(db, pass, [identifier]))[0]?.instanceId;
}
