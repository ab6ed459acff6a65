import type { Db } from '../../kit/db/database.ts';
import { findHeldCards } from './held-cards.sql.ts';

/** What is known of a person who may have a card. */
export interface AskedHolder {
  /** As cards are issued with it. */
  readonly identifier: string | null;
  /** In any case. */
  readonly email: string | null;
}

/**
 * The present card that each person has of a pass, in their places; null for none. An identifier goes before an
 * address; of several cards with one address it is the one that was issued first.
 */
export async function findHolders(
  db: Db,
  pass: { readonly workspaceId: string; readonly passId: string },
  asked: readonly AskedHolder[],
): Promise<(string | null)[]> {
  const known = asked.map(({ identifier, email }) => ({
    identifier: identifier?.normalize('NFC') ?? null,
    email: email?.trim().normalize('NFC') ?? null,
  }));
  const cards = known.length === 0 ? [] : await findHeldCards(db, pass, known);
  return cards.map(({ instanceId }) => instanceId);
}
