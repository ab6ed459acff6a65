import { BarChart } from '../../shared/bar-chart.tsx';
import { useLoad } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
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
  return <PageHeader title={t.title} lead={`${t.lead(membership.value?.name ?? '')} ${t.text}`} />;
}

function Overview() {
  const t = home();
  const loaded = useLoad(lookAround);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead(membership.value?.name ?? '')} />
      <LoadedView of={loaded} lines={4} height={9}>
        {(of) => (
          <div class="stack">
            <FirstSteps of={of} />
            {!of.statistics.isWhole && <Notice title={t.notWhole} />}
            <Figures of={of} />
            <Attention of={of} />
            <Charts of={of} />
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Figures({ of: { statistics } }: { readonly of: Surroundings }) {
  const t = home().figures;
  const { totals, outstanding } = statistics;
  const figures: readonly (readonly [label: string, value: number])[] = [
    [t.issued, totals.issued],
    [t.installed, totals.installed],
    [t.pointsIn, totals.pointsIn],
    [t.pointsOut, totals.pointsOut],
    [t.rewards, totals.rewardsRedeemed],
    [t.outstanding, outstanding?.points ?? 0],
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Charts({ of: { statistics } }: { readonly of: Surroundings }) {
  const t = home().charts;
  const charts = [
    [t.issued, 'issued'],
    [t.installed, 'installed'],
    [t.awards, 'awards'],
    [t.rewards, 'rewardsRedeemed'],
  ] as const;
  return (
    <div class="charts">
      {charts
        .filter(([, figure]) => statistics.data.some((day) => day[figure] !== 0))
        .map(([title, figure]) => (
          <section class="panel" key={figure}>
            <BarChart
              title={title}
              days={statistics.data.map((day) => ({ day: day.day ?? '', value: day[figure] }))}
            />
          </section>
        ))}
    </div>
  );
}
