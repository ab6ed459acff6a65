import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { backOff, dayStart, spreadBackOff } from './time.ts';

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
  ['the midnight after one that came twice', 'America/Havana', '2026-11-02', '2026-11-02T05:00:00.000Z'],
];

for (const [what, timezone, date, expected] of cases) {
  test(`${what}: ${date} in ${timezone}`, () => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    assert.equal(dayStart(timezone, year, month, day).toISOString(), expected);
  });
}

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
