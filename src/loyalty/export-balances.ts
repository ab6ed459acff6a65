import { Readable } from 'node:stream';
import type { KeyCtx } from '../context.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { balancesHeader, presentBalances } from './balances.schema.ts';
import { listBalances } from './balances.sql.ts';

const accountsPerPage = 1_000;

/** The balances of a program as CSV: a page at a time is read, as fast as it is taken, for as long as the caller may read it. */
export function exportBalances(ctx: KeyCtx, program: ProgramRow): Readable {
  return Readable.from(pagesOf(ctx, program), { objectMode: false });
}

async function* pagesOf(ctx: KeyCtx, program: ProgramRow): AsyncGenerator<string> {
  yield balancesHeader;
  for (let after: string | null = null; ; ) {
    const rows = await listBalances(ctx.app.database.db, program, after, accountsPerPage);
    await ctx.app.askKeyAgain.beforeAnswer(ctx);
    if (rows.length > 0) yield presentBalances(rows, program.currency);
    if (rows.length < accountsPerPage) return;
    after = rows.at(-1)?.accountId ?? null;
  }
}
