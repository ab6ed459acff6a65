import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import type { Client, Json } from './client.ts';
import { debianIsMissing, startDebianPostgres } from './debian-postgres.ts';
import { makeCard } from './factories.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { dayOf, endOfDay, monthsLater } from './ledger/calendar.ts';

/** The clocks change at midnight, by half an hour, twice, at new dates, or never; databases lack some of these names. */
const zones = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Asuncion',
  'America/Edmonton',
  'America/Havana',
  'America/Nuuk',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Scoresbysund',
  'America/Vancouver',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Gaza',
  'Atlantic/Azores',
  'australia/lord_howe',
  'Canada/East-Saskatchewan',
  'Etc/GMT+12',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'US/Pacific-New',
];

const year = 2027;
const [begins, ends] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
const hourMs = 3_600_000;

/** A shop in a zone at each of the services, and what it should say now. */
interface Shop {
  readonly zone: string;
  readonly at: readonly Counter[];
  /** The days with an award that counted: one point each. */
  readonly earnedOn: Set<string>;
  /** Points by when they expire. */
  readonly lots: Map<number, number>;
}

interface Counter {
  readonly client: Client;
  readonly card: Json;
  readonly partnerId: string;
}

describe('in two databases that know other time zones and sort otherwise', { skip: debianIsMissing }, () => {
  it('card, ledger, statistics and statement are of one mind through a year', async () => {
    const apps = await startBoth();
    const shops = await Promise.all(zones.map((zone) => openShop(apps, zone)));
    const moments = shops.flatMap((shop) => momentsOf(shop.zone).map((moment) => ({ shop, moment })));
    for (const { shop, moment } of moments.sort((one, other) => one.moment - other.moment)) {
      for (const app of apps) app.stopClock(moment);
      await awardAt(shop, moment);
    }
    for (const app of apps) app.stopClock(ends);
    for (const shop of shops) await compareFigures(shop);
  });
});

async function startBoth(): Promise<TestApp[]> {
  const debian = await startDebianPostgres();
  // Without background work nothing depends on how fast it is.
  const apps = [
    await startTestApp({ WORKERS: 'off' }),
    await startTestApp({ WORKERS: 'off', DATABASE_URL: debian.url }),
  ];
  after(() => debian.stop());
  return apps;
}

async function openShop(apps: readonly TestApp[], zone: string): Promise<Shop> {
  const at = apps.map(async (app) => {
    const { client } = await app.newWorkspace();
    const { body, text } = await client.patch('/workspace', { timezone: zone });
    assert.equal(body.timezone?.toLowerCase(), zone.toLowerCase(), text);
    const terms = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 1_000 } };
    const rules = { limits: { perDay: 1 }, expiry: { months: 1 } };
    const { pass } = await makeProgram(client, { ...terms, ...rules });
    const partner = await client.post('/partners', { name: 'Harbour' });
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'ada' } });
    return { client, card, partnerId: partner.body.partnerId };
  });
  return { zone, at: await Promise.all(at), earnedOn: new Set(), lots: new Map() };
}

/** Moments around the ends of days: of those on which the clocks change, and before and after months without such a day. */
function momentsOf(zone: string): number[] {
  const days = new Set([`${year}-01-31`, `${year}-02-28`]);
  const offsetAt = (moment: number) => Date.parse(`${dayOf(moment, zone)}T${timeOf(moment, zone)}Z`) - moment;
  for (let moment = begins + 48 * hourMs; moment < ends - 48 * hourMs; moment += 6 * hourMs)
    if (offsetAt(moment) !== offsetAt(moment + 6 * hourMs))
      for (const near of [moment, moment + 6 * hourMs]) days.add(dayOf(near, zone));
  return [...days].flatMap((day) => {
    const end = endOfDay(day, zone);
    return [end - 1_000, end - 1, end];
  });
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function timeOf(moment: number, zone: string): string {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });
  clocks.set(zone, clock);
  return clock.format(moment);
}

/** An award, which counts once a day; what has expired is gone, what expires next is on the card. */
async function awardAt({ zone, at, earnedOn, lots }: Shop, moment: number): Promise<void> {
  const day = dayOf(moment, zone);
  const where = `${zone} at ${new Date(moment).toISOString()}`;
  const isFirst = !earnedOn.has(day);
  const expiresAt = endOfDay(monthsLater(day, 1), zone);
  if (isFirst) {
    earnedOn.add(day);
    lots.set(expiresAt, (lots.get(expiresAt) ?? 0) + 1);
  }
  for (const end of lots.keys()) if (end <= moment) lots.delete(end);
  const next = Math.min(...lots.keys());
  const points = lots.get(next) ?? 0;
  const lastDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: zone }).format(next - 1);
  const shown = `>${points} ${points === 1 ? 'point' : 'points'} on ${lastDay}<`;
  for (const { client, card, partnerId } of at) {
    const { passId, instanceId } = card;
    const earned = await client.post('/loyalty/points', { passId, instanceId, partnerId, points: 1 });
    assert.equal(earned.status, 200, `${where}: ${earned.text}`);
    assert.deepEqual(
      [earned.body.points, earned.body.balance, earned.body.limitedBy],
      [
        Number(isFirst),
        [...lots.values()].reduce((sum, each) => sum + each),
        isFirst ? undefined : 'per_day',
      ],
      where,
    );
    if (!isFirst) continue;
    const holder = await client.get(`/loyalty/holders/ada?passId=${passId}`);
    assert.deepEqual(holder.body.nextExpiry, { points, at: new Date(next).toISOString() }, where);
    const page = await client.get(card.links.card);
    assert.ok(page.text.includes(shown), `${where}: ${shown}`);
  }
}

/** Each day has what was earned in it, each month what its days have, at both. */
async function compareFigures({ zone, at, earnedOn }: Shop): Promise<void> {
  const answers = await Promise.all(
    at.map(async ({ client, partnerId }) => {
      const days = await client.get(`/statistics?by=day&from=${year}-01-01&to=${year}-12-31`);
      const months = await client.get(`/statistics?by=month&from=${year}-01-01&to=${year}-12-31`);
      const statements = await Promise.all(
        months.body.data.map(async ({ day }: Json) => {
          const path = `/partners/${partnerId}/statement?month=${day.slice(0, 7)}`;
          const { month, from, to, timezone, totals } = (await client.get(path)).body;
          return { month, from, to, timezone, totals };
        }),
      );
      return { days: days.body, months: months.body, statements };
    }),
  );
  const [ours, debians] = answers;
  assert.deepEqual(debians, ours, zone);
  for (const [place, { day, to, pointsEarned }] of ours?.days.data.entries() ?? []) {
    assert.equal(pointsEarned, Number(earnedOn.has(day)), `${zone} on ${day}`);
    assert.equal(Date.parse(to), endOfDay(day, zone), `the end of ${day} in ${zone}`);
    assert.equal(ours?.days.data[place + 1]?.from ?? to, to, `${day} in ${zone}`);
  }
  for (const [place, { day, from, to, pointsEarned }] of ours?.months.data.entries() ?? []) {
    const those = [...earnedOn].filter((one) => one.startsWith(day.slice(0, 7)));
    const { totals, ...statement } = ours?.statements[place] ?? { totals: {} };
    assert.deepEqual([pointsEarned, totals.pointsIssued], [those.length, those.length], `${zone} in ${day}`);
    assert.deepEqual([statement.from, statement.to], [from, to], `${zone} in ${day}`);
  }
}
