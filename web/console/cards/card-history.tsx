import { useState } from 'preact/hooks';
import type { Entry, Instance, InstanceEvent } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatMoment } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { cards } from '../../texts/cards.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { entryColumns } from './entry-columns.tsx';
import { UndoDialog, undoableOf } from './undo-dialog.tsx';

/** The entries of a card, newest first; those that can be are undone by another entry. */
export function CardLedger({
  card,
  nameOf,
}: {
  readonly card: Instance;
  /** What to call who did something. */
  readonly nameOf: (actor: string) => string;
}) {
  const t = cards();
  const { instanceId, passId } = card;
  const pages = usePages(['instances', instanceId, 'entries'], (options) =>
    api.loyalty.entries({ passId, instanceId, limit: 10 }, options),
  );
  const [undone, setUndone] = useState<Entry | null>(null);
  const undoable = undoableOf(pages.items ?? []);
  return (
    <section class="stack" aria-labelledby="ledger">
      <h2 id="ledger">{t.ledger}</h2>
      {pages.items?.some(({ orderId }) => orderId !== null) && (
        <p>
          <a href={`/console/orders?instanceId=${instanceId}`}>{t.itsOrders}</a>
        </p>
      )}
      <DataTable
        label={t.ledger}
        pages={pages}
        rowKey={({ entryId }) => entryId}
        empty={<EmptyState icon="coin" title={t.noEntries} />}
        columns={[
          ...entryColumns(nameOf),
          {
            head: shared().actions,
            kind: 'actions',
            cell: (entry) =>
              may('award') &&
              undoable.has(entry.entryId) && (
                <Button kind="quiet" icon="undo" onClick={() => setUndone(entry)}>
                  {t.undo} <span class="unseen">{t.kinds[entry.kind]}</span>
                </Button>
              ),
          },
        ]}
      />
      {undone !== null && (
        <UndoDialog
          card={card}
          entry={undone}
          onClose={() => setUndone(null)}
          done={() => {
            setUndone(null);
            toast(t.undone);
            invalidate(['instances', instanceId]);
          }}
        />
      )}
    </section>
  );
}

/** What happened to a card, newest first. */
export function CardTimeline({
  instanceId,
  nameOf,
}: {
  readonly instanceId: string;
  readonly nameOf: (actor: string) => string;
}) {
  const t = cards();
  const pages = usePages(['instances', instanceId, 'timeline'], (options) =>
    api.instances.timeline(instanceId, { limit: 20 }, options),
  );
  return (
    <section class="stack" aria-labelledby="timeline">
      <h2 id="timeline">{t.timeline}</h2>
      <DataTable
        label={t.timeline}
        pages={pages}
        rowKey={({ eventId }) => eventId}
        empty={<EmptyState icon="list" title={t.noEvents} />}
        columns={[
          { head: t.what, cell: (event) => <Happened of={event} nameOf={nameOf} /> },
          { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
        ]}
      />
    </section>
  );
}

function Happened({
  of: { kind, wallet, changed, reason, message, actor },
  nameOf,
}: {
  readonly of: InstanceEvent;
  readonly nameOf: (actor: string) => string;
}) {
  const t = cards();
  const more = [
    wallet && t.walletNames[wallet],
    changed?.join(', '),
    reason,
    message,
    actor && t.by(nameOf(actor)),
  ];
  return (
    <span class="who-has">
      <span>{t.events[kind] ?? kind}</span>
      <span class="soft small" dir="auto">
        {more.filter(Boolean).join(' · ')}
      </span>
    </span>
  );
}
