import assert from 'node:assert/strict';
import type { Client, Json } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { dayOf } from '../../test/ledger/calendar.ts';
import { jobs } from '../jobs.ts';
import { decodeId } from '../kit/ids.ts';

/** Runs a job of the service until it finds nothing to do. */
export async function runJob(app: TestApp, name: string): Promise<void> {
  const job = jobs.find((one) => one.name === name) ?? assert.fail(`no job ${name}`);
  while (await job.run({ app: app.running.app, requestId: `job_${name}` }));
}

/** What `GET /statistics` says. */
export async function statisticsOf(client: Client, query: Record<string, string> = {}): Promise<Json> {
  const { body, status, text } = await client.get(`/statistics?${new URLSearchParams(query)}`);
  assert.equal(status, 200, text);
  return body;
}

/** The figures of periods that are not 0, by the first days. */
export function busyDays({ data }: Json): Record<string, Json> {
  const busy = data.map(({ day, from, to, partnerId, partner, ...figures }: Json) => [
    day ?? partnerId,
    Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== 0 && figure !== null)),
  ]);
  return Object.fromEntries(busy.filter(([, figures]: [string, object]) => Object.keys(figures).length > 0));
}

/** The present counts of a pass, as rows. */
export async function rowsOf(app: TestApp, passId: string): Promise<Json> {
  const id = decodeId('pass', passId);
  const days = await app.sql(
    `select partner_id, day::text, kind, happened::int, points_in::text, points_out::text from statistics_days
     where pass_id = $1 order by partner_id, day, kind collate "C"`,
    [id],
  );
  const active = await app.sql(
    `select unit, begins::text, cards::int from statistics_active where pass_id = $1 order by unit, begins`,
    [id],
  );
  const visitors = await app.sql(
    `select visit, day::text, cards::int from statistics_visitors where pass_id = $1 and cards <> 0 order by visit, day`,
    [id],
  );
  return { days, active, visitors };
}

/** The same, recounted from cards, timelines and ledger; days of the time zone. */
export async function recount(app: TestApp, passId: string, timezone: string): Promise<Json> {
  const rows = await app.sql<Happened>(
    `select partner_id, created_at as at, 'issued' as kind, 0::bigint as points, instance_id from instances where pass_id = $1
    union all
    select i.partner_id, e.created_at, substr(e.kind, 10), 0, i.instance_id
    from instances i join instance_events e using (workspace_id, instance_id)
    where pass_id = $1 and e.kind = any('{instance.installed,instance.removed,instance.voided,instance.reactivated,instance.erased}')
    union all
    select e.partner_id, e.created_at, case e.kind when 'correction' then 'adjust' else e.kind end, e.points, e.instance_id
    from programs p join loyalty_entries e using (workspace_id, program_id) where p.pass_id = $1`,
    [decodeId('pass', passId)],
  );
  const dated = rows.map((row) => ({ ...row, day: dayOf(row.at.getTime(), timezone) }));
  const counted = dated.flatMap((row) => [
    { ...row, partner_id: noPartner },
    ...(row.partner_id === null ? [] : [row]),
  ]);
  const sum = (list: readonly Happened[], sign: 1 | -1) =>
    String(
      list
        .map(({ points }) => BigInt(points))
        .reduce((whole, each) => (each > 0n === sign > 0 ? whole + each : whole), 0n),
    );
  const days = grouped(counted, ({ partner_id, day, kind }) => [partner_id, day, kind]).map(
    ([[partner_id, day, kind], list]) => ({
      partner_id,
      day,
      kind,
      happened: list.length,
      points_in: sum(list, 1),
      points_out: sum(list, -1),
    }),
  );
  const seen = dated
    .filter(({ kind }) => kind === 'earn' || kind === 'redeem')
    .flatMap(({ day, instance_id }) =>
      units.map((unit) => ({ unit, begins: beginOf(unit, day), instance_id })),
    );
  const active = grouped(seen, ({ unit, begins }) => [unit, begins]).map(([[unit, begins], list]) => ({
    unit,
    begins,
    cards: new Set(list.map(({ instance_id }) => instance_id)).size,
  }));
  const daysOf = Map.groupBy(
    dated.filter(({ kind }) => kind === 'earn' || kind === 'redeem'),
    ({ instance_id }) => instance_id,
  );
  const ends = [...daysOf.values()].flatMap((list) => {
    const all = list.map(({ day }) => day).sort();
    return [
      { visit: 'first', day: all[0] ?? '' },
      { visit: 'last', day: all.at(-1) ?? '' },
    ];
  });
  const visitors = grouped(ends, ({ visit, day }) => [visit, day]).map(([[visit, day], list]) => ({
    visit,
    day,
    cards: list.length,
  }));
  return { days, active, visitors };
}

type Happened = { partner_id: string | null; at: Date; kind: string; points: string; instance_id: string };

const noPartner = '00000000-0000-0000-0000-000000000000';
const units = ['day', 'month', 'week'];

/** The first day of the period that has a day; weeks begin on Mondays. */
function beginOf(unit: string, day: string): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  const date = new Date(day);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** Rows by what they have in common, in the order of that. */
function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => (string | null)[]): [string[], Row[]][] {
  return [...Map.groupBy(rows, (row) => keyOf(row).join())]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, list]) => [key.split(','), list]);
}

/** Fails where what is counted of a pass is not what cards, timelines and ledger say. */
export async function assertCounted(app: TestApp, passId: string, timezone: string): Promise<void> {
  const [counted, found] = [await rowsOf(app, passId), await recount(app, passId, timezone)];
  assert.deepEqual(counted.days, found.days);
  assert.deepEqual(counted.active, found.active);
  assert.deepEqual(counted.visitors, found.visitors);
}
