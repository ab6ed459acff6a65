import { useContext, useState } from 'preact/hooks';
import type { Program, Translation } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { useCached } from '../../../shared/cached.ts';
import { SelectField, TextArea, TextField } from '../../../shared/field.tsx';
import { designer } from '../../../texts/designer.ts';
import { api } from '../../api.ts';
import { languageChoices } from '../../settings/region-choices.ts';
import { Warnings } from './cautions.tsx';
import { groundOf } from './colors-section.tsx';
import { type Draft, imageSlots, mostShown } from './draft.ts';
import { ImageList } from './images-section.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';
import { textAt, translatable, withText } from './translating.ts';

/** The texts of the card in other languages: each phone shows those of its own, where all are there. */
export function LanguagesSection({
  draft,
  set,
  programId,
  onRead,
}: SectionProps & {
  readonly programId: string | null;
  /** In which language the drawings are to be; null: in that of the design. */
  readonly onRead: (language: string | null) => void;
}) {
  const t = designer().languages;
  const { translations, language } = draft;
  const { value: program } = useCached<Program | null>(['programs', programId ?? ''], (options) =>
    programId === null ? Promise.resolve(null) : api.programs.get(programId, options),
  );
  const [added, setAdded] = useState<string | null>(null);
  const choices = languageChoices(language ?? 'en');
  const change = (name: string, translation: Translation) =>
    set({ translations: { ...translations, [name]: translation } });
  const remove = (name: string) => {
    const { [name]: _, ...others } = translations;
    set({ translations: others });
    onRead(null);
  };
  const free = Object.entries(choices).filter(([tag]) => !(tag in translations) && tag !== language);
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <SelectField
        name="language"
        label={t.own}
        options={{ '': t.ofWorkspace, ...choices }}
        value={language ?? ''}
        onChange={(chosen) => set({ language: chosen === '' ? null : chosen })}
      />
      {Object.entries(translations).map(([name, translation]) => (
        <Language
          key={name}
          tag={name}
          name={languageChoices(name)[name] ?? name}
          {...{ draft, translation, program: program ?? null }}
          change={(changed) => change(name, changed)}
          remove={() => remove(name)}
          isNew={name === added}
          onToggle={(isOpen) => onRead(isOpen ? name : null)}
        />
      ))}
      <SelectField
        key={Object.keys(translations).length}
        name="translations"
        label={t.add}
        options={{ '': t.choose, ...Object.fromEntries(free) }}
        value=""
        onChange={(chosen) => {
          if (chosen === '') return;
          setAdded(chosen);
          change(chosen, {});
        }}
      />
    </SectionPanel>
  );
}

/** From here on a text needs more than one line. */
const longLine = 80;

function Language({
  tag,
  name,
  draft,
  translation,
  program,
  isNew,
  change,
  remove,
  onToggle,
}: {
  readonly tag: string;
  readonly name: string;
  readonly draft: Draft;
  readonly translation: Translation;
  readonly program: Program | null;
  /** It opens by itself. */
  readonly isNew: boolean;
  readonly change: (translation: Translation) => void;
  readonly remove: () => void;
  readonly onToggle: (isOpen: boolean) => void;
}) {
  const t = designer().languages;
  const warning = useContext(Warnings).find(({ param }) => param === `translations.${tag}`);
  const missing = warning?.missing ?? [];
  const inDesigner = translatable(draft).filter(
    ({ path: [list, at] }) => list !== 'locations' || Number(at) < mostShown,
  );
  const slots = imageSlots.filter((slot) => draft[slot] !== null);
  const texts = [...inDesigner, ...programTexts(program, translation, missing)];
  return (
    <details class="language" open={isNew} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>
        <strong>{name}</strong>
        <span class={`badge ${missing.length === 0 ? 'good' : 'note'}`}>
          {missing.length === 0 ? t.complete : t.missing(missing.length)}
        </span>
      </summary>
      <div class="stack">
        {texts.map(({ path, own }) => {
          const [first, ...rest] = path;
          const at = rest.map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`)).join('');
          const props = {
            name: `translations.${tag}.${first}${at}`,
            label: own,
            value: textAt(translation, path),
            onInput: (text: string) => change(withText(translation, path, text)),
          };
          return own.length > longLine || own.includes('\n') ? (
            <TextArea key={props.name} {...props} rows={3} />
          ) : (
            <TextField key={props.name} {...props} />
          );
        })}
        {slots.length > 0 && (
          <>
            <h3>{t.images}</h3>
            <ImageList
              slots={slots}
              urls={translation.images ?? {}}
              shownAt={() => undefined}
              ground={groundOf(draft.colors)}
              path={`translations.${tag}.images.`}
              change={(slot, url) => change(withText(translation, ['images', slot], url ?? ''))}
            />
          </>
        )}
        <div>
          <Button kind="plain" icon="trash" onClick={remove}>
            {t.remove(name)}
          </Button>
        </div>
      </div>
    </details>
  );
}

/** What the cards say of the program. The name of its points has a translation of ours where the shop has kept ours. */
function programTexts(program: Program | null, translation: Translation, missing: readonly string[]) {
  if (program === null) return [];
  const { reward, pointName, tiers } = program;
  const isNamed = missing.includes('program.pointName') || translation.program?.pointName !== undefined;
  return [
    { path: ['program', 'rewardTitle'], own: reward.title },
    ...(isNamed
      ? (['one', 'other'] as const).map((form) => ({
          path: ['program', 'pointName', form],
          own: pointName[form],
        }))
      : []),
    ...tiers.map(({ key, title }) => ({ path: ['program', 'tiers', key], own: title })),
  ];
}
