import type { Tx } from '../../kit/db/database.ts';
import { giveUpUnsent } from './sending.sql.ts';

/**
 * Sends none of the mails that wait, of all workspaces, since they may have left before the database was restored: their
 * invitations are `unknown`. Answers how many.
 */
export async function dropInvites(tx: Tx): Promise<number> {
  return giveUpUnsent(tx);
}
