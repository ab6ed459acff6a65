import { Button } from '../../shared/button.tsx';
import { TextField } from '../../shared/field.tsx';
import { formatNumber } from '../../shared/format.ts';
import { program as texts } from '../../texts/program.ts';
import { type Draft, newRow, type Rung } from './program-draft.ts';

interface EditorProps {
  readonly draft: Draft;
  readonly set: (some: Partial<Draft>) => void;
}

/** All rewards of a program in POINTS, in their order; the first is that of the sentence. */
export function Ladder({ draft: { rewards, other }, set }: EditorProps) {
  const t = texts();
  const change = (at: number, some: Partial<Rung>) =>
    set({ rewards: rewards.map((one, place) => (place === at ? { ...one, ...some } : one)) });
  const swap = (at: number) =>
    set({
      rewards: rewards.map(
        (one, place) => rewards[place === at ? at - 1 : place === at - 1 ? at : place] ?? one,
      ),
    });
  return (
    <>
      <p class="soft small">{t.ladderText}</p>
      <ol class="ladder">
        {rewards.map((rung, at) => (
          <li key={rung.row} class={rung.isHidden ? 'retired' : ''}>
            {at === 0 ? (
              <p class="first-rung">
                <strong dir="auto">{rung.title || t.rewardExample}</strong>
                <span class="soft small">{t.onCards(formatNumber(Number(rung.cost)), other)}</span>
              </p>
            ) : (
              <div class="rung">
                <TextField
                  name={`rewards[${at}].title`}
                  label={t.reward}
                  required
                  maxLength={120}
                  value={rung.title}
                  onInput={(title) => change(at, { title })}
                />
                <TextField
                  name={`rewards[${at}].cost`}
                  label={t.costs}
                  type="number"
                  min={1}
                  required
                  value={rung.cost}
                  onInput={(cost) => change(at, { cost })}
                />
              </div>
            )}
            <span class="row">
              {at > 0 && (
                <Button
                  kind="plain"
                  icon="up"
                  label={t.higher(rung.title)}
                  isDisabled={at === 1 && rung.isHidden}
                  onClick={() => swap(at)}
                />
              )}
              {at > 0 &&
                (rung.rewardId === null ? (
                  <Button
                    kind="plain"
                    icon="trash"
                    label={t.removeReward(rung.title)}
                    onClick={() => set({ rewards: rewards.filter((one) => one !== rung) })}
                  />
                ) : (
                  <Button kind="plain" onClick={() => change(at, { isHidden: !rung.isHidden })}>
                    {rung.isHidden ? t.offerAgain : t.retire}
                    <span class="unseen"> {rung.title}</span>
                  </Button>
                ))}
            </span>
          </li>
        ))}
      </ol>
      <div>
        <Button
          kind="quiet"
          icon="plus"
          isDisabled={rewards.length >= 50}
          onClick={() =>
            set({
              rewards: [...rewards, { row: newRow(), rewardId: null, title: '', cost: '', isHidden: false }],
            })
          }
        >
          {t.addReward}
        </Button>
      </div>
    </>
  );
}

/** What holders come to by all that they have ever earned. */
export function Tiers({ draft: { tiers, other }, set }: EditorProps) {
  const t = texts();
  const change = (at: number, some: Partial<Draft['tiers'][number]>) =>
    set({ tiers: tiers.map((one, place) => (place === at ? { ...one, ...some } : one)) });
  return (
    <>
      <p class="soft small">{t.tiersText}</p>
      {tiers.length > 0 && (
        <ol class="ladder">
          {tiers.map((tier, at) => (
            <li key={tier.row}>
              <div class="rung thirds">
                <TextField
                  name={`tiers[${at}].title`}
                  label={t.tier}
                  required
                  maxLength={60}
                  value={tier.title}
                  onInput={(title) => change(at, { title })}
                />
                <TextField
                  name={`tiers[${at}].from`}
                  label={t.tierFrom(other)}
                  type="number"
                  min={0}
                  required
                  value={tier.from}
                  onInput={(from) => change(at, { from })}
                />
                <TextField
                  name={`tiers[${at}].multiplier`}
                  label={t.multiplier}
                  type="number"
                  min={1}
                  max={100}
                  step="any"
                  required
                  value={tier.multiplier}
                  onInput={(multiplier) => change(at, { multiplier })}
                />
              </div>
              <Button
                kind="plain"
                icon="trash"
                label={t.removeTier(tier.title)}
                onClick={() => set({ tiers: tiers.filter((one) => one !== tier) })}
              />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          kind="quiet"
          icon="plus"
          isDisabled={tiers.length >= 20}
          onClick={() =>
            set({ tiers: [...tiers, { row: newRow(), key: '', title: '', from: '', multiplier: '1' }] })
          }
        >
          {t.addTier}
        </Button>
      </div>
    </>
  );
}
