import type { Event, EventType } from '../../../sdk/typescript/src/types.ts';
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
      const filter = type === '' ? {} : { type: type as EventType };
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

const types: readonly EventType[] = [
  'pass.created',
  'pass.published',
  'pass.archived',
  'pass.updated',
  'instance.issued',
  'instance.installed',
  'instance.removed',
  'instance.updated',
  'instance.voided',
  'instance.reactivated',
  'instance.erased',
  'points.awarded',
  'points.adjusted',
  'points.reversed',
  'points.expired',
  'reward.unlocked',
  'reward.redeemed',
  'program.launched',
  'program.paused',
  'order.processed',
  'order.refunded',
  'order.cancelled',
  'order.updated',
  'push.delivered',
  'push.skipped',
  'push.failed',
  'message.sent',
  'credits.low',
  'credits.added',
  'pool.low',
  'invite.sent',
  'invite.accepted',
  'invite.unsubscribed',
  'sweep.finished',
  'rollout.finished',
  'certificate.expiring',
  'webhook.failing',
  'webhook.disabled',
  'webhook.test',
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
