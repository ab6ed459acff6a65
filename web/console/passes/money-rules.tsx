import { useEffect } from 'preact/hooks';
import { useCached } from '../../shared/cached.ts';
import { SelectField, TextField } from '../../shared/field.tsx';
import { program as texts } from '../../texts/program.ts';
import { api } from '../api.ts';
import { currencyChoices } from '../settings/region-choices.ts';
import type { Draft } from './program-draft.ts';

/** The rules of cards that hold money. Its currency is chosen once. */
export function MoneyRules({
  draft,
  set,
  isNew,
}: {
  readonly draft: Draft;
  readonly set: (some: Partial<Draft>) => void;
  readonly isNew: boolean;
}) {
  const t = texts().gift;
  const { currency } = draft;
  const workspace = useCached(['workspace'], (options) => api.workspace.get(options)).value;
  const usual = workspace?.currency ?? '';
  useEffect(() => {
    if (currency === '') set({ currency: usual });
  }, [currency, usual]);
  if (currency === '') return <span class="skeleton" />;
  return (
    <div class="stack">
      <p class="hint">{t.text}</p>
      {isNew ? (
        <SelectField
          name="currency"
          label={texts().currency}
          hint={t.currencyHint}
          options={currencyChoices(currency)}
          value={currency}
          onChange={(chosen) => set({ currency: chosen })}
        />
      ) : (
        <p>
          {texts().currency}: <strong>{currencyChoices(currency)[currency]}</strong>
        </p>
      )}
      <TextField
        name="maxBalance"
        label={t.most(currency)}
        hint={t.mostHint}
        inputMode="decimal"
        autocomplete="off"
        value={draft.most}
        onInput={(most) => set({ most })}
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
      <TextField
        name="limits.perAward"
        label={t.perLoad(currency)}
        hint={texts().noLimit}
        inputMode="decimal"
        autocomplete="off"
        value={draft.perAward}
        onInput={(perAward) => set({ perAward })}
      />
      <TextField
        name="limits.perAwardByRole.staff"
        label={texts().perAwardOfStaff}
        hint={texts().perAwardOfStaffHint}
        inputMode="decimal"
        autocomplete="off"
        value={draft.perAwardOfStaff}
        onInput={(perAwardOfStaff) => set({ perAwardOfStaff })}
      />
      <TextField
        name="pointName.other"
        label={t.label}
        required
        maxLength={40}
        value={draft.other}
        onInput={(label) => set({ one: label, other: label })}
      />
    </div>
  );
}
