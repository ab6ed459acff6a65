import { Readable } from 'node:stream';
import type { Db } from '../../kit/db/database.ts';
import { itemsHeader, presentLines } from './sweep.schema.ts';
import { listItems } from './sweep-items.sql.ts';
import type { SweepRow } from './sweep-row.ts';

const itemsPerPage = 1_000;

/** What became of each customer of a sweep as CSV: a page at a time is read, as fast as it is taken. */
export function exportResults(db: Db, sweep: SweepRow): Readable {
  return Readable.from(pagesOf(db, sweep), { objectMode: false });
}

async function* pagesOf(db: Db, sweep: SweepRow): AsyncGenerator<string> {
  yield itemsHeader;
  for (let after: string | null = null; ; ) {
    const rows = await listItems(db, sweep, after, itemsPerPage);
    if (rows.length > 0) yield presentLines(rows);
    if (rows.length < itemsPerPage) return;
    after = rows.at(-1)?.customerId ?? null;
  }
}
