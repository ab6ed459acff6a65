import assert from 'node:assert/strict';
import type { Client, Json } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
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

/** What is counted of a pass by now, as rows. */
export async function rowsOf(app: TestApp, passId: string): Promise<Json> {
  const id = decodeId('pass', passId);
  const days = await app.sql(
    `select partner_id, day::text, kind, happened::int, points_in::text, points_out::text from statistics_days
     where pass_id = $1 order by partner_id, day, kind`,
    [id],
  );
  const active = await app.sql(
    `select unit, begins::text, cards::int from statistics_active where pass_id = $1 order by unit, begins`,
    [id],
  );
  return { days, active };
}

/** The same, recounted from cards, timelines and ledger; days of the time zone. */
export async function recount(app: TestApp, passId: string, timezone: string): Promise<Json> {
  const values = [decodeId('pass', passId), timezone];
  const happened = `
    select partner_id, created_at as at, 'issued' as kind, 0 as points, instance_id from instances where pass_id = $1
    union all
    select i.partner_id, e.created_at, substr(e.kind, 10), 0, i.instance_id
    from instances i join instance_events e using (workspace_id, instance_id)
    where pass_id = $1 and e.kind = any('{instance.installed,instance.removed,instance.voided,instance.reactivated,instance.erased}')
    union all
    select e.partner_id, e.created_at, case e.kind when 'correction' then 'adjust' else e.kind end, e.points, e.instance_id
    from programs p join loyalty_entries e using (workspace_id, program_id) where p.pass_id = $1`;
  const nobody = "'00000000-0000-0000-0000-000000000000'::uuid";
  const days = await app.sql(
    `select partner_id, day, kind, count(*)::int as happened, sum(greatest(points, 0))::text as points_in,
       sum(least(points, 0))::text as points_out
     from (
       select case each when 1 then partner_id else ${nobody} end as partner_id, (at at time zone $2)::date::text as day, kind,
         points
       from (${happened}) as h cross join generate_series(1, 2) as each
       where each = 2 or partner_id is not null
     ) as dated group by 1, 2, 3 order by 1, 2, 3`,
    values,
  );
  const active = await app.sql(
    `select unit, date_trunc(unit, at at time zone $2)::date::text as begins, count(distinct instance_id)::int as cards
     from (${happened}) as h cross join (values ('day'), ('week'), ('month')) as units(unit)
     where kind in ('earn', 'redeem') group by 1, 2 order by 1, 2`,
    values,
  );
  return { days, active };
}

/** Fails where what is counted of a pass is not what cards, timelines and ledger say. */
export async function assertCounted(app: TestApp, passId: string, timezone: string): Promise<void> {
  const [counted, found] = [await rowsOf(app, passId), await recount(app, passId, timezone)];
  assert.deepEqual(counted.days, found.days);
  assert.deepEqual(counted.active, found.active);
}
