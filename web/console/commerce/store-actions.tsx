import { useId, useState } from 'preact/hooks';
import type { Store } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { useAction } from '../../shared/data.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Icon } from '../../shared/icon.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Menu } from '../../shared/menu.tsx';
import { toast } from '../../shared/toast.tsx';
import { connect } from '../../texts/connect.ts';
import { shared } from '../../texts/shared.ts';
import { stores } from '../../texts/stores.ts';
import { api } from '../api.ts';
import { passOptions, useLoadedPasses } from '../passes/use-passes.ts';
import { AccessFields, ConsentFields, filledAccess, filledConsent } from './store-fields.tsx';
import { testSentence } from './store-state.tsx';

/** What can be done with a store that is connected. */
export function StoreActions({ store, onChange }: { readonly store: Store; readonly onChange: () => void }) {
  const t = stores();
  const { storeId, domain, status } = store;
  const menu = `store-${useId()}`;
  const [asked, setAsked] = useState<'edit' | 'disconnect' | null>(null);
  const onClose = () => setAsked(null);
  const done = (said: string) => () => {
    setAsked(null);
    toast(said);
    onChange();
  };
  const test = useAction(
    () => api.stores.test(storeId),
    (result) => {
      toast(testSentence(store, result), { kind: result.ok ? 'good' : 'alert' });
      onChange();
    },
  );
  if (status === 'disconnected') return null;
  return (
    <>
      <Button kind="quiet" icon="refresh" isBusy={test.isBusy} onClick={() => test.run()}>
        {t.test}
      </Button>
      <Button kind="quiet" icon="pen" onClick={() => setAsked('edit')}>
        {t.edit}
      </Button>
      <Button kind="quiet" icon="more" label={t.more} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('disconnect')}>
          <Icon name="close" size={18} />
          {t.disconnect}
        </button>
      </Menu>
      {asked === 'edit' && <EditStore store={store} done={done(t.changed)} onClose={onClose} />}
      {asked === 'disconnect' && (
        <ConfirmDialog
          title={t.disconnectOf(domain)}
          confirm={t.disconnect}
          act={() => api.stores.disconnect(storeId)}
          done={done(t.disconnected)}
          onClose={onClose}
        >
          <ul class="bullets">
            {t.disconnectText.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}

export function EditStore({
  store,
  done,
  onClose,
}: {
  readonly store: Store;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = stores();
  const c = connect();
  const { storeId, platform, passId, consent, followsEdits } = store;
  const passes = useLoadedPasses();
  return (
    <Dialog title={t.editTitle} onClose={onClose}>
      <LoadedView of={passes} lines={4}>
        {(all) => (
          <Form
            submit={shared().save}
            act={(filled) => {
              const credentials = filledAccess(platform, filled);
              const webhookSecret = filled.optional('webhookSecret');
              const asked = filledConsent(filled);
              return api.stores.update(storeId, {
                passId: filled.optional('passId'),
                followsEdits: filled.isChecked('followsEdits'),
                ...(credentials !== undefined && { credentials }),
                ...(webhookSecret !== null && { webhookSecret }),
                ...(platform === 'woocommerce' && !isSame(asked, consent) && { consent: asked }),
              });
            }}
            done={done}
            secondary={<CancelButton onClose={onClose} />}
          >
            <SelectField
              name="passId"
              label={c.pass}
              options={{ '': t.noPass, ...passOptions(all, passId) }}
              value={passId ?? ''}
            />
            <ConsentFields platform={platform} of={consent} />
            <CheckField name="followsEdits" label={c.followsEdits} isChecked={followsEdits} />
            <h3>{t.renew}</h3>
            <p class="soft small">{t.renewHint}</p>
            <AccessFields platform={platform} required={false} />
            <TextField
              name="webhookSecret"
              label={c.webhookSecret}
              hint={c.newSecretHint}
              minLength={16}
              maxLength={255}
              autocomplete="off"
            />
          </Form>
        )}
      </LoadedView>
    </Dialog>
  );
}

/** Whether consent was left as it is: a person's word is not given anew with each change. */
function isSame(asked: ReturnType<typeof filledConsent>, known: Store['consent']): boolean {
  if (asked === null || known === null) return asked === known;
  if ('metaKey' in asked)
    return 'metaKey' in known && asked.metaKey === known.metaKey && asked.metaValue === known.metaValue;
  return 'attestedBy' in known && asked.attestedBy === known.attestedBy;
}
