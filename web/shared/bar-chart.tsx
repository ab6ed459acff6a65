import { useState } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { formatDay, formatNumber } from './format.ts';

export interface DayValue {
  /** Such as 2026-11-03. */
  readonly day: string;
  readonly value: number;
  /** That of the same day of the period before. */
  readonly before?: number | undefined;
  /** Where the rows are that it counts. */
  readonly href?: string | undefined;
}

const width = 640;
const height = 160;
const mostTicks = 5;

/**
 * A value for each day as bars, and that of the period before as a dotted line. The value of a day is shown under the pointer, and by
 * the arrow keys; all are in a table that a button opens.
 */
export function BarChart({
  title,
  days,
  now,
  before,
}: {
  readonly title: string;
  readonly days: readonly DayValue[];
  /** What the two periods are called, where there is one before. */
  readonly now?: string;
  readonly before?: string;
}) {
  const t = shared();
  const [at, setAt] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const { top, lines } = axisOf(Math.max(...days.flatMap((day) => [day.value, day.before ?? 0]), 0));
  const step = width / Math.max(days.length, 1);
  const y = (value: number) => height - (Math.max(value, 0) / top) * height;
  const shown = at === null ? undefined : days[at];
  const isCompared = before !== undefined && days.some((day) => day.before !== undefined);
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <Button
          kind="plain"
          icon={isTable ? 'up' : 'list'}
          label={isTable ? t.asChart : t.asTable}
          onClick={() => setTable(!isTable)}
        />
      </figcaption>
      {isTable ? (
        <DayTable title={title} days={days} {...(isCompared && { now, before })} />
      ) : (
        <>
          <div class="plot">
            <ol class="scale number" aria-hidden="true">
              {lines.map((line) => (
                <li key={line} style={{ bottom: `${(line / top) * 100}%` }}>
                  {formatNumber(line)}
                </li>
              ))}
            </ol>
            <div
              class="bars"
              role="slider"
              tabIndex={0}
              aria-label={title}
              aria-valuemin={1}
              aria-valuemax={Math.max(days.length, 1)}
              aria-valuenow={(at ?? days.length - 1) + 1}
              aria-valuetext={sentenceOf(shown ?? days.at(-1), before)}
              onFocus={() => setAt(at ?? days.length - 1)}
              onBlur={() => setAt(null)}
              onKeyDown={(event) => {
                const next = placeAfter(event.key, at ?? days.length - 1, days.length);
                if (next === undefined) return;
                event.preventDefault();
                setAt(next);
              }}
              onPointerMove={(event) => {
                const box = event.currentTarget.getBoundingClientRect();
                const index = Math.floor(((event.clientX - box.left) / box.width) * days.length);
                setAt(days[index] === undefined ? null : index);
              }}
              onPointerLeave={() => setAt(null)}
            >
              <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
                {lines.map((line) => (
                  <line key={line} class="grid" x1="0" x2={width} y1={y(line)} y2={y(line)} />
                ))}
                {days.map(({ day, value }, index) => (
                  <rect
                    key={day}
                    class={`bar ${value <= 0 ? 'none' : ''} ${index === at ? 'on' : ''}`}
                    x={index * step + step * 0.16}
                    y={value <= 0 ? height - 3 : y(value)}
                    width={step * 0.68}
                    height={value <= 0 ? 3 : height - y(value)}
                  />
                ))}
                {isCompared && (
                  <polyline
                    class="before"
                    points={days
                      .map((day, index) => `${(index + 0.5) * step},${y(day.before ?? 0)}`)
                      .join(' ')}
                  />
                )}
              </svg>
              {shown !== undefined && at !== null && (
                <p
                  class={`value ${at * 2 < days.length ? '' : 'end'}`}
                  style={{ insetInlineStart: `${((at + 0.5) / days.length) * 100}%` }}
                  aria-hidden="true"
                >
                  <strong class="number">{formatNumber(shown.value)}</strong>
                  <span>{formatDay(shown.day)}</span>
                  {isCompared && <span>{`${before}: ${formatNumber(shown.before ?? 0)}`}</span>}
                </p>
              )}
            </div>
            <p class="ends" aria-hidden="true">
              {ticksOf(days).map(({ day, place }) => (
                <span key={day} style={{ insetInlineStart: `${place * 100}%` }}>
                  {formatDay(day, 'short')}
                </span>
              ))}
            </p>
          </div>
          {isCompared && (
            <p class="legend soft small" aria-hidden="true">
              <span class="of-now">{now}</span>
              <span class="of-before">{before}</span>
            </p>
          )}
        </>
      )}
    </figure>
  );
}

function DayTable({
  title,
  days,
  now,
  before,
}: {
  readonly title: string;
  readonly days: readonly DayValue[];
  readonly now?: string | undefined;
  readonly before?: string | undefined;
}) {
  const t = shared();
  return (
    <table class="small">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t.day}</th>
          <th scope="col">{now ?? t.count}</th>
          {before !== undefined && <th scope="col">{before}</th>}
        </tr>
      </thead>
      <tbody>
        {days.map((one) => (
          <tr key={one.day}>
            <th scope="row">{formatDay(one.day)}</th>
            <td class="number">
              {one.href === undefined ? (
                formatNumber(one.value)
              ) : (
                <a href={one.href}>{formatNumber(one.value)}</a>
              )}
            </td>
            {before !== undefined && <td class="number">{formatNumber(one.before ?? 0)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Values as a line without axes, next to a figure that says what they are. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const points = values.map(
    (value, at) => `${(at / Math.max(values.length - 1, 1)) * 100},${22 - (Math.max(value, 0) / most) * 20}`,
  );
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function sentenceOf(day: DayValue | undefined, before: string | undefined): string {
  if (day === undefined) return '';
  const said = `${formatDay(day.day)}: ${formatNumber(day.value)}`;
  return before === undefined || day.before === undefined
    ? said
    : `${said}; ${before}: ${formatNumber(day.before)}`;
}

/** The day that a key leads to. */
function placeAfter(key: string, at: number, count: number): number | undefined {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7 }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return step === undefined ? undefined : Math.min(Math.max(at + step, 0), count - 1);
}

/** At most five days, the first and the last among them, and where they are. */
function ticksOf(days: readonly DayValue[]): { readonly day: string; readonly place: number }[] {
  const count = Math.min(mostTicks, days.length);
  return Array.from({ length: count }, (_, tick) => {
    const at = count === 1 ? 0 : Math.round((tick * (days.length - 1)) / (count - 1));
    return { day: days[at]?.day ?? '', place: (at + 0.5) / days.length };
  });
}

/** Round numbers up to the first that is not below the greatest value: whole ones, and few. */
function axisOf(most: number): { readonly top: number; readonly lines: readonly number[] } {
  const power = 10 ** Math.floor(Math.log10(Math.max(most / 4, 1)));
  const step = ([1, 2, 5, 10].find((one) => one * power * 4 >= most) ?? 10) * power;
  const count = Math.max(Math.ceil(most / step), 1);
  return { top: step * count, lines: Array.from({ length: count + 1 }, (_, at) => step * at) };
}
