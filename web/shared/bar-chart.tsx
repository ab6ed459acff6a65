import { useState } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { formatDay, formatNumber } from './format.ts';

export interface DayValue {
  /** Such as 2026-11-03. */
  readonly day: string;
  readonly value: number;
  /** Where the rows are that it counts. */
  readonly href?: string | undefined;
}

const width = 640;
const height = 120;

/** A value for each day as bars; the same numbers are in a table below for screen readers. */
export function BarChart({ title, days }: { readonly title: string; readonly days: readonly DayValue[] }) {
  const t = shared();
  const [at, setAt] = useState<number | null>(null);
  const most = niceTop(Math.max(...days.map(({ value }) => value), 0));
  const step = width / Math.max(days.length, 1);
  const y = (value: number) => height - (Math.max(value, 0) / most) * height;
  const shown = at === null ? undefined : days[at];
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <span class="number soft">
          {shown === undefined
            ? t.inTotal(formatNumber(total))
            : `${formatDay(shown.day)}: ${formatNumber(shown.value)}`}
        </span>
      </figcaption>
      <p class="scale number" aria-hidden="true">
        {formatNumber(most)}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const index = Math.floor(((event.clientX - box.left) / box.width) * days.length);
          setAt(days[index] === undefined ? null : index);
        }}
        onPointerLeave={() => setAt(null)}
      >
        {[0, 0.5, 1].map((share) => (
          <line key={share} class="grid" x1="0" x2={width} y1={y(most * share)} y2={y(most * share)} />
        ))}
        {days.map(({ day, value }, index) => (
          <rect
            key={day}
            class={`bar ${index === at ? 'on' : ''}`}
            x={index * step + step * 0.16}
            y={y(value)}
            width={step * 0.68}
            height={height - y(value)}
          />
        ))}
      </svg>
      <p class="ends" aria-hidden="true">
        <span>{formatDay(days[0]?.day ?? firstDay, 'short')}</span>
        <span>{formatDay(days.at(-1)?.day ?? firstDay, 'short')}</span>
      </p>
      <details>
        <summary>{t.asTable}</summary>
        <table class="small">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col">{t.count}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, value, href }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td class="number">
                  {href === undefined ? formatNumber(value) : <a href={href}>{formatNumber(value)}</a>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Of a chart without days. */
const firstDay = '2000-01-01';

/** The next round number, so that the scale can be read: 1, 2, 2.5 or 5 and zeros. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 2.5, 5, 10].find((one) => one * power >= most) ?? 10) * power;
}
