import type { Db } from '../../kit/db/database.ts';
import type { ProgramRow } from './program-row.ts';
import { readRules } from './programs.sql.ts';

/** What the ledger needs to know of a program, as of a moment. */
export interface LedgerRules {
  readonly program: ProgramRow;
  /** The end of the day in the workspace's time zone. */
  readonly dayEndsAt: Date;
  /** When points earned at that moment expire, in ms; Infinity: never. For the moments that were asked for. */
  expiryOf(moment: Date): number;
}

/** The rules of a pass's program as of `at`, for points earned at any of `moments`; undefined without a program. */
export async function ledgerRules(
  db: Db,
  pass: { readonly workspaceId: string; readonly passId: string },
  at: Date,
  moments: readonly Date[],
): Promise<LedgerRules | undefined> {
  const distinct = [...new Map(moments.map((moment) => [moment.getTime(), moment])).values()];
  const row = await readRules(db, pass.workspaceId, pass.passId, at, distinct);
  if (row === undefined) return undefined;
  const { dayEndsAt, expiries, ...program } = row;
  const ends = new Map(distinct.map((moment, place) => [moment.getTime(), expiries[place]]));
  return {
    program,
    dayEndsAt,
    expiryOf(moment) {
      const end = ends.get(moment.getTime());
      if (end === undefined) throw new Error('nobody has asked when points of this moment expire');
      return end?.getTime() ?? Number.POSITIVE_INFINITY;
    },
  };
}
