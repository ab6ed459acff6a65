import { wholeSecond } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/database.ts';
import { restampAll } from './passes.sql.ts';

/** Something changed that the cards of all passes show: their files are made anew. */
export async function restampPasses(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await restampAll(tx, workspaceId, wholeSecond(at));
}
