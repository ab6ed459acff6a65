import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { makeKey } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns } from '../../test/wallets.ts';
import { recordEvent } from '../events/record-event.ts';
import { decodeId } from '../kit/ids.ts';
import { Till, threeStamps } from '../loyalty/till.fixture.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { assertCounted, busyDays, runJob, statisticsOf } from './statistics.fixture.ts';

// Without background work: a figure must be there by the reading alone, or by the job that a test runs.
const apns = await startDevelopmentApns();
const app = await startTestApp({ WORKERS: 'off', APNS_URL: apns.url });
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const at = (moment: string) => app.stopClock(Date.parse(moment));

at('2027-03-01T10:00:00Z');
const partnerOf = async ({ client }: Till, name: string): Promise<string> =>
  (await client.post('/partners', { name })).body.partnerId;
const inZone = async (till: Till, timezone: string) =>
  assert.equal((await till.client.patch('/workspace', { timezone })).status, 200);

describe('GET /statistics/visitors', () => {
  it('shows who came lately, who came before, who did not come for long, and where a reward waits', async () => {
    at('2027-01-01T23:30:00Z');
    const till = await Till.open(app, threeStamps);
    await inZone(till, 'Europe/Berlin');
    for (const identifier of ['bob', 'eve', 'never']) await till.card(identifier);
    await till.earn(1);
    await till.earn(1, { identifier: 'bob' });
    at('2027-02-20T10:00:00Z');
    await till.earn(1);
    await till.earn(2, { identifier: 'eve' });
    await till.earn(1, { identifier: 'eve' });
    at('2027-03-02T22:30:00Z');
    const visitors = async (query: string) => {
      const { body, status, text } = await till.client.get(`/statistics/visitors?${query}`);
      assert.equal(status, 200, text);
      return body;
    };
    const { passId } = till;
    const shown = await visitors(`passId=${passId}`);
    assert.deepEqual(shown, {
      passId,
      timezone: 'Europe/Berlin',
      from: '2027-02-01',
      to: '2027-03-02',
      isWhole: true,
      came: 2,
      new: 1,
      returning: 1,
      away: { since: '2027-01-02', cards: 0 },
      rewarded: 1,
    });
    at('2027-03-02T23:30:00Z');
    const { away, from, came } = await visitors('days=1');
    // In Berlin the second of January is over for sixty days.
    assert.deepEqual([away, from, came], [{ since: '2027-01-03', cards: 1 }, '2027-03-03', 0]);
    assert.equal((await visitors('away=11')).away.cards, 3);
    assert.equal((await till.client.get('/statistics/visitors?days=0')).status, 400);
    const key = await makeKey(till.client, { passIds: [passId] });
    assertRefused(await key.client.get('/statistics/visitors'), 'invalid_request');
    await assertCounted(app, passId, 'Europe/Berlin');
  });
});

