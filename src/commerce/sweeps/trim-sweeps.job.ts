import type { PublicCtx } from '../../context.ts';
import { removeItems } from './sweep-items.sql.ts';
import { findStaleSweep, holdStaleSweep, markTrimmed } from './sweeps.sql.ts';

const itemsPerTurn = 2_000;
const keptMs = 90 * 24 * 3_600_000;

/**
 * Forgets what became of each customer 90 days after a sweep has ended, and at once what a dry run had to remember. The
 * counts stay. False when there is nothing more to forget.
 */
export async function trimSweeps(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const sweep = await findStaleSweep(database.db, new Date(now().getTime() - keptMs));
  if (sweep === undefined) return false;
  return database.transaction(async (tx) => {
    if (!(await holdStaleSweep(tx, sweep))) return false;
    const removed = await removeItems(tx, sweep, itemsPerTurn);
    if (removed === 0) await markTrimmed(tx, sweep, now());
    return true;
  });
}
