import { useState } from 'preact/hooks';
import { newKey } from '../../sdk/typescript/src/core/options.ts';
import type { Instance, Program } from '../../sdk/typescript/src/types.ts';
import { sentenceOf, UserMessage } from '../shared/api-error.ts';
import { Button } from '../shared/button.tsx';
import { CancelButton } from '../shared/cancel-button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { hasEarned } from '../shared/earned-reward.ts';
import { formatNumber } from '../shared/format.ts';
import { looksLikeCode } from '../shared/looks-like-code.ts';
import { recall, remember } from '../shared/remembered.ts';
import { membership } from '../shared/session.ts';
import { unitOf } from '../shared/unit-of.ts';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { undoEntry } from './awards.ts';
import { nameOf } from './card-name.ts';
import type { Done } from './done-bar.tsx';
import { giveSignal } from './feedback.ts';
import type { Arrived } from './offline/entry.ts';
import type { Outcome } from './offline/queue.ts';
import { sendAward, undoAward } from './offline/sending.ts';
import { pointsOf, TotalField, useWorth } from './total-field.tsx';
import { useSending } from './use-sending.ts';

interface AwardProps {
  readonly card: Instance;
  readonly program: Program;
  /** Whether the service can say now what a total is worth. */
  readonly knowsTotals: boolean;
  readonly done: (what: Done) => void;
}

type Mode = 'count' | 'total';

const modeName = ({ programId }: Program) => `scanner.counts.${programId}`;

/** By amounts, unless the device was set to the other by its last use. */
function usualMode(program: Program): Mode {
  return recall(modeName(program)) === 'count' ? 'count' : 'total';
}

const mostPoints = 1_000_000;

