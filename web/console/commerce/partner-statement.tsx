import { useState } from 'preact/hooks';
import type { Partner, PartnerStatement as Statement } from '../../../sdk/typescript/src/types.ts';
import { dateFormat } from '../../../src/kit/anywhere/formats.ts';
import { Button } from '../../shared/button.tsx';
import { useCached, usePages } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { SelectField } from '../../shared/field.tsx';
import { saveFile } from '../../shared/files.ts';
import { formatNumber } from '../../shared/format.ts';
import { locale } from '../../shared/language.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { EmptyState } from '../../shared/notice.tsx';
import { wholeList } from '../../shared/pages.ts';
import { query, setQuery } from '../../shared/router.ts';
import { partners } from '../../texts/partners.ts';
import { api } from '../api.ts';
import { cardColumn, entryColumns } from '../cards/entry-columns.tsx';

type Figures = Statement['totals'];
type Figure = keyof ReturnType<typeof partners>['figures'];

/** A month of a partner, which is part of the address: totals, a line per pass, and the entries behind it. */
export function PartnerStatement({ partner }: { readonly partner: Partner }) {
  const t = partners();
  const { partnerId, name, createdAt } = partner;
  const months = monthsSince(createdAt);
  const wanted = query.value.get('month');
  const month = months.find((one) => one === wanted) ?? months[0] ?? '';
  const at = months.indexOf(month);
  const statement = useCached(['partners', partnerId, 'statement', month], (options) =>
    api.partners.statement(partnerId, { month }, options),
  );
  const save = useAction(
    async () => (await api.partners.statementCsv(partnerId, { month })).bytes(),
    (bytes) => saveFile(`${t.file(name, month)}.csv`, new Blob([bytes as BlobPart], { type: 'text/csv' })),
  );
  const step = (to: string | undefined, label: string, icon: 'left' | 'right') => (
    <Button
      kind="quiet"
      icon={icon}
      label={label}
      isDisabled={to === undefined}
      onClick={() => to !== undefined && setQuery({ month: to })}
    />
  );
  return (
    <section class="stack statement" aria-labelledby="statement">
      <h2 id="statement">{t.statement}</h2>
      <search class="filters months">
        {step(months[at + 1], t.before, 'left')}
        <SelectField
          key={month}
          name="month"
          label={t.month}
          options={Object.fromEntries(months.map((one) => [one, nameOfMonth(one)]))}
          value={month}
          onChange={(value) => setQuery({ month: value })}
        />
        {step(months[at - 1], t.after, 'right')}
        <Button kind="quiet" icon="download" isBusy={save.isBusy} onClick={() => save.run()}>
          {t.download}
        </Button>
      </search>
      <LoadedView of={statement} lines={2} height={6}>
        {(value) => (
          <>
            <Totals of={value.totals} />
            <p class="soft small">{t.inTimezone(value.timezone)}</p>
            {value.programs.length === 0 ? (
              <div class="panel flush">
                <EmptyState icon="partner" title={t.noStatement.title} text={t.noStatement.text} />
              </div>
            ) : (
              <>
                <Passes of={value} />
                <Entries key={`${partnerId} ${value.month}`} partnerId={partnerId} of={value} />
              </>
            )}
          </>
        )}
      </LoadedView>
    </section>
  );
}

const main = ['cardsIssued', 'pointsIssued', 'pointsRedeemed'] as const satisfies readonly Figure[];
const rest: readonly Figure[] = [
  'awards',
  'rewardsRedeemed',
  'reversals',
  'pointsReversed',
  'pointsReturned',
  'pointsAdjusted',
];

function Totals({ of }: { readonly of: Figures }) {
  const t = partners().figures;
  return (
    <dl class="figures four">
      {[...main, 'rewardsRedeemed' as const].map((figure) => (
        <div key={figure}>
          <dt>{t[figure]}</dt>
          <dd>{formatNumber(of[figure])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A line per pass, and one with the totals where there are several. */
function Passes({ of }: { readonly of: Statement }) {
  const t = partners();
  const { programs, totals } = of;
  const lines = programs.length > 1 ? [...programs, { passId: '', title: t.total, ...totals }] : programs;
  return (
    <DataTable
      label={t.statement}
      pages={wholeList(lines)}
      rowKey={({ passId }) => passId}
      empty={null}
      columns={[
        {
          head: t.pass,
          cell: ({ title, ...figures }) => (
            <span class="who-has">
              <strong dir="auto">{title}</strong>
              <span class="soft small">
                {rest
                  .filter((figure) => figures[figure] !== 0)
                  .map((figure) => `${t.figures[figure]}: ${formatNumber(figures[figure])}`)
                  .join(' · ')}
              </span>
            </span>
          ),
        },
        ...main.map((figure) => ({
          head: t.figures[figure],
          kind: 'end' as const,
          cell: (line: Figures & { readonly passId: string }) => (
            <span class="number">
              {figure === 'cardsIssued' && line.passId !== '' && line[figure] > 0 ? (
                <a href={cardsIssued(of, line.passId)}>{formatNumber(line[figure])}</a>
              ) : (
                formatNumber(line[figure])
              )}
            </span>
          ),
        })),
      ]}
    />
  );
}

/** The cards that a line counts; its points are the entries below. */
function cardsIssued({ partnerId, from, to }: Statement, passId: string): string {
  return `/console/cards?${new URLSearchParams({ passId, partnerId, from, to })}`;
}

/** The entries of a pass that the figures count. */
function Entries({ partnerId, of }: { readonly partnerId: string; readonly of: Statement }) {
  const t = partners();
  const withProgram = of.programs.filter(({ programId }) => programId !== null);
  const [passId, setPassId] = useState(withProgram[0]?.passId);
  if (passId === undefined) return null;
  return (
    <section class="stack" aria-labelledby="entries">
      <h2 id="entries">{t.entries}</h2>
      {withProgram.length > 1 && (
        <search class="filters">
          <SelectField
            name="passId"
            label={t.entriesOf}
            options={Object.fromEntries(withProgram.map((one) => [one.passId, one.title]))}
            value={passId}
            onChange={setPassId}
          />
        </search>
      )}
      <EntriesOfPass passId={passId} partnerId={partnerId} from={of.from} to={of.to} />
    </section>
  );
}

function EntriesOfPass({
  passId,
  partnerId,
  from,
  to,
}: {
  readonly passId: string;
  readonly partnerId: string;
  readonly from: string;
  readonly to: string;
}) {
  const t = partners();
  const pages = usePages(['partners', partnerId, 'entries', passId, from], (options) =>
    api.loyalty.entries(
      { passId, partnerId, include: 'holder', createdAfter: from, createdBefore: to, limit: 20 },
      options,
    ),
  );
  return (
    <DataTable
      label={t.entries}
      pages={pages}
      rowKey={({ entryId }) => entryId}
      empty={<EmptyState icon="coin" title={t.noEntries} />}
      columns={[...entryColumns(), cardColumn()]}
    />
  );
}

/** Months such as 2026-11 from now back to a moment, in the time zone of the browser. */
function monthsSince(moment: string): string[] {
  const [first, months] = [monthOf(new Date(moment)), [] as string[]];
  const at = new Date();
  at.setDate(1);
  for (; months.length === 0 || monthOf(at) >= first; at.setMonth(at.getMonth() - 1))
    months.push(monthOf(at));
  return months;
}

function monthOf(at: Date): string {
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`;
}

function nameOfMonth(month: string): string {
  return dateFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}
