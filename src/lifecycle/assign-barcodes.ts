import { isOnCard } from '../cards/issue.sql.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { NeedsOwnTransaction } from '../kit/db/database-errors.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import { newBarcode } from '../passes/barcode-formats.ts';
import { countCards } from '../passes/count-cards.ts';
import { noteTaken } from '../passes/count-pool.ts';
import type { PassRow } from '../passes/pass-row.ts';
import {
  assignCodes,
  assignKnownCodes,
  beforeCodes,
  returnCodes,
  type TakenCode,
} from '../passes/pool.sql.ts';
import type { CheckedItem, Issued, IssueItem } from './issue-item.ts';

/** The codes that new cards get, by instance id. */
type Barcodes = Map<string, string>;

type Results = Map<IssueItem, Issued | ApiError>;

/**
 * Gives each new card of a pass a barcode of its own; none where the pass has no barcode or shares one. Refuses
 * items with `barcode_taken`, for a code among `taken`, or `pool_exhausted`.
 */
export async function assignBarcodes(
  tx: Tx,
  newcomers: readonly CheckedItem[],
  taken: ReadonlySet<string>,
  results: Results,
): Promise<Barcodes> {
  const [first] = newcomers;
  if (first === undefined) return new Map();
  const barcodes = keepBroughtCodes(newcomers, taken, results);
  const others = newcomers.filter(({ item }) => item.input.barcode == null);
  const { pass } = first;
  if (pass.barcodeMode === 'unique')
    for (const { instanceId } of others) barcodes.set(instanceId, newBarcode(pass.barcodeFormat));
  if (pass.barcodeMode === 'pool') await drawFromPool(tx, first, others, barcodes, results);
  return barcodes;
}

/** Takes the next codes of a pool, and those out of it that came with the request: `barcodes` has them. */
async function drawFromPool(
  tx: Tx,
  { pass, item: { ctx } }: CheckedItem,
  waiting: readonly CheckedItem[],
  barcodes: Barcodes,
  results: Results,
): Promise<void> {
  const at = ctx.app.now();
  const brought = [...barcodes].map(([instanceId, barcode]) => ({ instanceId, barcode }));
  const ids = waiting.map(({ instanceId }) => instanceId);
  // In this order: a transaction that has waited for codes of others holds none, and a code that was brought is none to draw.
  const [known, drawn] = await Promise.all([
    brought.length === 0 ? [] : assignKnownCodes(tx, pass, brought, at),
    ids.length === 0 ? [] : takePoolCodes(tx, pass, ids, at),
  ]);
  for (const { instanceId, barcode } of drawn) barcodes.set(instanceId, barcode);
  for (const { item, instanceId } of waiting) {
    if (!barcodes.has(instanceId)) results.set(item, poolExhausted());
  }
  noteTaken(tx, { ctx, pass, at, drawn, known, isExhausted: drawn.length < ids.length });
  countCards(tx, pass, { assigned: drawn.length + known.length });
}

/** Assigns the next codes of a pass's pool; instances that are missing in the answer found it exhausted. */
async function takePoolCodes(
  tx: Tx,
  pass: PassRow,
  instanceIds: readonly string[],
  at: Date,
): Promise<TakenCode[]> {
  const take = (wait: boolean) => assignCodes(tx, pass, instanceIds, { at, wait, isOnCard: isOnCard(pass) });
  const [, codes] = await Promise.all([tx.unit.isPart || beforeCodes(tx), take(false)]);
  if (codes.length === instanceIds.length) return codes;
  if (tx.unit.isPart) throw new NeedsOwnTransaction('codes are to be given back and waited for');
  // A transaction that waits for others' codes must hold none: two that did would block each other.
  const [, waitedFor] = await Promise.all([returnCodes(tx), take(true)]);
  return waitedFor;
}

/** Codes that come with the request: taken as they are, unless another card of the pass has them. */
function keepBroughtCodes(
  newcomers: readonly CheckedItem[],
  taken: ReadonlySet<string>,
  results: Results,
): Barcodes {
  const barcodes: Barcodes = new Map();
  for (const { item, instanceId } of newcomers) {
    const { barcode } = item.input;
    if (barcode == null) continue;
    if (taken.has(barcode)) results.set(item, barcodeTaken(barcode));
    else barcodes.set(instanceId, barcode);
  }
  return barcodes;
}

function poolExhausted(): ApiError {
  return refusal('pool_exhausted', 'The barcode pool of this pass is used up. Upload more codes.');
}

function barcodeTaken(barcode: string): ApiError {
  return refusal(
    'barcode_taken',
    `The barcode "${barcode}" is on another card of this pass. Choose another one.`,
  );
}
