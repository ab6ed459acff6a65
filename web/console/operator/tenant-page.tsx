import { useState } from 'preact/hooks';
import type { Workspace } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { type Loaded, useAction } from '../../shared/data.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { toast } from '../../shared/toast.tsx';
import { operator as operatorTexts } from '../../texts/operator.ts';
import { shared } from '../../texts/shared.ts';
import type { PageProps } from '../page.ts';
import { operator } from './operator.ts';
import { OperatorFrame } from './operator-frame.tsx';
import { TenantPeople } from './tenant-people.tsx';

type LoadedTenant = Loaded<Workspace>;

export function TenantPage({ params: { workspaceId = '' } }: PageProps) {
  const [name, setName] = useState<string | null>(null);
  const t = operatorTexts().workspaces;
  return (
    <OperatorFrame title={name ?? t.one} back={{ href: '/console/operator', label: t.title }}>
      {() => <Tenant workspaceId={workspaceId} onName={setName} />}
    </OperatorFrame>
  );
}

function Tenant({
  workspaceId,
  onName,
}: {
  readonly workspaceId: string;
  readonly onName: (name: string) => void;
}) {
  const loaded: LoadedTenant = useCached(['operator', 'workspaces', workspaceId], async (options) => {
    const workspace: Workspace = await operator.value.getWorkspace(workspaceId, options);
    onName(workspace.name);
    return workspace;
  });
  return (
    <LoadedView of={loaded} lines={3} height={9}>
      {(workspace) => (
        <div class="stack">
          {workspace.suspended && <Notice kind="alert" title={operatorTexts().workspaces.suspendedText} />}
          <Facts of={workspace} />
          <TenantPeople of={workspace} />
          <Credits of={workspace} />
          <Changes
            loaded={{
              ...loaded,
              set: (changed) => {
                onName(changed.name);
                loaded.set(changed);
              },
            }}
            of={workspace}
          />
        </div>
      )}
    </LoadedView>
  );
}

function Facts({ of }: { readonly of: Workspace }) {
  const t = operatorTexts().workspaces;
  const facts = [
    [t.plan, t.plans[of.plan]],
    [t.credits, formatNumber(of.credits)],
    [t.since, formatDate(of.createdAt)],
    [t.id, of.workspaceId],
  ] as const;
  return (
    <section class="panel">
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Credits({ of }: { readonly of: Workspace }) {
  const t = operatorTexts().workspaces;
  return (
    <section class="panel">
      <header>
        <h2>{t.addCredits}</h2>
      </header>
      <Form
        // Empty again once they are added.
        key={of.credits}
        submit={t.addCredits}
        act={(filled) => {
          const note = filled.optional('note');
          return operator.value.addCredits(of.workspaceId, {
            amount: filled.number('amount') ?? 0,
            externalRef: filled.text('externalRef'),
            ...(note !== null && { note }),
          });
        }}
        done={({ balance }) => {
          toast(t.creditsAdded(formatNumber(balance)));
          invalidate(['operator']);
        }}
      >
        <TextField name="amount" label={t.amount} hint={t.amountHint} type="number" step={1} required />
        <TextField name="externalRef" label={t.reference} hint={t.referenceHint} required maxLength={255} />
        <TextField name="note" label={t.note} maxLength={500} />
      </Form>
    </section>
  );
}

function Changes({ of, loaded }: { readonly of: Workspace; readonly loaded: LoadedTenant }) {
  const t = operatorTexts().workspaces;
  const [isSuspending, setSuspending] = useState(false);
  const [apiKey, setApiKey] = useState<string | null>(null);
  const key = useAction(
    () => operator.value.createApiKey(of.workspaceId, { name: t.keyName, access: 'full' }),
    ({ secret }) => setApiKey(secret),
  );
  const resume = useAction(
    () => operator.value.updateWorkspace(of.workspaceId, { suspended: false }),
    loaded.set,
  );
  return (
    <section class="panel">
      <header>
        <h2>{t.change}</h2>
      </header>
      <Form
        submit={shared().save}
        act={(filled) =>
          operator.value.updateWorkspace(of.workspaceId, {
            name: filled.text('name'),
            plan: filled.text('plan') === 'pro' ? 'pro' : 'entry',
          })
        }
        done={(changed) => {
          loaded.set(changed);
          toast(shared().saved);
        }}
        secondary={
          <>
            <Button kind="quiet" isBusy={key.isBusy} onClick={() => key.run()}>
              {t.newKey}
            </Button>
            {of.suspended ? (
              <Button kind="quiet" isBusy={resume.isBusy} onClick={() => resume.run()}>
                {t.resume}
              </Button>
            ) : (
              <Button kind="plain" onClick={() => setSuspending(true)}>
                {t.suspend}
              </Button>
            )}
          </>
        }
      >
        <TextField name="name" label={t.name} value={of.name} required maxLength={120} />
        <SelectField name="plan" label={t.plan} options={t.plans} value={of.plan} />
      </Form>
      {apiKey !== null && (
        <Dialog title={t.keyTitle} onClose={() => setApiKey(null)}>
          <p>{t.keyText}</p>
          <CopyField label={t.keyTitle} text={apiKey} />
        </Dialog>
      )}
      {isSuspending && (
        <ConfirmDialog
          title={t.suspendOf(of.name)}
          confirm={t.suspend}
          act={() => operator.value.updateWorkspace(of.workspaceId, { suspended: true })}
          done={(changed) => {
            setSuspending(false);
            loaded.set(changed);
          }}
          onClose={() => setSuspending(false)}
        >
          <p>{t.suspendText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
