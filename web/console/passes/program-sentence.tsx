import { useContext, useId } from 'preact/hooks';
import { FormContext } from '../../shared/form-context.ts';
import { Icon } from '../../shared/icon.tsx';
import { program as texts } from '../../texts/program.ts';
import type { Draft } from './program-draft.ts';

/** The rule of a program as a sentence with blanks to fill in. */
export function Sentence({
  draft,
  set,
  names,
}: {
  readonly draft: Draft;
  readonly set: (some: Partial<Draft>) => void;
  /** What the API calls the reward and what it takes. */
  readonly names: { readonly title: string; readonly goal: string };
}) {
  const t = texts();
  const id = useId();
  const { problems } = useContext(FormContext);
  const [first, ...others] = draft.rewards;
  const setFirst = (some: Partial<Draft['rewards'][number]>) =>
    first !== undefined && set({ rewards: [{ ...first, ...some }, ...others] });
  const whole = { type: 'number', min: 1, step: 1 } as const;
  const unitOf = (typed: string) => (Number(typed) === 1 ? draft.one : draft.other);
  const blank = { problems, id };
  const goal = (
    <Blank
      {...blank}
      {...whole}
      name={names.goal}
      label={draft.mode === 'STAMPS' ? t.threshold : t.cost}
      value={first?.cost ?? ''}
      onInput={(cost) => setFirst({ cost })}
    />
  );
  const reward = (
    <Blank
      {...blank}
      name={names.title}
      label={t.reward}
      isWide
      value={first?.title ?? ''}
      placeholder={t.rewardExample}
      onInput={(title) => setFirst({ title })}
    />
  );
  const points = (
    <Blank
      {...blank}
      type="number"
      min={0}
      step="any"
      name="earn.perCurrencyUnit"
      label={t.points}
      value={draft.points}
      onInput={(points) => set({ points })}
    />
  );
  const money = (
    <Blank
      {...blank}
      type="number"
      min={0.01}
      step="any"
      name="money"
      label={t.money}
      value={draft.money}
      onInput={(money) => set({ money })}
    />
  );
  const stamps = (
    <Blank
      {...blank}
      type="number"
      min={0}
      step={1}
      name="earn.perOrder"
      label={t.perOrder}
      value={draft.perOrder}
      onInput={(perOrder) => set({ perOrder })}
    />
  );
  const shown = [names.title, names.goal, 'earn.perCurrencyUnit', 'money', 'earn.perOrder'];
  return (
    <div class="sentence">
      <p>
        {draft.mode === 'STAMPS'
          ? t.stampSentence(stamps, unitOf(draft.perOrder))
          : t.pointSentence(money, draft.currency || t.moneyUnit, points, unitOf(draft.points))}
      </p>
      <p>{t.goalSentence(goal, unitOf(first?.cost ?? ''), reward)}</p>
      {shown.map(
        (name) =>
          problems[name] !== undefined && (
            <p class="problem" id={`${id}-${name}`} key={name}>
              <Icon name="alert" size={18} />
              {problems[name]}
            </p>
          ),
      )}
    </div>
  );
}

/** A field in the middle of a sentence, as wide as what is in it. */
function Blank({
  problems,
  id,
  name,
  label,
  value,
  isWide = false,
  onInput,
  ...more
}: {
  readonly problems: Readonly<Record<string, string | undefined>>;
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly isWide?: boolean;
  readonly type?: 'number';
  readonly min?: number;
  readonly step?: number | 'any';
  readonly placeholder?: string;
  readonly onInput: (text: string) => void;
}) {
  const isWrong = problems[name] !== undefined;
  const length = Math.max((value || more.placeholder || '').length, isWide ? 10 : 2);
  return (
    <input
      {...({
        ...more,
        class: isWide ? 'blank wide' : 'blank',
        name,
        'aria-label': label,
        'aria-invalid': isWrong ? 'true' : undefined,
        'aria-describedby': isWrong ? `${id}-${name}` : undefined,
        required: true,
        maxLength: 120,
        autocomplete: 'off',
        value,
        style: { inlineSize: `${Math.min(length, 30) + (isWide ? 3 : 4)}ch` },
        onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
          onInput(currentTarget.value),
      } as object)}
    />
  );
}
