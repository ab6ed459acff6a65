import { randomBytes } from 'node:crypto';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeBase32 } from '../../kit/ids.ts';
import { takeKnownCodes, takePoolCodes } from '../passes/hold-for-issue.ts';
import type { PoolTaken } from '../passes/settle-pool.ts';
import { findTakenBarcodes } from './instances.sql.ts';
import type { CheckedItem, IssueItem, IssueOutcome } from './issue-item.ts';

/** The codes that new cards get, by instance id. */
type Barcodes = Map<string, string>;

/**
 * Gives each new card of a pass a barcode of its own; none where the pass has no barcode or shares one. Refuses
 * items with `barcode_taken` or `pool_exhausted`. What comes out of a pool is added to `taken`.
 */
export async function assignBarcodes(
  tx: Tx,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  taken: PoolTaken[],
): Promise<Barcodes> {
  const barcodes: Barcodes = new Map();
  const [first] = newcomers;
  if (first === undefined) return barcodes;
  const { pass } = first;
  const fromPool: PoolTaken = {
    pass,
    at: first.item.ctx.app.now(),
    drawn: [],
    known: [],
    isExhausted: false,
  };
  if (pass.barcodeMode === 'pool') taken.push(fromPool);
  await keepBroughtCodes(tx, newcomers, outcomes, barcodes, fromPool);
  const others = newcomers.filter(({ item }) => item.input.barcode == null);
  if (pass.barcodeMode === 'unique')
    for (const { instanceId } of others) barcodes.set(instanceId, newBarcode());
  if (pass.barcodeMode === 'pool') await drawFromPool(tx, others, outcomes, barcodes, fromPool);
  return barcodes;
}

async function drawFromPool(
  tx: Tx,
  waiting: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  barcodes: Barcodes,
  fromPool: PoolTaken,
): Promise<void> {
  if (waiting.length === 0) return;
  const ids = waiting.map((entry) => entry.instanceId);
  const drawn = await takePoolCodes(tx, fromPool.pass, ids, fromPool.at);
  fromPool.drawn.push(...drawn);
  const codes = new Map(drawn.map(({ instanceId, barcode }) => [instanceId, barcode]));
  for (const { item, instanceId } of waiting) {
    const code = codes.get(instanceId);
    if (code === undefined) {
      fromPool.isExhausted = true;
      outcomes.set(
        item,
        refusal('pool_exhausted', 'The barcode pool of this pass is used up. Upload more codes.'),
      );
      continue;
    }
    barcodes.set(instanceId, code);
  }
}

/** Codes that come with the request: taken as they are, unless another card of the pass has them. */
async function keepBroughtCodes(
  tx: Tx,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  barcodes: Barcodes,
  fromPool: PoolTaken,
): Promise<void> {
  const { pass, at } = fromPool;
  const brought = newcomers.flatMap(({ item, instanceId }) =>
    item.input.barcode == null ? [] : [{ item, instanceId, barcode: item.input.barcode }],
  );
  const taken = await findTakenBarcodes(
    tx,
    pass,
    brought.map(({ barcode }) => barcode),
  );
  for (const { item, instanceId, barcode } of brought) {
    if (taken.has(barcode)) {
      outcomes.set(
        item,
        refusal(
          'barcode_taken',
          `The barcode "${barcode}" is on another card of this pass. Choose another one.`,
        ),
      );
    } else barcodes.set(instanceId, barcode);
  }
  const known = brought.filter(({ item }) => !outcomes.has(item));
  if (pass.barcodeMode !== 'pool' || known.length === 0) return;
  fromPool.known.push(...(await takeKnownCodes(tx, pass, known, at)));
}

/** 80 random bits as 16 characters that no reader confuses. */
function newBarcode(): string {
  return encodeBase32(randomBytes(10)).toUpperCase();
}