describe('GET /statistics', () => {
  it('shows at once what has happened to cards and points', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const { client, passId } = till;
    const earned = await till.earn(30);
    await till.redeem();
    await till.reverse(earned);
    await till.adjust(40);
    await till.adjust(-5);
    const other = await till.card('bob');
    await till.void(other);
    await client.post(`/instances/${other.instanceId}/reactivate`);
    await new Phones(app, apns).add([till.ada]);

    const shown = await statisticsOf(client, { passId, from: '2027-02-28', to: '2027-03-01' });
    assert.deepEqual(busyDays(shown), {
      '2027-03-01': {
        issued: 2,
        installed: 1,
        voided: 1,
        reactivated: 1,
        activeHolders: 1,
        awards: 1,
        rewardsRedeemed: 1,
        reversals: 1,
        pointsIn: 70,
        pointsOut: 45,
        pointsEarned: 30,
        pointsRedeemed: 10,
        pointsAdjusted: 35,
        pointsReversed: 30,
      },
    });
    const { issued, pointsIn } = shown.totals;
    assert.deepEqual(
      [issued, pointsIn, shown.outstanding, shown.isWhole, shown.timezone],
      [2, 70, { points: 25, ages: null }, true, 'UTC'],
    );
    const [before, day] = shown.data;
    assert.deepEqual(
      [before.day, before.to, day.from, day.to],
      ['2027-02-28', '2027-03-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z', '2027-03-02T00:00:00.000Z'],
    );
    await assertCounted(app, passId, 'UTC');
  });

  it('counts stamps, the rewards that they unlock, and those that are turned back', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app, threeStamps);
    const earned = await till.earn(4);
    await till.earn(2);
    await till.redeem();
    await till.reverse(earned);
    const { totals, outstanding } = await statisticsOf(till.client, { passId: till.passId });
    const { awards, rewardsUnlocked, rewardsCancelled, rewardsRedeemed, pointsUnlocked, pointsCancelled } =
      totals;
    assert.deepEqual(
      { awards, rewardsUnlocked, rewardsCancelled, rewardsRedeemed, pointsUnlocked, pointsCancelled },
      {
        awards: 2,
        rewardsUnlocked: 2,
        rewardsCancelled: 1,
        rewardsRedeemed: 1,
        pointsUnlocked: 6,
        pointsCancelled: 3,
      },
    );
    assert.equal(totals.pointsIn - totals.pointsOut, outstanding.points);
    await assertCounted(app, till.passId, 'UTC');
  });

  it('counts a card that is active on several days once a week and once a month', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const bob = await till.card('bob');
    for (const moment of [
      '2027-03-01T10:00',
      '2027-03-01T11:00',
      '2027-03-03T10:00',
      '2027-03-08T10:00',
      '2027-04-01T10:00',
    ]) {
      at(`${moment}:00Z`);
      await till.earn(1);
      if (moment.startsWith('2027-03-03')) await till.earn(1, { instanceId: bob.instanceId });
      await statisticsOf(till.client);
    }
    const range = { from: '2027-03-01', to: '2027-04-01', passId: till.passId };
    const active = async (by: string) =>
      (await statisticsOf(till.client, { ...range, by })).data
        .filter(({ activeHolders }: Json) => activeHolders > 0)
        .map(({ day, activeHolders }: Json) => [day, activeHolders]);
    assert.deepEqual(await active('day'), [
      ['2027-03-01', 1],
      ['2027-03-03', 2],
      ['2027-03-08', 1],
      ['2027-04-01', 1],
    ]);
    assert.deepEqual(await active('week'), [
      ['2027-03-01', 2],
      ['2027-03-08', 1],
      ['2027-03-29', 1],
    ]);
    assert.deepEqual(await active('month'), [
      ['2027-03-01', 2],
      ['2027-04-01', 1],
    ]);
    const { from, to } = await statisticsOf(till.client, { ...range, by: 'month' });
    assert.deepEqual([from, to], ['2027-03-01', '2027-04-30']);
    await assertCounted(app, till.passId, 'UTC');
  });

  it('has the days of the time zone, one of 23 hours and one of 25 among them', async () => {
    at('2027-03-27T12:00:00Z');
    const till = await Till.open(app);
    await inZone(till, 'Europe/Berlin');
    // Midnight of the 28th is 23:00 UTC, that of the 29th 22:00.
    const moments = [
      '2027-03-27T22:59:59',
      '2027-03-27T23:00:00',
      '2027-03-28T21:59:59',
      '2027-03-28T22:00:00',
    ];
    for (const moment of [
      ...moments,
      '2027-10-30T21:59:59',
      '2027-10-30T22:00:00',
      '2027-10-31T22:59:59',
      '2027-10-31T23:00:00',
    ]) {
      at(`${moment}.500Z`);
      await till.earn(1);
    }
    const shown = await statisticsOf(till.client, { from: '2027-03-27', to: '2027-11-01' });
    const awards = Object.entries(busyDays(shown)).map(([day, figures]) => [day, figures.awards]);
    assert.deepEqual(awards, [
      ['2027-03-27', 1],
      ['2027-03-28', 2],
      ['2027-03-29', 1],
      ['2027-10-30', 1],
      ['2027-10-31', 2],
      ['2027-11-01', 1],
    ]);
    const hours = (day: string) => {
      const { from, to } = shown.data.find((one: Json) => one.day === day);
      return (Date.parse(to) - Date.parse(from)) / hourMs;
    };
    assert.deepEqual(['2027-03-27', '2027-03-28', '2027-10-31'].map(hours), [24, 23, 25]);
    await assertCounted(app, till.passId, 'Europe/Berlin');
  });

  it('leaves days that were counted as they were when the time zone changes', async () => {
    at('2027-03-01T23:30:00Z');
    const till = await Till.open(app);
    await till.earn(1);
    await statisticsOf(till.client);
    await inZone(till, 'Asia/Tokyo');
    await till.earn(1);
    const shown = await statisticsOf(till.client, { passId: till.passId });
    assert.deepEqual(
      Object.entries(busyDays(shown)).map(([day, { awards }]) => [day, awards]),
      [
        ['2027-03-01', 1],
        ['2027-03-02', 1],
      ],
    );
  });

  it('shows partners, a page at a time, and what happened at one by day', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const { client, passId } = till;
    const [harbour, station] = [await partnerOf(till, 'Harbour'), await partnerOf(till, 'Station')];
    await till.card('bob', { partnerId: station });
    await till.earn(5, { partnerId: harbour });
    await till.earn(7, { partnerId: station });
    await till.earn(100);
    await client.delete(`/partners/${station}`);
    const first = await statisticsOf(client, { by: 'partner', limit: '1' });
    const next = await statisticsOf(client, { by: 'partner', limit: '1', cursor: first.nextCursor });
    assert.deepEqual(
      [...first.data, ...next.data].map(({ partner, issued, pointsEarned, activeHolders }) => [
        partner,
        issued,
        pointsEarned,
        activeHolders,
      ]),
      [
        ['Station', 1, 7, null],
        ['Harbour', 0, 5, null],
      ],
    );
    assert.deepEqual([next.nextCursor, first.totals.pointsEarned], [null, 112]);
    const ofOne = await statisticsOf(client, { partnerId: harbour, passId });
    assert.deepEqual(busyDays(ofOne), {
      '2027-03-01': { awards: 1, pointsIn: 5, pointsEarned: 5 },
    });
    assert.deepEqual([ofOne.outstanding, ofOne.partnerId, ofOne.lists.installed], [null, harbour, []]);
    assertRefused(await client.get(`/statistics?partnerId=${station}`), 'partner_not_found');
    assertRefused(await client.get(`/statistics?by=partner&partnerId=${harbour}`), 'invalid_request');
    await assertCounted(app, passId, 'UTC');
  });

  it('names the lists that show what each figure counts', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const { client, passId } = till;
    const earned = await till.earn(30);
    await till.redeem();
    await till.reverse(earned);
    await till.adjust(3);
    at('2027-03-02T10:00:00Z');
    await till.earn(8);
    await till.card('bob');
    await till.void(await till.card('eve'));
    const shown = await statisticsOf(client, { passId });
    const rowsBehind = async (figure: string, { from, to }: Json): Promise<Json[]> => {
      const rows = [];
      for (const path of shown.lists[figure]) {
        const url = `${path}${path.includes('?') ? '&' : '?'}createdAfter=${from}&createdBefore=${to}`;
        const { body, status, text } = await client.get(url);
        assert.equal(status, 200, text);
        rows.push(...body.data);
      }
      return rows;
    };
    const sum = (rows: Json[]) => rows.reduce((total, { points }) => total + points, 0);
    for (const day of shown.data.slice(-2)) {
      for (const figure of ['voided', 'reactivated', 'installed', 'awards', 'rewardsRedeemed', 'reversals'])
        assert.equal((await rowsBehind(figure, day)).length, day[figure], figure);
      for (const figure of ['pointsEarned', 'pointsAdjusted', 'pointsReversed', 'pointsRedeemed'])
        assert.equal(Math.abs(sum(await rowsBehind(figure, day))), day[figure], figure);
      assert.equal(sum(await rowsBehind('pointsIn', day)), day.pointsIn - day.pointsOut);
      const cards = (await rowsBehind('activeHolders', day)).map(({ instanceId }) => instanceId);
      assert.equal(new Set(cards).size, day.activeHolders);
    }
    // The ids of cards go by another clock than the one that this test has set.
    const { data } = (await client.get(shown.lists.issued[0])).body;
    assert.equal(data.length, shown.totals.issued);
    assert.equal((await statisticsOf(client)).lists, null);
  });

  it('bounds what is asked for, and refuses days that the calendar has not', async () => {
    const { client } = await app.newWorkspace();
    const refused = async (query: string, said: RegExp) => {
      const reply = await client.get(`/statistics?${query}`);
      assertRefused(reply, 'invalid_request');
      assert.match(reply.body.error?.message ?? reply.text, said);
    };
    await refused('from=2025-01-01&to=2026-02-05', /400 days/);
    await refused('from=2020-01-01&to=2026-02-05&by=month', /1900 days/);
    await refused('from=2026-02-02&to=2026-02-01', /after to/);
    await refused('from=2026-02-30', /calendar has no 2026-02-30/);
    await refused('by=year', /by/);
    await refused('from=yesterday', /from/);
    assert.equal((await statisticsOf(client, { from: '2025-01-01', to: '2026-02-04' })).data.length, 400);
    assert.equal((await statisticsOf(client)).data.length, 30);
  });

  it('shows a restricted key its passes alone, and no key another workspace', async () => {
    const [till, other] = [await Till.open(app), await Till.open(app)];
    const second = await Till.open(app);
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    await till.earn(5);
    assertRefused(await client.get('/statistics'), 'invalid_request');
    assertRefused(await client.get(`/statistics?passId=${till.passId}&by=partner`), 'insufficient_scope');
    assert.equal((await statisticsOf(client, { passId: till.passId })).totals.pointsIn, 5);
    assertRefused(await till.client.get(`/statistics?passId=${other.passId}`), 'forbidden');
    assertRefused(
      await till.client.get(`/statistics?partnerId=${await partnerOf(other, 'X')}`),
      'partner_not_found',
    );
    assert.deepEqual((await statisticsOf(second.client)).totals.pointsIn, 0);
  });

  it('is not for staff, bound to a partner or not', async () => {
    const till = await Till.open(app);
    const partnerId = await partnerOf(till, 'Harbour');
    for (const bound of [{ partnerId }, {}]) {
      const staff = await signInAs(app, 'staff', till.client, bound);
      assertRefused(await staff.get(`/statistics?passId=${till.passId}`), 'role_required');
    }
  });

  it('keeps counting an erased card, and nothing of the person', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const partnerId = await partnerOf(till, 'Harbour');
    const card = await till.card('hypatia', { partnerId });
    await till.earn(9, { instanceId: card.instanceId, partnerId });
    // Nothing is counted yet, and the events are emptied.
    assert.equal((await till.client.delete(`/instances/${card.instanceId}`)).status, 204);
    const { totals } = await statisticsOf(till.client, { passId: till.passId, partnerId });
    assert.deepEqual([totals.issued, totals.erased, totals.pointsEarned], [1, 1, 9]);
    await assertCounted(app, till.passId, 'UTC');
  });
});

