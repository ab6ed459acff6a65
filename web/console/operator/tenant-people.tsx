import { useState } from 'preact/hooks';
import type { InvitedPerson, Person, Workspace } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { useAction } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { formatDate } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { toast } from '../../shared/toast.tsx';
import { operator as operatorTexts } from '../../texts/operator.ts';
import { shared } from '../../texts/shared.ts';
import { shell } from '../../texts/shell.ts';
import { operator } from './operator.ts';

/** Who works in a workspace, and who was invited to; another owner. */
export function TenantPeople({ of: { workspaceId } }: { readonly of: Workspace }) {
  const t = operatorTexts().people;
  const pages = usePages(['operator', 'people', workspaceId], (options) =>
    operator.value.listPeople(workspaceId, { limit: 50 }, options),
  );
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<InvitedPerson | null>(null);
  const show = (person: InvitedPerson) => {
    setInviting(false);
    invalidate(['operator', 'people', workspaceId]);
    if (person.link === null) toast(t.mailed(person.name));
    else setInvited(person);
  };
  const again = useAction(
    ({ email, name }: Person) => operator.value.inviteOwner(workspaceId, { email: email ?? '', name }),
    show,
  );
  return (
    <section class="stack" aria-labelledby="tenant-people">
      <header class="row">
        <h2 id="tenant-people">{t.title}</h2>
        <Button kind="quiet" icon="plus" onClick={() => setInviting(true)}>
          {t.invite}
        </Button>
      </header>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ personId }) => personId}
        empty={<EmptyState icon="people" title={t.empty} text={t.emptyText} />}
        columns={[
          { head: t.name, cell: ({ name }) => <strong dir="auto">{name}</strong> },
          { head: t.email, cell: ({ email }) => <span>{email ?? '–'}</span> },
          { head: t.role, kind: 'short', cell: ({ role }) => <Badge>{shell().roles[role]}</Badge> },
          {
            head: t.state,
            kind: 'short',
            cell: ({ pending }) => (
              <Badge kind={pending ? 'note' : 'good'}>{pending ? t.invited : t.joined}</Badge>
            ),
          },
          { head: t.since, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (person) =>
              person.pending && person.role === 'owner' ? (
                <Button kind="quiet" isBusy={again.isBusy} onClick={() => again.run(person)}>
                  {t.again} <span class="unseen">{person.name}</span>
                </Button>
              ) : null,
          },
        ]}
      />
      {isInviting && (
        <Dialog title={t.invite} onClose={() => setInviting(false)}>
          <Form
            submit={t.inviteSubmit}
            act={(filled) => operator.value.inviteOwner(workspaceId, ownerOf(filled))}
            done={show}
            secondary={<CancelButton onClose={() => setInviting(false)} />}
          >
            <TextField name="name" label={t.ownerName} required maxLength={120} autocomplete="off" />
            <TextField
              name="email"
              label={t.ownerEmail}
              type="email"
              required
              maxLength={254}
              autocomplete="off"
            />
          </Form>
        </Dialog>
      )}
      {invited?.link != null && (
        <Dialog title={t.linkTitle} onClose={() => setInvited(null)}>
          <OwnerLink of={invited} />
        </Dialog>
      )}
    </section>
  );
}

/** What came of an invitation: it is mailed, or its link is to be passed on. */
export function OwnerLink({ of: { name, link } }: { readonly of: InvitedPerson }) {
  const t = operatorTexts().people;
  if (link === null) return <p>{t.mailed(name)}</p>;
  return (
    <>
      <p>{t.linkText(name)}</p>
      <CopyField label={t.linkTitle} text={link} />
    </>
  );
}

function ownerOf(filled: Filled) {
  return { name: filled.text('name'), email: filled.text('email') };
}
