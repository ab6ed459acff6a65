import type { Db } from '../../kit/db/database.ts';
import { keptTotals } from '../programs/find-program.ts';
import { type Step, sumAccounts, sumEntries } from './totals.sql.ts';

/** Rows that one statement adds up: however many there are, none of them takes long. */
const rowsPerStep = 50_000;

/**
 * Holds the totals of a program against its entries and accounts, and finds accounts that have entries only. Points move all the time, so all of it must be of one
 * moment: `db` is a snapshot, kept for as long as adding up takes.
 */
export async function countProgram(
  db: Db,
  workspaceId: string,
  programId: string,
): Promise<{ wrongTotals: { expected: string; found: string }[]; orphans: string[] }> {
  const program = { workspaceId, programId };
  const sums = new Map<string, bigint>();
  const orphans = new Set<string>();
  for (const sumStep of [sumEntries, sumAccounts]) {
    for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
      const step: Step = await sumStep(db, program, after, rowsPerStep);
      for (const accountId of step.orphans) orphans.add(accountId);
      for (const [name, sum] of Object.entries(step.sums)) sums.set(name, (sums.get(name) ?? 0n) + sum);
      after = step.last;
    }
  }
  const wrongTotals = Object.entries(await keptTotals(db, program))
    .filter(([name, total]) => total !== sums.get(name))
    .map(([name, total]) => ({ expected: `${name} ${sums.get(name)}`, found: `${name} ${total}` }));
  return { wrongTotals, orphans: [...orphans] };
}
