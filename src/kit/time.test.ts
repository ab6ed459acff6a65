import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { backOff, dayEnd, dayOf, dayStart, spreadBackOff, zoneName } from './time.ts';

const cases: readonly (readonly [what: string, timezone: string, date: string, expected: string])[] = [
  ['UTC', 'UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['summer time', 'America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['winter time', 'America/New_York', '2026-12-01', '2026-12-01T05:00:00.000Z'],
  ['east of UTC', 'Asia/Kolkata', '2026-11-01', '2026-10-31T18:30:00.000Z'],
  ['a day ahead', 'Pacific/Kiritimati', '2026-11-01', '2026-10-31T10:00:00.000Z'],
  ['a day behind', 'Pacific/Pago_Pago', '2026-11-01', '2026-11-01T11:00:00.000Z'],
  ['a fixed offset', '+0530', '2026-11-01', '2026-10-31T18:30:00.000Z'],
  ['the day after the clocks changed', 'America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  ['the day on which they go forward', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['the day on which they go back', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['a midnight that is skipped', 'Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
  ['a midnight that comes twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['a midnight that comes twice', 'Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['a midnight that is skipped', 'Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['a midnight that is skipped', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['a midnight that is skipped', 'Asia/Beirut', '2027-03-28', '2027-03-27T22:00:00.000Z'],
  ['a midnight that is skipped', 'America/Santiago', '2027-09-05', '2027-09-05T04:00:00.000Z'],
  ['a midnight that is skipped', 'America/Asuncion', '2023-10-01', '2023-10-01T04:00:00.000Z'],
  ['the hour before midnight comes twice', 'America/Asuncion', '2024-03-24', '2024-03-24T04:00:00.000Z'],
  ['half past is skipped with it', 'America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z'],
  [
    'a minute of a day comes before its midnight',
    'America/St_Johns',
    '2010-11-07',
    '2010-11-07T02:30:00.000Z',
  ],
  ['the day after a day that is skipped', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ['a day that is skipped', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['half an hour of summer time', 'Australia/Lord_Howe', '2027-01-01', '2026-12-31T13:00:00.000Z'],
  ['half an hour less', 'Australia/Lord_Howe', '2027-07-01', '2027-06-30T13:30:00.000Z'],
  ['quarters of an hour', 'Pacific/Chatham', '2027-07-01', '2027-06-30T11:15:00.000Z'],
  ['a sign that says the contrary', 'Etc/GMT+5', '2027-01-01', '2027-01-01T05:00:00.000Z'],
  ['a second name', 'Canada/East-Saskatchewan', '2027-07-01', '2027-07-01T06:00:00.000Z'],
  ['other letters', 'asia/KOLKATA', '2026-11-01', '2026-10-31T18:30:00.000Z'],
  ['a name that is not known: UTC', 'Mars/Olympus', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['the midnight after one that came twice', 'America/Havana', '2026-11-02', '2026-11-02T05:00:00.000Z'],
];

for (const [what, timezone, date, expected] of cases) {
  test(`${what}: ${date} in ${timezone}`, () => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    assert.equal(dayStart(timezone, year, month, day).toISOString(), expected);
  });
}

const ends: readonly (readonly [what: string, zone: string, moment: string, months: number, end: string])[] =
  [
    ['the same day', 'Europe/Berlin', '2026-11-27T22:59:59.999Z', 0, '2026-11-27T23:00:00.000Z'],
    ['at midnight a day is over', 'Europe/Berlin', '2026-11-27T23:00:00Z', 0, '2026-11-28T23:00:00.000Z'],
    ['a month later', 'UTC', '2027-01-15T12:00:00Z', 1, '2027-02-16T00:00:00.000Z'],
    ['of a shorter month the last day', 'UTC', '2027-01-31T12:00:00Z', 1, '2027-03-01T00:00:00.000Z'],
    ['of a leap year the 29th', 'UTC', '2028-01-31T12:00:00Z', 1, '2028-03-01T00:00:00.000Z'],
    ['a year after a leap day', 'UTC', '2028-02-29T12:00:00Z', 12, '2029-03-01T00:00:00.000Z'],
    ['a hundred years later', 'UTC', '2027-12-31T12:00:00Z', 1_200, '2128-01-01T00:00:00.000Z'],
    [
      'at the first of two midnights',
      'Atlantic/Azores',
      '2026-09-24T12:00:00Z',
      1,
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'within the hour that comes twice',
      'Atlantic/Azores',
      '2026-10-25T00:30:00Z',
      0,
      '2026-10-26T01:00:00.000Z',
    ],
    ['in the hour after it', 'Atlantic/Azores', '2026-10-25T01:30:00Z', 0, '2026-10-26T01:00:00.000Z'],
    ['on a day that is skipped', 'Pacific/Apia', '2011-11-30T22:00:00Z', 1, '2011-12-30T10:00:00.000Z'],
    [
      'in an hour that seems to be of the day before',
      'America/St_Johns',
      '2010-11-07T03:00:00Z',
      0,
      '2010-11-08T03:30:00.000Z',
    ],
  ];

for (const [what, zone, moment, months, end] of ends) {
  test(`${what}: the end of the day ${months} months after ${moment} in ${zone}`, () => {
    assert.equal(dayEnd(zone, new Date(moment), months).toISOString(), end);
  });
}

test('days follow each other without a gap, also where clocks go back over midnight', () => {
  for (const zone of ['America/St_Johns', 'Pacific/Apia', 'America/Havana', 'Africa/Cairo'])
    for (let day = 1; day <= 4_000; day += 1) {
      const [start, next] = [dayStart(zone, 2008, 1, day), dayStart(zone, 2008, 1, day + 1)];
      const name = new Date(Date.UTC(2008, 0, day)).toISOString().slice(0, 10);
      if (name === '2011-12-30' && zone === 'Pacific/Apia') assert.deepEqual(next, start);
      else
        assert.deepEqual([dayOf(zone, start), dayOf(zone, new Date(next.getTime() - 1))], [name, name], zone);
    }
});

test('a zone has its name in the usual letters, as it was given', () => {
  const names = [
    'europe/BERLIN',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'US/Pacific-New',
    'utc',
    'Mars/Olympus',
    '',
  ];
  const [berlin, ...others] = names.map(zoneName);
  assert.equal(berlin, 'Europe/Berlin');
  assert.deepEqual(others, ['Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific-New', 'UTC', null, null]);
});

test('months and days run over', () => {
  assert.equal(dayStart('UTC', 2026, 13, 1).toISOString(), '2027-01-01T00:00:00.000Z');
  assert.equal(dayStart('UTC', 2026, 2, 29).toISOString(), '2026-03-01T00:00:00.000Z');
});

it('rests twice as long each time, up to the most', () => {
  const rests = [0, 1, 2, 3, 4, 2_000].map((times) => backOff({ firstMs: 10, mostMs: 70 }, times));
  assert.deepEqual(rests, [10, 20, 40, 70, 70, 70]);
  assert.equal(backOff({ firstMs: 0, mostMs: 70 }, 2_000), 0);
});

it('is spread, and never shorter than what was asked for', () => {
  const rest = { firstMs: 100, mostMs: 1_000 };
  const rests = (times: number, leastMs?: number) =>
    Array.from({ length: 50 }, () => spreadBackOff(rest, times, leastMs));
  assert.ok(rests(1).every((ms) => ms >= 200 && ms <= 300));
  assert.ok(new Set(rests(1)).size > 1);
  assert.ok(rests(1, 90_000).every((ms) => ms >= 90_000 && ms <= 90_100));
});
