import { useState } from 'preact/hooks';
import type { Entry, Instance, InstanceEvent } from '../../../sdk/typescript/src/types.ts';
import { Ago } from '../../shared/ago.tsx';
import { shownBalance, shownChange } from '../../shared/balance.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { PagesPanel } from '../../shared/data-table.tsx';
import { dayOf } from '../../shared/days.ts';
import { kindOf } from '../../shared/entry-kind.ts';
import { formatDay, formatMoment, formatTime } from '../../shared/format.ts';
import { Icon, type IconName } from '../../shared/icon.tsx';
import { EmptyState } from '../../shared/notice.tsx';
import { mergedPages, type Pages } from '../../shared/pages.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { unitOf } from '../../shared/unit-of.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import { useDevices, usePeopleNames } from '../settings/people-names.ts';
import { useFieldLabels } from './field-labels.ts';
import { leftOfCharge, RefundDialog } from './money-dialogs.tsx';
import { UndoDialog, undoableOf } from './undo-dialog.tsx';
import { useProgram } from './use-program.ts';

type Line = Entry | InstanceEvent;

/** What happened to a card, newest first, by day: what it got and gave, and all else. Entries that can be are undone by another one. */
export function CardHistory({ card }: { readonly card: Instance }) {
  const t = cards();
  const { instanceId, passId } = card;
  const entries = usePages(['instances', instanceId, 'entries'], (options) =>
    api.loyalty.entries({ passId, instanceId, limit: 20 }, options),
  );
  const events = usePages(['instances', instanceId, 'timeline'], (options) =>
    api.instances.timeline(instanceId, { limit: 20 }, options),
  );
  const pages: Pages<Line> = mergedPages<Line>(entries, events);
  const [undone, setUndone] = useState<Entry | null>(null);
  const [refunded, setRefunded] = useState<Entry | null>(null);
  const mayAct = may('award');
  const all = entries.items ?? [];
  const undoable = undoableOf(all);
  const refundable = refunded && leftOfCharge(refunded, all);
  const done = () => invalidate(['instances', instanceId]);
  const acts = (entry: Entry) => (
    <span class="acts">
      {undoable.has(entry.entryId) && (
        <Button kind="plain" icon="undo" onClick={() => setUndone(entry)}>
          {t.undo} <span class="unseen">{kindOf(entry, t)}</span>
        </Button>
      )}
      {card.status === 'active' && leftOfCharge(entry, all) !== null && (
        <Button kind="plain" icon="coin" onClick={() => setRefunded(entry)}>
          {t.money.refund} <span class="unseen">{shownChange(entry)}</span>
        </Button>
      )}
    </span>
  );
  const said = useWords(card);
  return (
    <section class="stack" aria-labelledby="history">
      <header class="row">
        <h2 id="history">{t.history}</h2>
        {entries.items?.some(({ orderId }) => orderId !== null) && (
          <p class="small">
            <a href={`/console/orders?instanceId=${instanceId}`}>{t.itsOrders}</a>
          </p>
        )}
      </header>
      <PagesPanel pages={pages} empty={<EmptyState icon="list" title={t.noEvents} />}>
        {(lines) =>
          daysOf(lines).map(([day, ofDay]) => (
            <section key={day} class="happened" aria-labelledby={`day-${day}`}>
              <h3 id={`day-${day}`}>{nameOf(day)}</h3>
              <ol>
                {ofDay.map((line) => (
                  <li
                    key={'entryId' in line ? line.entryId : line.eventId}
                    class={passing.has(line.kind) ? 'passing' : ''}
                  >
                    <Icon name={iconOf(line)} />
                    {'entryId' in line ? said.entry(line) : said.event(line)}
                    {'entryId' in line && mayAct && acts(line)}
                    <When at={line.createdAt} />
                  </li>
                ))}
              </ol>
            </section>
          ))
        }
      </PagesPanel>
      {undone !== null && (
        <UndoDialog
          card={card}
          entry={undone}
          onClose={() => setUndone(null)}
          done={() => {
            setUndone(null);
            toast(t.undone);
            done();
          }}
        />
      )}
      {refunded !== null && refundable !== null && (
        <RefundDialog
          entryId={refunded.entryId}
          left={refundable}
          onClose={() => setRefunded(null)}
          onChange={() => {
            setRefunded(null);
            done();
          }}
        />
      )}
    </section>
  );
}

