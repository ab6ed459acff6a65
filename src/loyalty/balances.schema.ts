import { type Static, Type } from 'typebox';
import { closed, Id, oneOf } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import { csvOf } from '../kit/text/csv.ts';
import type { BalanceRow } from './balances.sql.ts';

/** What a file of balances names a card by, the first that is not empty; and the figure. */
export const cardColumns = ['instanceId', 'identifier', 'barcode'] as const;
export const balanceColumn = 'balance';

export const BalancesFile = Type.String({
  contentMediaType: 'text/csv',
  description:
    'a header line, then a line per card: `balance`, in MONEY an amount such as 12.50, and one or more of `instanceId`, `identifier`, `barcode`, in any order; other columns are ignored',
});

export const BalancesReport = closed(
  {
    dryRun: Type.Boolean({ description: 'whether nothing was written' }),
    lines: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer(),
    results: Type.Array(
      closed({
        line: Type.Integer({ description: 'of the file, whose header is line 1' }),
        status: oneOf(['changed', 'unchanged', 'refused']),
        instanceId: Type.Optional(Id),
        before: Type.Optional(Type.Integer()),
        after: Type.Optional(
          Type.Integer({ description: 'less than the figure where stamps have unlocked rewards' }),
        ),
        points: Type.Optional(Type.Integer({ description: 'what was entered: the figure less `before`' })),
        error: Type.Optional(Type.Object({ code: Type.String(), error: Type.String() })),
      }),
    ),
  },
  { $id: 'BalancesReport' },
);

export type LineResult = Static<typeof BalancesReport>['results'][number];

/** The report of the outcome of each line. */
export function presentReport(dryRun: boolean, results: LineResult[]): Static<typeof BalancesReport> {
  const count = (wanted: LineResult['status']) => results.filter(({ status }) => status === wanted).length;
  return {
    dryRun,
    lines: results.length,
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    results,
  };
}

export const balancesHeader = csvOf([
  ['identifier', 'instanceId', 'barcode', balanceColumn, 'lifetimePoints', 'pendingRewards', 'nextExpiryAt'],
]);

/** Accounts as lines of a file of balances: of money as amounts. */
export function presentBalances(rows: readonly BalanceRow[], currency: string | null): string {
  const shown = (figure: number) => (currency === null ? figure : presentMinor(figure, currency).amount);
  return csvOf(
    rows.map((row) => [
      row.identifier,
      encodeId('inst', row.instanceId),
      row.barcode,
      shown(row.balance),
      shown(row.lifetimePoints),
      row.pendingRewards,
      row.nextExpiryAt?.toISOString() ?? null,
    ]),
  );
}
