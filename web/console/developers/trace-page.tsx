import type { ComponentChildren } from 'preact';
import type { Trace } from '../../../sdk/typescript/src/types.ts';
import { shownBalance, shownChange } from '../../shared/balance.ts';
import { useCached } from '../../shared/cached.ts';
import { kindOf } from '../../shared/entry-kind.ts';
import { formatMoment } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { cards } from '../../texts/cards.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { useNames } from '../settings/people-names.ts';
import { DeliveryResult } from './deliveries.tsx';
import { EventData } from './event-data.tsx';
import { Answer, Call } from './requests-page.tsx';

/** All that came of a request: what was written, emitted, sent and pushed. */
export function TracePage({ params: { requestId = '' } }: PageProps) {
  const t = developers().requests;
  const trace = useCached(['requests', requestId, 'trace'], (options) =>
    api.requests.trace(requestId, options),
  );
  return (
    <>
      <PageHeader
        title={t.traceOf}
        lead={<code>{requestId}</code>}
        back={{ href: '/console/developers/requests', label: t.back }}
      />
      <LoadedView of={trace} lines={4} height={5}>
        {(value) => <Parts of={value} />}
      </LoadedView>
    </>
  );
}

function Parts({ of: { requests, audit, entries, events, deliveries, pushes } }: { readonly of: Trace }) {
  const t = developers().requests;
  const names = useNames();
  return (
    <div class="stack">
      <Part title={t.title}>
        {requests.map((request) => (
          <li key={`${request.createdAt} ${request.op}`} class="row">
            <Call of={request} /> <Answer of={request} />
          </li>
        ))}
      </Part>
      <Part title={t.entries}>
        {entries.map((entry) => (
          <li key={entry.entryId}>
            <a href={`/console/cards/${entry.instanceId}`}>{kindOf(entry, cards())}</a>{' '}
            <span class="number">
              {shownChange(entry)} → {shownBalance(entry)}
            </span>
          </li>
        ))}
      </Part>
      <Part title={t.events}>
        {events.map((event) => (
          <li key={event.eventId} class="who-has">
            <details>
              <summary>
                <code>{event.type}</code> <span class="soft number">{event.seq}</span>
              </summary>
              <EventData of={event} isInRow />
            </details>
          </li>
        ))}
      </Part>
      <Part title={t.deliveries}>
        {deliveries.map(({ deliveryId, webhookId, type, status }) => (
          <li key={deliveryId} class="row">
            <a class="code" href={`/console/developers/webhooks/${webhookId}/deliveries/${deliveryId}`}>
              {type}
            </a>{' '}
            <DeliveryResult of={status} />
          </li>
        ))}
      </Part>
      <Part title={t.pushes}>
        {pushes.map(({ instanceId, status, at }) => (
          <li key={`${instanceId} ${at}`} class="row">
            <a href={`/console/cards/${instanceId}`}>{formatMoment(at)}</a>
            <Badge kind={pushKinds[status]}>{t.pushStates[status]}</Badge>
          </li>
        ))}
      </Part>
      <Part title={t.audit}>
        {audit.map(({ action, actor, createdAt }) => (
          <li key={`${action} ${createdAt}`}>
            <code>{action}</code>{' '}
            <span class="soft" dir="auto">
              {names(actor)}
            </span>
          </li>
        ))}
      </Part>
    </div>
  );
}

const pushKinds = { waiting: 'note', skipped: 'note', delivered: 'good', failed: 'alert' } as const;

function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: readonly ComponentChildren[];
}) {
  if (children.length === 0) return null;
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="parts">{children}</ul>
    </section>
  );
}
