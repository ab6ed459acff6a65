import type { Entry } from '../../../sdk/typescript/src/types.ts';
import type { Column } from '../../shared/data-table.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { cards } from '../../texts/cards.ts';

/** What a table of entries shows of each: what it was, by whom, what it changed, and the balance after it. */
export function entryColumns(nameOf: (actor: string) => string = cards().actor): Column<Entry>[] {
  const t = cards();
  return [
    { head: t.what, cell: (entry) => <What of={entry} by={nameOf(entry.actor)} /> },
    {
      head: t.change,
      kind: 'end',
      cell: ({ points }) => (
        <span class="number">{points > 0 ? `+${formatNumber(points)}` : formatNumber(points)}</span>
      ),
    },
    {
      head: t.after,
      kind: 'end',
      cell: ({ balance }) => <span class="number">{formatNumber(balance)}</span>,
    },
  ];
}

/** The way from an entry to its card, where a table has entries of several. */
export function cardColumn(): Column<Entry> {
  const t = cards().entries;
  return {
    head: t.card,
    kind: 'short',
    cell: ({ instanceId }) => (
      <span>
        <a href={`/console/cards/${instanceId}`}>{t.open}</a>
      </span>
    ),
  };
}

function What({
  of: { kind, reason, limitedBy, createdAt },
  by,
}: {
  readonly of: Entry;
  readonly by: string;
}) {
  const t = cards();
  return (
    <span class="who-has">
      <span>{t.kinds[kind]}</span>
      <span class="soft small" dir="auto">
        {[formatMoment(createdAt), limitedBy && t.limits[limitedBy], reason, t.by(by)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
