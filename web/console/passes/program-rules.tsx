import type { ComponentChildren } from 'preact';
import { Button } from '../../shared/button.tsx';
import { CheckField, SelectField, TextField } from '../../shared/field.tsx';
import { program as texts } from '../../texts/program.ts';
import { type Draft, newRow } from './program-draft.ts';
import { Ladder, Tiers } from './program-ladder.tsx';

/** What few programs need, folded: rewards, tiers, limits, money, and what points are called. */
export function RareRules({
  draft,
  set,
}: {
  readonly draft: Draft;
  readonly set: (some: Partial<Draft>) => void;
}) {
  const t = texts();
  const isStamps = draft.mode === 'STAMPS';
  const limits = [draft.perAward, draft.perAwardOfStaff, draft.perDay, draft.pauseMinutes].filter(Boolean);
  return (
    <div class="rare">
      {!isStamps && (
        <Folded title={t.rewards} state={t.rewardCount(draft.rewards.length)}>
          <Ladder draft={draft} set={set} />
        </Folded>
      )}
      <Folded title={t.tiers} state={draft.tiers.length === 0 ? t.noneSet : t.tierCount(draft.tiers.length)}>
        <Tiers draft={draft} set={set} />
      </Folded>
      <Folded title={t.limits} state={limits.length === 0 ? t.noneSet : t.limitCount(limits.length)}>
        <div class="pair">
          <TextField
            name="limits.perAward"
            label={t.perAward(draft.other)}
            hint={t.perAwardHint}
            type="number"
            min={1}
            value={draft.perAward}
            onInput={(perAward) => set({ perAward })}
          />
          <TextField
            name="limits.perAwardByRole.staff"
            label={t.perAwardOfStaff}
            hint={t.perAwardOfStaffHint}
            type="number"
            min={1}
            value={draft.perAwardOfStaff}
            onInput={(perAwardOfStaff) => set({ perAwardOfStaff })}
          />
          <TextField
            name="limits.perDay"
            label={t.perDay(draft.other)}
            hint={t.noLimit}
            type="number"
            min={1}
            value={draft.perDay}
            onInput={(perDay) => set({ perDay })}
          />
          <TextField
            name="limits.minSecondsBetween"
            label={t.pauseBetween}
            hint={t.noPause}
            type="number"
            min={0.1}
            step="any"
            value={draft.pauseMinutes}
            onInput={(pauseMinutes) => set({ pauseMinutes })}
          />
        </div>
      </Folded>
      <Folded title={t.moneyRules} state={t.moneyState(draft.currency, draft.rates.length)}>
        <Money draft={draft} set={set} />
      </Folded>
      <Folded title={t.pointRules} state={`${draft.one}, ${draft.other}`}>
        <div class="pair">
          <TextField
            name="pointName.one"
            label={t.one}
            required
            maxLength={40}
            value={draft.one}
            onInput={(one) => set({ one })}
          />
          <TextField
            name="pointName.other"
            label={t.other}
            required
            maxLength={40}
            value={draft.other}
            onInput={(other) => set({ other })}
          />
          <TextField
            name="expiry.months"
            label={t.months}
            hint={t.monthsHint}
            type="number"
            min={1}
            value={draft.months}
            onInput={(months) => set({ months })}
          />
          <SelectField
            name="refundPolicy"
            label={t.refund}
            options={t.refunds}
            value={draft.refundPolicy}
            onChange={(chosen) => set({ refundPolicy: chosen as Draft['refundPolicy'] })}
          />
        </div>
        {isStamps && (
          <CheckField
            name="drawsStamps"
            label={t.drawsStamps}
            hint={t.drawsStampsHint}
            isChecked={draft.drawsStamps}
            onChange={(drawsStamps) => set({ drawsStamps })}
          />
        )}
      </Folded>
    </div>
  );
}

function Money({
  draft: { mode, currency, minOrder, minCurrency, perOrder, rates },
  set,
}: {
  readonly draft: Draft;
  readonly set: (some: Partial<Draft>) => void;
}) {
  const t = texts();
  const change = (at: number, some: Partial<Draft['rates'][number]>) =>
    set({ rates: rates.map((one, place) => (place === at ? { ...one, ...some } : one)) });
  return (
    <>
      <div class="pair">
        <TextField
          name="earn.currency"
          label={t.currency}
          hint={t.currencyHint}
          maxLength={3}
          value={currency}
          onInput={(typed) => set({ currency: typed.toUpperCase(), minCurrency: typed.toUpperCase() })}
        />
        <TextField
          name="earn.minOrder"
          label={t.minOrder(minCurrency)}
          hint={t.minOrderHint}
          inputMode="decimal"
          value={minOrder}
          onInput={(typed) => set({ minOrder: typed })}
        />
        {mode === 'POINTS' && (
          <TextField
            name="earn.perOrder"
            label={t.perOrder}
            hint={t.perOrderHint}
            type="number"
            min={0}
            required
            value={perOrder}
            onInput={(typed) => set({ perOrder: typed })}
          />
        )}
      </div>
      {rates.length > 0 && (
        <ul class="ladder">
          {rates.map((rate, at) => (
            <li key={rate.row}>
              <div class="rung">
                <TextField
                  name={`rate ${at}`}
                  label={t.otherCurrency}
                  required
                  maxLength={3}
                  pattern="[A-Za-z]{3}"
                  value={rate.currency}
                  onInput={(typed) => change(at, { currency: typed })}
                />
                <TextField
                  name={`earn.rates.${rate.currency}`}
                  label={t.rate(rate.currency, currency)}
                  required
                  inputMode="decimal"
                  value={rate.rate}
                  onInput={(typed) => change(at, { rate: typed })}
                />
              </div>
              <Button
                kind="plain"
                icon="trash"
                label={t.removeRate(rate.currency)}
                onClick={() => set({ rates: rates.filter((one) => one !== rate) })}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => set({ rates: [...rates, { row: newRow(), currency: '', rate: '' }] })}
        >
          {t.addRate}
        </Button>
      </div>
    </>
  );
}

/** A part of the form that opens by itself where something in it is wrong. */
function Folded({
  title,
  state,
  children,
}: {
  readonly title: string;
  /** What is set in it, in a word. */
  readonly state: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details>
      <summary>
        <span>{title}</span>
        <span class="soft small" dir="auto">
          {state}
        </span>
      </summary>
      <div class="folded stack">{children}</div>
    </details>
  );
}
