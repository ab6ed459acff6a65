import { Type } from 'typebox';
import { closed, Id, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { csvOf } from '../kit/text/csv.ts';
import type { PartnerRow } from '../passes/partners/partners.sql.ts';

/** What a line of a statement counts, in the order of its columns. */
const figures = {
  cardsIssued: Type.Integer(),
  awards: Type.Integer({ description: 'earns of at least one point' }),
  pointsIssued: Type.Integer(),
  redemptions: Type.Integer(),
  pointsRedeemed: Type.Integer(),
  rewardsRedeemed: Type.Integer({
    description: 'redemptions less those that were undone in the month, of whatever month they were',
  }),
  reversals: Type.Integer({
    description:
      'earns and redemptions that were undone in the month; of an order, each time that it lost points',
  }),
  pointsReversed: Type.Integer({
    description: 'taken away again by undoing earns, and by refunds and cancellations of orders',
  }),
  pointsReturned: Type.Integer({ description: 'given back by undoing redemptions' }),
  pointsAdjusted: Type.Integer({ description: 'by hand; below zero when more was taken than given' }),
};

/** The same as numbers. */
export type Figures = Record<keyof typeof figures, number>;

/** What one pass, with its program if it has one, has done at the partner. */
export interface StatementLine {
  readonly passId: string;
  readonly programId: string | null;
  readonly title: string;
  readonly figures: Figures;
}

/** A month of a partner. */
export interface Statement {
  readonly partner: PartnerRow;
  /** `2026-11`. */
  readonly month: string;
  readonly timezone: string;
  /** The month begins with `from` and ends before `to`. */
  readonly from: Date;
  readonly to: Date;
  readonly lines: readonly StatementLine[];
}

export const StatementMonth = Type.String({
  pattern: '^2[0-9]{3}-(?:0[1-9]|1[0-2])$',
  maxLength: 7,
  description: 'a month such as 2026-11, in the time zone of the workspace',
});

export const PartnerStatement = closed(
  {
    partnerId: Id,
    name: Type.String(),
    month: Type.String(),
    timezone: Type.String(),
    from: Timestamp,
    to: Type.String({ ...Timestamp, description: 'ISO 8601, UTC: the first moment of the next month' }),
    programs: Type.Array(
      closed({
        programId: nullable(Id),
        passId: Id,
        title: Type.String({ description: 'of the pass' }),
        ...figures,
      }),
      {
        description: 'a line per pass with cards or entries; programId is null where the pass has no program',
      },
    ),
    totals: closed(figures),
  },
  { $id: 'PartnerStatement' },
);

/** A statement as the API shows it. */
export function presentStatement({ partner, month, timezone, from, to, lines }: Statement) {
  return {
    partnerId: encodeId('part', partner.partnerId),
    name: partner.name,
    month,
    timezone,
    from: from.toISOString(),
    to: to.toISOString(),
    programs: lines.map((line) => ({
      programId: line.programId === null ? null : encodeId('prog', line.programId),
      passId: encodeId('pass', line.passId),
      title: line.title,
      ...line.figures,
    })),
    totals: totalOf(lines),
  };
}

/** The same as a table: a line per pass, and one with the totals. */
export function statementCsv(statement: Statement): string {
  const { partnerId, name, month, programs, totals } = presentStatement(statement);
  const columns = Object.keys(figures) as (keyof Figures)[];
  const rowOf = (programId: string | null, passId: string | null, title: string, counts: Figures) => [
    ...[partnerId, name, month, programId, passId, title],
    ...columns.map((column) => counts[column]),
  ];
  return csvOf([
    ['partnerId', 'name', 'month', 'programId', 'passId', 'title', ...columns],
    ...programs.map((line) => rowOf(line.programId, line.passId, line.title, line)),
    rowOf(null, null, 'Total', totals),
  ]);
}

function totalOf(lines: readonly StatementLine[]): Figures {
  const sumOf = (name: keyof Figures) => lines.reduce((sum, line) => sum + line.figures[name], 0);
  return {
    cardsIssued: sumOf('cardsIssued'),
    awards: sumOf('awards'),
    pointsIssued: sumOf('pointsIssued'),
    redemptions: sumOf('redemptions'),
    pointsRedeemed: sumOf('pointsRedeemed'),
    rewardsRedeemed: sumOf('rewardsRedeemed'),
    reversals: sumOf('reversals'),
    pointsReversed: sumOf('pointsReversed'),
    pointsReturned: sumOf('pointsReturned'),
    pointsAdjusted: sumOf('pointsAdjusted'),
  };
}
