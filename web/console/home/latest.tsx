import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import type { Entry, Program } from '../../../sdk/typescript/src/types.ts';
import { Ago } from '../../shared/ago.tsx';
import { shownChange } from '../../shared/balance.ts';
import { pageStaleMs, useCached } from '../../shared/cached.ts';
import { kindOf } from '../../shared/entry-kind.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { cards } from '../../texts/cards.ts';
import { home } from '../../texts/home.ts';
import { api } from '../api.ts';
import { usePeopleNames } from '../settings/people-names.ts';

const most = 8;
/** Of so many programs, the newest ones. */
const mostPrograms = 5;

/** Who got what last, when and by whom. */
export function Latest({ programs }: { readonly programs: readonly Program[] }) {
  const t = home().latest;
  const ids = programs.slice(0, mostPrograms).map(({ programId }) => programId);
  const loaded = useCached(['entries', 'latest', ids.join()], (options) => latestOf(ids, options), {
    staleMs: pageStaleMs,
  });
  const nameOf = usePeopleNames();
  if (ids.length === 0) return null;
  return (
    <section class="panel latest" aria-labelledby="latest">
      <h2 id="latest">{t.title}</h2>
      <LoadedView of={loaded} lines={3} height={2}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="soft">{t.none}</p>
          ) : (
            <ul>
              {entries.map((entry) => (
                <li key={entry.entryId}>
                  <a href={`/console/cards/${entry.instanceId}`} dir="auto">
                    {entry.holderName ?? cards().noName}
                  </a>
                  <span class="number">{entry.points === 0 ? '' : shownChange(entry)}</span>
                  <span class="soft small" dir="auto">
                    {[
                      kindOf(entry, cards()),
                      cards().by(nameOf(entry.actor) ?? cards().actor(entry.actor)),
                    ].join(' · ')}
                  </span>
                  <Ago at={entry.createdAt} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </section>
  );
}

async function latestOf(programIds: readonly string[], options: CallOptions): Promise<Entry[]> {
  const pages = await Promise.all(
    programIds.map((programId) =>
      api.loyalty.entries({ programId, include: 'holder', limit: most }, options).page(),
    ),
  );
  return pages
    .flatMap(({ data }) => data)
    .sort((one, other) => (one.entryId < other.entryId ? 1 : -1))
    .slice(0, most);
}
