import type { Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import type { HeldPass, PassRow } from './pass-row.ts';
import { findPassAnywhere, holdPass } from './passes.sql.ts';
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
  const held = await holdPass(tx, workspaceId, passId);
  if (held !== undefined) return held;
  const foreign = await findPassAnywhere(tx, passId);
  return foreign && { ...foreign, programMode: null };
}

/**
 * Assigns the next codes of a pass's pool; instances that are missing in the answer found it exhausted. The caller
 * tells `noteTaken`.
 */
export async function takePoolCodes(
  tx: Tx,
  pass: PassRow,
  instanceIds: readonly string[],
  at: Date,
): Promise<TakenCode[]> {
  const take = (wait: boolean) => assignCodes(tx, pass, instanceIds, at, wait);
  const [, codes] = await Promise.all([beforeCodes(tx), take(false)]);
  if (codes.length === instanceIds.length) return codes;
  // Who waits for others' codes must hold none: two that did would block each other.
  const [, waitedFor] = await Promise.all([returnCodes(tx), take(true)]);
  return waitedFor;
}

/**
 * Takes the codes of imported cards out of the pool, so that they are never issued again; answers which. The caller tells
 * `noteTaken`.
 */
export function takeKnownCodes(
  tx: Tx,
  pass: PassRow,
  codes: readonly AssignedCode[],
  at: Date,
): Promise<TakenCode[]> {
  return assignKnownCodes(tx, pass, codes, at);
}
