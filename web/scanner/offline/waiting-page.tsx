import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { useAction } from '../../shared/data.ts';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { EmptyState, Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may, workspaceId } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { scannerOffline } from '../../texts/scanner-offline.ts';
import { till } from '../who.ts';
import { DropDialog, GiveDialog } from './conflict-dialogs.tsx';
import { isConflict, isOpen, type QueuedAward } from './entry.ts';
import { keepsAwards, pause, queued, sendNow, tryAgain, undoAward } from './sending.ts';

/** What was entered at this device and waits: for the network, or for a decision. */
export function WaitingPage() {
  const t = scannerOffline();
  const here = queued.value.filter((award) => award.workspaceId === workspaceId.value);
  const waiting = here.filter(isOpen);
  const conflicts = here.filter(isConflict);
  const dropped = here.filter(({ state }) => state === 'dropped');
  const isElsewhere = queued.value.some((award) => isOpen(award) && award.workspaceId !== workspaceId.value);
  const sending = useAction(sendNow);
  return (
    <div class="narrow stack">
      <PageHeader title={t.title} lead={t.lead} back={{ href: '/scan', label: t.back }} />
      {!keepsAwards.value && <Notice title={t.noKeeping} />}
      {isElsewhere && <Notice title={t.elsewhere} />}
      {waiting.length === 0 && conflicts.length === 0 && <EmptyState icon="check" title={t.none} />}
      {waiting.length > 0 && (
        <section class="panel flush" aria-labelledby="waiting">
          <header>
            <h2 id="waiting">{t.count(formatNumber(waiting.length), waiting.length === 1)}</h2>
            <Button kind="quiet" isBusy={sending.isBusy} onClick={() => sending.run()}>
              {t.send}
            </Button>
          </header>
          {pause.value !== null && <p class="soft section-lead">{t.pauses[pause.value]}</p>}
          <ul class="entries waiting-list">
            {waiting.map((award) => (
              <Waiting key={award.seq} award={award} />
            ))}
          </ul>
        </section>
      )}
      {conflicts.length > 0 && (
        <section class="panel flush" aria-labelledby="conflicts">
          <header>
            <h2 id="conflicts">{t.conflicts}</h2>
          </header>
          <p class="soft section-lead">{t.conflictsLead}</p>
          <ul class="entries waiting-list">
            {conflicts.map((award) => (
              <Conflict key={award.seq} award={award} />
            ))}
          </ul>
        </section>
      )}
      {dropped.length > 0 && (
        <section class="panel flush" aria-labelledby="decided">
          <header>
            <h2 id="decided">{t.decided}</h2>
          </header>
          <ul class="entries waiting-list">
            {dropped.map((award) => (
              <li key={award.seq}>
                <Facts award={award} text={droppedText(award)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Waiting({ award }: { readonly award: QueuedAward }) {
  const t = scannerOffline();
  const undo = useAction(undoAward, (isDone) => toast(isDone ? t.undone : t.undoneLater));
  const { seq, state, label } = award;
  const isSending = state === 'sending' && award.undo;
  return (
    <li>
      <Facts award={award} text={isSending ? t.willBeUndone : t.waits[state as 'waiting']} />
      {!award.undo && (
        <Button kind="quiet" icon="undo" isBusy={undo.isBusy} onClick={() => undo.run(seq)}>
          {t.undo} <span class="unseen">{t.undoOf(label)}</span>
        </Button>
      )}
    </li>
  );
}

function Conflict({ award }: { readonly award: QueuedAward }) {
  const t = scannerOffline();
  const [asked, setAsked] = useState<'give' | 'drop' | null>(null);
  const retry = useAction(tryAgain);
  const { seq, state, arrived } = award;
  // At a shared till all are staff: there the page shows the name next to the reason only.
  const mayDecide = may('write') || till.value !== null;
  const isAward = arrived === undefined;
  return (
    <li>
      <Facts award={award} text={reasonOf(award)} />
      <span class="row">
        {state === 'refused' && (
          <Button kind="quiet" isBusy={retry.isBusy} onClick={() => retry.run(seq)}>
            {t.again}
          </Button>
        )}
        {mayDecide && isAward && (
          <Button kind="quiet" onClick={() => setAsked('give')}>
            {t.give}
          </Button>
        )}
        {mayDecide && (
          <Button kind="quiet" onClick={() => setAsked('drop')}>
            {t.drop}
          </Button>
        )}
      </span>
      {!mayDecide && <span class="soft small">{t.askManager}</span>}
      {asked === 'give' && <GiveDialog award={award} onClose={() => setAsked(null)} />}
      {asked === 'drop' && <DropDialog award={award} onClose={() => setAsked(null)} />}
    </li>
  );
}

function Facts({ award, text }: { readonly award: QueuedAward; readonly text: string }) {
  const t = scannerOffline();
  const { label, points, stamp, person } = award;
  return (
    <span>
      <strong dir="auto">
        {t.points(formatNumber(points))} {label}
      </strong>
      <span class="soft small" dir="auto">
        {t.entered(formatMoment(new Date(stamp.wall).toISOString()), person.name)}
      </span>
      <span class="small">{text}</span>
    </span>
  );
}

/** Why the service did not take it, and what to do. */
function reasonOf({ refusal, arrived }: QueuedAward): string {
  const { reasons, otherReason } = scannerOffline();
  const code = refusal?.code ?? arrived?.limitedBy ?? '';
  const said = refusal === undefined ? code : `${refusal.message} (${refusal.requestId})`;
  return reasons[code] ?? otherReason(said);
}

function droppedText({ dropped }: QueuedAward): string {
  if (dropped === undefined) return '';
  const { by, at, reason } = dropped;
  return scannerOffline().dropped(formatMoment(new Date(at).toISOString()), by, reason);
}
