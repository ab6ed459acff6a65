import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { attempt, showError } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatMoment } from '../../shared/format.ts';
import { EmptyState, Notice } from '../../shared/notice.tsx';
import { refreshSession } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { sessionCalls } from '../api.ts';
import { makePasskey, whyNoPasskeys } from './make-passkey.ts';

/** As GET /passkeys lists them. */
interface Passkey {
  readonly passkeyId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

type Open = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

/** Passkeys, which sign in besides a password: added, named and removed. */
export function Passkeys() {
  const t = settings().account;
  const pages = usePages(['passkeys'], (options) =>
    sessionCalls.list<Passkey>({ method: 'GET', path: '/passkeys' }, options),
  );
  const [open, setOpen] = useState<Open | null>(null);
  const onClose = () => setOpen(null);
  const onDone = (said: string) => {
    toast(said);
    onClose();
    invalidate(['passkeys']);
    refreshSession(sessionCalls).catch(showError);
  };
  const missing = whyNoPasskeys();
  return (
    <>
      <div class="row between">
        <div>
          <h2>{t.passkeysTitle}</h2>
          <p class="soft">{t.passkeysText}</p>
        </div>
        {missing === null && (
          <Button kind="quiet" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
            {t.addPasskey}
          </Button>
        )}
      </div>
      {missing !== null && <Notice title={t.passkeysNeed[missing]} />}
      <DataTable
        label={t.passkeys}
        pages={pages}
        rowKey={({ passkeyId }) => passkeyId}
        empty={<EmptyState icon="shield" title={t.noPasskeys} />}
        columns={[
          { head: t.passkeyName, cell: ({ name }) => <strong dir="auto">{name}</strong> },
          { head: t.added, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
          {
            head: t.lastUsed,
            kind: 'short',
            cell: ({ lastUsedAt }) => <span>{lastUsedAt === null ? '–' : formatMoment(lastUsedAt)}</span>,
          },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (passkey) => (
              <span class="row at-end">
                <Button kind="quiet" onClick={() => setOpen({ kind: 'rename', passkey })}>
                  {t.renamePasskey} <span class="unseen">{passkey.name}</span>
                </Button>
                <Button kind="quiet" onClick={() => setOpen({ kind: 'remove', passkey })}>
                  {t.removePasskey} <span class="unseen">{passkey.name}</span>
                </Button>
              </span>
            ),
          },
        ]}
      />
      {open?.kind === 'add' && (
        <NamePasskey
          title={t.addPasskey}
          submit={t.addPasskey}
          act={async (name) => {
            // It may ask to sign in again, which the browser's own window must not wait for.
            const options = await attempt(() =>
              sessionCalls.json<object>({ method: 'GET', path: '/passkeys/options' }),
            );
            const body = { name, ...(await makePasskey(options)) };
            return sessionCalls.json<Passkey>({ method: 'POST', path: '/passkeys', body });
          }}
          done={({ name }) => onDone(t.passkeyAdded(name))}
          onClose={onClose}
        />
      )}
      {open?.kind === 'rename' && (
        <NamePasskey
          title={t.renamePasskey}
          submit={shared().save}
          value={open.passkey.name}
          act={(name) =>
            sessionCalls.json<Passkey>({
              method: 'PATCH',
              path: `/passkeys/${open.passkey.passkeyId}`,
              body: { name },
            })
          }
          done={() => onDone(t.renamed)}
          onClose={onClose}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t.removePasskeyOf(open.passkey.name)}
          confirm={t.removePasskey}
          act={() => sessionCalls.json({ method: 'DELETE', path: `/passkeys/${open.passkey.passkeyId}` })}
          done={() => onDone(t.passkeyRemoved(open.passkey.name))}
          onClose={onClose}
        >
          <p>{t.removePasskeyText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function NamePasskey({
  title,
  submit,
  value,
  act,
  done,
  onClose,
}: {
  readonly title: string;
  readonly submit: string;
  readonly value?: string;
  readonly act: (name: string) => Promise<Passkey>;
  readonly done: (passkey: Passkey) => void;
  readonly onClose: () => void;
}) {
  const t = settings().account;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        act={(filled) => act(filled.text('name'))}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField
          name="name"
          label={t.passkeyName}
          hint={t.passkeyNameHint}
          value={value}
          required
          maxLength={120}
          autocomplete="off"
        />
      </Form>
    </Dialog>
  );
}
