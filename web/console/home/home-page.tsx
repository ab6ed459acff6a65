import { BarChart } from '../../shared/bar-chart.tsx';
import { LinkButton } from '../../shared/button.tsx';
import { pageStaleMs, useCached } from '../../shared/cached.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { may, membership } from '../../shared/session.ts';
import { home } from '../../texts/home.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Latest } from './latest.tsx';
import { lookAround, type Surroundings } from './look-around.ts';
import { Period } from './period.tsx';
import { isOfVisits, rowsOf } from './rows-behind.ts';
import { Tiles } from './tiles.tsx';

const periods = [1, 7, 30, 90];

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
  const days = periods.find((period) => String(period) === query.value.get('days')) ?? 30;
  const loaded = useCached(['home', passId, days], (options) => lookAround(passId, days, options), {
    staleMs: pageStaleMs,
  });
  return (
    <>
      <PageHeader title={t.title} lead={t.lead(membership.value?.name ?? '', days)} />
      <LoadedView of={loaded} lines={4} height={9}>
        {(of) => (
          <div class="stack">
            <FirstSteps of={of} />
            {!of.statistics.isWhole && <Notice title={t.notWhole} />}
            <div class="morning">
              {of.passes.length > 0 && (
                <div class="stack">
                  <Period of={of} periods={periods} />
                  <Visits of={of} />
                  <Tiles of={of} />
                </div>
              )}
              <div class="stack">
                <Checklist />
                <Attention of={of} />
                <Latest programs={of.programs} />
              </div>
            </div>
          </div>
        )}
      </LoadedView>
    </>
  );
}

/** How many customers came on each day; how many cards were issued, where there is nothing to come for. */
function Visits({ of }: { readonly of: Surroundings }) {
  const t = home();
  const figure = isOfVisits(of) ? 'activeHolders' : 'issued';
  return (
    <section class="panel">
      <BarChart
        title={t.charts[figure]}
        now={t.now(of.now.length)}
        before={t.before(of.now.length)}
        days={of.now.map((day, at) => ({
          day: day.day ?? '',
          value: day[figure] ?? 0,
          before: of.before[at]?.[figure] ?? 0,
          href: day[figure] ? rowsOf(of, day)?.[figure] : undefined,
        }))}
      />
    </section>
  );
}
