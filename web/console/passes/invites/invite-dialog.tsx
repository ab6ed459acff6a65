import { useState } from 'preact/hooks';
import { newKey } from '../../../../sdk/typescript/src/core/options.ts';
import type { Invite } from '../../../../sdk/typescript/src/types.ts';
import { CancelButton } from '../../../shared/cancel-button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { CheckField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { toast } from '../../../shared/toast.tsx';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';

/** What the service has decided of an address that was not invited before. */
function isAnswer(status: Invite['status']) {
  return status === 'queued' || status === 'suppressed' || status === 'already_holder';
}

/** Invites a person by mail, who has agreed to be written to. */
export function InviteDialog({
  passId,
  done,
  onClose,
}: {
  readonly passId: string;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = invites();
  const [externalRef] = useState(newKey);
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.send}
        act={(filled) =>
          api.invites.create(passId, {
            email: filled.text('email'),
            name: filled.optional('name'),
            identifier: filled.optional('identifier'),
            locale: filled.optional('locale'),
            externalRef,
          })
        }
        done={({ status }) => {
          toast(isAnswer(status) ? t.answers[status] : t.answers.known);
          done();
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <p>{t.createText}</p>
        <TextField name="email" label={t.email} type="email" required maxLength={254} autocomplete="off" />
        <TextField name="name" label={t.name} hint={t.nameHint} maxLength={200} autocomplete="off" />
        <TextField
          name="identifier"
          label={t.identifier}
          hint={t.identifierHint}
          maxLength={255}
          autocomplete="off"
        />
        <TextField name="locale" label={t.locale} hint={t.localeHint} maxLength={35} autocomplete="off" />
        <CheckField name="consent" label={t.consent} required />
      </Form>
    </Dialog>
  );
}
