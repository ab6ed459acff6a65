import { useState } from 'preact/hooks';
import type { Webhook } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { usePages } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** The addresses that are told of events. */
export function WebhooksPage() {
  const t = developers().webhooks;
  const pages = usePages((options) => api.webhooks.list({ limit: 50 }, options));
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
                {description !== null && <span class="soft small">{description}</span>}
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
            pages.reload();
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
  const t = developers().webhooks;
  const kinds = { active: 'good', paused: 'note', disabled: 'alert' } as const;
  return <Badge kind={kinds[status]}>{t.statuses[status]}</Badge>;
}

function NewWebhook({
  done,
  onClose,
}: {
  readonly done: (made: { readonly secret: string }) => void;
  readonly onClose: () => void;
}) {
  const t = developers().webhooks;
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.submit}
        act={(filled) =>
          api.webhooks.create({
            url: filled.text('url'),
            types: filled
              .text('types')
              .split(',')
              .map((type) => type.trim())
              .filter((type) => type !== ''),
            description: filled.optional('description'),
          })
        }
        done={done}
        beside={<CancelButton onClose={onClose} />}
      >
        <TextField name="url" label={t.url} hint={t.urlHint} type="url" required maxLength={2_048} />
        <TextField name="types" label={t.types} hint={t.typesHint} required value="*" />
        <TextField name="description" label={t.description} maxLength={200} />
      </Form>
    </Dialog>
  );
}
