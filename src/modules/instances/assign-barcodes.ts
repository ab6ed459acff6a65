import { randomBytes } from 'node:crypto';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeBase32 } from '../../kit/ids.ts';
import { takeKnownCodes, takePoolCodes } from '../passes/hold-for-issue.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { findTakenBarcodes } from './instances.sql.ts';
import type { CheckedItem, IssueItem, IssueOutcome } from './issue-item.ts';

/** The codes that new cards get, by instance id, and the instances whose code was taken out of a pool. */
interface Assigned {
  readonly barcodes: Map<string, string>;
  readonly fromPool: Set<string>;
}

/**
 * Gives each new card of a pass a barcode of its own; none where the pass has no barcode or shares one. Refuses
 * items with `barcode_taken` or `pool_exhausted`.
 */
export async function assignBarcodes(
  tx: Tx,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
): Promise<Assigned> {
  const assigned: Assigned = { barcodes: new Map(), fromPool: new Set() };
  const [first] = newcomers;
  if (first === undefined) return assigned;
  const { pass } = first;
  await keepBroughtCodes(tx, pass, newcomers, outcomes, assigned);
  const others = newcomers.filter(({ item }) => item.input.barcode == null);
  if (pass.barcodeMode === 'unique')
    for (const { instanceId } of others) assigned.barcodes.set(instanceId, newBarcode());
  if (pass.barcodeMode === 'pool') await drawFromPool(tx, pass, others, outcomes, assigned);
  return assigned;
}

async function drawFromPool(
  tx: Tx,
  pass: PassRow,
  waiting: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  assigned: Assigned,
): Promise<void> {
  const [first] = waiting;
  if (first === undefined) return;
  const codes = await takePoolCodes(
    tx,
    pass,
    waiting.map((entry) => entry.instanceId),
    first.item.ctx.app.now(),
  );
  for (const { item, instanceId } of waiting) {
    const code = codes.get(instanceId);
    if (code === undefined) {
      outcomes.set(
        item,
        refusal('pool_exhausted', 'The barcode pool of this pass is used up. Upload more codes.'),
      );
      continue;
    }
    assigned.barcodes.set(instanceId, code);
    assigned.fromPool.add(instanceId);
  }
}

/** Codes that come with the request: taken as they are, unless another card of the pass has them. */
async function keepBroughtCodes(
  tx: Tx,
  pass: PassRow,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  assigned: Assigned,
): Promise<void> {
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
    } else assigned.barcodes.set(instanceId, barcode);
  }
  const known = brought.filter(({ item }) => !outcomes.has(item));
  const [first] = known;
  if (pass.barcodeMode !== 'pool' || first === undefined) return;
  const pooled = await takeKnownCodes(tx, pass, known, first.item.ctx.app.now());
  for (const { instanceId } of pooled) assigned.fromPool.add(instanceId);
}

/** 80 random bits as 16 characters that no reader confuses. */
function newBarcode(): string {
  return encodeBase32(randomBytes(10)).toUpperCase();
}
