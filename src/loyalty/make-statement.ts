import { countByPass, type PartnerCards } from '../cards/partner-cards.sql.ts';
import type { KeyCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { idsBetween } from '../kit/ids.ts';
import { dayStart } from '../kit/time.ts';
import { type PartnerSums, sumByProgram } from '../ledger/entries.sql.ts';
import { findPartner } from '../passes/partners/partners.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import type { Statement, StatementLine } from './statement.schema.ts';

/**
 * What happened at a partner in a month, by pass, the oldest pass first: cards that were issued, and entries of the
 * ledger by when they were recorded. The month is that of the workspace's time zone. Raises `partner_not_found`.
 */
export async function makeStatement(
  db: Db,
  ctx: KeyCtx,
  input: { partnerId: string; month: string },
): Promise<Statement> {
  const partner = await findPartner(db, ctx, input.partnerId);
  // Its days are those of the workspace.
  const { timezone } = await ownWorkspace(db, ctx);
  const [year = 0, month = 0] = input.month.split('-').map(Number);
  const period = { from: dayStart(timezone, year, month, 1), to: dayStart(timezone, year, month + 1, 1) };
  const range = { ...period, ...idsBetween(period.from, period.to) };
  const cards = await countByPass(db, partner, range);
  const sums = await sumByProgram(db, partner, range);
  return { partner, month: input.month, timezone, ...period, lines: linesOf(cards, sums) };
}

/** One line per pass that has cards, entries or both. */
function linesOf(cards: readonly PartnerCards[], sums: readonly PartnerSums[]): StatementLine[] {
  const issued = new Map(cards.map((row) => [row.passId, row]));
  const earned = new Map(sums.map((row) => [row.passId, row]));
  const passes = new Map([...cards, ...sums].map((row) => [row.passId, row]));
  return [...passes.values()]
    .sort((a, b) => (a.passId < b.passId ? -1 : 1))
    .map(({ passId, programId, title }) => ({
      passId,
      programId,
      title,
      figures: figuresOf(issued.get(passId), earned.get(passId)),
    }));
}

function figuresOf(cards: PartnerCards | undefined, sums: PartnerSums | undefined): StatementLine['figures'] {
  return {
    cardsIssued: cards?.cards ?? 0,
    awards: sums?.awards ?? 0,
    pointsIssued: sums?.pointsIssued ?? 0,
    redemptions: sums?.redemptions ?? 0,
    pointsRedeemed: sums?.pointsRedeemed ?? 0,
    rewardsRedeemed: (sums?.redemptions ?? 0) - (sums?.rewardsReturned ?? 0),
    reversals: sums?.reversals ?? 0,
    pointsReversed: sums?.pointsReversed ?? 0,
    pointsReturned: sums?.pointsReturned ?? 0,
    pointsAdjusted: sums?.pointsAdjusted ?? 0,
  };
}
