import { useState } from 'preact/hooks';
import type { Person } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { changesOf } from '../../shared/changes.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { useAction } from '../../shared/data.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import type { Role } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { usePartners } from './use-partners.ts';

interface DialogProps {
  /** A link that has to be passed on, since no mail could be sent; null where there is none. */
  readonly onDone: (link: string | null) => void;
  readonly onClose: () => void;
}

export function InvitePerson({ onDone, onClose }: DialogProps) {
  const t = settings().people;
  return (
    <Dialog title={t.invite} onClose={onClose}>
      <Form
        submit={t.inviteSubmit}
        act={(filled) =>
          api.people.invite({
            name: filled.text('name'),
            email: filled.text('email'),
            role: filled.text('role') as Role,
            partnerId: filled.optional('partnerId'),
            ...pinOf(filled),
          })
        }
        done={({ name, link }) => {
          toast(t.invited(name));
          onDone(link);
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField name="name" label={t.name} required maxLength={120} autocomplete="off" />
        <TextField name="email" label={t.email} type="email" required maxLength={254} autocomplete="off" />
        <RoleFields of={{ role: 'staff', partnerId: null, hasPin: false }} />
      </Form>
    </Dialog>
  );
}

export function ChangePerson({ person, onDone, onClose }: DialogProps & { readonly person: Person }) {
  const t = settings().people;
  const { personId, name } = person;
  const [isLeaving, setLeaving] = useState(false);
  const newLink = useAction(
    () => api.people.createLink(personId),
    ({ link }) => {
      if (link === null) toast(t.linkSent);
      onDone(link);
    },
  );
  if (isLeaving)
    return (
      <ConfirmDialog
        title={t.removeOf(name)}
        confirm={t.remove}
        act={() => api.people.remove(personId)}
        done={() => {
          toast(t.removed(name));
          onDone(null);
        }}
        onClose={onClose}
      >
        <p>{t.removeText}</p>
      </ConfirmDialog>
    );
  return (
    <Dialog title={t.changeOf(name)} onClose={onClose}>
      <Form
        submit={shared().save}
        act={async (filled) => {
          const changes = changesOf(person, {
            name: filled.text('name'),
            role: filled.text('role') as Role,
            partnerId: filled.optional('partnerId'),
          });
          const all = { ...changes, ...pinOf(filled) };
          if (Object.keys(all).length > 0) await api.people.update(personId, all);
        }}
        done={() => {
          toast(t.changed);
          onDone(null);
        }}
        secondary={
          <>
            <Button kind="quiet" isBusy={newLink.isBusy} onClick={() => newLink.run()}>
              {t.newLink}
            </Button>
            <Button kind="plain" onClick={() => setLeaving(true)}>
              {t.remove}
            </Button>
          </>
        }
      >
        <TextField name="name" label={t.name} value={name} required maxLength={120} />
        <RoleFields of={person} />
      </Form>
    </Dialog>
  );
}

/** A PIN that was typed; without one it stays as it is. */
function pinOf(filled: Filled) {
  const pin = filled.optional('pin');
  return pin === null ? {} : { pin };
}

/** What a person may do, for which partner where that is bound to one, and with which PIN. */
function RoleFields({
  of: { role, partnerId, hasPin },
}: {
  readonly of: Pick<Person, 'role' | 'partnerId' | 'hasPin'>;
}) {
  const t = settings().people;
  const [chosen, setChosen] = useState(role);
  const partners = usePartners();
  const names = Object.fromEntries((partners.value ?? []).map((one) => [one.partnerId, one.name]));
  return (
    <>
      <SelectField
        name="role"
        label={t.role}
        options={t.roleTexts}
        value={chosen}
        onChange={(value) => setChosen(value as Role)}
      />
      {chosen === 'staff' && (partnerId !== null || Object.keys(names).length > 0) && (
        <SelectField
          name="partnerId"
          label={t.partner}
          hint={t.partnerHint}
          options={{ '': t.anyPartner, ...(partnerId !== null && { [partnerId]: partnerId }), ...names }}
          value={partnerId ?? ''}
        />
      )}
      {chosen !== 'viewer' && (
        <TextField
          name="pin"
          label={t.pin}
          hint={`${t.pinHint} ${hasPin ? t.pinKept : t.pinNone}`}
          inputMode="numeric"
          pattern="[0-9]{4,8}"
          autocomplete="off"
        />
      )}
    </>
  );
}

export function PassLinkOn({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  const t = settings().people;
  return (
    <Dialog title={t.linkTitle} onClose={onClose}>
      <p>{t.linkText}</p>
      <CopyField label={t.linkTitle} text={link} />
    </Dialog>
  );
}
