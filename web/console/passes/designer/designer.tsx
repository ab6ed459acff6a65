import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DesignedPass, Pass } from '../../../../sdk/typescript/src/types.ts';
import { fieldOf, sentenceOf } from '../../../shared/api-error.ts';
import { Button } from '../../../shared/button.tsx';
import { FormContext } from '../../../shared/form-context.ts';
import { Notice } from '../../../shared/notice.tsx';
import { designer } from '../../../texts/designer.ts';
import type { api } from '../../api.ts';
import { ActionsSection } from './actions-section.tsx';
import { Warnings } from './cautions.tsx';
import { ColorsSection } from './colors-section.tsx';
import { DatesSection } from './dates-section.tsx';
import { changesBetween, type Draft, draftOf } from './draft.ts';
import { Drawings } from './drawings.tsx';
import { FieldsSection } from './fields-section.tsx';
import { FileSection } from './file-section.tsx';
import { ImagesSection } from './images-section.tsx';
import { recallDraft, rememberDraft } from './kept-draft.ts';
import { LanguagesSection } from './languages-section.tsx';
import { ModulesSection } from './modules-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { PlacesSection } from './places-section.tsx';
import { RolloutProgress } from './rollout-progress.tsx';
import { SaveBar } from './save-bar.tsx';
import { BarcodeSection, Basics, ExpirySection } from './sections.tsx';
import { StampsSection } from './stamps-section.tsx';
import { usePreview } from './use-preview.ts';

/** Changes how the cards of a pass look, while all three of its drawings follow. */
export function Designer({
  pass,
  onSaved,
}: {
  readonly pass: Pass;
  readonly onSaved: (saved: Awaited<ReturnType<typeof api.passes.update>>) => void;
}) {
  const t = designer();
  const { passId } = pass;
  const [saved, setSaved] = useState(() => draftOf(pass));
  const [kept] = useState(() => recallDraft(passId));
  const [draft, setDraft] = useState<Draft>(kept ?? saved);
  /** Counts what puts other texts into the fields than were typed there. */
  const [version, setVersion] = useState(0);
  const [isKeptShown, setKeptShown] = useState(kept !== null);
  const [view, setView] = useState<'form' | 'drawings'>('form');
  const changes = changesBetween(saved, draft);
  const isChanged = Object.keys(changes).length > 0;
  const [sample, setSample] = useState<DesignedPass['program']>();
  const [reader, setReader] = useState<string | null>(null);
  const preview = usePreview({
    ...{ passId, ...changes },
    ...(reader !== null && { reader }),
    ...(sample !== undefined && { program: sample }),
  });
  const form = useRef<HTMLDivElement>(null);
  const field = useProblemField(form, preview.error);
  useLayoutEffect(() => {
    rememberDraft(passId, isChanged ? draft : null);
  }, [draft, isChanged]);
  useLeaveGuard(isChanged);

  const set = (some: Partial<Draft>) => setDraft((known) => ({ ...known, ...some }));
  const replace = (whole: Draft) => {
    setDraft(whole);
    setKeptShown(false);
    setVersion((count) => count + 1);
  };
  const problems = field === null ? {} : { [field]: sentenceOf(preview.error, field) };
  return (
    <FormContext.Provider value={{ problems }}>
      <Warnings.Provider value={preview.drawn?.warnings ?? []}>
        <div class={`designer shows-${view}`}>
          <fieldset class="segments narrow-only" aria-label={t.view}>
            {(['form', 'drawings'] as const).map((one) => (
              <button type="button" key={one} aria-pressed={one === view} onClick={() => setView(one)}>
                {t.views[one]}
              </button>
            ))}
          </fieldset>
          <div class="form-side stack" ref={form} key={version}>
            <RolloutProgress pass={pass} />
            {isKeptShown && isChanged && (
              <Notice title={t.kept}>
                <Button kind="quiet" onClick={() => replace(saved)}>
                  {t.save.discard}
                </Button>
              </Notice>
            )}
            <Basics draft={draft} set={set} pass={pass} />
            <ColorsSection draft={draft} set={set} />
            <FieldsSection draft={draft} set={set} hasProgram={pass.programId !== null} />
            <ImagesSection draft={draft} set={set} pass={pass} />
            {pass.programId !== null && (
              <StampsSection draft={draft} set={set} programId={pass.programId} onSample={setSample} />
            )}
            <BarcodeSection draft={draft} set={set} />
            <ExpirySection draft={draft} set={set} />
            <ActionsSection draft={draft} set={set} />
            <ModulesSection draft={draft} set={set} />
            <DatesSection draft={draft} set={set} />
            <PlacesSection draft={draft} set={set} />
            <OptionsSection draft={draft} set={set} />
            <LanguagesSection draft={draft} set={set} programId={pass.programId} onRead={setReader} />
            <FileSection draft={draft} onRead={replace} />
          </div>
          <div class="drawing-side">
            <Drawings preview={preview} title={draft.title} hasField={field !== null} />
          </div>
          <SaveBar
            pass={pass}
            changes={changes}
            change={preview.drawn?.change}
            onSaved={(answered) => {
              setSaved(draft);
              setKeptShown(false);
              onSaved(answered);
            }}
            onDiscard={() => replace(saved)}
            onRefused={() => {
              setView('form');
              form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
            }}
          />
        </div>
      </Warnings.Provider>
    </FormContext.Provider>
  );
}

/** The field that a refusal is about, of those that are shown. */
function useProblemField(form: { readonly current: HTMLElement | null }, error: unknown): string | null {
  const [field, setField] = useState<string | null>(null);
  useEffect(() => {
    const named = form.current?.querySelectorAll('[name]') ?? [];
    const names = [...named].map((one) => one.getAttribute('name') ?? '');
    setField(error === undefined ? null : fieldOf(error, names.filter(Boolean)));
  }, [error]);
  return field;
}

/** The browser asks before a tab is closed that has something unsaved in it. */
function useLeaveGuard(isChanged: boolean): void {
  useLayoutEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
