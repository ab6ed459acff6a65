import { useRef, useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { hasEarned } from '../../shared/earned-reward.ts';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { groupedRewards } from '../../shared/grouped-rewards.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { toast } from '../../shared/toast.tsx';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import type { Undoable } from './undo-dialog.tsx';

interface DialogProps {
  readonly card: Instance;
  readonly onChange: (entered?: Undoable) => void;
  readonly onClose: () => void;
}

/** What a dialog sends is one effect, however often it is sent. */
function useReference(): string {
  return useState(newKey)[0];
}

/** Gives points to a card. */
export function AwardDialog({ card, onChange, onClose }: DialogProps) {
  const t = cards();
  const externalRef = useReference();
  const { passId, instanceId } = card;
  const stepper = useRef<HTMLDivElement>(null);
  const field = () => stepper.current?.querySelector('input');
  return (
    <Dialog title={t.awardTitle} onClose={onClose}>
      <Form
        submit={t.award}
        act={(filled) =>
          api.loyalty.earn({
            passId,
            instanceId,
            points: filled.number('points') ?? 0,
            externalRef,
            reason: filled.optional('reason'),
          })
        }
        done={(awarded) => {
          const { entryId, points: added, balance, limitedBy } = awarded;
          const said = t.awarded(formatNumber(added), formatNumber(balance));
          if (limitedBy === undefined) toast(hasEarned(awarded, awarded) ? `${t.earned} ${said}` : said);
          else toast(t.limited, { kind: 'alert' });
          if (limitedBy === undefined) onChange({ entryId, kind: 'earn', points: added });
          else onChange();
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <div class="stepper" ref={stepper}>
          <Button kind="quiet" label={t.less} onClick={() => field()?.stepDown()}>
            −
          </Button>
          <TextField
            name="points"
            label={t.awardPoints}
            type="number"
            min={1}
            max={1_000_000}
            required
            value="1"
          />
          <Button kind="quiet" label={t.more} onClick={() => field()?.stepUp()}>
            +
          </Button>
        </div>
        <TextField name="reason" label={t.reason} hint={t.reasonHint} maxLength={200} />
      </Form>
    </Dialog>
  );
}

/** Gives one of the rewards that the card has. */
export function RedeemDialog({ card, onChange, onClose }: DialogProps) {
  const t = cards();
  const externalRef = useReference();
  const { passId, instanceId } = card;
  const rewards = useCached(
    ['instances', instanceId, 'rewards'],
    async (options) => (await api.loyalty.rewards({ passId, instanceId, limit: 100 }, options).page()).data,
  );
  return (
    <Dialog title={t.redeemTitle} onClose={onClose}>
      <LoadedView of={rewards} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <p>{t.noRewards}</p>
          ) : (
            <Form
              submit={t.redeem}
              act={(filled) =>
                api.loyalty.redeem({ passId, instanceId, rewardId: filled.text('rewardId'), externalRef })
              }
              done={({ entryId, rewardTitle }) => {
                toast(t.redeemed(rewardTitle));
                onChange({ entryId, kind: 'redeem', points: 0 });
              }}
              secondary={<CancelButton onClose={onClose} />}
            >
              <SelectField
                name="rewardId"
                label={t.reward}
                options={Object.fromEntries(
                  groupedRewards(all, card.loyalty?.pendingRewards ?? 0).map(
                    ({ rewardId, title, cost, count }) => [
                      rewardId,
                      cost !== null
                        ? t.cost(title, formatNumber(cost))
                        : count === 1
                          ? title
                          : `${title} ×${formatNumber(count)}`,
                    ],
                  ),
                )}
              />
            </Form>
          )
        }
      </LoadedView>
    </Dialog>
  );
}

/** The balance as it should be; what is sent is the difference, so that an award at the same time is not lost. */
export function AdjustDialog({ card, onChange, onClose }: DialogProps) {
  const t = cards();
  const externalRef = useReference();
  const { passId, instanceId, loyalty } = card;
  const [before] = useState(loyalty?.balance ?? 0);
  const [typed, setTyped] = useState('');
  const change = /^\d+$/.test(typed) ? Number(typed) - before : 0;
  return (
    <Dialog title={t.adjustTitle} onClose={onClose}>
      <Form
        submit={t.adjust}
        act={async (filled) => {
          const points = (filled.number('points') ?? before) - before;
          if (points === 0) return null;
          return api.loyalty.adjust({
            passId,
            instanceId,
            points,
            reason: filled.text('reason'),
            externalRef,
          });
        }}
        done={(adjusted) => {
          if (adjusted === null) return onClose();
          const { entryId, points, balance } = adjusted;
          const said = t.adjusted(formatNumber(balance));
          toast(hasEarned(adjusted, adjusted) ? `${t.earned} ${said}` : said);
          onChange({ entryId, kind: 'adjust', points });
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField
          name="points"
          label={t.adjustTo}
          hint={change === 0 ? t.adjustFrom(formatNumber(before)) : t.adjustBy(formatNumber(before), change)}
          type="number"
          min={0}
          max={Number.MAX_SAFE_INTEGER}
          required
          value={String(before)}
          onInput={setTyped}
        />
        <TextField name="reason" label={t.reason} hint={t.reasonHint} required maxLength={200} />
      </Form>
    </Dialog>
  );
}
