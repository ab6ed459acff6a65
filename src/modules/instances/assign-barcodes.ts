import { randomBytes } from 'node:crypto';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeBase32 } from '../../kit/ids.ts';
import { takeKnownCodes, takePoolCodes } from '../passes/hold-for-issue.ts';
import { findTakenBarcodes } from './instances.sql.ts';
import type { CheckedItem, IssueItem, IssueOutcome } from './issue-item.ts';

/** The codes that new cards get, by instance id, and the instances whose code was taken out of a pool. */
interface Assigned {
  readonly barcodes: Map<string, string>;
  readonly fromPool: Set<string>;
}

/**
 * Gives each new card a barcode of its own; none where the pass has no barcode or shares one. Refuses items with
 * `barcode_taken` or `pool_exhausted`.
 */
export async function assignBarcodes(
  tx: Tx,
  workspaceId: string,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
): Promise<Assigned> {
  const assigned: Assigned = { barcodes: new Map(), fromPool: new Set() };
  await keepBroughtCodes(tx, workspaceId, newcomers, outcomes, assigned);
  const others = newcomers.filter(({ item }) => item.input.barcode == null);
  for (const { instanceId, pass } of others)
    if (pass.barcodeMode === 'unique') assigned.barcodes.set(instanceId, newBarcode());

  const waiting = others.filter(({ pass }) => pass.barcodeMode === 'pool');
  for (const [pass, entries] of Map.groupBy(waiting, (entry) => entry.pass)) {
    const at = entries[0]?.item.ctx.app.now() ?? new Date();
    const codes = await takePoolCodes(
      tx,
      pass,
      entries.map((entry) => entry.instanceId),
      at,
    );
    for (const { item, instanceId } of entries) {
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
  return assigned;
}

/** Codes that come with the request: taken as they are, unless another card of the pass has them. */
async function keepBroughtCodes(
  tx: Tx,
  workspaceId: string,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  assigned: Assigned,
): Promise<void> {
  const brought = newcomers.flatMap(({ item, pass, instanceId }) =>
    item.input.barcode == null
      ? []
      : [{ item, pass, instanceId, passId: pass.passId, barcode: item.input.barcode }],
  );
  const taken = await findTakenBarcodes(tx, workspaceId, brought);
  for (const { item, passId, instanceId, barcode } of brought) {
    if (taken.has(`${passId} ${barcode}`)) {
      outcomes.set(
        item,
        refusal(
          'barcode_taken',
          `The barcode "${barcode}" is on another card of this pass. Choose another one.`,
        ),
      );
    } else assigned.barcodes.set(instanceId, barcode);
  }
  const pooled = brought.filter(({ pass, item }) => pass.barcodeMode === 'pool' && !outcomes.has(item));
  for (const [pass, codes] of Map.groupBy(pooled, (code) => code.pass)) {
    const at = codes[0]?.item.ctx.app.now() ?? new Date();
    for (const { instanceId } of await takeKnownCodes(tx, pass, codes, at)) assigned.fromPool.add(instanceId);
  }
}

/** 80 random bits as 16 characters that no reader confuses. */
function newBarcode(): string {
  return encodeBase32(randomBytes(10)).toUpperCase();
}
