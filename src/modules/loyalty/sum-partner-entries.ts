import type { Db } from '../../kit/db/database.ts';
import { idsBetween } from '../../kit/id-range.ts';
import { type PartnerSums, sumByProgram } from './partner-entries.sql.ts';

export type { PartnerSums };

/** What was earned, redeemed and undone at a partner from `from` until before `to`, by program. */
export function sumPartnerEntries(
  db: Db,
  partner: { workspaceId: string; partnerId: string },
  { from, to }: { from: Date; to: Date },
): Promise<PartnerSums[]> {
  return sumByProgram(db, partner, { from, to, ...idsBetween(from, to) });
}
