import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { operator as operatorTexts } from '../../texts/operator.ts';
import { operator } from './operator.ts';
import { OperatorFrame } from './operator-frame.tsx';

/** What is open above the list: the form of a new workspace, or the key that it was given, which is shown once. */
type Open = 'new' | { readonly apiKey: string } | null;

export function TenantsPage() {
  const t = operatorTexts().workspaces;
  const [open, setOpen] = useState<Open>(null);
  const [turn, setTurn] = useState(0);
  return (
    <OperatorFrame
      title={t.title}
      lead={t.lead}
      actions={
        <Button icon="plus" onClick={() => setOpen('new')}>
          {t.create}
        </Button>
      }
    >
      {() => (
        <>
          <Tenants key={turn} />
          {open === 'new' && (
            <NewTenant
              onClose={() => setOpen(null)}
              onDone={(apiKey) => {
                setTurn(turn + 1);
                setOpen({ apiKey });
              }}
            />
          )}
          {open !== null && open !== 'new' && (
            <Dialog title={t.keyTitle} onClose={() => setOpen(null)}>
              <p>{t.keyText}</p>
              <CopyField label={t.keyTitle} text={open.apiKey} />
            </Dialog>
          )}
        </>
      )}
    </OperatorFrame>
  );
}

function Tenants() {
  const t = operatorTexts().workspaces;
  const pages = usePages(['operator', 'workspaces'], (options) =>
    operator.value.listWorkspaces({ limit: 50 }, options),
  );
  return (
    <DataTable
      label={t.title}
      pages={pages}
      rowKey={({ workspaceId }) => workspaceId}
      empty={<EmptyState icon="store" title={t.empty} />}
      columns={[
        {
          head: t.name,
          cell: ({ workspaceId, name, suspended }) => (
            <span class="row">
              <a class="row-link" href={`/console/operator/workspaces/${workspaceId}`} dir="auto">
                {name}
              </a>
              {suspended && <Badge kind="alert">{t.suspended}</Badge>}
            </span>
          ),
        },
        { head: t.plan, kind: 'short', cell: ({ plan }) => <Badge>{t.plans[plan]}</Badge> },
        { head: t.since, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
        { head: t.credits, kind: 'end', cell: ({ credits }) => <span>{formatNumber(credits)}</span> },
      ]}
    />
  );
}

function NewTenant({
  onDone,
  onClose,
}: {
  readonly onDone: (apiKey: string) => void;
  readonly onClose: () => void;
}) {
  const t = operatorTexts().workspaces;
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.createSubmit}
        act={(filled) =>
          operator.value.createWorkspace({
            name: filled.text('name'),
            plan: filled.text('plan') === 'pro' ? 'pro' : 'entry',
            credits: filled.number('credits') ?? undefined,
          })
        }
        done={({ apiKey }) => onDone(apiKey)}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField name="name" label={t.name} required maxLength={120} autocomplete="off" />
        <SelectField name="plan" label={t.plan} options={t.plans} value="entry" />
        <TextField name="credits" label={t.credits} hint={t.creditsHint} type="number" min={0} step={1} />
      </Form>
    </Dialog>
  );
}
