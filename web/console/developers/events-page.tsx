import { useState } from 'preact/hooks';
import type { Event } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ChoicesField } from '../../shared/choices-field.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { startOf } from '../../shared/days.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoment } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import { usePasses } from '../passes/use-passes.ts';
import { useNames } from '../settings/people-names.ts';
import { DeveloperTabs } from './developer-tabs.tsx';
import { EventData } from './event-data.tsx';
import { kindGroups } from './kinds.ts';
import { useFollow } from './use-follow.ts';

/** The event log, which can be watched as it grows. */
export function EventsPage() {
  const t = developers().events;
  const [isFollowing, setFollowing] = useState(false);
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <Button kind={isFollowing ? 'quiet' : 'primary'} onClick={() => setFollowing(!isFollowing)}>
            {isFollowing ? t.pause : t.follow}
          </Button>
        }
      >
        <DeveloperTabs />
      </PageHeader>
      <div class="stack">
        <Filters />
        <Events isFollowing={isFollowing} stop={() => setFollowing(false)} />
      </div>
    </>
  );
}

function Filters() {
  const t = developers().events;
  const [isChoosing, setChoosing] = useState(false);
  const titles = Object.fromEntries(usePasses().map(({ passId, title }) => [passId, title]));
  const passId = query.value.get('passId');
  const types = kindsWanted();
  return (
    <>
      <div class="filters">
        <div class="field">
          <span class="small strong">{t.type}</span>
          <Button kind="quiet" icon="list" onClick={() => setChoosing(true)}>
            {types.length === 0 ? t.all : t.some(types[0] ?? '', types.length - 1)}
          </Button>
        </div>
        <FilterBar
          label={t.filter}
          fields={[
            {
              name: 'passId',
              label: t.pass,
              options: { '': t.allPasses, ...(passId !== null && { [passId]: passId }), ...titles },
            },
            { name: 'instanceId', label: t.card, placeholder: 'inst_…' },
            { name: 'from', label: t.from, isDay: true },
            { name: 'to', label: t.to, isDay: true },
          ]}
        />
      </div>
      {isChoosing && (
        <Dialog title={t.type} onClose={() => setChoosing(false)}>
          <Form
            submit={t.choose}
            act={async (filled) => filled.all('types')}
            done={(chosen) => {
              setChoosing(false);
              setQuery({ type: chosen.join(',') });
            }}
            secondary={<CancelButton onClose={() => setChoosing(false)} />}
          >
            <ChoicesField
              name="types"
              label={t.which}
              hint={t.whichHint}
              groups={kindGroups()}
              chosen={types}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function kindsWanted(): string[] {
  return (query.value.get('type') ?? '').split(',').filter((type) => type !== '');
}

function Events({ isFollowing, stop }: { readonly isFollowing: boolean; readonly stop: () => void }) {
  const t = developers().events;
  const get = (name: string) => query.value.get(name) || undefined;
  const wanted = { type: get('type'), passId: get('passId'), instanceId: get('instanceId') };
  const on = [query.value.toString()];
  const period = { createdAfter: startOf(get('from')), createdBefore: startOf(get('to'), 1) };
  const read = usePages(['events', query.value.toString()], (options) =>
    api.events.list({ limit: 50, ...wanted, ...period }, options),
  );
  const after = read.items && (read.items[0]?.seq ?? 0);
  const all = useFollow(wanted, { isOn: isFollowing, after, stop, on });
  const isInPeriod = ({ createdAt }: Event) =>
    period.createdBefore === undefined || createdAt < period.createdBefore;
  const followed = all.filter((event) => event.seq > (after ?? 0) && isInPeriod(event));
  const names = useNames();
  const items = read.items && [...followed, ...read.items];
  return (
    <>
      <p class={`following ${isFollowing ? 'on' : ''}`} role="status">
        {isFollowing ? t.following : followed.length > 0 && t.paused}
      </p>
      <DataTable
        label={t.title}
        pages={{ ...read, items }}
        rowKey={({ eventId }) => eventId}
        empty={<EmptyState icon="list" title={t.empty} text={t.emptyText} />}
        columns={[
          { head: t.type, cell: (event) => <Happened of={event} by={names(event.actor)} /> },
          { head: t.number, kind: 'end', cell: ({ seq }) => <span class="number">{seq}</span> },
          { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
        ]}
      />
    </>
  );
}

function Happened({ of, by }: { readonly of: Event; readonly by: string }) {
  const t = developers().events;
  const [isOpen, setOpen] = useState(false);
  return (
    <span class="who-has">
      <span class="code">{of.type}</span>
      <span class="soft small">
        {t.by} <span dir="auto">{by}</span> ·{' '}
        <a href={`/console/developers/requests/${encodeURIComponent(of.requestId)}`}>{of.requestId}</a>
      </span>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="small">{t.data}</summary>
        {isOpen && <EventData of={of} isInRow />}
      </details>
    </span>
  );
}
