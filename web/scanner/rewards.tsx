import { useEffect, useState } from 'preact/hooks';
import { newKey } from '../../sdk/typescript/src/core/options.ts';
import type { Instance, Program } from '../../sdk/typescript/src/types.ts';
import { requestIdOf, sentenceOf } from '../shared/api-error.ts';
import { Button } from '../shared/button.tsx';
import { CancelButton } from '../shared/cancel-button.tsx';
import { useLoad } from '../shared/data.ts';
import { Dialog } from '../shared/dialog.tsx';
import { formatNumber } from '../shared/format.ts';
import { groupedRewards } from '../shared/grouped-rewards.ts';
import { Notice } from '../shared/notice.tsx';
import { unitOf } from '../shared/unit-of.ts';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { api } from './api.ts';
import { undoEntry } from './awards.ts';
import type { Done } from './done-bar.tsx';
import { giveSignal } from './feedback.ts';
import { isUnreachable } from './offline/known-cards.ts';

interface RewardsProps {
  readonly card: Instance;
  readonly loyalty: NonNullable<Instance['loyalty']>;
  readonly program: Program;
  readonly mayRedeem: boolean;
  /** The title of a reward that is to be redeemed at once, as soon as it can be. */
  readonly asksFor: string | undefined;
  readonly asked: () => void;
  readonly done: (what: Done) => void;
}

/** A reward and its state for the card. */
interface Standing {
  readonly rewardId: string;
  readonly title: string;
  /** In POINTS. */
  readonly cost: number | null;
  /** What the card still lacks; 0 where it can be had now. */
  readonly missing: number;
  /** How many of it are ready. */
  readonly count: number;
}

/** The rewards of the program: which can be had now, and what the others still take. */
export function Rewards({ card, loyalty, program, mayRedeem, asksFor, asked, done }: RewardsProps) {
  const t = scanner().rewards;
  const [chosen, setChosen] = useState<Standing | null>(null);
  const { passId, instanceId } = card;
  const pending = useLoad(
    async (options) =>
      program.mode === 'STAMPS' && loyalty.pendingRewards > 0
        ? (await api.loyalty.rewards({ passId, instanceId, limit: 100 }, options).page()).data
        : [],
    [loyalty.pendingRewards],
  );
  const rewards: readonly Standing[] =
    program.mode === 'POINTS'
      ? pointRewards(program, loyalty.balance)
      : [
          ...groupedRewards(pending.value ?? [], loyalty.pendingRewards).map((one) => ({
            ...one,
            missing: 0,
          })),
          nextStamps(program, loyalty.balance),
        ];
  const meant = rewards.find(({ title, missing }) => missing === 0 && title === asksFor);
  const isMeant = mayRedeem && meant !== undefined;
  useEffect(() => {
    if (!isMeant) return;
    setChosen(meant);
    asked();
  }, [isMeant]);
  return (
    <section class="panel flush" aria-labelledby="rewards">
      <header>
        <h2 id="rewards">{t.title}</h2>
      </header>
      <ul class="rewards">
        {rewards.map((reward) => (
          <li key={reward.rewardId} class={reward.missing === 0 ? 'ready' : ''}>
            <span>
              <strong>
                <bdi>{reward.title}</bdi>
                {reward.count > 1 && <span class="number"> ×{formatNumber(reward.count)}</span>}
              </strong>
              <span class="soft small">
                {reward.missing > 0
                  ? t.missing(formatNumber(reward.missing), unitOf(program, reward.missing))
                  : reward.cost === null
                    ? t.ready
                    : t.costs(formatNumber(reward.cost), unitOf(program, reward.cost))}
              </span>
            </span>
            {reward.missing === 0 && mayRedeem && (
              <Button kind="quiet" icon="gift" onClick={() => setChosen(reward)}>
                {t.redeem} <span class="unseen">{reward.title}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen !== null && (
        <Confirm
          card={card}
          program={program}
          reward={chosen}
          onClose={() => setChosen(null)}
          done={(what) => {
            setChosen(null);
            done(what);
          }}
        />
      )}
    </section>
  );
}

function pointRewards({ rewards }: Program, balance: number): Standing[] {
  return rewards
    .filter(({ status }) => status === 'active')
    .map(({ rewardId, title, cost }) => ({
      rewardId,
      title,
      cost,
      missing: Math.max(cost - balance, 0),
      count: 1,
    }));
}

function nextStamps({ programId, reward, threshold }: Program, balance: number): Standing {
  return {
    rewardId: programId,
    title: reward.title,
    cost: null,
    missing: Math.max((threshold ?? 0) - balance, 1),
    count: 1,
  };
}

/** One large step between a tap on a reward and what it takes. */
function Confirm({
  card: { passId, instanceId },
  program,
  reward: { rewardId, title, cost },
  onClose,
  done,
}: {
  readonly card: Instance;
  readonly program: Program;
  readonly reward: Standing;
  readonly onClose: () => void;
  readonly done: (what: Done) => void;
}) {
  const t = scanner().rewards;
  const [externalRef] = useState(newKey);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const redeem = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { entryId, rewardTitle, balance } = await api.loyalty.redeem({
        passId,
        instanceId,
        rewardId,
        externalRef,
      });
      giveSignal('good');
      done({
        kind: 'good',
        text: scanner().done.redeemed(rewardTitle, formatNumber(balance)),
        undo: () => undoEntry(entryId),
      });
    } catch (failure) {
      giveSignal('bad');
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.confirmTitle} onClose={onClose}>
      <p class="confirm-reward" dir="auto">
        {title}
      </p>
      <p class="soft">{cost === null ? t.usesReward : t.takes(formatNumber(cost), unitOf(program, cost))}</p>
      <div role="alert">
        {error !== undefined && (
          <Notice kind="alert" title={isUnreachable(error) ? scannerOffline().redeem : sentenceOf(error)}>
            {requestIdOf(error) !== null && <code class="small">{requestIdOf(error)}</code>}
          </Notice>
        )}
      </div>
      <div class="confirm">
        <Button icon="gift" isBusy={isBusy} onClick={() => void redeem()}>
          {t.confirm}
        </Button>
        <CancelButton onClose={onClose} />
      </div>
    </Dialog>
  );
}