/** Awards by a number, or by the total of a till where the program counts amounts. */
export function AwardBar({ card, program, knowsTotals, done }: AwardProps) {
  const t = scanner().award;
  const [ref] = useState(newKey);
  const hasTotals = program.earn.perCurrencyUnit > 0 && program.earn.currency !== null;
  const [mode, setMode] = useState<Mode>(() => (hasTotals && knowsTotals ? usualMode(program) : 'count'));
  const [count, setCount] = useState(1);
  const [total, setTotal] = useState('');
  const { isBusy, problem, setProblem, send } = useSending();
  const [asked, setAsked] = useState<number | null>(null);
  const worth = useWorth(card, program, mode === 'total' ? total : '');

  async function award(isSure: boolean): Promise<void> {
    const points = mode === 'count' ? count : await pointsOf(card, program, total);
    if (points === null) throw new UserMessage(looksLikeCode(total) ? t.code : t.noTotal);
    if (points < 1) throw new UserMessage(t.earnsNothing);
    const most = mostOf(program);
    if (most !== null && points > most)
      throw new UserMessage(t.tooMany(formatNumber(most), unitOf(program, most)));
    if (most === null && !isSure && rewardsIn(program, points) >= unlikelyRewards) return setAsked(points);
    setAsked(null);
    const { passId, instanceId } = card;
    const outcome = await sendAward({ ref, passId, card: { instanceId }, points, label: nameOf(card) });
    const what = doneOf(outcome, points, program);
    giveSignal(what.kind === 'limited' ? 'bad' : what.earned === undefined ? 'good' : 'earned');
    done(what);
  }
  const submit = (isSure = false) => void send(() => award(isSure), sentenceOf);

  return (
    <form
      class="award"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {hasTotals && (
        <fieldset class="modes">
          <legend class="unseen">{t.how}</legend>
          {(['total', 'count'] as const).map((one) => (
            <button
              type="button"
              key={one}
              aria-pressed={mode === one}
              onClick={() => {
                setMode(one);
                remember(modeName(program), one);
              }}
            >
              {one === 'count' ? unitOf(program, 2) : t.total}
            </button>
          ))}
        </fieldset>
      )}
      {problem !== null && (
        <p class="bar-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="bar-line">
        {mode === 'count' ? (
          <Stepper count={count} change={setCount} onCode={() => setProblem(t.code)} />
        ) : (
          <TotalField program={program} total={total} change={setTotal} worth={worth} />
        )}
        <Button type="submit" isBusy={isBusy}>
          {mode === 'count'
            ? t.submit(formatNumber(count), unitOf(program, count))
            : t.submitTotal(worth?.points)}
        </Button>
      </div>
      {asked !== null && (
        <Dialog
          title={t.unlikely(formatNumber(asked), unitOf(program, asked))}
          onClose={() => setAsked(null)}
        >
          <p>{t.rewardsAtOnce(formatNumber(rewardsIn(program, asked)))}</p>
          <div class="confirm">
            <Button isBusy={isBusy} onClick={() => submit(true)}>
              {t.submit(formatNumber(asked), unitOf(program, asked))}
            </Button>
            <CancelButton onClose={() => setAsked(null)} />
          </div>
        </Dialog>
      )}
    </form>
  );
}

/** So many rewards at once are rather a slip. */
const unlikelyRewards = 5;

/** The most that one award of this person may give; null: any number. A device may remember a program of before there were limits. */
function mostOf({ limits: { perAward = null, perAwardByRole = {} } }: Program): number | null {
  const role = membership.value?.role;
  return (role && perAwardByRole[role]) ?? perAward;
}

function rewardsIn({ threshold, reward }: Program, points: number): number {
  return Math.floor(points / (threshold ?? reward.cost ?? Number.POSITIVE_INFINITY));
}

function Stepper({
  count,
  change,
  onCode,
}: {
  readonly count: number;
  readonly change: (count: number) => void;
  /** What is typed is no number, but a code. */
  readonly onCode: () => void;
}) {
  const t = scanner().award;
  const set = (next: number) => change(Math.min(Math.max(next, 1), mostPoints));
  return (
    <div class="stepper">
      <button type="button" aria-label={t.less} onClick={() => set(count - 1)} disabled={count <= 1}>
        −
      </button>
      <input
        type="text"
        inputMode="numeric"
        autocomplete="off"
        aria-label={t.count}
        value={count}
        onInput={({ currentTarget }) => {
          if (looksLikeCode(currentTarget.value)) {
            currentTarget.value = '1';
            // What is left of it goes nowhere.
            currentTarget.blur();
            change(1);
            return onCode();
          }
          const next = Number(currentTarget.value.replace(/\D/g, ''));
          if (next > 0) set(next);
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" aria-label={t.more} onClick={() => set(count + 1)}>
        +
      </button>
    </div>
  );
}

function doneOf(outcome: Outcome, entered: number, program: Program): Done {
  const t = scanner().done;
  const said = (points: number) => `${formatNumber(points)} ${unitOf(program, points)}`;
  if (outcome.kind === 'waiting') {
    const { seq } = outcome;
    return { kind: 'waiting', text: scannerOffline().kept(said(entered)), undo: () => undoAward(seq) };
  }
  const { entryId, points, balance, limitedBy } = outcome.arrived;
  if (limitedBy !== undefined) return { kind: 'limited', text: t.limits[limitedBy], undo: null };
  const earned = earnedBy(outcome.arrived, program);
  return {
    kind: 'good',
    text: t.added(said(points), formatNumber(balance)),
    undo: () => undoEntry(entryId),
    ...(earned !== undefined && { earned }),
  };
}

/** The title of a reward that an award has brought; of several that points are enough for, the dearest. */
function earnedBy(arrived: Arrived, { mode, threshold, reward, rewards }: Program): string | undefined {
  if (mode === 'STAMPS') return hasEarned(arrived, { threshold, cost: null }) ? reward.title : undefined;
  const reached = rewards.filter(
    ({ status, cost }) => status === 'active' && hasEarned(arrived, { threshold: null, cost }),
  );
  return reached.sort((one, other) => other.cost - one.cost)[0]?.title;
}
