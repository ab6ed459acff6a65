import type { Event, ListEventsQuery } from '../../../sdk/typescript/src/types.ts';
import { usePages } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { TextField } from '../../shared/field.tsx';
import { formatMoment } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';

/** The event log. */
export function EventsPage() {
  const t = developers().events;
  const type = query.value.get('type') ?? '';
  const pages = usePages(
    (options) => {
      const filter = type === '' ? {} : { type: type as NonNullable<ListEventsQuery['type']> };
      return api.events.list({ limit: 50, ...filter }, options);
    },
    [type],
  );
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <DeveloperTabs />
      </PageHeader>
      <div class="stack">
        <search class="filters">
          <TextField
            name="type"
            type="search"
            label={t.type}
            value={type}
            list="known-types"
            onInput={(text) => isType(text) && setQuery({ type: text })}
          />
          <datalist id="known-types">
            {types.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </search>
        <DataTable
          label={t.title}
          pages={pages}
          rowKey={({ eventId }) => eventId}
          empty={<EmptyState icon="list" title={t.empty} />}
          columns={[
            { head: t.type, cell: (event) => <Happened of={event} /> },
            { head: t.number, kind: 'end', cell: ({ seq }) => <span class="number">{seq}</span> },
            { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
          ]}
        />
      </div>
    </>
  );
}

const types: readonly string[] = [
  'instance.issued',
  'instance.installed',
  'instance.removed',
  'instance.updated',
  'instance.voided',
  'points.awarded',
  'points.adjusted',
  'points.reversed',
  'points.expired',
  'reward.unlocked',
  'reward.redeemed',
  'order.processed',
  'order.refunded',
  'order.cancelled',
  'push.delivered',
  'push.skipped',
  'push.failed',
  'message.sent',
  'pass.published',
  'pass.updated',
  'credits.low',
  'pool.low',
  'webhook.disabled',
];

function isType(text: string): boolean {
  return text === '' || types.includes(text);
}

function Happened({ of: { type, actor, requestId, data } }: { readonly of: Event }) {
  const t = developers().events;
  return (
    <span class="who-has">
      <span class="code">{type}</span>
      <span class="soft small">
        {t.by} {actor} ·{' '}
        <a href={`/console/developers/requests/${encodeURIComponent(requestId)}`}>{requestId}</a>
      </span>
      <details>
        <summary class="small">{t.data}</summary>
        <pre class="code">{JSON.stringify(data, null, 2)}</pre>
      </details>
    </span>
  );
}
