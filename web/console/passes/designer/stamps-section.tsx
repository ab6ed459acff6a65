import { useEffect } from 'preact/hooks';
import type { DesignedPass, Pass } from '../../../../sdk/typescript/src/types.ts';
import { stampIcon, stampIcons } from '../../../../src/kit/anywhere/stamp-icons.ts';
import { invalidate, useCached } from '../../../shared/cached.ts';
import { useAction } from '../../../shared/data.ts';
import { CheckField } from '../../../shared/field.tsx';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { designer } from '../../../texts/designer.ts';
import { api } from '../../api.ts';
import { Cautions } from './cautions.tsx';
import { ColorField, groundOf } from './colors-section.tsx';
import { contrast, inkOn, isColor } from './contrast.ts';
import { SectionPanel, type SectionProps } from './sections.tsx';

/**
 * How the cards of a program of stamps draw them. Whether they do is kept at once: it is of the program. That is given to
 * `onSample`, for a preview of a card that has some.
 */
export function StampsSection({
  draft: { stamps, colors, stripUrl, heroUrl },
  set,
  programId,
  onSample,
}: SectionProps & {
  readonly programId: string;
  readonly onSample: (program: DesignedPass['program']) => void;
}) {
  const t = designer().stamps;
  const { value: program } = useCached(['programs', programId], (options) =>
    api.programs.get(programId, options),
  );
  const keep = useAction(
    (drawsStamps: boolean) => api.programs.update(programId, { drawsStamps }),
    () => {
      invalidate(['programs', programId]);
      toast(t.kept);
    },
  );
  const isLaunched = program !== undefined && program.status !== 'not_launched';
  useEffect(() => {
    if (program?.mode !== 'STAMPS' || !isLaunched) return onSample(undefined);
    const { mode, threshold, pointName, drawsStamps, reward } = program;
    onSample({ mode, threshold, pointName, drawsStamps, reward: { title: reward.title } });
  }, [program]);
  if (program?.mode !== 'STAMPS') return null;
  const change = (changes: Partial<Pass['stamps']>) => set({ stamps: { ...stamps, ...changes } });
  const ground = groundOf(colors);
  const color = [stamps.color, colors.foreground].find(isColor) ?? inkOn(ground);
  const automatic = contrast(ground, color) < 3 ? inkOn(color) : ground;
  const markColor = isColor(stamps.markColor) ? stamps.markColor : automatic;
  return (
    <SectionPanel title={t.heading} lead={isLaunched ? undefined : t.afterLaunch}>
      {isLaunched && may('write') && (
        <CheckField
          name="drawsStamps"
          label={t.draw}
          hint={t.drawHint}
          isChecked={program.drawsStamps}
          onChange={(drawsStamps) => keep.run(drawsStamps)}
        />
      )}
      {program.drawsStamps && (
        <>
          <CheckField
            name="stamps.over"
            label={t.over}
            hint={stripUrl === null && heroUrl === null ? t.overNone : t.overHint}
            isChecked={stamps.over === 'image'}
            onChange={(isOver) => change({ over: isOver ? 'image' : 'plain' })}
          />
          <fieldset class="field choices">
            <legend>{t.icon}</legend>
            <div class="stamp-icons">
              {stampIcons.map((icon) => (
                <label key={icon} title={t.icons[icon]}>
                  <input
                    type="radio"
                    name="stamps.icon"
                    aria-label={t.icons[icon]}
                    checked={icon === (stamps.icon ?? 'check')}
                    onChange={() => change({ icon: icon === 'check' ? null : icon })}
                  />
                  <img src={pictureOf(icon, color, markColor)} alt="" />
                </label>
              ))}
            </div>
          </fieldset>
          <div class="color-fields">
            {(['color', 'markColor'] as const).map((name) => (
              <div class="color-field" key={name}>
                <ColorField
                  name={`stamps.${name}`}
                  label={t[name]}
                  wanted={stamps[name]}
                  shown={{ color, markColor }[name]}
                  onChange={(chosen) => change({ [name]: chosen })}
                />
                <Cautions about={`stamps.${name}`} />
              </div>
            ))}
          </div>
        </>
      )}
    </SectionPanel>
  );
}

/** A stamp as cards show it. */
function pictureOf(icon: (typeof stampIcons)[number], color: string, markColor: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 2 2"><circle r="1" fill="${color}"/>${stampIcon(icon, markColor)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
