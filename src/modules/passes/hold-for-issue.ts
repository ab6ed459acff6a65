import type { Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import type { PassRow } from './pass-row.ts';
import { type CountChange, findPassAnywhere, holdPasses, moveCounts } from './passes.sql.ts';
import { assignCodes, assignKnownCodes } from './pool.sql.ts';

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
  const taken = new Map<string, string>();
  for (const wait of [false, true]) {
    const missing = instanceIds.filter((instanceId) => !taken.has(instanceId));
    if (missing.length === 0) break;
    const codes = await assignCodes(tx, pass.workspaceId, pass.passId, missing, at, wait);
    for (const { instanceId, barcode } of codes) taken.set(instanceId, barcode);
  }
  return taken;
}

/** Takes the codes of imported cards out of the pool, so that they are never issued again; answers how many. */
export async function takeKnownCodes(
  tx: Tx,
  pass: PassRow,
  codes: readonly { instanceId: string; barcode: string }[],
  at: Date,
): Promise<number> {
  return (await assignKnownCodes(tx, pass.workspaceId, pass.passId, codes, at)).length;
}

/** Moves the counts that a pass shows. */
export async function countCards(
  tx: Tx,
  workspaceId: string,
  changes: ReadonlyMap<string, CountChange>,
): Promise<void> {
  if (changes.size > 0) await moveCounts(tx, workspaceId, changes);
}
