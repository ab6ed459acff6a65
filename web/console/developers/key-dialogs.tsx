import type { ApiKey } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { changesOf } from '../../shared/changes.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { dayOf, endOf } from '../../shared/days.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { formatMoment } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { developers } from '../../texts/developers.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { PassChoice, passesIn } from './pass-choice.tsx';

interface DialogProps<R> {
  readonly done: (result: R) => void;
  readonly onClose: () => void;
}

interface WithSecret {
  readonly secret: string;
}

export function NewKey({ done, onClose }: DialogProps<WithSecret>) {
  const t = developers().keys;
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.submit}
        act={(filled) => api.apiKeys.create(settingsIn(filled, null))}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <Settings of={null} />
      </Form>
    </Dialog>
  );
}

export function ChangeKey({ of, done, onClose }: DialogProps<ApiKey> & { readonly of: ApiKey }) {
  const t = developers().keys;
  return (
    <Dialog title={t.changeOf(of.name)} onClose={onClose}>
      <Form
        submit={shared().save}
        act={async (filled): Promise<ApiKey> => {
          const changes = changesOf(of, settingsIn(filled, of));
          return Object.keys(changes).length === 0 ? of : api.apiKeys.update(of.keyId, changes);
        }}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <Settings of={of} />
      </Form>
    </Dialog>
  );
}

function Settings({ of }: { readonly of: ApiKey | null }) {
  const t = developers().keys;
  return (
    <>
      <TextField
        name="name"
        label={t.name}
        hint={t.nameHint}
        value={of?.name}
        required
        maxLength={120}
        autocomplete="off"
      />
      <SelectField name="access" label={t.access} options={t.accessTexts} value={of?.access ?? 'full'} />
      <PassChoice passIds={of?.passIds ?? null} />
      <TextField
        name="rateLimit"
        label={t.rateLimit}
        hint={t.rateLimitHint}
        type="number"
        min={1}
        max={100_000}
        step={1}
        value={of?.rateLimit?.toString()}
      />
      <TextField
        name="expiresAt"
        label={t.expiresAt}
        hint={t.expiresAtHint}
        type="date"
        value={dayOf(of?.expiresAt ?? null)}
      />
    </>
  );
}

function settingsIn(filled: Filled, before: ApiKey | null) {
  const day = filled.text('expiresAt');
  const end = day === dayOf(before?.expiresAt ?? null) ? (before?.expiresAt ?? null) : (endOf(day) ?? null);
  return {
    name: filled.text('name'),
    access: filled.text('access') === 'read' ? ('read' as const) : ('full' as const),
    passIds: passesIn(filled),
    rateLimit: filled.number('rateLimit'),
    expiresAt: end,
  };
}

export function RotateKey({ of, done, onClose }: DialogProps<WithSecret> & { readonly of: ApiKey }) {
  const t = developers().keys;
  return (
    <Dialog title={t.rotateOf(of.name)} onClose={onClose}>
      <Form
        submit={t.rotate}
        act={(filled) =>
          api.apiKeys.rotate(of.keyId, { overlapSeconds: filled.number('overlapSeconds') ?? 0 })
        }
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <p>{t.rotateText}</p>
        <SelectField name="overlapSeconds" label={t.overlap} options={t.overlaps} value="3600" />
      </Form>
    </Dialog>
  );
}

/** Says what will stop: when the key was used last, and for what. */
export function RevokeKey({ of, done, onClose }: DialogProps<ApiKey> & { readonly of: ApiKey }) {
  const t = developers().keys;
  const lately = useCached(['requests', { calledBy: of.keyId }], async (options) => {
    const { data } = await api.requests.list({ keyId: of.keyId, limit: 100 }, options).page();
    return [...new Set(data.map(({ op }) => op).filter((op) => op !== null))];
  });
  return (
    <ConfirmDialog
      title={t.revokeOf(of.name)}
      confirm={t.revoke}
      act={() => api.apiKeys.revoke(of.keyId)}
      done={done}
      onClose={onClose}
    >
      <div class="stack">
        <p>{t.revokeText}</p>
        <p>{of.lastUsedAt === null ? t.neverUsed : t.usedLast(formatMoment(of.lastUsedAt))}</p>
        <LoadedView of={lately} lines={1} height={1.5}>
          {(ops) =>
            ops.length > 0 && (
              <p>
                {t.usedFor} <code>{ops.join(', ')}</code>
              </p>
            )
          }
        </LoadedView>
      </div>
    </ConfirmDialog>
  );
}
