import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';
import { auditLedger } from '../ledger/audit-ledger.ts';
import { Till, threeStamps } from '../loyalty/till.fixture.ts';
import { sumStatistics } from './check-statistics.ts';
import { statisticsOf } from './statistics.fixture.ts';

// Without background work: what is counted, and what is not yet, is for a test to say.
const app = await startTestApp({ WORKERS: 'off' });
const { database } = app.running.app;

const findingsOf = async ({ workspaceId }: Till) =>
  (await auditLedger(database, decodeId('ws', workspaceId) as string, app.running.app.now, sumStatistics))
    .findings;

/** One of each kind of entry. */
async function trade(till: Till): Promise<void> {
  const earned = await till.earn(40);
  await till.redeem();
  await till.reverse(earned);
  await till.adjust(30);
  await till.adjust(-3, { countsTowardsLifetime: false });
}

describe('the nightly audit', () => {
  it('holds statistics against the ledger, whatever part of the events is counted, or numbered', async () => {
    for (const program of [undefined, threeStamps]) {
      const till = await Till.open(app, program);
      await trade(till);
      assert.deepEqual(await findingsOf(till), []);
      await till.client.get('/events');
      assert.deepEqual(await findingsOf(till), []);
      await statisticsOf(till.client);
      await trade(till);
      assert.deepEqual(await findingsOf(till), []);
    }
  });

  it('finds nothing while points move and are counted', async () => {
    const till = await Till.open(app);
    let isOver = false;
    const counting = (async () => {
      while (!isOver) await statisticsOf(till.client);
    })();
    const trading = (async () => {
      for (let turn = 0; turn < 8; turn++) await trade(till);
    })();
    for (let run = 0; run < 10; run++) assert.deepEqual(await findingsOf(till), []);
    await trading;
    isOver = true;
    await counting;
    assert.deepEqual(await findingsOf(till), []);
  });

  it('says what differs', async () => {
    const till = await Till.open(app);
    await trade(till);
    await statisticsOf(till.client);
    await app.sql(
      `update statistics_days set points_in = points_in + 7 where pass_id = $1 and kind = 'earn'`,
      [decodeId('pass', till.passId)],
    );
    assert.deepEqual(await findingsOf(till), [
      { rule: 'statistics', id: till.program.programId, expected: 'issued 40', found: 'issued 47' },
    ]);
  });

  it('does not ask while what was before is being counted', async () => {
    const till = await Till.open(app);
    await trade(till);
    await app.sql(
      `insert into statistics_walks (workspace_id, pass_id, stage, due_at) values ($1, $2, 'cards', now())`,
      [decodeId('ws', till.workspaceId), decodeId('pass', till.passId)],
    );
    await app.sql('insert into statistics_cursors (workspace_id, counts_from) values ($1, $2)', [
      decodeId('ws', till.workspaceId),
      new Date(app.running.app.now().getTime() + 60_000),
    ]);
    assert.deepEqual(await findingsOf(till), []);
  });

  it('says how old the points are that are outstanding, as of its beginning', async () => {
    const dayMs = 86_400_000;
    const start = Date.parse('2027-03-01T10:00:00Z');
    const at = (day: number) => app.stopClock(start + day * dayMs);
    at(0);
    const till = await Till.open(app);
    const bob = await till.card('bob');
    await till.earn(50);
    at(20);
    await till.earn(7, { instanceId: bob.instanceId });
    at(100);
    await till.earn(30);
    await till.redeem();
    at(371);
    await till.adjust(5);
    // Of 75 the last 5 and 30 are whole, and 40 of the first 50 are left.
    assert.deepEqual(await findingsOf(till), []);
    at(372);
    await till.earn(1_000);
    const ages = async (query: object) => (await statisticsOf(till.client, { ...query })).outstanding;
    const { points, ages: old } = await ages({ passId: till.passId });
    assert.deepEqual(
      [points, old.at, old.days],
      [
        1_082,
        new Date(start + 371 * dayMs).toISOString(),
        [
          { from: 0, below: 30, points: 5 },
          { from: 30, below: 90, points: 0 },
          { from: 90, below: 180, points: 0 },
          { from: 180, below: 365, points: 37 },
          { from: 365, below: null, points: 40 },
        ],
      ],
    );
    assert.deepEqual((await ages({})).ages, old);
    const other = (await makePass(till.client)).passId;
    assert.deepEqual((await ages({ passId: other })).ages.days[0], { from: 0, below: 30, points: 0 });
  });
});
