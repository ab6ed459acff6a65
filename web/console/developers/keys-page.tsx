import { useState } from 'preact/hooks';
import type { ApiKey } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { useLoad, usePages } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatMoment } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { developers } from '../../texts/developers.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'secret'; readonly secret: string };

/** The keys that programs call the API with. */
export function KeysPage() {
  const t = developers().keys;
  const pages = usePages((options) => api.apiKeys.list({ limit: 50 }, options));
  const [open, setOpen] = useState<Open | null>(null);
  const onClose = () => setOpen(null);
  const onSecret = ({ secret }: { readonly secret: string }) => {
    setOpen({ kind: 'secret', secret });
    pages.reload();
  };
  const isOwner = may('own');
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          isOwner && (
            <Button icon="plus" onClick={() => setOpen({ kind: 'create' })}>
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
        rowKey={({ keyId }) => keyId}
        empty={<EmptyState icon="code" title={t.empty} />}
        columns={[
          { head: t.name, cell: ({ name }) => <strong dir="auto">{name}</strong> },
          { head: t.access, kind: 'short', cell: ({ access }) => <span>{t.accesses[access]}</span> },
          {
            head: t.lastUsed,
            kind: 'short',
            cell: ({ lastUsedAt }) => <span>{lastUsedAt === null ? t.never : formatMoment(lastUsedAt)}</span>,
          },
          { head: developers().webhooks.status, kind: 'short', cell: (key) => <KeyState of={key} /> },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (key) =>
              isOwner &&
              key.revokedAt === null && (
                <span class="row">
                  <Button kind="quiet" onClick={() => setOpen({ kind: 'rotate', key })}>
                    {t.rotate} <span class="unseen">{key.name}</span>
                  </Button>
                  <Button kind="quiet" onClick={() => setOpen({ kind: 'revoke', key })}>
                    {t.revoke} <span class="unseen">{key.name}</span>
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {open?.kind === 'create' && <NewKey done={onSecret} onClose={onClose} />}
      {open?.kind === 'rotate' && (
        <ConfirmDialog
          title={t.rotateOf(open.key.name)}
          confirm={t.rotate}
          act={() => api.apiKeys.rotate(open.key.keyId, { overlapSeconds: 3_600 })}
          done={onSecret}
          onClose={onClose}
        >
          <p>{t.rotateText}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t.revokeOf(open.key.name)}
          confirm={t.revoke}
          act={() => api.apiKeys.revoke(open.key.keyId)}
          done={({ name }) => {
            toast(t.revokedNow(name));
            onClose();
            pages.reload();
          }}
          onClose={onClose}
        >
          <p>{t.revokeText}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'secret' && (
        <SecretDialog title={t.secretTitle} text={t.secretText} secret={open.secret} onClose={onClose} />
      )}
    </>
  );
}

function KeyState({ of: { revokedAt, expiresAt } }: { readonly of: ApiKey }) {
  const t = developers().keys;
  if (revokedAt !== null) return <Badge>{t.revoked}</Badge>;
  return <Badge kind="good">{expiresAt === null ? t.works : t.expires(formatDate(expiresAt))}</Badge>;
}

function NewKey({
  done,
  onClose,
}: {
  readonly done: (made: { readonly secret: string }) => void;
  readonly onClose: () => void;
}) {
  const t = developers().keys;
  const passes = useLoad(async (options) => (await api.passes.list({ limit: 100 }, options).page()).data);
  const titles = Object.fromEntries((passes.value ?? []).map(({ passId, title }) => [passId, title]));
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.submit}
        act={(filled) => {
          const passId = filled.optional('passIds');
          return api.apiKeys.create({
            name: filled.text('name'),
            access: filled.text('access') === 'read' ? 'read' : 'full',
            passIds: passId === null ? null : [passId],
          });
        }}
        done={done}
        beside={<CancelButton onClose={onClose} />}
      >
        <TextField name="name" label={t.name} hint={t.nameHint} required maxLength={120} autocomplete="off" />
        <SelectField name="access" label={t.access} options={t.accesses} value="full" />
        <SelectField name="passIds" label={t.pass} options={{ '': t.allPasses, ...titles }} value="" />
      </Form>
    </Dialog>
  );
}
