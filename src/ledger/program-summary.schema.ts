import { Type } from 'typebox';
import { closed, Id, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { LastAudit } from './audits.sql.ts';
import type { ProgramTotals } from './totals.sql.ts';

export const ProgramSummary = closed(
  {
    programId: Id,
    issued: Type.Integer(),
    redeemed: Type.Integer(),
    expired: Type.Integer(),
    reversed: Type.Integer(),
    adjusted: Type.Integer(),
    outstanding: Type.Integer({ description: 'the sum of all balances' }),
    trialBalance: closed(
      {
        entries: Type.Integer({ description: 'issued + adjusted − redeemed − expired − reversed' }),
        balances: Type.Integer(),
        difference: Type.Integer({ description: '0: the ledger and the balances agree' }),
      },
      { description: 'two independent counts of what is outstanding' },
    ),
    lastAudit: nullable(
      closed(
        { at: Timestamp, findings: Type.Integer() },
        { description: 'when the whole ledger of the workspace was last recounted, and how much was wrong' },
      ),
    ),
  },
  { $id: 'ProgramSummary' },
);

/** The totals of a program as the API shows them, and what must come out even. */
export function presentSummary(row: ProgramRow, totals: ProgramTotals, audit: LastAudit | undefined) {
  const { issued, redeemed, expired, reversed, adjusted, outstanding } = totals;
  const entries = issued + adjusted - redeemed - expired - reversed;
  return {
    programId: encodeId('prog', row.programId),
    issued: Number(issued),
    redeemed: Number(redeemed),
    expired: Number(expired),
    reversed: Number(reversed),
    adjusted: Number(adjusted),
    outstanding: Number(outstanding),
    trialBalance: {
      entries: Number(entries),
      balances: Number(outstanding),
      difference: Number(entries - outstanding),
    },
    lastAudit: audit === undefined ? null : { at: audit.finishedAt.toISOString(), findings: audit.findings },
  };
}
