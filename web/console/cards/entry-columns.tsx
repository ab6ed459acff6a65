import type { Entry } from '../../../sdk/typescript/src/types.ts';
import { shownBalance, shownChange } from '../../shared/balance.ts';
import type { Column } from '../../shared/data-table.tsx';
import { kindOf } from '../../shared/entry-kind.ts';
import { formatMoment } from '../../shared/format.ts';
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
      cell: (entry) => <span class="number">{shownChange(entry)}</span>,
    },
    {
      head: t.after,
      kind: 'end',
      cell: (entry) => <span class="number">{shownBalance(entry)}</span>,
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
  of: entry,
  by,
  at,
}: {
  readonly of: Entry;
  readonly by: string;
  readonly at: string | undefined;
}) {
  const t = cards();
  const { reason, limitedBy, createdAt } = entry;
  return (
    <span class="who-has">
      <span>{kindOf(entry, t)}</span>
      <span class="soft small" dir="auto">
        {[formatMoment(createdAt), limitedBy && t.limits[limitedBy], reason, t.by(by), at]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
