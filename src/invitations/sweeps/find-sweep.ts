import { Readable } from 'node:stream';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db } from '../../kit/db/database.ts';
import type { PassKey } from '../../passes/pass-row.ts';
import { findStore } from '../../stores/find-store.ts';
import { actorOf, type StoreRow } from '../../stores/store-row.ts';
import { itemsHeader, presentLines, presentSweep } from './sweep.schema.ts';
import { countInvites, listItems } from './sweep-items.sql.ts';
import type { SweepRow } from './sweep-row.ts';
import { findNewestSweep } from './sweeps.sql.ts';

/** The last sweep of a pass. Raises `sweep_not_found` when there was none. */
export async function findSweep(db: Db, { workspaceId, passId }: PassKey): Promise<SweepRow> {
  const sweep = await findNewestSweep(db, { workspaceId, passId });
  if (sweep === undefined)
    throw refusal('sweep_not_found', 'The customers of no store were invited to this pass yet.');
  return sweep;
}

/** A sweep as the API shows it, with the outcomes of its invitations. */
export async function showSweep(db: Db, sweep: SweepRow) {
  return presentSweep(sweep, await countInvites(db, sweep));
}

/** The store whose customers a sweep invites, as it is now. */
export async function findStoreOfSweep(ctx: PublicCtx, sweep: SweepRow): Promise<StoreRow> {
  const store = actorOf(ctx, sweep);
  return findStore(ctx.app.database.db, store, store.actor);
}

const itemsPerPage = 1_000;

/** Streams the outcome for each customer of a sweep as CSV. Reads a page at a time, as fast as the client does. */
export function exportResults(db: Db, sweep: SweepRow): Readable {
  return Readable.from(pagesOf(db, sweep), { objectMode: false });
}

async function* pagesOf(db: Db, sweep: SweepRow): AsyncGenerator<string> {
  yield itemsHeader;
  for (let after: string | null = null; ; ) {
    const rows = await listItems(db, sweep, { after, take: itemsPerPage });
    if (rows.length > 0) yield presentLines(rows);
    if (rows.length < itemsPerPage) return;
    after = rows.at(-1)?.customerId ?? null;
  }
}
