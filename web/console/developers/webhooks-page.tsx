import { useState } from 'preact/hooks';
import type { Webhook } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { NewWebhook } from './webhook-form.tsx';

/** The addresses that receive events. */
export function WebhooksPage() {
  const t = webhooks();
  const pages = usePages(['webhooks'], (options) => api.webhooks.list({ limit: 50 }, options));
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          may('write') && (
            <Button icon="plus" onClick={() => setCreating(true)}>
              {t.create}
            </Button>
          )
        }
      >
        <DeveloperTabs />
      </PageHeader>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ webhookId }) => webhookId}
        empty={<EmptyState icon="code" title={t.empty.title} text={t.empty.text} />}
        columns={[
          {
            head: t.url,
            cell: ({ webhookId, url, description }) => (
              <span class="who-has">
                <a href={`/console/developers/webhooks/${webhookId}`}>{url}</a>
                {description !== null && (
                  <span class="soft small" dir="auto">
                    {description}
                  </span>
                )}
              </span>
            ),
          },
          {
            head: t.lastDay,
            cell: ({ lastDay }) => (
              <span>{t.counts(formatNumber(lastDay.delivered), formatNumber(lastDay.failed))}</span>
            ),
          },
          { head: t.status, kind: 'short', cell: ({ status }) => <WebhookStatus status={status} /> },
        ]}
      />
      {isCreating && (
        <NewWebhook
          done={(made) => {
            setCreating(false);
            setSecret(made.secret);
            invalidate(['webhooks']);
          }}
          onClose={() => setCreating(false)}
        />
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

export function WebhookStatus({ status }: Pick<Webhook, 'status'>) {
  const kinds = { active: 'good', paused: 'note', disabled: 'alert' } as const;
  return <Badge kind={kinds[status]}>{webhooks().statuses[status]}</Badge>;
}
