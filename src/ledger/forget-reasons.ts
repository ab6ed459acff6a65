import { forgetDetails } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { type CardOfEntries, clearReasons } from './entries.sql.ts';

/** Forgets what was said of the entries of a card; their figures stay, and so do the seals over them. */
export async function forgetReasons(tx: Tx, card: CardOfEntries): Promise<void> {
  const cleared = await clearReasons(tx, card);
  // Only lines from before reasons were salted repeat them.
  const repeated = cleared.filter(({ kind, wasSalted }) => !wasSalted && kind !== 'earn');
  await forgetDetails(
    tx,
    card.workspaceId,
    repeated.map(({ entryId }) => ({ id: entryId, publicId: encodeId('entry', entryId) })),
  );
}
