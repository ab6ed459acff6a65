import type { Tx } from '../../kit/db/database.ts';
import { type Heir, lockCardsWithAccounts, moveAccounts, type TakenAccount } from './take-over.sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/**
 * Keeps the cards of holders from changing whose accounts may be taken over; false when there are none. Called before
 * the new cards are written: who makes a card of the same holder valid meanwhile waits here, and blocks nobody.
 */
export async function holdFormerCards(tx: Tx, pass: Pass, identifiers: readonly string[]): Promise<boolean> {
  if (identifiers.length === 0) return false;
  return (await lockCardsWithAccounts(tx, pass, identifiers)) > 0;
}

/**
 * Gives cards the accounts of their holders' former, voided cards, which the caller holds; by the instance ids of the
 * new ones. A card that has an account keeps that. An erased card has no holder, and nobody takes its account over.
 */
export async function takeOverAccounts(
  tx: Tx,
  pass: Pass,
  heirs: readonly Heir[],
): Promise<Map<string, TakenAccount>> {
  if (heirs.length === 0) return new Map();
  const taken = await moveAccounts(tx, pass, heirs);
  return new Map(taken.map((account) => [account.instanceId, account]));
}
