import type { Db } from '../../kit/db/database.ts';
import { idsBetween } from '../../kit/id-range.ts';
import { countByPass, type PartnerCards } from './partner-cards.sql.ts';

export type { PartnerCards };

/** How many cards of each pass were issued at a partner from `from` until before `to`. */
export function countPartnerCards(
  db: Db,
  partner: { workspaceId: string; partnerId: string },
  { from, to }: { from: Date; to: Date },
): Promise<PartnerCards[]> {
  return countByPass(db, partner, { from, to, ...idsBetween(from, to) });
}
