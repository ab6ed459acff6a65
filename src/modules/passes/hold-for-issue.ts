import type { Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import type { PassRow } from './pass-row.ts';
import { type CountChange, findPassAnywhere, holdPasses, moveCounts } from './passes.sql.ts';
import { type AssignedCode, assignCodes, assignKnownCodes, beforeCodes, returnCodes } from './pool.sql.ts';

/**
 * The passes by their public ids, kept from changing until the transaction ends. One of another account is in the
 * answer too, for the caller to refuse; one that nobody has is not.
 */
export async function holdForIssue(
  tx: Tx,
  workspaceId: string,
  publicIds: readonly string[],
): Promise<Map<string, PassRow>> {
  const wanted = new Map<string, string>();
  for (const publicId of publicIds) {
    const passId = decodeId('pass', publicId);
    if (passId !== null) wanted.set(passId, publicId);
  }
  const found = new Map<string, PassRow>();
  if (wanted.size === 0) return found;
  for (const row of await holdPasses(tx, workspaceId, [...wanted.keys()]))
    found.set(wanted.get(row.passId) ?? '', row);
  for (const [passId, publicId] of wanted) {
    const foreign = found.has(publicId) ? undefined : await findPassAnywhere(tx, passId);
    if (foreign !== undefined) found.set(publicId, foreign);
  }
  return found;
}

/** Assigns the next codes of a pass's pool; instances that are missing in the answer found it exhausted. */
export async function takePoolCodes(
  tx: Tx,
  pass: PassRow,
  instanceIds: readonly string[],
  at: Date,
): Promise<Map<string, string>> {
  const take = (wait: boolean) => assignCodes(tx, pass.workspaceId, pass.passId, instanceIds, at, wait);
  await beforeCodes(tx);
  let codes = await take(false);
  if (codes.length < instanceIds.length) {
    // Who waits for others' codes must hold none: two that did would block each other.
    await returnCodes(tx);
    codes = await take(true);
  }
  return new Map(codes.map(({ instanceId, barcode }) => [instanceId, barcode]));
}

/** Takes the codes of imported cards out of the pool, so that they are never issued again; answers which. */
export function takeKnownCodes(
  tx: Tx,
  pass: PassRow,
  codes: readonly AssignedCode[],
  at: Date,
): Promise<AssignedCode[]> {
  return assignKnownCodes(tx, pass.workspaceId, pass.passId, codes, at);
}

/** Moves the counts that a pass shows. */
export async function countCards(
  tx: Tx,
  workspaceId: string,
  changes: ReadonlyMap<string, CountChange>,
): Promise<void> {
  if (changes.size > 0) await moveCounts(tx, workspaceId, changes);
}
