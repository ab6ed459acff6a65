import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { EmptyState } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { scanner } from '../texts/scanner.ts';
import { WaitingBar } from './offline/waiting-bar.tsx';
import { PinPad } from './pin-pad.tsx';
import { refreshTill, type Till } from './who.ts';

/** A shared till that waits for a person, who chooses their name and types their PIN. */
export function TillPage({ till }: { readonly till: Till }) {
  const t = scanner().till;
  const [chosen, setChosen] = useState<Till['people'][number] | null>(null);
  // Another person may have got a PIN since; without a network the till shows those that it knows.
  useEffect(() => void refreshTill().catch(() => undefined), []);
  if (chosen !== null) return <PinPad key={chosen.personId} person={chosen} back={() => setChosen(null)} />;
  return (
    <div class="narrow stack">
      <PageHeader title={t.title} lead={till.name} />
      <WaitingBar />
      {till.people.length === 0 ? (
        <EmptyState icon="people" title={t.noPeople} text={t.noPeopleText} />
      ) : (
        <ul class="names">
          {till.people.map((person) => (
            <li key={person.personId}>
              <button type="button" class="name" onClick={() => setChosen(person)}>
                <span class="initials" aria-hidden="true">
                  {initialsOf(person.name)}
                </span>
                <span dir="auto">{person.name}</span>
                <Icon name="right" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}
