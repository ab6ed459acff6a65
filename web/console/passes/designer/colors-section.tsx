import { Button } from '../../../shared/button.tsx';
import { Field } from '../../../shared/field.tsx';
import { formatNumber } from '../../../shared/format.ts';
import { Badge } from '../../../shared/notice.tsx';
import { designer } from '../../../texts/designer.ts';
import { Cautions } from './cautions.tsx';
import { contrast, inkOn, isColor, readable } from './contrast.ts';
import type { Draft } from './draft.ts';
import { SectionPanel, type SectionProps } from './sections.tsx';

type Name = keyof Draft['colors'];

/** What a card without a background of its own has. */
const defaultBackground = '#1f2937';

/** The colour behind the images of a card. */
export function groundOf({ background }: Pick<Draft['colors'], 'background'>): string {
  return isColor(background) ? background : defaultBackground;
}

export function ColorsSection({ draft: { colors }, set }: SectionProps) {
  const t = designer().colors;
  const background = groundOf(colors);
  const shown: Readonly<Record<Name, string>> = {
    background,
    foreground: isColor(colors.foreground) ? colors.foreground : inkOn(background),
    label: isColor(colors.label) ? colors.label : inkOn(background),
  };
  return (
    <SectionPanel title={t.heading}>
      <div class="color-fields">
        {(['background', 'foreground', 'label'] as const).map((name) => (
          <div class="color-field" key={name}>
            <ColorField
              name={`colors.${name}`}
              label={t.names[name]}
              wanted={colors[name]}
              shown={shown[name]}
              onChange={(color) => set({ colors: { ...colors, [name]: color } })}
            />
            {name !== 'background' && <Ratio of={shown[name]} on={background} />}
            <Cautions about={`colors.${name}`} />
          </div>
        ))}
      </div>
    </SectionPanel>
  );
}

/** A colour that may be left to the service. */
export function ColorField({
  name,
  label,
  wanted,
  shown,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly wanted: string | null;
  readonly shown: string;
  readonly onChange: (color: string | null) => void;
}) {
  const t = designer().colors;
  return (
    <Field name={name} label={label}>
      {(wiring) => (
        <div class="color-row">
          <input
            type="color"
            aria-label={t.pick(label)}
            value={shown}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <input
            {...wiring}
            class="code"
            value={wanted ?? ''}
            placeholder={t.automatic}
            maxLength={7}
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value.trim() || null)}
          />
          {wanted !== null && (
            <Button kind="plain" icon="undo" label={t.clear(label)} onClick={() => onChange(null)} />
          )}
        </div>
      )}
    </Field>
  );
}

function Ratio({ of, on }: { readonly of: string; readonly on: string }) {
  const t = designer().colors;
  const ratio = contrast(of, on);
  return (
    <p class="ratio small">
      <span class="swatch" style={{ background: on, color: of }} aria-hidden="true">
        Aa
      </span>
      <Badge kind={ratio >= readable ? 'good' : 'alert'}>
        {t.ratio(formatNumber(Math.floor(ratio * 10) / 10), ratio >= readable)}
      </Badge>
    </p>
  );
}
