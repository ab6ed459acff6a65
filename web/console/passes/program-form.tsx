import { useState } from 'preact/hooks';
import type { Program } from '../../../sdk/typescript/src/types.ts';
import { SelectField, TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { toast } from '../../shared/toast.tsx';
import { program as texts } from '../../texts/program.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';

type Mode = Program['mode'];

/** A first program: what is needed, and no more. */
export function NewProgramForm({ passId, done }: { readonly passId: string; readonly done: () => void }) {
  const t = texts();
  const [mode, setMode] = useState<Mode>('STAMPS');
  return (
    <section class="panel">
      <Form
        submit={t.create}
        act={(filled) => {
          const title = filled.text('reward.title');
          return mode === 'STAMPS'
            ? api.programs.create({
                passId,
                mode,
                reward: { title },
                threshold: filled.number('threshold') ?? 0,
              })
            : api.programs.create({
                passId,
                mode,
                reward: { title, cost: filled.number('reward.cost') ?? 0 },
                earn: { perCurrencyUnit: filled.number('earn.perCurrencyUnit') ?? 1 },
              });
        }}
        done={() => {
          toast(t.created);
          done();
        }}
      >
        <SelectField
          name="mode"
          label={t.mode}
          options={t.modes}
          value={mode}
          onChange={(chosen) => setMode(chosen as Mode)}
        />
        <TextField name="reward.title" label={t.reward} hint={t.rewardHint} required maxLength={120} />
        <RewardFields mode={mode} threshold={10} cost={100} perUnit={1} />
      </Form>
    </section>
  );
}

/** The rules of a program that there is. */
export function ProgramForm({ program, done }: { readonly program: Program; readonly done: () => void }) {
  const t = texts();
  const { programId, mode, reward, threshold, earn, expiry, limits } = program;
  return (
    <section class="panel" aria-labelledby="rules">
      <header>
        <h2 id="rules">{t.rules}</h2>
      </header>
      <Form
        submit={shared().save}
        act={(filled) => api.programs.update(programId, changesOf(mode, filled))}
        done={() => {
          toast(t.saved);
          done();
        }}
      >
        <TextField name="reward.title" label={t.reward} required maxLength={120} value={reward.title} />
        <RewardFields mode={mode} threshold={threshold} cost={reward.cost} perUnit={earn.perCurrencyUnit} />
        <TextField
          name="earn.perOrder"
          label={t.perOrder}
          type="number"
          min={0}
          required
          value={String(earn.perOrder)}
        />
        <TextField
          name="limits.perDay"
          label={t.perDay}
          hint={t.perDayHint}
          type="number"
          min={1}
          value={String(limits.perDay ?? '')}
        />
        <TextField
          name="expiry.months"
          label={t.months}
          hint={t.monthsHint}
          type="number"
          min={1}
          value={String(expiry.months ?? '')}
        />
      </Form>
    </section>
  );
}

/** What a reward takes, and in POINTS what is earned towards it. */
function RewardFields({
  mode,
  threshold,
  cost,
  perUnit,
}: {
  readonly mode: Mode;
  readonly threshold: number | null;
  readonly cost: number | null;
  readonly perUnit: number;
}) {
  const t = texts();
  if (mode === 'STAMPS')
    return (
      <TextField
        name="threshold"
        label={t.threshold}
        type="number"
        min={1}
        required
        value={String(threshold ?? '')}
      />
    );
  return (
    <>
      <TextField
        name="reward.cost"
        label={t.cost}
        type="number"
        min={1}
        required
        value={String(cost ?? '')}
      />
      <TextField
        name="earn.perCurrencyUnit"
        label={t.perUnit}
        type="number"
        min={0}
        step={0.001}
        required
        value={String(perUnit)}
      />
    </>
  );
}

function changesOf(mode: Mode, filled: Filled) {
  const title = filled.text('reward.title');
  return {
    ...(mode === 'STAMPS'
      ? { reward: { title }, threshold: filled.number('threshold') }
      : { reward: { title, cost: filled.number('reward.cost') } }),
    earn: {
      perOrder: filled.number('earn.perOrder') ?? 0,
      ...(mode === 'POINTS' && { perCurrencyUnit: filled.number('earn.perCurrencyUnit') ?? 0 }),
    },
    limits: { perDay: filled.number('limits.perDay') },
    expiry: { months: filled.number('expiry.months') },
  };
}
