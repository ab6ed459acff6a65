import { useState } from 'preact/hooks';
import type { Webhook } from '../../../sdk/typescript/src/types.ts';
import { invalidate, useCached, usePages } from '../../shared/cached.ts';
import { useLooking } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { Deliveries, deliveriesWanted } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookStatus } from './webhooks-page.tsx';

/** A webhook, and what was sent to it. */
export function WebhookPage({ params: { webhookId = '' } }: PageProps) {
  const t = webhooks();
  const webhook = useCached(['webhooks', webhookId], (options) => api.webhooks.get(webhookId, options));
  const deliveries = usePages(['webhooks', webhookId, 'deliveries', query.value.toString()], (options) =>
    api.webhooks.deliveries(webhookId, { limit: 20, ...deliveriesWanted() }, options),
  );
  // What was asked for appears a moment later, and what waits ends by itself.
  const [expected, setExpected] = useState<string | null>(null);
  const isThere = deliveries.items?.some(({ deliveryId }) => deliveryId === expected) === true;
  const isWaiting = deliveries.items?.some(({ status }) => status === 'waiting') === true;
  useLooking(isWaiting || (expected !== null && !isThere), deliveries.reload);
  return (
    <>
      <PageHeader
        title={webhook.value === undefined ? t.title : new URL(webhook.value.url).host}
        back={{ href: '/console/developers/webhooks', label: t.back }}
        actions={
          webhook.value !== undefined &&
          may('write') && (
            <WebhookActions
              of={webhook.value}
              onChange={() => invalidate(['webhooks', webhookId])}
              onSent={(deliveryId) => {
                setExpected(deliveryId);
                invalidate(['webhooks', webhookId, 'deliveries']);
              }}
            />
          )
        }
      />
      <LoadedView of={webhook}>
        {(value) => (
          <div class="stack">
            <Problem of={value} />
            <Facts of={value} />
            <Deliveries pages={deliveries} />
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Problem({ of: { status, problem } }: { readonly of: Webhook }) {
  const t = webhooks();
  if (problem === null) return null;
  const said = (t.problems as Readonly<Record<string, string | undefined>>)[problem.code];
  return (
    <Notice kind="alert" title={t.statuses[status]}>
      <p>{said ?? problem.message}</p>
    </Notice>
  );
}

function Facts({ of: { url, types, passIds, payload, description, status } }: { readonly of: Webhook }) {
  const t = webhooks();
  return (
    <section class="panel">
      <dl class="facts">
        <div>
          <dt>{t.url}</dt>
          <dd class="code">{url}</dd>
        </div>
        {description !== null && (
          <div>
            <dt>{t.description}</dt>
            <dd dir="auto">{description}</dd>
          </div>
        )}
        <div>
          <dt>{t.kinds}</dt>
          <dd>{types.includes('*') ? t.allKinds : <span class="code">{types.join(', ')}</span>}</dd>
        </div>
        <div>
          <dt>{t.passes}</dt>
          <dd>{passIds === null ? t.allPasses : t.somePasses(formatNumber(passIds.length))}</dd>
        </div>
        <div>
          <dt>{t.payload}</dt>
          <dd>{t.payloads[payload]}</dd>
        </div>
        <div>
          <dt>{t.status}</dt>
          <dd>
            <WebhookStatus status={status} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
