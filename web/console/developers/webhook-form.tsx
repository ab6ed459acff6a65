import { useState } from 'preact/hooks';
import type { Webhook } from '../../../sdk/typescript/src/types.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { changesOf } from '../../shared/changes.ts';
import { ChoicesField } from '../../shared/choices-field.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { shared } from '../../texts/shared.ts';
import { webhooks } from '../../texts/webhooks.ts';
import { api } from '../api.ts';
import { kindGroups } from './kinds.ts';
import { PassChoice, passesIn } from './pass-choice.tsx';

export function NewWebhook({
  done,
  onClose,
}: {
  readonly done: (made: { readonly secret: string }) => void;
  readonly onClose: () => void;
}) {
  const t = webhooks();
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.submit}
        act={(filled) => api.webhooks.create(settingsIn(filled))}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <Settings of={null} />
      </Form>
    </Dialog>
  );
}

export function ChangeWebhook({
  of,
  done,
  onClose,
}: {
  readonly of: Webhook;
  readonly done: (changed: Webhook) => void;
  readonly onClose: () => void;
}) {
  const t = webhooks();
  return (
    <Dialog title={t.changeOf} onClose={onClose}>
      <Form
        submit={shared().save}
        act={async (filled): Promise<Webhook> => {
          const changes = changesOf(of, settingsIn(filled));
          return Object.keys(changes).length === 0 ? of : api.webhooks.update(of.webhookId, changes);
        }}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <Settings of={of} />
      </Form>
    </Dialog>
  );
}

function Settings({ of }: { readonly of: Webhook | null }) {
  const t = webhooks();
  const [isSome, setSome] = useState(of !== null && !of.types.includes('*'));
  return (
    <>
      <TextField
        name="url"
        label={t.url}
        hint={t.urlHint}
        type="url"
        value={of?.url}
        required
        maxLength={2_048}
      />
      <SelectField
        name="kinds"
        label={t.kinds}
        options={{ all: t.allKinds, some: t.someKinds }}
        value={isSome ? 'some' : 'all'}
        onChange={(value) => setSome(value === 'some')}
      />
      {isSome && (
        <ChoicesField
          name="types"
          label={t.whichKinds}
          groups={kindGroups(t.allOf)}
          chosen={of?.types ?? []}
        />
      )}
      <PassChoice passIds={of?.passIds ?? null} />
      <SelectField name="payload" label={t.payload} options={t.payloads} value={of?.payload ?? 'full'} />
      <TextField
        name="description"
        label={t.description}
        hint={t.descriptionHint}
        value={of?.description ?? ''}
        maxLength={255}
      />
    </>
  );
}

function settingsIn(filled: Filled) {
  return {
    url: filled.text('url'),
    types: filled.text('kinds') === 'some' ? filled.all('types') : ['*'],
    passIds: passesIn(filled),
    payload: filled.text('payload') === 'thin' ? ('thin' as const) : ('full' as const),
    description: filled.optional('description'),
  };
}