/** How lines are written: people, tills and points by their names. */
function useWords({ loyalty, passId }: Instance) {
  const t = cards();
  const labelOf = useFieldLabels(passId);
  const properties = new Map([
    ['holder', t.holder],
    ['expiresAt', t.expires],
    ['loyalty', t.balance],
  ]);
  const peopleNames = usePeopleNames();
  const devices = useDevices();
  const program = useProgram(loyalty?.programId);
  const by = (actor: string) => t.by(peopleNames(actor) ?? t.actor(actor));
  const entry = (of: Entry) => {
    const { points, limitedBy, reason, actor, deviceId, orderId, amount } = of;
    const unit = amount === undefined && program && unitOf(program, points);
    const till = devices.find((device) => device.deviceId === deviceId)?.name;
    const more = [limitedBy && t.limits[limitedBy], reason, by(actor), till];
    return (
      <span class="who-has">
        <span>
          {kindOf(of, t)}{' '}
          {points !== 0 && (
            <strong class="number" dir="auto">
              {[shownChange(of), unit].filter(Boolean).join(' ')}
            </strong>
          )}
        </span>
        <span class="soft small" dir="auto">
          {[...more, t.balanceAfter(shownBalance(of))].filter(Boolean).join(' · ')}
          {orderId !== null && (
            <>
              {' · '}
              <a href={`/console/orders/${orderId}`}>{t.order}</a>
            </>
          )}
        </span>
      </span>
    );
  };
  const event = ({ kind, wallet, changed, reason, message, actor }: InstanceEvent) => {
    const names = changed?.map((key) => properties.get(key) ?? labelOf(key)).join(', ');
    const more = [wallet && t.walletNames[wallet], names, reason, message, actor && by(actor)];
    return (
      <span class="who-has">
        <span>{t.events[kind] ?? kind}</span>
        <span class="soft small" dir="auto">
          {more.filter(Boolean).join(' · ')}
        </span>
      </span>
    );
  };
  return { entry, event };
}

/** How long ago it was today; of other days, at what time. */
function When({ at }: { readonly at: string }) {
  if (dayOf(at) === dayBefore(0)) return <Ago at={at} />;
  return (
    <time class="soft small" dateTime={at} title={formatMoment(at)}>
      {formatTime(at)}
    </time>
  );
}

/** Lines by the days of the browser's time zone, in their order. */
function daysOf(lines: readonly Line[]) {
  const days = new Set(lines.map(({ createdAt }) => dayOf(createdAt)));
  return [...days].map((day) => [day, lines.filter(({ createdAt }) => dayOf(createdAt) === day)] as const);
}

function nameOf(day: string): string {
  const t = cards();
  if (day === dayBefore(0)) return t.today;
  return day === dayBefore(1) ? t.yesterday : formatDay(day);
}

function dayBefore(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() - days);
  return dayOf(at.toISOString());
}

/** What follows from other lines, and is smaller than they are. */
const passing: ReadonlySet<string> = new Set(['instance.fetched', 'instance.unchanged', 'push.delivered']);

/** Money is paid with, where points are redeemed for a reward. */
function iconOf(line: Line): IconName {
  if ('amount' in line && line.kind === 'redeem') return 'coin';
  return icons[line.kind] ?? 'list';
}

/** By the kinds of entries and of events. */
const icons: Readonly<Record<string, IconName>> = {
  earn: 'plus',
  redeem: 'gift',
  unlock: 'gift',
  cancel: 'close',
  expire: 'clock',
  adjust: 'pen',
  import: 'upload',
  reversal: 'undo',
  'instance.issued': 'card',
  'instance.updated': 'pen',
  'instance.voided': 'close',
  'instance.reactivated': 'check',
  'instance.installed': 'wallet',
  'instance.removed': 'leave',
  'instance.erased': 'erase',
  'instance.link_opened': 'link',
  'instance.fetched': 'download',
  'instance.reported': 'alert',
  'instance.issue_repeated': 'copy',
  'push.delivered': 'check',
  'push.failed': 'alert',
  'push.skipped': 'alert',
  'push.repeated': 'refresh',
  'pass.updated': 'pass',
  'message.sent': 'mail',
};
