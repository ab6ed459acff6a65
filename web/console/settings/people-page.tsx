import { useState } from 'preact/hooks';
import type { Person } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatDate } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may, membership } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { shell } from '../../texts/shell.ts';
import { api } from '../api.ts';
import { ChangePerson, InvitePerson, PassLinkOn } from './person-dialogs.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { usePartners } from './use-partners.ts';

/** What is open above the list. */
type Open =
  | { readonly kind: 'invite' }
  | { readonly kind: 'change'; readonly person: Person }
  | { readonly kind: 'link'; readonly link: string };

export function PeoplePage() {
  const t = settings().people;
  const pages = usePages(['people'], (options) => api.people.list({ limit: 50 }, options));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  /** After a change: shows the list anew, and the link where one has to be passed on. */
  const onDone = (link: string | null) => {
    invalidate(['people']);
    setOpen(link === null ? null : { kind: 'link', link });
  };
  const again = useAction(
    ({ personId }: Person) => api.people.createLink(personId),
    ({ link }) => {
      if (link === null) toast(t.linkSent);
      onDone(link);
    },
  );
  const isOwner = may('own');
  const partners = usePartners();
  const nameOf = (id: string) => partners.value?.find(({ partnerId }) => partnerId === id)?.name ?? id;
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          isOwner && (
            <Button icon="plus" onClick={() => setOpen({ kind: 'invite' })}>
              {t.invite}
            </Button>
          )
        }
      >
        <SettingsTabs />
      </PageHeader>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ personId }) => personId}
        empty={<EmptyState icon="people" title={t.empty} />}
        columns={[
          { head: t.name, cell: (person) => <Name of={person} /> },
          { head: t.email, cell: ({ email }) => <span>{email ?? t.noEmail}</span> },
          {
            head: t.role,
            cell: ({ role, partnerId }) => (
              <span class="who-has state">
                <Badge>{shell().roles[role]}</Badge>
                {partnerId !== null && (
                  <span class="soft small" dir="auto">
                    {t.boundTo(nameOf(partnerId))}
                  </span>
                )}
              </span>
            ),
          },
          {
            head: t.state,
            kind: 'short',
            cell: ({ pending }) => (
              <Badge kind={pending ? 'note' : 'good'}>{pending ? t.invitedState : t.joined}</Badge>
            ),
          },
          { head: t.since, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
          ...(isOwner
            ? [
                {
                  head: shared().actions,
                  kind: 'actions' as const,
                  cell: (person: Person) => (
                    <span class="row">
                      {person.pending && (
                        <Button kind="quiet" isBusy={again.isBusy} onClick={() => again.run(person)}>
                          {t.again} <span class="unseen">{person.name}</span>
                        </Button>
                      )}
                      <Button kind="quiet" onClick={() => setOpen({ kind: 'change', person })}>
                        {t.change} <span class="unseen">{person.name}</span>
                      </Button>
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {open?.kind === 'invite' && <InvitePerson onDone={onDone} onClose={close} />}
      {open?.kind === 'change' && <ChangePerson person={open.person} onDone={onDone} onClose={close} />}
      {open?.kind === 'link' && <PassLinkOn link={open.link} onClose={close} />}
    </>
  );
}

function Name({ of: { personId, name } }: { readonly of: Person }) {
  const isMe = membership.value?.personId === personId;
  return (
    <span class="row">
      <strong dir="auto">{name}</strong>
      {isMe && <Badge kind="good">{settings().people.you}</Badge>}
    </span>
  );
}
