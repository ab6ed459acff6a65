import { numberFormat } from '../../../src/kit/anywhere/formats.ts';
import { Sparkline } from '../../shared/bar-chart.tsx';
import { formatNumber } from '../../shared/format.ts';
import { locale } from '../../shared/language.ts';
import { home } from '../../texts/home.ts';
import type { Day, Surroundings } from './look-around.ts';
import { isOfVisits, rowsOf } from './rows-behind.ts';

interface Tile {
  readonly label: string;
  readonly value: number;
  /** Its share of each day, which is what is compared and drawn. */
  readonly byDay?: (day: Day) => number;
  readonly note?: string | undefined;
  readonly href?: string | undefined;
}

/** What counted lists stop at. */
const mostRewarded = 10_000;

/** The figures of the chosen days: about people first, then about what they were given. */
export function Tiles({ of }: { readonly of: Surroundings }) {
  return (
    <dl class="tiles">
      {tilesOf(of).map((tile) => (
        <div key={tile.label}>
          <dt>{tile.label}</dt>
          <dd>
            <Value of={tile} />
            {tile.byDay !== undefined && <Trend of={of} byDay={tile.byDay} />}
            {tile.note !== undefined && <span class="soft small">{tile.note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tilesOf(of: Surroundings): Tile[] {
  const t = home().figures;
  const { visitors, days, now, statistics, programs } = of;
  const chosen = now.slice(-days);
  const sum = (byDay: (day: Day) => number) => chosen.reduce((total, day) => total + byDay(day), 0);
  const rows = rowsOf(of, { from: chosen[0]?.from, to: chosen.at(-1)?.to });
  const counted = (label: string, byDay: (day: Day) => number, href?: string): Tile => ({
    label,
    value: sum(byDay),
    byDay,
    href,
  });
  const tiles = [
    counted(t.issued, (day) => day.issued, rows?.issued),
    counted(t.installed, (day) => day.installed, rows?.installed),
  ];
  if (!isOfVisits(of)) return tiles;
  const { came, returning } = visitors;
  // Points and stamps are not added up, and money is neither.
  const modes = new Set(programs.map(({ mode }) => mode).filter((mode) => mode !== 'MONEY'));
  const unit = modes.has('STAMPS') ? t.stamps : t.points;
  return [
    counted(t.visits, (day) => day.activeHolders ?? 0, rows?.activeHolders),
    {
      label: t.came,
      value: came,
      note: came === 0 ? undefined : t.returning(formatNumber(returning), percent(returning / came)),
    },
    ...tiles,
    counted(t.rewards, (day) => day.rewardsRedeemed, rows?.rewardsRedeemed),
    { label: t.waiting, value: visitors.rewarded, note: t.waitingNote },
    ...(modes.size > 1
      ? []
      : [
          counted(unit.given, (day) => day.pointsEarned - day.pointsReversed, rows?.entries),
          counted(unit.used, usedOn, rows?.entries),
          { label: unit.outstanding, value: statistics.outstanding?.points ?? 0, href: rows?.cards },
        ]),
    { label: t.away, value: visitors.away.cards, note: t.awayNote },
  ];
}

/** What was spent, less what was given back. */
function usedOn(day: Day): number {
  return day.pointsRedeemed + day.pointsUnlocked - day.pointsCancelled - day.pointsReturned;
}

function Value({ of: { value, href } }: { readonly of: Tile }) {
  const text = `${shortly(value)}${value === mostRewarded && href === undefined ? '+' : ''}`;
  const title = shortly(value) === formatNumber(value) ? undefined : formatNumber(value);
  return href === undefined ? (
    <strong title={title}>{text}</strong>
  ) : (
    <a href={href} title={title}>
      {text}
    </a>
  );
}

/** How it went, and whether it is more than in the days before. */
function Trend({
  of: { days, now, before },
  byDay,
}: { readonly of: Surroundings } & Pick<Required<Tile>, 'byDay'>) {
  const t = home();
  const all = [...before, ...now].map(byDay);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const [current, former] = [sum(all.slice(-days)), sum(all.slice(-2 * days, -days))];
  const change = former > 0 ? current / former - 1 : null;
  return (
    <>
      <span class="soft small">
        {change !== null && (
          <span class={change < 0 ? 'less' : 'more'}>
            <span aria-hidden="true">{change < 0 ? '▼ ' : change > 0 ? '▲ ' : ''}</span>
            <span class="unseen">{change < 0 ? t.less : change > 0 ? t.more : ''}</span>
            {percent(Math.abs(change))}{' '}
          </span>
        )}
        {t.former(shortly(former), days)}
      </span>
      <Sparkline values={now.map(byDay)} />
    </>
  );
}

function percent(share: number): string {
  return numberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** A number that fits a tile: from a million on without its last digits. */
function shortly(value: number): string {
  if (Math.abs(value) < 1_000_000) return formatNumber(value);
  return numberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}