describe('counting', () => {
  it('counts each event once, however many count and however often', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    for (let turn = 0; turn < 5; turn++) await till.earn(2);
    const { passId } = till;
    const asks = Array.from({ length: 6 }, () => statisticsOf(till.client, { passId }));
    const works = Array.from({ length: 3 }, () => runJob(app, 'followLogs'));
    for (const { totals } of await Promise.all(asks)) assert.equal(totals.pointsEarned, 10);
    await Promise.all(works);
    await assertCounted(app, passId, 'UTC');
  });

  it('is done by the job for those who do not ask, and then rests', async () => {
    const till = await Till.open(app);
    await till.earn(3);
    app.advance(2_000);
    await runJob(app, 'followLogs');
    await assertCounted(app, till.passId, 'UTC');
    const due = await app.sql('select follow_at as due from event_counters where workspace_id = $1', [
      decodeId('ws', till.workspaceId),
    ]);
    assert.deepEqual(due, [{ due: null }]);
  });

  it('leaves nothing half counted when its transaction fails, and goes on afterwards', async () => {
    const till = await Till.open(app);
    await till.earn(3);
    // The cursor is what is written last.
    await app.sql(
      `create function fail_once() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger fail_once before update on statistics_cursors for each row execute function fail_once()`,
    );
    assert.equal((await till.client.get('/statistics')).status, 500);
    await app.sql('drop trigger fail_once on statistics_cursors; drop function fail_once');
    await statisticsOf(till.client);
    await assertCounted(app, till.passId, 'UTC');
  });
});

