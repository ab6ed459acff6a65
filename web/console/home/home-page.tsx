import { BarChart } from '../../shared/bar-chart.tsx';
import { LinkButton } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { SelectField } from '../../shared/field.tsx';
import { formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { may, membership } from '../../shared/session.ts';
import { home } from '../../texts/home.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { lookAround, type Surroundings } from './look-around.ts';

/** The first page: how it goes, and what to do. Staff have no figures. */
export function HomePage() {
  return may('read') ? <Overview /> : <Welcome />;
}

function Welcome() {
  const t = home().staff;
  return (
    <>
      <PageHeader title={t.title} lead={`${t.lead(membership.value?.name ?? '')} ${t.text}`} />
      <LinkButton icon="scan" href="/scan">
        {t.scanner}
      </LinkButton>
    </>
  );
}

function Overview() {
  const t = home();
  const passId = query.value.get('passId');
  const loaded = useCached(['home', passId], (options) => lookAround(passId, options));
  return (
    <>
      <PageHeader title={t.title} lead={t.lead(membership.value?.name ?? '')} />
      <LoadedView of={loaded} lines={4} height={9}>
        {(of) => (
          <div class="stack">
            <FirstSteps of={of} />
            {!of.statistics.isWhole && <Notice title={t.notWhole} />}
            <PassChoice of={of} />
            <Figures of={of} />
            <Attention of={of} />
            <Charts of={of} />
          </div>
        )}
      </LoadedView>
    </>
  );
}

type Figure = 'issued' | 'installed' | 'awards' | 'rewardsRedeemed';

/** The pass that the figures are of; null where they are of several, whose rows are in several lists. */
function passOf({ passes }: Surroundings): string | null {
  const [first, second] = passes;
  return query.value.get('passId') ?? (second === undefined ? (first?.passId ?? null) : null);
}

/** Where the rows are that a figure of a period counts. */
function rowsBehind(
  passId: string | null,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
) {
  if (passId === null || from === undefined || to === undefined) return null;
  const rows = (path: string, more: Readonly<Record<string, string>> = {}) =>
    `/console/${path}?${new URLSearchParams({ passId, from, to, ...more })}`;
  return {
    issued: rows('cards'),
    installed: rows('developers/events', { type: 'instance.installed' }),
    points: rows('cards/entries'),
    awards: rows('cards/entries', { kind: 'earn' }),
    rewardsRedeemed: rows('cards/entries', { kind: 'redeem' }),
    cards: `/console/cards?${new URLSearchParams({ passId })}`,
  };
}

/** Which pass the figures are of, where there are several. */
function PassChoice({ of: { passes } }: { readonly of: Surroundings }) {
  const t = home().pass;
  if (passes.length < 2) return null;
  return (
    <search class="filters">
      <SelectField
        name="passId"
        label={t.label}
        hint={t.hint}
        options={{ '': t.all, ...Object.fromEntries(passes.map(({ passId, title }) => [passId, title])) }}
        value={query.value.get('passId') ?? ''}
        onChange={(passId) => setQuery({ passId })}
      />
    </search>
  );
}

function Figures({ of }: { readonly of: Surroundings }) {
  const t = home().figures;
  const { statistics } = of;
  const { totals, outstanding, data } = statistics;
  const rows = rowsBehind(passOf(of), { from: data[0]?.from, to: data.at(-1)?.to });
  const figures: readonly (readonly [label: string, value: number, rows: string | undefined])[] = [
    [t.issued, totals.issued, rows?.issued],
    [t.installed, totals.installed, rows?.installed],
    [t.pointsIn, totals.pointsIn, rows?.points],
    [t.pointsOut, totals.pointsOut, rows?.points],
    [t.rewards, totals.rewardsRedeemed, rows?.rewardsRedeemed],
    [t.outstanding, outstanding?.points ?? 0, rows?.cards],
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value, href]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{href === undefined ? formatNumber(value) : <a href={href}>{formatNumber(value)}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

function Charts({ of }: { readonly of: Surroundings }) {
  const t = home().charts;
  const { data } = of.statistics;
  const rowsOf = (figure: Figure, at: number) => rowsBehind(passOf(of), data[at] ?? {})?.[figure];
  const charts = [
    [t.issued, 'issued'],
    [t.installed, 'installed'],
    [t.awards, 'awards'],
    [t.rewards, 'rewardsRedeemed'],
  ] as const satisfies readonly (readonly [string, Figure])[];
  return (
    <div class="charts">
      {charts
        .filter(([, figure]) => data.some((day) => day[figure] !== 0))
        .map(([title, figure]) => (
          <section class="panel" key={figure}>
            <BarChart
              title={title}
              days={data.map((day, at) => ({
                day: day.day ?? '',
                value: day[figure],
                href: day[figure] === 0 ? undefined : rowsOf(figure, at),
              }))}
            />
          </section>
        ))}
    </div>
  );
}
