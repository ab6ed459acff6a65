import { useId, useState } from 'preact/hooks';
import type { Webhook } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { useAction } from '../../shared/data.ts';
import { dayOf } from '../../shared/days.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { Menu } from '../../shared/menu.tsx';
import { navigate } from '../../shared/router.ts';
import { toast } from '../../shared/toast.tsx';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { ChangeWebhook } from './webhook-form.tsx';

/** What can be done with a webhook. */
export function WebhookActions({
  of,
  onChange,
  onSent,
}: {
  readonly of: Webhook;
  readonly onChange: () => void;
  /** Something is on its way: a test, by the id of its delivery, or what had failed. */
  readonly onSent: (deliveryId: string | null) => void;
}) {
  const t = webhooks();
  const { webhookId, status } = of;
  const menu = `webhook-${useId()}`;
  const [asked, setAsked] = useState<'change' | 'rotate' | 'recover' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const onClose = () => setAsked(null);
  const onChanged = () => {
    toast(t.changed);
    onClose();
    onChange();
  };
  const test = useAction(
    () => api.webhooks.test(webhookId),
    ({ deliveryId }) => {
      toast(t.tested);
      onSent(deliveryId);
    },
  );
  const turn = useAction(
    () => api.webhooks.update(webhookId, { status: status === 'active' ? 'paused' : 'active' }),
    onChanged,
  );
  return (
    <>
      <Button kind="quiet" isBusy={test.isBusy} onClick={() => test.run()}>
        {t.test}
      </Button>
      <Button kind="quiet" onClick={() => setAsked('change')}>
        {t.change}
      </Button>
      <Button kind="quiet" isBusy={turn.isBusy} onClick={() => turn.run()}>
        {status === 'active' ? t.pause : t.resume}
      </Button>
      <Button kind="quiet" icon="more" label={t.more} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('recover')}>
          <Icon name="undo" size={18} />
          {t.recover}
        </button>
        <button type="button" onClick={() => setAsked('rotate')}>
          <Icon name="refresh" size={18} />
          {t.rotate}
        </button>
        <button type="button" onClick={() => setAsked('delete')}>
          <Icon name="trash" size={18} />
          {t.delete}
        </button>
      </Menu>
      {asked === 'change' && <ChangeWebhook of={of} done={onChanged} onClose={onClose} />}
      {asked === 'recover' && (
        <Recover
          webhookId={webhookId}
          done={(count) => {
            toast(t.recovered(formatNumber(count)));
            onClose();
            onSent(null);
          }}
          onClose={onClose}
        />
      )}
      {asked === 'rotate' && (
        <ConfirmDialog
          title={t.rotateOf}
          confirm={t.rotate}
          act={() => api.webhooks.rotateSecret(webhookId)}
          done={(made) => {
            onClose();
            setSecret(made.secret);
          }}
          onClose={onClose}
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
          onClose={onClose}
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

const dayMs = 86_400_000;

function Recover({
  webhookId,
  done,
  onClose,
}: {
  readonly webhookId: string;
  readonly done: (count: number) => void;
  readonly onClose: () => void;
}) {
  const t = webhooks();
  const [now] = useState(() => Date.now());
  const at = (ms: number) => `${dayOf(new Date(ms).toISOString())}T00:00`;
  return (
    <Dialog title={t.recover} onClose={onClose}>
      <Form
        submit={t.recover}
        act={async (filled) => {
          let count = 0;
          let since: string | null = new Date(filled.text('since')).toISOString();
          // A call sends so many at most, and says where the next one begins.
          while (since !== null) {
            const sent: { recovered: number; nextSince: string | null } = await api.webhooks.recover(
              webhookId,
              {
                since,
              },
            );
            count += sent.recovered;
            since = sent.nextSince;
          }
          return count;
        }}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <p>{t.recoverText}</p>
        <TextField
          name="since"
          label={t.since}
          hint={t.sinceHint}
          type="datetime-local"
          value={at(now - dayMs)}
          required
        />
      </Form>
    </Dialog>
  );
}
