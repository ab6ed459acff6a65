import { useState } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { Field, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { Icon } from '../../../shared/icon.tsx';
import { PictureInput } from '../../../shared/picture-input.tsx';
import { start } from '../../../texts/start.ts';
import { imageShapes } from '../designer/image-shapes.ts';
import { type CardColors, colorsOn } from './card-colors.ts';
import { choicesOf, places, plainColors, readLogo, type StartDraft, type StepProps } from './start-draft.ts';

/** Kind of place, name, logo and colours of the card. */
export function LookStep({ draft, set, goOn }: StepProps) {
  const t = start();
  return (
    <Form submit={t.goOn} act={async () => goOn()}>
      <fieldset class="field">
        <legend>{t.look.place}</legend>
        <div class="segments">
          {places.map((place) => (
            <button
              type="button"
              key={place}
              aria-pressed={place === draft.place}
              onClick={() => set({ ...choicesOf(place), ...(draft.logo && { colors: draft.colors }) })}
            >
              {t.look.places[place]}
            </button>
          ))}
        </div>
      </fieldset>
      <TextField
        key={draft.place}
        name="title"
        label={t.look.cardTitle}
        value={draft.title}
        required
        maxLength={120}
        onInput={(title) => set({ title })}
      />
      <LogoField draft={draft} set={set} />
      <ColorChoice draft={draft} set={set} />
    </Form>
  );
}

type Changing = Pick<StepProps, 'draft' | 'set'>;

function LogoField({ draft: { logo }, set }: Changing) {
  const t = start().look;
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: Blob) => {
    const read = await readLogo(file);
    if (read === null || read === 'small')
      return setFault(read === null ? t.noPicture : t.tooSmall(imageShapes.logoUrl.least.width));
    setFault(null);
    set({ logo: read, ...(read.colors[0] && { colors: read.colors[0] }) });
  };
  return (
    <Field name="logoUrl" label={t.logo} hint={t.logoHint}>
      {(wiring) => (
        <div class="stack tight">
          <div class="row">
            {logo !== null && <img class="start-logo" src={logo.dataUrl} alt="" />}
            <PictureInput
              wiring={wiring}
              label={logo === null ? t.chooseLogo : t.otherLogo}
              onFile={(file) => void take(file)}
            />
            {logo !== null && (
              <Button kind="plain" icon="trash" label={t.removeLogo} onClick={() => set({ logo: null })} />
            )}
          </div>
          <div role="alert">
            {fault !== null && (
              <p class="problem">
                <Icon name="alert" size={18} />
                {fault}
              </p>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}

function ColorChoice({ draft, set }: Changing) {
  const t = start().look;
  const same = (one: CardColors) => JSON.stringify(one) === JSON.stringify(draft.colors);
  return (
    <fieldset class="field">
      <legend>{t.colors}</legend>
      <div class="start-colors">
        {choices(draft).map(({ name, colors }) => (
          <label key={name} style={{ background: colors.background, color: colors.foreground }}>
            <input
              type="radio"
              name="colors"
              aria-label={name}
              checked={same(colors)}
              onChange={() => set({ colors })}
            />
            <span aria-hidden="true">Aa</span>
            <span aria-hidden="true" style={{ background: colors.label }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Those of the logo first, then that of the template, and some that suit any place. */
function choices({ place, logo }: StartDraft): { readonly name: string; readonly colors: CardColors }[] {
  const t = start().look;
  const ofLogo = (logo?.colors ?? []).map((colors, at) => ({ name: t.ofLogo(at + 1), colors }));
  const ofTemplate = place === 'shop' ? [] : [{ name: t.ofTemplate, colors: choicesOf(place).colors }];
  const plain = Object.entries(t.plain).map(([key, name]) => ({
    name,
    colors: colorsOn(plainColors[key as keyof typeof plainColors]),
  }));
  return [...ofLogo, ...ofTemplate, ...plain];
}
