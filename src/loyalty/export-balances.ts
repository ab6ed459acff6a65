import { Readable } from 'node:stream';
import type { Db } from '../kit/db/database.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { balancesHeader, presentBalances } from './balances.schema.ts';
import { listBalances } from './balances.sql.ts';

const accountsPerPage = 1_000;

/** The balances of a program as CSV: a page at a time is read, as fast as it is taken. */
export function exportBalances(db: Db, program: ProgramRow): Readable {
  return Readable.from(pagesOf(db, program), { objectMode: false });
}

async function* pagesOf(db: Db, program: ProgramRow): AsyncGenerator<string> {
  yield balancesHeader;
  for (let after: string | null = null; ; ) {
    const rows = await listBalances(db, program, after, accountsPerPage);
    if (rows.length > 0) yield presentBalances(rows);
    if (rows.length < accountsPerPage) return;
    after = rows.at(-1)?.accountId ?? null;
  }
}
