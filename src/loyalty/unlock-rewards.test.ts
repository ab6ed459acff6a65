import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Device, takeCard } from '../delivery/apple/device.fixture.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { fileOf, importFile } from './balances.fixture.ts';
import { Till } from './till.fixture.ts';
import { unlockRewards } from './unlock-rewards.job.ts';

const app = await startTestApp({ WORKERS: 'off' });
const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
let till: Till;
beforeEach(() => app.stopClock(Date.now()));

const step = () => unlockRewards({ app: app.running.app, requestId: 'unlocks' });
async function unlockAll(): Promise<void> {
  while (await step());
}
const lower = async (threshold: number) => {
  const { status, text } = await till.change({ threshold });
  assert.equal(status, 200, text);
};
const standing = async (identifier = 'ada') => {
  const { balance, pendingRewards } = await till.holder(identifier);
  return [balance, pendingRewards];
};
const preview = async (changes: object): Promise<Json> => {
  const { status, body, text } = await till.client.post(
    `/loyalty/programs/${till.program.programId}/preview`,
    changes,
  );
  assert.equal(status, 200, text);
  return body;
};
/** Cards with these balances, as a file sets them; they are called c0, c1 and so on. */
async function withBalances(balances: readonly number[]): Promise<void> {
  await inParallel(balances.length, (at) => till.card(`c${at}`));
  await importFile(till, fileOf(Object.fromEntries(balances.map((balance, at) => [`c${at}`, balance]))));
}
/** What the pushes under way have cost, by card. */
async function creditsOf(): Promise<Record<string, number>> {
  const rows = await app.sql<{ instanceId: string; credits: number }>(
    'select instance_id as "instanceId", credits from pushes where workspace_id = $1',
    [decodeId('ws', till.workspaceId)],
  );
  return Object.fromEntries(rows.map(({ instanceId, credits }) => [encodeId('inst', instanceId), credits]));
}
const walks = async () =>
  app.sql('select from unlock_walks where program_id = $1', [decodeId('prog', till.program.programId)]);

describe('a threshold that is lowered', () => {
  it('gives each card that it fills the reward, as an entry and an event of who has lowered it', async () => {
    till = await Till.open(app, tenStamps);
    await till.earn(6);
    await lower(5);
    await unlockAll();
    assert.deepEqual(await till.story(), ['earn +6 = 6', 'unlock -5 = 1']);
    const [, unlocked] = await till.entries();
    const { keyId } = (await till.client.get('/me')).body;
    assert.equal(unlocked.actor, keyId);
    const events = await eventsOf(till.client, `instanceId=${till.ada.instanceId}`);
    const reported = events.find(({ type }) => type === 'reward.unlocked');
    assert.deepEqual([reported?.data.title, reported?.previous.balance], ['Free coffee', 6]);
    const { body } = await till.redeem();
    assert.deepEqual([body.rewardTitle, body.pendingRewards], ['Free coffee', 0]);
    await till.assertSound();
  });

  it('notifies the wallets of these cards, and of no others', async () => {
    till = await Till.open(app, tenStamps);
    const other = await till.card('bob');
    for (const card of [till.ada, other])
      assert.equal((await new Device(app).register(await takeCard(app, card))).status, 201);
    await till.earn(6);
    await till.earn(4, { identifier: 'bob' });
    await lower(5);
    const before = await creditsOf();
    await unlockAll();
    const after = await creditsOf();
    const more = [till.ada, other].map(
      ({ instanceId }) => Number(after[instanceId]) - Number(before[instanceId]),
    );
    assert.deepEqual(more, [1, 0]);
    assert.deepEqual(await standing('bob'), [4, 0]);
  });

  it('is preceded by an exact count of what it would do, which does nothing', async () => {
    till = await Till.open(app, tenStamps);
    await till.earn(6);
    await withBalances([4, 5, 9, 0]);
    assert.equal((await new Device(app).register(await takeCard(app, till.ada))).status, 201);
    await till.assertUntouched(async () => {
      assert.deepEqual(await preview({ threshold: 3 }), {
        cards: 5,
        // The new design, and what it unlocks.
        credits: 2,
        rewardedCards: 4,
        rewards: 7,
      });
      const none = { rewardedCards: 0, rewards: 0 };
      assert.deepEqual(await preview({ threshold: 20 }), { cards: 5, credits: 1, ...none });
      assert.deepEqual(await preview({ limits: { perDay: 3 } }), { cards: 0, credits: 0, ...none });
    });
    assert.deepEqual(await walks(), []);
    await lower(3);
    await unlockAll();
    const { accounts } = await till.snapshot();
    assert.equal(
      accounts.reduce((sum, { pendingRewards }) => sum + pendingRewards, 0),
      7,
    );
  });

  it('is walked in portions, from where the last one has ended, and leaves no card full', async () => {
    till = await Till.open(app, tenStamps);
    const balances = Array.from({ length: 130 }, (_, at) => 3 + (at % 7));
    await withBalances(balances);
    await lower(3);
    assert.equal(await step(), true);
    const pending = async () =>
      (await till.snapshot()).accounts.reduce((sum, { pendingRewards }) => sum + pendingRewards, 0);
    const afterOne = await pending();
    const all = balances.reduce((sum, balance) => sum + Math.floor(balance / 3), 0);
    assert.ok(afterOne > 0 && afterOne < all, `${afterOne} of ${all}`);
    await unlockAll();
    assert.equal(await pending(), all);
    for (const [at, balance] of balances.entries())
      if (at < 10) assert.deepEqual(await standing(`c${at}`), [balance % 3, Math.floor(balance / 3)]);
    await till.assertSound();
  });

  it('gives a card all of its rewards, also more than a portion has', async () => {
    till = await Till.open(app, { ...tenStamps, threshold: 2_000 });
    await till.earn(1_203);
    await lower(2);
    await unlockAll();
    assert.deepEqual(await standing(), [1, 601]);
    await till.assertSound();
  });

  it('loses nothing to a portion that fails, and gives nothing twice next to awards', async () => {
    till = await Till.open(app, tenStamps);
    await till.earn(6);
    await lower(5);
    await till.whileLocked(till.ada, () => assert.rejects(step));
    assert.deepEqual(await standing(), [6, 0]);
    const [, earned] = await Promise.all([unlockAll(), till.earn(3)]);
    assert.equal(earned.status, 200, earned.text);
    assert.deepEqual(await standing(), [4, 1]);
    await till.assertSound();
  });

  it('is walked a second time after a minute, for awards that had read the former one', async () => {
    till = await Till.open(app, tenStamps);
    await till.earn(1);
    const late = await till.behindLock(
      'lock table program_totals in exclusive mode',
      [() => till.earn(6)],
      [() => till.change({ threshold: 5 })],
    );
    assert.equal(late[0]?.status, 200, late[0]?.text);
    app.advance(60_000);
    await unlockAll();
    assert.deepEqual(await standing(), [2, 1]);
    assert.deepEqual(await walks(), []);
  });

  it('takes nothing away again when it is raised', async () => {
    till = await Till.open(app, tenStamps);
    await till.earn(6);
    await lower(5);
    await unlockAll();
    await lower(50);
    app.advance(60_000);
    await unlockAll();
    assert.deepEqual(await standing(), [1, 1]);
  });

  it('makes nothing of points that are over', async () => {
    till = await Till.open(app, { ...tenStamps, expiry: { months: 1 } });
    await till.earn(6);
    app.advance(62 * 86_400_000);
    assert.equal((await preview({ threshold: 5 })).rewardedCards, 0);
    await lower(5);
    await unlockAll();
    assert.deepEqual([await till.story(), await standing()], [['earn +6 = 6'], [0, 0]]);
  });
});

