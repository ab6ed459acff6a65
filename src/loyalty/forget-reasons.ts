import { cardsOfHolder } from '../cards/holders.sql.ts';
import { forgetDetails } from '../engine/audit.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { clearReasons } from '../ledger/entries.sql.ts';

/**
 * Forgets what was said of the entries of a card, whose holder was known under this identifier; their figures stay, and so
 * do the seals over them.
 */
export async function forgetReasons(
  tx: Tx,
  card: { readonly workspaceId: string; readonly passId: string; readonly instanceId: string },
  identifier: string | null,
): Promise<void> {
  const cleared = await clearReasons(tx, card, cardsOfHolder(card, identifier));
  // Only lines from before reasons were salted repeat them.
  const repeated = cleared.filter(({ kind, wasSalted }) => !wasSalted && kind !== 'earn');
  await forgetDetails(
    tx,
    card.workspaceId,
    repeated.map(({ entryId }) => ({ id: entryId, publicId: encodeId('entry', entryId) })),
  );
}
