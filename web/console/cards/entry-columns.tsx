import type { Entry } from '../../../sdk/typescript/src/types.ts';
import type { Column } from '../../shared/data-table.tsx';
import { formatChange, formatMoment, formatNumber } from '../../shared/format.ts';
import { cards } from '../../texts/cards.ts';

/** What a table of entries shows of each: what it was, by whom, what it changed, and the balance after it. */
export function entryColumns(
  nameOf: (actor: string) => string = cards().actor,
  tillOf: (deviceId: string) => string | undefined = () => undefined,
): Column<Entry>[] {
  const t = cards();
  return [
    {
      head: t.what,
      cell: (entry) => (
        <What
          of={entry}
          by={nameOf(entry.actor)}
          at={entry.deviceId === null ? undefined : tillOf(entry.deviceId)}
        />
      ),
    },
    {
      head: t.change,
      kind: 'end',
      cell: ({ points }) => <span class="number">{formatChange(points)}</span>,
    },
    {
      head: t.after,
      kind: 'end',
      cell: ({ balance }) => <span class="number">{formatNumber(balance)}</span>,
    },
  ];
}

/** Whose card an entry is of, where a table has entries of several. */
export function cardColumn(): Column<Entry> {
  const t = cards();
  return {
    head: t.entries.card,
    cell: ({ instanceId, holderName }) => (
      <span class="who-has">
        <a href={`/console/cards/${instanceId}`} dir="auto">
          {holderName ?? t.noName}
        </a>
      </span>
    ),
  };
}

function What({
  of: { kind, reason, limitedBy, createdAt },
  by,
  at,
}: {
  readonly of: Entry;
  readonly by: string;
  readonly at: string | undefined;
}) {
  const t = cards();
  return (
    <span class="who-has">
      <span>{t.kinds[kind]}</span>
      <span class="soft small" dir="auto">
        {[formatMoment(createdAt), limitedBy && t.limits[limitedBy], reason, t.by(by), at]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