describe('a cost that is lowered', () => {
  it('is enough at once for those who have it, and leaves the ledger alone', async () => {
    till = await Till.open(app, { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } });
    await till.earn(6);
    await withBalances([4, 12]);
    const changes = { reward: { cost: 5 } };
    const { rewardedCards, rewards } = await preview(changes);
    assert.deepEqual([rewardedCards, rewards], [1, 1]);
    await till.change(changes);
    assert.deepEqual(await walks(), []);
    assert.equal((await till.redeem()).body.balance, 1);
  });
});

describe('the most that one award may give', () => {
  const open = async (limits: object) => {
    till = await Till.open(app, { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 }, limits });
  };

  it('is kept by awards and previews of all, with the limit in the refusal', async () => {
    await open({ perAward: 20 });
    await till.assertUntouched(async () => {
      for (const reply of [await till.earn(21), await till.preview({ points: 21 })]) {
        assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request'], reply.text);
        const [problem] = reply.body.problems;
        assert.deepEqual([problem.path, problem.rule, problem.limit], ['points', 'max_value', 20]);
      }
    });
    assert.equal((await till.earn(20)).body.balance, 20);
    const { body } = await till.client.post('/loyalty/points/batch', {
      awards: [19, 21].map((points) => ({ passId: till.passId, identifier: 'ada', points })),
    });
    assert.deepEqual(
      body.results.map(({ status }: Json) => status),
      [200, 400],
    );
    // A correction, and what an order earns, are none.
    assert.equal((await till.adjust(500)).status, 200);
  });

  it('is of a role what the program says of it, and changes role by role', async () => {
    await open({ perAward: 20, perAwardByRole: { staff: 5, manager: 50 } });
    const shown = async () =>
      (await till.client.get(`/loyalty/programs/${till.program.programId}`)).body.limits;
    assert.deepEqual((await shown()).perAwardByRole, { staff: 5, manager: 50 });
    await till.change({ limits: { perAwardByRole: { manager: null } } });
    assert.deepEqual(await shown(), {
      perDay: null,
      minSecondsBetween: null,
      perAward: 20,
      perAwardByRole: { staff: 5 },
    });
    const staff = await signInAs(app, 'staff', till.client);
    const manager = await signInAs(app, 'manager', till.client);
    const award = (points: number) => ({ passId: till.passId, identifier: 'ada', points });
    const refused = await staff.post('/loyalty/points', award(6));
    assert.deepEqual([refused.status, refused.body.problems?.[0]?.limit], [400, 5], refused.text);
    assert.equal((await staff.post('/loyalty/points', award(5))).status, 200);
    assert.equal((await manager.post('/loyalty/points', award(20))).status, 200);
    assert.equal((await till.earn(20)).status, 200);
    assert.equal((await till.earn(21)).status, 400);
  });
});
