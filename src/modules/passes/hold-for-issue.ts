import type { Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import type { HeldPass, PassRow } from './pass-row.ts';
import { type CountChange, findPassAnywhere, holdPass, moveCounts } from './passes.sql.ts';
import {
  type AssignedCode,
  assignCodes,
  assignKnownCodes,
  beforeCodes,
  returnCodes,
  type TakenCode,
} from './pool.sql.ts';

/**
 * A pass by its public id, kept from changing until the transaction ends. One of another account is answered too,
 * for the caller to refuse; undefined where nobody has it.
 */
export async function holdForIssue(
  tx: Tx,
  workspaceId: string,
  publicId: string,
): Promise<HeldPass | undefined> {
  const passId = decodeId('pass', publicId);
  if (passId === null) return undefined;
  let held = await holdPass(tx, workspaceId, passId);
  // Whoever waited for the program to be made sees the pass as it is now, and its program not yet.
  if (held?.programId != null && held.programMode === null) held = await holdPass(tx, workspaceId, passId);
  if (held !== undefined) return held;
  const foreign = await findPassAnywhere(tx, passId);
  return foreign && { ...foreign, programMode: null };
}

/**
 * Assigns the next codes of a pass's pool; instances that are missing in the answer found it exhausted. The caller ends
 * with `settlePool`.
 */
export async function takePoolCodes(
  tx: Tx,
  pass: PassRow,
  instanceIds: readonly string[],
  at: Date,
): Promise<TakenCode[]> {
  const take = (wait: boolean) => assignCodes(tx, pass, instanceIds, at, wait);
  await beforeCodes(tx);
  let codes = await take(false);
  if (codes.length < instanceIds.length) {
    // Who waits for others' codes must hold none: two that did would block each other.
    await returnCodes(tx);
    codes = await take(true);
  }
  return codes;
}

/**
 * Takes the codes of imported cards out of the pool, so that they are never issued again; answers which. The caller ends
 * with `settlePool`.
 */
export function takeKnownCodes(
  tx: Tx,
  pass: PassRow,
  codes: readonly AssignedCode[],
  at: Date,
): Promise<TakenCode[]> {
  return assignKnownCodes(tx, pass, codes, at);
}

/** Moves the counts that a pass shows; its own row or a card's names it. Once in a transaction, and late. */
export async function countCards(
  tx: Tx,
  { workspaceId, passId }: Pick<PassRow, 'workspaceId' | 'passId'>,
  change: CountChange,
): Promise<void> {
  await moveCounts(tx, workspaceId, passId, change);
}
