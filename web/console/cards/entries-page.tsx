import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import type { Device, Entry, ListEntriesQuery, Pass } from '../../../sdk/typescript/src/types.ts';
import { useCached, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { startOf } from '../../shared/days.ts';
import { ExportCsv } from '../../shared/export-csv.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import { useDevices, usePeople, usePeopleNames } from '../settings/people-names.ts';
import { cardColumn, entryColumns } from './entry-columns.tsx';
import { entryRow } from './export-rows.ts';
import { useTimeZone } from './use-time-zone.ts';

/** The ledger of a pass: the rows behind its figures. */
export function EntriesPage() {
  const t = cards();
  const passes = useCached(['passes', 'with program'], passesWithProgram);
  const chosenOf = (all: readonly Pass[] = []) =>
    all.find(({ passId }) => passId === query.value.get('passId')) ?? all[0];
  return (
    <>
      <PageHeader
        title={titleOf(chosenOf(passes.value))}
        lead={t.entries.lead}
        back={{ href: '/console/cards', label: t.back }}
      />
      <LoadedView of={passes} lines={6}>
        {(all) => {
          const chosen = chosenOf(all);
          if (chosen !== undefined) return <EntriesOf key={chosen.passId} pass={chosen} all={all} />;
          return (
            <div class="panel flush">
              <EmptyState icon="coin" title={t.noEntries} />
            </div>
          );
        }}
      </LoadedView>
    </>
  );
}

/** Gift cards may hold money, which is no points. */
function titleOf(pass: Pass | undefined): string {
  const t = cards().entries;
  return pass?.type === 'giftCard' ? t.ofGiftCards : t.title;
}

async function passesWithProgram(options: CallOptions): Promise<Pass[]> {
  const [passes, programs] = await Promise.all([
    api.passes.list({ limit: 100 }, options).toArray({ most: 500 }),
    api.programs.list({ limit: 100 }, options).toArray({ most: 500 }),
  ]);
  const ids = new Set(programs.map(({ passId }) => passId));
  return passes.filter(({ passId }) => ids.has(passId));
}

function EntriesOf({ pass, all }: { readonly pass: Pass; readonly all: readonly Pass[] }) {
  const t = cards();
  const { passId } = pass;
  const title = titleOf(pass);
  const asked = { passId, include: 'holder' as const, ...readFilters() };
  const peopleNames = usePeopleNames();
  const people = Object.fromEntries(usePeople().map(({ personId, name }) => [personId, name]));
  const devices = useDevices();
  const names = {
    actorOf: (actor: string) => peopleNames(actor) ?? t.actor(actor),
    deviceOf: (id: string) => devices.find(({ deviceId }) => deviceId === id)?.name,
    t,
    timeZone: useTimeZone(),
  };
  const pages = usePages(['entries', asked], (options) =>
    api.loyalty.entries({ ...asked, limit: 50 }, options),
  );
  return (
    <div class="stack">
      <FilterBar
        label={t.entries.filter}
        fields={[
          {
            name: 'passId',
            label: t.pass,
            options: Object.fromEntries(all.map((pass) => [pass.passId, pass.title])),
          },
          { name: 'kind', label: t.entries.kind, options: { '': t.entries.all, ...t.kinds } },
          { name: 'personId', label: t.entries.person, options: { '': t.entries.all, ...people } },
          ...(devices.length === 0
            ? []
            : [
                {
                  name: 'deviceId',
                  label: t.entries.till,
                  options: { '': t.entries.all, ...titles(devices) },
                },
              ]),
          { name: 'from', label: t.entries.from, isDay: true },
          { name: 'to', label: t.entries.to, isDay: true },
        ]}
      />
      <DataTable
        label={title}
        pages={pages}
        rowKey={({ entryId }) => entryId}
        empty={<EmptyState icon="coin" title={t.entries.empty} />}
        columns={[cardColumn(), ...entryColumns(names.actorOf, names.deviceOf)]}
      />
      {(pages.items?.length ?? 0) > 0 && (
        <ExportCsv
          title={title}
          columns={t.entries.columns}
          list={(options) => api.loyalty.entries({ ...asked, limit: 100 }, options)}
          row={(entry) => entryRow(entry, names)}
        />
      )}
    </div>
  );
}

/** The names of tills by their ids. */
function titles(devices: readonly Device[]): Readonly<Record<string, string>> {
  return Object.fromEntries(devices.map(({ deviceId, name }) => [deviceId, name]));
}

function readFilters(): ListEntriesQuery {
  const text = (name: string) => query.value.get(name) || undefined;
  const kind = text('kind');
  const [from, to] = [startOf(text('from')), startOf(text('to'), 1)];
  const ids = ['partnerId', 'personId', 'deviceId'].flatMap((name) => {
    const id = text(name);
    return id === undefined ? [] : [[name, id] as const];
  });
  return {
    ...(isKind(kind) && { kind }),
    ...Object.fromEntries(ids),
    ...(from !== undefined && { createdAfter: from }),
    ...(to !== undefined && { createdBefore: to }),
  };
}

function isKind(text: string | undefined): text is Entry['kind'] {
  return text !== undefined && Object.hasOwn(cards().kinds, text);
}
