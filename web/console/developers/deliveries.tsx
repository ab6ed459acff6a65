import { eventTypes } from '../../../sdk/typescript/src/event-types.ts';
import type { Delivery, EventType } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { startOf } from '../../shared/days.ts';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import type { Pages } from '../../shared/pages.ts';
import { query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { shared } from '../../texts/shared.ts';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';

/** What the filters in the address ask for. */
export function deliveriesWanted() {
  const get = (name: string) => query.value.get(name) || undefined;
  return {
    status: get('status') as Delivery['status'] | undefined,
    type: get('type') as EventType | undefined,
    createdAfter: startOf(get('from')),
    createdBefore: startOf(get('to'), 1),
  };
}

/** What was sent to a webhook. */
export function Deliveries({ pages }: { readonly pages: Pages<Delivery> }) {
  const t = webhooks();
  return (
    <>
      <h2>{t.deliveries}</h2>
      <FilterBar
        label={t.filter}
        fields={[
          { name: 'status', label: t.result, options: { '': t.all, ...t.results } },
          {
            name: 'type',
            label: t.event,
            options: { '': t.all, ...Object.fromEntries(eventTypes.map((type) => [type, type])) },
          },
          { name: 'from', label: t.from, isDay: true },
          { name: 'to', label: t.to, isDay: true },
        ]}
      />
      <DataTable
        label={t.deliveries}
        pages={pages}
        rowKey={({ deliveryId }) => deliveryId}
        empty={<EmptyState icon="list" title={t.noDeliveries} text={t.noDeliveriesText} />}
        columns={[
          { head: t.event, cell: (delivery) => <Sent of={delivery} /> },
          { head: t.result, kind: 'short', cell: ({ status }) => <DeliveryResult of={status} /> },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (delivery) =>
              may('write') && <Resend of={delivery} done={() => invalidate(['webhooks'])} />,
          },
        ]}
      />
    </>
  );
}

function Sent({
  of: { webhookId, deliveryId, type, createdAt, attempts, nextAttemptAt },
}: {
  readonly of: Delivery;
}) {
  const t = webhooks();
  const last = attempts.at(-1);
  const facts = [
    formatMoment(createdAt),
    t.attempts(formatNumber(attempts.length)),
    last?.status ?? last?.problem,
    nextAttemptAt === null || attempts.length === 0 ? null : t.nextAttempt(formatMoment(nextAttemptAt)),
  ];
  return (
    <span class="who-has">
      <a class="code" href={`/console/developers/webhooks/${webhookId}/deliveries/${deliveryId}`}>
        {type}
      </a>
      <span class="soft small">{facts.filter((fact) => fact != null).join(' · ')}</span>
    </span>
  );
}

export function DeliveryResult({ of: status }: { readonly of: Delivery['status'] }) {
  const kinds = { delivered: 'good', waiting: 'note', failed: 'alert' } as const;
  return <Badge kind={kinds[status]}>{webhooks().results[status]}</Badge>;
}

/** Sends one event again. Each button is busy for itself. */
export function Resend({
  of: { webhookId, deliveryId, type },
  done,
}: {
  readonly of: Delivery;
  readonly done: () => void;
}) {
  const t = webhooks();
  const resend = useAction(
    () => api.webhooks.resend(webhookId, deliveryId),
    () => {
      toast(t.resent);
      done();
    },
  );
  return (
    <Button kind="quiet" isBusy={resend.isBusy} onClick={() => resend.run()}>
      {t.resend} <span class="unseen">{type}</span>
    </Button>
  );
}
