import { useState } from 'preact/hooks';
import type { InvitedPerson } from '../../../sdk/typescript/src/types.ts';
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
import { OwnerLink } from './tenant-people.tsx';

/** A new workspace with its key, which is shown once, and its owner. */
interface Made {
  readonly name: string;
  readonly apiKey: string;
  readonly owner: InvitedPerson;
}

/** What is open above the list: the form of a new workspace, or what was made. */
type Open = 'new' | Made | null;

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
              onDone={(made) => {
                setTurn(turn + 1);
                setOpen(made);
              }}
            />
          )}
          {open !== null && open !== 'new' && <MadeDialog made={open} onClose={() => setOpen(null)} />}
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

/** Who was invited comes first; the key is for those who ask for it. */
function MadeDialog({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { workspaces: t, people } = operatorTexts();
  const [isShown, setShown] = useState(false);
  return (
    <Dialog title={people.made(made.name)} onClose={onClose}>
      <OwnerLink of={made.owner} />
      {isShown ? (
        <CopyField label={t.keyTitle} text={made.apiKey} />
      ) : (
        <p>
          <Button kind="quiet" onClick={() => setShown(true)}>
            {people.showKey}
          </Button>
        </p>
      )}
      <p class="soft small">{people.keyHint}</p>
    </Dialog>
  );
}

function NewTenant({
  onDone,
  onClose,
}: {
  readonly onDone: (made: Made) => void;
  readonly onClose: () => void;
}) {
  const { workspaces: t, people } = operatorTexts();
  // Where only the invitation is refused, the workspace is there already.
  const [made, setMade] = useState<{ workspaceId: string; name: string; apiKey: string } | null>(null);
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.createSubmit}
        act={async (filled) => {
          const workspace =
            made ??
            (await operator.value.createWorkspace({
              name: filled.text('name'),
              plan: filled.text('plan') === 'pro' ? 'pro' : 'entry',
              credits: filled.number('credits') ?? undefined,
            }));
          setMade(workspace);
          const owner = await operator.value.inviteOwner(workspace.workspaceId, {
            name: filled.text('ownerName'),
            email: filled.text('email'),
          });
          return { name: workspace.name, apiKey: workspace.apiKey, owner };
        }}
        done={onDone}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField name="name" label={t.name} required maxLength={120} autocomplete="off" />
        <TextField name="ownerName" label={people.ownerName} required maxLength={120} autocomplete="off" />
        <TextField
          name="email"
          label={people.ownerEmail}
          hint={people.ownerHint}
          type="email"
          required
          maxLength={254}
          autocomplete="off"
        />
        <SelectField name="plan" label={t.plan} options={t.plans} value="entry" />
        <TextField name="credits" label={t.credits} hint={t.creditsHint} type="number" min={0} step={1} />
      </Form>
    </Dialog>
  );
}
