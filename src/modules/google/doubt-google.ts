import type { Tx } from '../../kit/db/database.ts';
import { doubtAllClasses } from './classes.sql.ts';
import { doubtAllObjects } from './objects.sql.ts';

/**
 * Takes what Google was told for unknown, of all cards and passes: nothing is sent now, and the next change of a card
 * brings all of it. Messages that were on their way are not sent.
 */
export async function doubtGoogle(tx: Tx): Promise<void> {
  await doubtAllClasses(tx);
  await doubtAllObjects(tx);
}
