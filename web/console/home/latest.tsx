import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import type { Entry, Program } from '../../../sdk/typescript/src/types.ts';
import { Ago } from '../../shared/ago.tsx';
import { pageStaleMs, useCached } from '../../shared/cached.ts';
import { formatChange } from '../../shared/format.ts';
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
              {entries.map(({ entryId, instanceId, holderName, kind, points, actor, createdAt }) => (
                <li key={entryId}>
                  <a href={`/console/cards/${instanceId}`} dir="auto">
                    {holderName ?? cards().noName}
                  </a>
                  <span class="number">{points === 0 ? '' : formatChange(points)}</span>
                  <span class="soft small" dir="auto">
                    {[cards().kinds[kind], cards().by(nameOf(actor) ?? cards().actor(actor))].join(' · ')}
                  </span>
                  <Ago at={createdAt} />
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
