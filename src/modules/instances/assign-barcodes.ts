import { randomBytes } from 'node:crypto';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeBase32 } from '../../kit/ids.ts';
import { countCards, takeKnownCodes, takePoolCodes } from '../passes/hold-for-issue.ts';
import { findTakenBarcodes } from './instances.sql.ts';
import type { CheckedItem, IssueItem, IssueOutcome } from './issue-item.ts';

/**
 * The own barcode of each new card, by instance id; none where the pass has no barcode or shares one. Refuses
 * items with `barcode_taken` or `pool_exhausted`.
 */
export async function assignBarcodes(
  tx: Tx,
  workspaceId: string,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
): Promise<Map<string, string>> {
  const barcodes = new Map<string, string>();
  await keepBroughtCodes(tx, workspaceId, newcomers, outcomes, barcodes);
  const others = newcomers.filter(({ item }) => item.input.barcode == null);
  for (const { instanceId, pass } of others)
    if (pass.barcodeMode === 'unique') barcodes.set(instanceId, newBarcode());

  const fromPool = others.filter(({ pass }) => pass.barcodeMode === 'pool');
  for (const [pass, entries] of Map.groupBy(fromPool, (entry) => entry.pass)) {
    const at = entries[0]?.item.ctx.app.now() ?? new Date();
    const codes = await takePoolCodes(
      tx,
      pass,
      entries.map((entry) => entry.instanceId),
      at,
    );
    for (const { item, instanceId } of entries) {
      const code = codes.get(instanceId);
      if (code === undefined)
        outcomes.set(
          item,
          refusal('pool_exhausted', 'The barcode pool of this pass is used up. Upload more codes.'),
        );
      else barcodes.set(instanceId, code);
    }
  }
  return barcodes;
}

/** Codes that come with the request: taken as they are, unless another card of the pass has them. */
async function keepBroughtCodes(
  tx: Tx,
  workspaceId: string,
  newcomers: readonly CheckedItem[],
  outcomes: Map<IssueItem, IssueOutcome>,
  barcodes: Map<string, string>,
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
    } else barcodes.set(instanceId, barcode);
  }
  const pooled = brought.filter(({ pass, item }) => pass.barcodeMode === 'pool' && !outcomes.has(item));
  for (const [pass, codes] of Map.groupBy(pooled, (code) => code.pass)) {
    const at = codes[0]?.item.ctx.app.now() ?? new Date();
    const assigned = await takeKnownCodes(tx, pass, codes, at);
    if (assigned > 0) await countCards(tx, workspaceId, new Map([[pass.passId, { assigned }]]));
  }
}

/** 80 random bits as 16 characters that no reader confuses. */
function newBarcode(): string {
  return encodeBase32(randomBytes(10)).toUpperCase();
}
