import { useRef, useState } from 'preact/hooks';
import { useLoad } from '../../../shared/data.ts';
import { Icon } from '../../../shared/icon.tsx';
import { PageHeader } from '../../../shared/page-header.tsx';
import { navigate, query, visits } from '../../../shared/router.ts';
import { shell } from '../../../texts/shell.ts';
import { start } from '../../../texts/start.ts';
import { Drawings } from '../designer/drawings.tsx';
import { usePreview } from '../designer/use-preview.ts';
import { BusinessStep } from './business-step.tsx';
import { LookStep } from './look-step.tsx';
import { OpenStep } from './open-step.tsx';
import { RewardStep } from './reward-step.tsx';
import { drawnDesign, newStart, type Opened, type StartDraft, type StepProps } from './start-draft.ts';

const steps = ['business', 'look', 'reward', 'open'] as const;
type Step = (typeof steps)[number];

/** From nothing to a card that customers can get: the business, the look, the reward. */
export function StartPage() {
  const t = start();
  const [draft, setDraft] = useState(newStart);
  const opened = useRef<Opened>({});
  // What was made is changed on its own pages.
  const isOpening = opened.current.passId === undefined;
  const step = isOpening ? stepOf(query.value.get('step'), draft) : 'open';
  const at = steps.indexOf(step);
  const go = (to: Step | undefined) => {
    if (to === undefined) return;
    // Each step is a page to the reader: its heading gets the focus.
    visits.value += 1;
    navigate(`/console/start?step=${to}`);
    scrollTo(0, 0);
  };
  const { title, lead } = t[step];
  const props: StepProps = {
    draft,
    set: (changes) => setDraft((known) => ({ ...known, ...changes })),
    goOn: () => go(steps[at + 1]),
  };
  return (
    <>
      <PageHeader key={step} title={title} lead={lead} back={{ href: '/console', label: shell().home }}>
        <ol class="start-steps" aria-label={t.progress}>
          {steps.map((one, place) => (
            <li
              key={one}
              aria-current={one === step ? 'step' : undefined}
              class={place < at ? 'is-past' : ''}
            >
              <span aria-hidden="true">{place < at ? <Icon name="check" size={14} /> : place + 1}</span>
              {place < at && isOpening ? (
                <a href={`/console/start?step=${one}`}>{t[one].name}</a>
              ) : (
                t[one].name
              )}
            </li>
          ))}
        </ol>
      </PageHeader>
      <div class="start-form">
        <section class="panel" key={step}>
          {step === 'business' && <BusinessStep {...props} />}
          {step === 'look' && <LookStep {...props} />}
          {step === 'reward' && <RewardStep {...props} />}
          {step === 'open' && <OpenStep {...props} opened={opened.current} />}
        </section>
        {step !== 'business' && <StartCard draft={draft} />}
      </div>
    </>
  );
}

/** A step that is skipped by its address is gone back to, where it has to be filled in. */
function stepOf(wanted: string | null, { program }: StartDraft): Step {
  const step = steps.find((one) => one === wanted) ?? 'business';
  return step === 'open' && program.rewards[0]?.title.trim() === '' ? 'reward' : step;
}

/** The card as wallets would show it, with what was said so far. */
function StartCard({ draft }: { readonly draft: StartDraft }) {
  const design = useLoad(() => drawnDesign(draft), [draft]);
  const preview = usePreview(design.value ?? null);
  return (
    <div class="live-card">
      <Drawings preview={preview} title={draft.title} hasField={false} />
    </div>
  );
}
