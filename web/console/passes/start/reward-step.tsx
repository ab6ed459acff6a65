import { Form } from '../../../shared/form.tsx';
import { start } from '../../../texts/start.ts';
import { newDraft } from '../program-draft.ts';
import { ModeChoice } from '../program-form.tsx';
import { Sentence } from '../program-sentence.tsx';
import type { StepProps } from './start-draft.ts';

/** What customers collect, and for what. */
export function RewardStep({ draft: { program }, set, goOn }: StepProps) {
  const goal = program.mode === 'STAMPS' ? 'threshold' : 'reward.cost';
  return (
    <Form submit={start().goOn} act={async () => goOn()}>
      <ModeChoice
        mode={program.mode}
        choose={(mode) => mode !== program.mode && set({ program: newDraft(mode) })}
      />
      <Sentence
        draft={program}
        set={(some) => set({ program: { ...program, ...some } })}
        names={{ title: 'reward.title', goal }}
      />
    </Form>
  );
}
