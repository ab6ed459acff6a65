import type { Entry } from '../../../sdk/typescript/src/types.ts';
import type { Column } from '../../shared/data-table.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { cards } from '../../texts/cards.ts';

/** What a table of entries shows of each: what it was, what it changed, and the balance after it. */
export function entryColumns(): Column<Entry>[] {
  const t = cards();
  return [
    { head: t.what, cell: (entry) => <What of={entry} /> },
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

function What({ of: { kind, reason, limitedBy, actor, createdAt } }: { readonly of: Entry }) {
  const t = cards();
  return (
    <span class="who-has">
      <span>{t.kinds[kind]}</span>
      <span class="soft small" dir="auto">
        {[formatMoment(createdAt), limitedBy && t.limits[limitedBy], reason, t.by(t.actor(actor))]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
