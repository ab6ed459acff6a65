import type { Db } from '../../kit/db/database.ts';
import { keptTotals } from '../programs/find-program.ts';
import { sumAccounts, sumEntries, type Totals } from './totals.sql.ts';

/** Rows that one statement adds up: however many there are, none of them takes long. */
const rowsPerStep = 50_000;

/**
 * Holds the totals of a program against its entries and accounts. Points move all the time, so all of it must be of one
 * moment: `db` is a snapshot, kept for as long as adding up takes.
 */
export async function countProgram(
  db: Db,
  workspaceId: string,
  programId: string,
): Promise<{ expected: string; found: string }[]> {
  const program = { workspaceId, programId };
  const sums = new Map<string, bigint>();
  for (const sumStep of [sumEntries, sumAccounts]) {
    for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
      const step: { sums: Totals; last: string | null } = await sumStep(db, program, after, rowsPerStep);
      for (const [name, sum] of Object.entries(step.sums)) sums.set(name, (sums.get(name) ?? 0n) + sum);
      after = step.last;
    }
  }
  return Object.entries(await keptTotals(db, program))
    .filter(([name, total]) => total !== sums.get(name))
    .map(([name, total]) => ({ expected: `${name} ${sums.get(name)}`, found: `${name} ${total}` }));
}
