import { useState } from 'preact/hooks';
import { sentenceOf } from '../../../shared/api-error.ts';
import { Icon } from '../../../shared/icon.tsx';
import { Notice, Skeleton } from '../../../shared/notice.tsx';
import { designer } from '../../../texts/designer.ts';
import { passes } from '../../../texts/passes.ts';
import { usePictureUrl } from '../picture-url.ts';
import type { Preview } from './use-preview.ts';
import { WebCard } from './web-card.tsx';

const views = ['apple', 'google', 'web'] as const;

/** The card as each wallet and the web show it, drawn anew with each letter that is typed. */
export function Drawings({
  preview: { drawn, error, isDrawing },
  title,
  hasField,
}: {
  readonly preview: Preview;
  readonly title: string;
  /** What cannot be drawn is said at a field already. */
  readonly hasField: boolean;
}) {
  const t = designer();
  const { platforms, cardIn } = passes();
  const [view, setView] = useState<(typeof views)[number]>('apple');
  return (
    <section class="drawn" aria-label={t.preview}>
      <fieldset class="segments" aria-label={t.preview}>
        {views.map((one) => (
          <button type="button" key={one} aria-pressed={one === view} onClick={() => setView(one)}>
            {t.short[one]}
          </button>
        ))}
      </fieldset>
      {error !== undefined &&
        (hasField ? (
          <p class="small soft">{t.drawnBefore}</p>
        ) : (
          <Notice kind="alert" title={sentenceOf(error)} />
        ))}
      {drawn === undefined ? (
        error === undefined && <Skeleton height={28} />
      ) : (
        <div class={`drawing ${isDrawing ? 'old' : ''}`}>
          {view === 'web' ? (
            <WebCard {...drawn.web} label={cardIn(title, platforms.web)} />
          ) : (
            <Picture svg={drawn[view]} alt={cardIn(title, platforms[view])} />
          )}
        </div>
      )}
      <Faults of={drawn?.warnings ?? []} />
    </section>
  );
}

/** What the drawing shows worse than it was meant: what is cut off, by its names, and a logo that is tiny. */
function Faults({ of }: { readonly of: NonNullable<Preview['drawn']>['warnings'] }) {
  const t = designer();
  const cut = of.filter(({ code }) => code === 'text_cut');
  const names = cut.map(({ param, label }) =>
    param === 'title' ? t.basics.title : label || t.fields.noLabel,
  );
  const faults = [
    ...(names.length === 0 ? [] : [t.cut(names.join(', '))]),
    ...(of.some(({ code }) => code === 'logo_wide') ? [t.warnings.logo_wide] : []),
  ];
  return (
    <div class="faults" role="status">
      {faults.map((fault) => (
        <p class="caution small" key={fault}>
          <Icon name="alert" size={16} />
          {fault}
        </p>
      ))}
    </div>
  );
}

function Picture({ svg, alt }: { readonly svg: string; readonly alt: string }) {
  const url = usePictureUrl(svg);
  return url === undefined ? null : <img src={url} alt={alt} />;
}
