import type { Delivery } from '../../../sdk/typescript/src/types.ts';
import { invalidate, useCached } from '../../shared/cached.ts';
import { useLooking } from '../../shared/data.ts';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { reachByKeys } from '../../shared/reach-by-keys.ts';
import { may } from '../../shared/session.ts';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { DeliveryResult, Resend } from './deliveries.tsx';
import { EventData } from './event-data.tsx';

/** One event on its way to a webhook: each attempt, and what was answered. */
export function DeliveryPage({ params: { webhookId = '', deliveryId = '' } }: PageProps) {
  const t = webhooks();
  const delivery = useCached(['webhooks', webhookId, 'deliveries', deliveryId], (options) =>
    api.webhooks.delivery(webhookId, deliveryId, options),
  );
  useLooking(delivery.value?.status === 'waiting', delivery.reload);
  return (
    <>
      <PageHeader
        title={delivery.value?.type ?? t.delivery.facts}
        back={{ href: `/console/developers/webhooks/${webhookId}`, label: t.delivery.back }}
        actions={
          delivery.value !== undefined &&
          may('write') && <Resend of={delivery.value} done={() => invalidate(['webhooks', webhookId])} />
        }
      />
      <LoadedView of={delivery} lines={2} height={8}>
        {(value) => (
          <div class="stack">
            <Facts of={value} />
            <h2>{t.delivery.attempts}</h2>
            <Attempts of={value} />
            <h2>{t.delivery.event}</h2>
            <ItsEvent eventId={value.eventId} />
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Facts({ of: { deliveryId, createdAt, status, nextAttemptAt } }: { readonly of: Delivery }) {
  const t = webhooks().delivery;
  return (
    <section class="panel">
      <dl class="facts">
        <div>
          <dt>{t.result}</dt>
          <dd>
            <DeliveryResult of={status} />
          </dd>
        </div>
        <div>
          <dt>{t.when}</dt>
          <dd>{formatMoment(createdAt)}</dd>
        </div>
        {nextAttemptAt !== null && (
          <div>
            <dt>{t.next}</dt>
            <dd>{formatMoment(nextAttemptAt)}</dd>
          </div>
        )}
        <div>
          <dt>{t.id}</dt>
          <dd class="code">{deliveryId}</dd>
        </div>
      </dl>
    </section>
  );
}

function Attempts({ of: { attempts } }: { readonly of: Delivery }) {
  const t = webhooks().delivery;
  if (attempts.length === 0)
    return (
      <section class="panel flush">
        <EmptyState icon="list" title={t.none} />
      </section>
    );
  return (
    <section class="panel">
      <ol class="attempts">
        {attempts.toReversed().map(({ at, status, milliseconds, problem, answer }) => (
          <li key={at}>
            <p class="row">
              <strong>{formatMoment(at)}</strong>
              <Badge kind={status !== null && status < 300 ? 'good' : 'alert'}>{status ?? t.noAnswer}</Badge>
              <span class="soft small number">{t.ms(formatNumber(milliseconds))}</span>
            </p>
            {problem !== null && <p>{problem}</p>}
            {answer !== null && answer !== '' && (
              <>
                <p class="soft small">{t.said}</p>
                <pre class="code block" ref={reachByKeys}>
                  {answer}
                </pre>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function ItsEvent({ eventId }: { readonly eventId: string }) {
  const event = useCached(['events', eventId], (options) => api.events.get(eventId, options));
  return (
    <LoadedView of={event} lines={1} height={10}>
      {(value) => (
        <section class="panel">
          <EventData of={value} />
        </section>
      )}
    </LoadedView>
  );
}
