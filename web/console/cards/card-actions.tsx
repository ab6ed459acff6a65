import { useId, useState } from 'preact/hooks';
import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { useAction } from '../../shared/data.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Icon } from '../../shared/icon.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Menu } from '../../shared/menu.tsx';
import { QrPicture } from '../../shared/qr-picture.tsx';
import { navigate } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { cards } from '../../texts/cards.ts';
import { doctor } from '../../texts/doctor.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { DoctorDialog } from './card-doctor.tsx';
import { filledHolder, HolderFields } from './new-card.tsx';

type Asked = 'link' | 'edit' | 'void' | 'erase' | 'doctor';

/** What can be done with a card, its points aside; who only reads may look why a phone does not show it. */
export function CardActions({
  card,
  isErased,
  onChange,
}: {
  readonly card: Instance;
  /** Its person was erased: it stays void for good. */
  readonly isErased: boolean;
  readonly onChange: () => void;
}) {
  const t = cards();
  const { instanceId, status } = card;
  const menu = `card-${useId()}`;
  const [asked, setAsked] = useState<Asked | null>(null);
  const onClose = () => setAsked(null);
  const done = (said: string) => () => {
    setAsked(null);
    toast(said);
    onChange();
  };
  const reactivate = useAction(() => api.instances.reactivate(instanceId), done(t.isValid));
  const push = useAction(() => api.instances.push(instanceId), done(t.pushed));
  const mayWrite = may('write');
  const isActive = status === 'active' && mayWrite;
  if (isErased) return null;
  return (
    <>
      {mayWrite && (
        <Button kind="quiet" icon="copy" onClick={() => setAsked('link')}>
          {t.link}
        </Button>
      )}
      {isActive && (
        <Button kind="quiet" icon="pen" onClick={() => setAsked('edit')}>
          {t.edit}
        </Button>
      )}
      <Button kind="quiet" icon="more" label={t.otherActions} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('doctor')}>
          <Icon name="search" size={18} />
          {doctor().open}
        </button>
        {isActive && (
          <button type="button" onClick={() => push.run()}>
            <Icon name="refresh" size={18} />
            {t.push}
          </button>
        )}
        {isActive && (
          <button type="button" onClick={() => setAsked('void')}>
            <Icon name="close" size={18} />
            {t.void}
          </button>
        )}
        {mayWrite && !isActive && (
          <button type="button" onClick={() => reactivate.run()}>
            <Icon name="check" size={18} />
            {t.reactivate}
          </button>
        )}
        {mayWrite && (
          <button type="button" onClick={() => setAsked('erase')}>
            <Icon name="trash" size={18} />
            {t.erase}
          </button>
        )}
      </Menu>
      {asked === 'doctor' && <DoctorDialog instanceId={instanceId} onClose={onClose} />}
      {asked === 'link' && <LinkDialog link={card.links.add} onClose={onClose} />}
      {asked === 'edit' && <EditDialog card={card} done={done(t.changed)} onClose={onClose} />}
      {asked === 'void' && <VoidDialog instanceId={instanceId} done={done(t.isVoid)} onClose={onClose} />}
      {asked === 'erase' && <EraseDialog card={card} onClose={onClose} />}
    </>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function LinkDialog({ link, onClose }: DialogProps & { readonly link: string }) {
  const t = cards();
  return (
    <Dialog title={t.link} onClose={onClose}>
      <div class="stack">
        <p>{t.linkText}</p>
        {/* The link may be that of another address than this one: its path is the same. */}
        <QrPicture src={`${new URL(link).pathname}/qr.svg`} alt={t.qr} name={t.card} />
        <CopyField label={t.linkLabel} text={link} />
      </div>
    </Dialog>
  );
}

function EditDialog({
  card,
  done,
  onClose,
}: DialogProps & { readonly card: Instance; readonly done: () => void }) {
  const t = cards();
  const pass = useCached(['passes', card.passId], (options) => api.passes.get(card.passId, options));
  return (
    <Dialog title={t.editTitle} onClose={onClose}>
      <LoadedView of={pass} lines={4}>
        {({ fields }) => {
          const own = fields.filter(({ editable }) => editable);
          return (
            <Form
              submit={shared().save}
              act={(filled) => {
                // Only what was changed: others keep following the pass.
                const changed = own
                  .map(({ key }) => [key, filled.optional(`fields.${key}`)] as const)
                  .filter(([key, value]) => value !== (card.fields[key] ?? null));
                return api.instances.update(card.instanceId, {
                  holder: { ...filledHolder(filled), locale: card.holder?.locale ?? null },
                  ...(changed.length > 0 && { fields: Object.fromEntries(changed) }),
                });
              }}
              done={done}
              secondary={<CancelButton onClose={onClose} />}
            >
              <HolderFields of={card.holder ?? {}} />
              {own.length > 0 && <h3>{t.fields}</h3>}
              {own.map(({ key, label, format = 'text', currency }) => (
                <TextField
                  key={key}
                  type={format === 'date' ? 'date' : 'text'}
                  hint={currency ?? t.formatHints[format]}
                  name={`fields.${key}`}
                  label={label || key}
                  value={card.fields[key] ?? ''}
                  maxLength={1_000}
                />
              ))}
            </Form>
          );
        }}
      </LoadedView>
    </Dialog>
  );
}

function VoidDialog({
  instanceId,
  done,
  onClose,
}: DialogProps & { readonly instanceId: string; readonly done: () => void }) {
  const t = cards();
  return (
    <Dialog title={t.voidTitle} onClose={onClose}>
      <Form
        submit={t.void}
        kind="danger"
        act={(filled) => api.instances.void(instanceId, { reason: filled.optional('reason') })}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <p>{t.voidText}</p>
        <TextField name="reason" label={t.reason} maxLength={200} />
      </Form>
    </Dialog>
  );
}

function EraseDialog({ card, onClose }: DialogProps & { readonly card: Instance }) {
  const t = cards();
  return (
    <ConfirmDialog
      title={t.eraseTitle}
      confirm={t.erase}
      act={() => api.instances.erase(card.instanceId)}
      done={() => {
        toast(t.erasedNow);
        navigate(`/console/cards?passId=${card.passId}`);
      }}
      onClose={onClose}
    >
      <p>{t.eraseText}</p>
      <TextField name="word" label={t.eraseWord} required pattern="ERASE" autocomplete="off" />
    </ConfirmDialog>
  );
}
