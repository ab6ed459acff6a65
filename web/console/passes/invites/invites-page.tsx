import { useState } from 'preact/hooks';
import type { Invite, Pass } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { invalidate, usePages } from '../../../shared/cached.ts';
import { useLooking } from '../../../shared/data.ts';
import { DataTable } from '../../../shared/data-table.tsx';
import { FilterBar } from '../../../shared/filter-bar.tsx';
import { formatMoment } from '../../../shared/format.ts';
import { Badge, EmptyState, Notice } from '../../../shared/notice.tsx';
import { query } from '../../../shared/router.ts';
import { may } from '../../../shared/session.ts';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';
import { ObstacleNotice } from '../../obstacle-notice.tsx';
import type { PageProps } from '../../page.ts';
import { PassFrame } from '../pass-tabs.tsx';
import { CardsPanel } from './cards-panel.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { SweepPanel } from './sweep-panel.tsx';

/** Who is invited to a pass: one by one, or the customers of a store. */
export function InvitesPage({ params: { passId = '' } }: PageProps) {
  const t = invites();
  const [isInviting, setInviting] = useState(false);
  const reload = () => invalidate(['invites']);
  return (
    <PassFrame
      passId={passId}
      page="invites"
      actions={({ status }) =>
        may('write') &&
        status === 'published' && (
          <Button icon="plus" onClick={() => setInviting(true)}>
            {t.create}
          </Button>
        )
      }
    >
      {(pass) => (
        <div class="stack">
          {pass.status !== 'published' && <Notice title={t.notPublished} />}
          <ObstacleNotice />
          {may('write') && pass.status === 'published' && <CardsPanel passId={passId} onSent={reload} />}
          <SweepPanel pass={pass} onEnd={reload} />
          <Invitations pass={pass} />
          {isInviting && (
            <InviteDialog
              passId={passId}
              done={() => {
                setInviting(false);
                reload();
              }}
              onClose={() => setInviting(false)}
            />
          )}
        </div>
      )}
    </PassFrame>
  );
}

/** The invitations of a pass, newest first. */
function Invitations({ pass: { passId } }: { readonly pass: Pass }) {
  const t = invites();
  const status = statusOf(query.value.get('status'));
  const typed = query.value.get('email') ?? '';
  // Shorter than any address: the service would refuse it.
  const email = typed.length < 3 ? undefined : typed;
  const pages = usePages(['invites', passId, status, email], (options) =>
    api.invites.list(passId, { limit: 25, ...(status && { status }), ...(email && { email }) }, options),
  );
  useLooking(pages.items?.some(isWaiting) === true, pages.reload);
  const isFiltered = status !== undefined || email !== undefined;
  return (
    <section class="stack" aria-labelledby="invitations">
      <h2 id="invitations">{t.invitations}</h2>
      {(isFiltered || (pages.items?.length ?? 0) > 0) && (
        <FilterBar
          label={t.filter}
          fields={[
            { name: 'status', label: t.status, options: { '': t.all, ...t.statuses } },
            { name: 'email', label: t.email },
          ]}
        />
      )}
      <DataTable
        label={t.invitations}
        pages={pages}
        rowKey={({ inviteId }) => inviteId}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={t.emptyFilter} />
          ) : (
            <EmptyState icon="mail" title={t.empty.title} text={t.empty.text} />
          )
        }
        columns={[
          { head: t.email, cell: (invite) => <Who of={invite} /> },
          { head: t.status, kind: 'short', cell: (invite) => <InviteState of={invite} /> },
          { head: t.by, cell: ({ sweepId }) => <span>{sweepId === null ? t.byHand : t.bySweep}</span> },
          { head: t.sentAt, kind: 'short', cell: ({ sentAt }) => <Moment at={sentAt} /> },
          { head: t.acceptedAt, kind: 'short', cell: ({ acceptedAt }) => <Moment at={acceptedAt} /> },
        ]}
      />
    </section>
  );
}

function statusOf(text: string | null): Invite['status'] | undefined {
  return text !== null && Object.hasOwn(invites().statuses, text) ? (text as Invite['status']) : undefined;
}

function isWaiting({ status }: Invite): boolean {
  return status === 'queued' || status === 'sending';
}

function Who({ of: { email, problem, status, instanceId } }: { readonly of: Invite }) {
  const t = invites();
  const said = status === 'unknown' ? t.unknownText : problem === null ? null : t.problem(problem);
  const name = email ?? t.forgotten;
  const card = instanceId === null ? undefined : `/console/cards/${instanceId}`;
  return (
    <span class="who-has">
      {card === undefined ? <span>{name}</span> : <a href={card}>{name}</a>}
      {said !== null && <span class="soft small">{said}</span>}
    </span>
  );
}

function InviteState({ of: { status, acceptedAt } }: { readonly of: Invite }) {
  const t = invites();
  if (acceptedAt !== null) return <Badge kind="good">{t.accepted}</Badge>;
  if (status === 'failed') return <Badge kind="alert">{t.statuses.failed}</Badge>;
  if (status === 'queued' || status === 'sending' || status === 'unknown')
    return <Badge kind="note">{t.statuses[status]}</Badge>;
  return <Badge>{t.statuses[status]}</Badge>;
}

function Moment({ at }: { readonly at: string | null }) {
  return at === null ? null : <span>{formatMoment(at)}</span>;
}
