import type { Db } from '../../kit/db/database.ts';
import { dayEnd } from '../../kit/time.ts';
import type { ProgramRow } from './program-row.ts';
import { findWithZone } from './programs.sql.ts';

/** What the ledger needs to know of a program, as of a moment. */
export interface LedgerRules {
  readonly program: ProgramRow;
  /** The end of the day in the workspace's time zone. */
  readonly dayEndsAt: Date;
  /** The moment at which points earned at that moment expire, in ms: the end of the day that lies the program's months later; Infinity: never. */
  expiryOf(moment: Date): number;
}

/** The rules of a pass's program as of `at`; undefined without a program. */
export async function ledgerRules(
  db: Db,
  pass: { readonly workspaceId: string; readonly passId: string },
  at: Date,
): Promise<LedgerRules | undefined> {
  const row = await findWithZone(db, pass.workspaceId, pass.passId);
  if (row === undefined) return undefined;
  const { timezone, ...program } = row;
  const months = program.expiryMonths;
  return {
    program,
    dayEndsAt: dayEnd(timezone, at),
    expiryOf: (moment) =>
      months === null ? Number.POSITIVE_INFINITY : dayEnd(timezone, moment, months).getTime(),
  };
}
