import type { Entry, Program } from '../../sdk/typescript/src/types.ts';
import { shownChange } from '../shared/balance.ts';
import { useLoad } from '../shared/data.ts';
import { kindOf } from '../shared/entry-kind.ts';
import { formatMoment } from '../shared/format.ts';
import { unitOf } from '../shared/unit-of.ts';
import { scanner } from '../texts/scanner.ts';
import { api } from './api.ts';
import { till } from './who.ts';

const shown = 5;

/** What was entered last for a card, and by whom as far as this till knows the name. */
export function LastEntries({
  instanceId,
  program,
}: {
  readonly instanceId: string;
  readonly program: Program;
}) {
  const t = scanner().entries;
  const entries = useLoad(
    async (options) => (await api.loyalty.entries({ instanceId, limit: shown }, options).page()).data,
    [instanceId],
  );
  // What can be done does not wait for it, and works without.
  if (entries.value === undefined || entries.value.length === 0) return null;
  return (
    <section class="panel flush" aria-labelledby="entries">
      <header>
        <h2 id="entries">{t.title}</h2>
      </header>
      <ul class="entries">
        {entries.value.map((entry) => (
          <li key={entry.entryId}>
            <span>
              <strong>{entry.limitedBy === null ? kindOf(entry, t) : t.limited}</strong>
              <span class="soft small">
                {formatMoment(entry.occurredAt)}
                {nameOf(entry) !== undefined && (
                  <>
                    , <span dir="auto">{nameOf(entry)}</span>
                  </>
                )}
              </span>
            </span>
            <span class="number" dir="auto">
              {shownChange(entry)}
              {entry.amount === undefined && <span class="unseen"> {unitOf(program, entry.points)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf({ actor }: Entry): string | undefined {
  return till.value?.people.find(({ personId }) => personId === actor)?.name;
}
