import { useState } from 'preact/hooks';
import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate } from '../../shared/cached.ts';
import { formatNumber } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { StampDots } from '../../shared/stamp-dots.tsx';
import { toast } from '../../shared/toast.tsx';
import { unitOf } from '../../shared/unit-of.ts';
import { cards } from '../../texts/cards.ts';
import { units } from '../../texts/units.ts';
import { hasLetterKeys, useLetterKeys } from '../letter-keys.ts';
import { AdjustDialog, AwardDialog, RedeemDialog } from './point-dialogs.tsx';
import { type Undoable, UndoDialog } from './undo-dialog.tsx';
import { useProgram } from './use-program.ts';

type Asked = 'award' | 'redeem' | 'adjust' | 'undo';

/** What a card has, a reward that waits first, and what can be done with it: by the letters A and R as well. */
export function CardBalance({
  card,
  loyalty: { programId, mode, balance, pendingRewards, tier },
}: {
  readonly card: Instance;
  readonly loyalty: NonNullable<Instance['loyalty']>;
}) {
  const t = cards();
  const program = useProgram(programId);
  const [asked, setAsked] = useState<Asked | null>(null);
  /** What was entered here last: who may not read the history undoes it here. */
  const [last, setLast] = useState<Undoable | null>(null);
  const ask = (what: Asked) => () => setAsked(what);
  const closed = { card, onClose: () => setAsked(null) };
  const onChange = (entered: Undoable | null = null) => {
    setAsked(null);
    setLast(entered);
    invalidate(['instances', card.instanceId]);
  };
  const mayAct = card.status === 'active' && may('award');
  const mayCollect = mayAct && card.expired !== true;
  useLetterKeys(mayCollect ? { a: ask('award'), r: ask('redeem') } : {});
  const isWaiting = pendingRewards > 0;
  const threshold = program?.threshold ?? null;
  const redeem = mayCollect && (
    <Button
      kind={isWaiting ? 'primary' : 'quiet'}
      icon="gift"
      keys={hasLetterKeys.value ? 'R' : undefined}
      onClick={ask('redeem')}
    >
      {t.redeem}
    </Button>
  );
  return (
    <>
      {isWaiting && (
        <Notice
          kind={redeem ? 'good' : 'note'}
          icon="gift"
          title={t.pending(formatNumber(pendingRewards))}
          action={redeem}
        >
          {program !== undefined && <span dir="auto">{program.reward.title}</span>}
        </Notice>
      )}
      <section class="panel balance">
        <div class="standing">
          <div>
            <p class="soft unit" dir="auto">
              {program === undefined ? units()[mode].other : unitOf(program, 2)}
            </p>
            <p class="number">
              <span class="figure">{formatNumber(balance)}</span>
              {threshold !== null && <span class="soft"> {t.ofThreshold(formatNumber(threshold))}</span>}
            </p>
            {tier !== null && (
              <p class="soft small">
                {t.tier}: <span dir="auto">{tier.title}</span>
              </p>
            )}
          </div>
          <StampDots balance={balance} threshold={threshold} />
        </div>
        {mayAct && (
          <div class="row">
            {mayCollect && (
              <Button
                kind={isWaiting ? 'quiet' : 'primary'}
                icon="plus"
                keys={hasLetterKeys.value ? 'A' : undefined}
                onClick={ask('award')}
              >
                {t.award}
              </Button>
            )}
            {!isWaiting && redeem}
            {may('write') && (
              <Button kind="quiet" icon="pen" onClick={ask('adjust')}>
                {t.adjust}
              </Button>
            )}
            {last !== null && !may('read') && (
              <Button kind="quiet" icon="undo" onClick={ask('undo')}>
                {t.undo}
              </Button>
            )}
          </div>
        )}
      </section>
      {asked === 'undo' && last !== null && (
        <UndoDialog
          entry={last}
          done={() => {
            toast(t.undone);
            onChange();
          }}
          {...closed}
        />
      )}
      {asked === 'award' && <AwardDialog onChange={onChange} {...closed} />}
      {asked === 'redeem' && <RedeemDialog onChange={onChange} {...closed} />}
      {asked === 'adjust' && <AdjustDialog onChange={onChange} {...closed} />}
    </>
  );
}