describe('the counts that are stored with events', () => {
  /** Something of each kind that is counted, in a transaction each, in the log. */
  const trade = async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app, { ...threeStamps });
    const partnerId = await partnerOf(till, 'Harbour');
    const bob = await till.card('bob', { partnerId });
    const earned = await till.earn(7, { partnerId });
    await till.redeem();
    app.advance(dayMs);
    await till.earn(1, { instanceId: bob.instanceId, partnerId });
    await till.reverse(earned);
    await till.void(bob);
    return till;
  };
  const ofOne = (till: Till) => decodeId('ws', till.workspaceId);

  it('is counted without a look at what the events say', async () => {
    const till = await trade();
    await app.sql(`update event_log set data = '{}', previous = '{}' where workspace_id = $1`, [ofOne(till)]);
    await statisticsOf(till.client);
    await assertCounted(app, till.passId, 'UTC');
  });

  it('is taken from the events where a former version wrote some of them', async () => {
    const till = await trade();
    await app.sql(
      `update event_log set counts = null where workspace_id = $1 and seq in
         (select seq from event_log where workspace_id = $1 order by seq desc limit 3)`,
      [ofOne(till)],
    );
    await statisticsOf(till.client);
    await assertCounted(app, till.passId, 'UTC');
  });

  it('are used once where a transaction has more events than are counted at a time', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    const { passId, ada } = till;
    await till.earn(1);
    const { database, now } = app.running.app;
    const ctx = { app: app.running.app, requestId: 'req_test' };
    const event = {
      type: 'points.awarded',
      workspaceId: decodeId('ws', till.workspaceId) as string,
      passId: decodeId('pass', passId),
      instanceId: decodeId('inst', ada.instanceId),
      actor: 'key_test',
      data: { kind: 'earn', points: 2, partnerId: null, createdAt: now().toISOString() },
    } as const;
    await database.transaction(async (tx) => {
      for (let index = 0; index < 2_500; index++) recordEvent(tx, ctx, event);
    });
    await till.earn(1);
    const shown = await statisticsOf(till.client, { passId, from: '2027-03-01', to: '2027-03-01' });
    const { awards, pointsEarned, activeHolders } = busyDays(shown)['2027-03-01'];
    assert.deepEqual([awards, pointsEarned, activeHolders], [2_502, 5_002, 1]);
  });
});

