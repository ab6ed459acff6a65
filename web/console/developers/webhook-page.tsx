import { useId, useState } from 'preact/hooks';
import type { Delivery, Webhook } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { useAction, useLoad, useLooking, usePages } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Menu } from '../../shared/menu.tsx';
import { Badge, EmptyState, Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { developers } from '../../texts/developers.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookStatus } from './webhooks-page.tsx';

/** A webhook, and what was sent to it. */
export function WebhookPage({ params: { webhookId = '' } }: PageProps) {
  const t = developers().webhooks;
  const webhook = useLoad((options) => api.webhooks.get(webhookId, options), [webhookId]);
  const deliveries = usePages(
    (options) => api.webhooks.deliveries(webhookId, { limit: 20 }, options),
    [webhookId],
  );
  // What was asked for appears a moment later, and what waits ends by itself.
  const [expected, setExpected] = useState<string | null>(null);
  const isThere = deliveries.items?.some(({ deliveryId }) => deliveryId === expected) === true;
  const isWaiting = deliveries.items?.some(({ status }) => status === 'waiting') === true;
  useLooking(isWaiting || (expected !== null && !isThere), deliveries.reload);
  const resend = useAction(
    (deliveryId: string) => api.webhooks.resend(webhookId, deliveryId),
    () => {
      toast(t.resent);
      deliveries.reload();
    },
  );
  return (
    <>
      <PageHeader
        title={webhook.value === undefined ? t.title : new URL(webhook.value.url).host}
        back={{ href: '/console/developers/webhooks', label: t.back }}
        actions={
          webhook.value !== undefined &&
          may('write') && <Actions of={webhook.value} onChange={webhook.reload} onTested={setExpected} />
        }
      />
      <LoadedView of={webhook}>
        {({ url, types, status, problem }) => (
          <div class="stack">
            {problem !== null && (
              <Notice kind="alert" title={t.statuses[status]}>
                <p>{problem.message}</p>
              </Notice>
            )}
            <section class="panel">
              <dl class="facts">
                <div>
                  <dt>{t.url}</dt>
                  <dd class="code">{url}</dd>
                </div>
                <div>
                  <dt>{t.types}</dt>
                  <dd>{types.join(', ')}</dd>
                </div>
                <div>
                  <dt>{t.status}</dt>
                  <dd>
                    <WebhookStatus status={status} />
                  </dd>
                </div>
              </dl>
            </section>
            <h2>{t.deliveries}</h2>
            <DataTable
              label={t.deliveries}
              pages={deliveries}
              rowKey={({ deliveryId }) => deliveryId}
              empty={<EmptyState icon="list" title={t.noDeliveries} />}
              columns={[
                { head: t.event, cell: (delivery) => <Sent of={delivery} /> },
                { head: t.result, kind: 'short', cell: ({ status: its }) => <Result of={its} /> },
                {
                  head: shared().actions,
                  kind: 'actions',
                  cell: ({ deliveryId, type }) =>
                    may('write') && (
                      <Button kind="quiet" isBusy={resend.isBusy} onClick={() => resend.run(deliveryId)}>
                        {t.resend} <span class="unseen">{type}</span>
                      </Button>
                    ),
                },
              ]}
            />
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Sent({ of: { type, createdAt, attempts } }: { readonly of: Delivery }) {
  const t = developers().webhooks;
  const last = attempts.at(-1);
  const facts = [
    formatMoment(createdAt),
    t.attempts(formatNumber(attempts.length)),
    last?.status ?? last?.problem,
  ];
  return (
    <span class="who-has">
      <span class="code">{type}</span>
      <span class="soft small">{facts.filter((fact) => fact != null).join(' · ')}</span>
      {last?.answer != null && last.answer !== '' && (
        <details>
          <summary class="small">{t.answer}</summary>
          <pre class="code">{last.answer}</pre>
        </details>
      )}
    </span>
  );
}

function Result({ of: status }: { readonly of: Delivery['status'] }) {
  const t = developers().webhooks;
  const kinds = { delivered: 'good', waiting: 'note', failed: 'alert' } as const;
  return <Badge kind={kinds[status]}>{t.results[status]}</Badge>;
}

function Actions({
  of: { webhookId, status },
  onChange,
  onTested,
}: {
  readonly of: Webhook;
  readonly onChange: () => void;
  readonly onTested: (deliveryId: string) => void;
}) {
  const t = developers().webhooks;
  const menu = `webhook-${useId()}`;
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const test = useAction(
    () => api.webhooks.test(webhookId),
    ({ deliveryId }) => {
      toast(t.tested);
      onTested(deliveryId);
    },
  );
  const turn = useAction(
    () => api.webhooks.update(webhookId, { status: status === 'active' ? 'paused' : 'active' }),
    () => {
      toast(t.changed);
      onChange();
    },
  );
  return (
    <>
      <Button kind="quiet" isBusy={test.isBusy} onClick={() => test.run()}>
        {t.test}
      </Button>
      <Button kind="quiet" isBusy={turn.isBusy} onClick={() => turn.run()}>
        {status === 'active' ? t.pause : t.resume}
      </Button>
      <Button kind="quiet" icon="more" label={t.more} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('rotate')}>
          <Icon name="refresh" size={18} />
          {t.rotate}
        </button>
        <button type="button" onClick={() => setAsked('delete')}>
          <Icon name="trash" size={18} />
          {t.delete}
        </button>
      </Menu>
      {asked === 'rotate' && (
        <ConfirmDialog
          title={t.rotateOf}
          confirm={t.rotate}
          act={() => api.webhooks.rotateSecret(webhookId)}
          done={(made) => {
            setAsked(null);
            setSecret(made.secret);
          }}
          onClose={() => setAsked(null)}
        >
          <p>{t.rotateText}</p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t.deleteOf}
          confirm={t.delete}
          act={() => api.webhooks.delete(webhookId)}
          done={() => {
            toast(t.deleted);
            navigate('/console/developers/webhooks');
          }}
          onClose={() => setAsked(null)}
        >
          <p>{t.deleteText}</p>
        </ConfirmDialog>
      )}
      {secret !== null && (
        <SecretDialog
          title={t.secretTitle}
          text={t.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}
