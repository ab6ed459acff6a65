import type { ClockCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { makeStoresDue } from './reconcile.sql.ts';

/**
 * Has all stores read as soon as there is a worker, from where they were left: what they have changed since comes back.
 * Answers how many.
 */
export async function readStoresAgain(tx: Tx, ctx: ClockCtx): Promise<number> {
  return makeStoresDue(tx, ctx.app.now());
}