describe('what was before events were counted', () => {
  /** As after the migration: what is there by `countsFrom` is to be walked through. */
  const upgrade = async () => {
    await app.sql(`
      truncate statistics_days, statistics_active, statistics_cards, statistics_cursors, statistics_walks;
      update event_counters set follow_at = now() where last_seq > 0`);
    const now = app.running.app.now();
    await app.sql(
      'insert into statistics_cursors (workspace_id, counts_from) select workspace_id, $1 from workspaces',
      [now],
    );
    await app.sql(
      `insert into statistics_walks (workspace_id, pass_id, stage, due_at) select workspace_id, pass_id, 'cards', $1 from passes`,
      [new Date(now.getTime() + 5 * 60_000)],
    );
  };

  it('is counted by a walk, while the log is counted alongside, and neither counts what is the other’s', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app, { ...threeStamps });
    const { client, passId } = till;
    await inZone(till, 'America/New_York');
    const partnerId = await partnerOf(till, 'Harbour');
    const bob = await till.card('bob', { partnerId });
    await new Phones(app, apns).add([bob]);
    const earned = await till.earn(7, { partnerId });
    app.advance(dayMs);
    await till.redeem();
    await till.earn(1, { instanceId: bob.instanceId, partnerId });
    await till.void(await till.card('eve'));
    // Half of it is in the log and not counted, and half of it is logged later on the same day.
    app.advance(1_000);
    await upgrade();
    await till.earn(2);
    await till.reverse(earned);
    await till.card('zoe', { partnerId });
    const early = await statisticsOf(client, { passId });
    assert.deepEqual([early.isWhole, early.totals.issued, early.totals.awards], [false, 1, 1]);
    app.advance(6 * 60_000);
    await runJob(app, 'walkStatistics');
    const { isWhole, totals } = await statisticsOf(client, { passId });
    assert.deepEqual([isWhole, totals.issued, totals.awards, totals.installed], [true, 4, 3, 1]);
    await assertCounted(app, passId, 'America/New_York');
  });

  it('goes on where a worker has left it, and is not counted twice', async () => {
    at('2027-03-01T10:00:00Z');
    const till = await Till.open(app);
    await till.earn(7);
    app.advance(dayMs);
    await till.earn(7);
    app.advance(dayMs);
    await upgrade();
    app.advance(6 * 60_000);
    await app.sql(
      `create function fail_once() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger fail_once before delete on statistics_walks for each row execute function fail_once()`,
    );
    await assert.rejects(async () => {
      for (let turn = 0; turn < 1_000; turn++) await runJob(app, 'walkStatistics');
    });
    await app.sql('drop trigger fail_once on statistics_walks; drop function fail_once');
    // What it had taken is due again when its lease is over.
    app.advance(2 * 60_000);
    await Promise.all([runJob(app, 'walkStatistics'), runJob(app, 'walkStatistics')]);
    await statisticsOf(till.client);
    await assertCounted(app, till.passId, 'UTC');
  });
});
