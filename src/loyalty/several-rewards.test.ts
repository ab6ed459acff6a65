import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });

const drink = { title: 'Free coffee', cost: 10 };
const cake = { title: 'Free cake', cost: 20 };
const secret = { title: 'Free dinner', cost: 5, status: 'hidden' };
const menu = { mode: 'POINTS', rewards: [drink, cake, secret] };
const titles = (reply: { readonly body: Json }) => reply.body.data.map(({ title }: Json) => title);
const idsOf = (till: Till): string[] => till.program.rewards.map(({ rewardId }: Json) => rewardId);

describe('a program with several rewards', () => {
  it('shows them, and the first as its reward', async () => {
    const { program, client, ...till } = await Till.open(app, menu);
    assert.deepEqual(program.reward, drink);
    assert.deepEqual(
      program.rewards.map(({ title, cost, status }: Json) => ({ title, cost, status })),
      [{ ...drink, status: 'active' }, { ...cake, status: 'active' }, secret],
    );
    assert.equal(new Set(program.rewards.map(({ rewardId }: Json) => rewardId)).size, 3);
    for (const { rewardId } of program.rewards) assert.match(rewardId, /^rew_[0-9a-z]{26}$/);
    const { body } = await client.get(`/loyalty/programs/${program.programId}`);
    assert.deepEqual(body.rewards, program.rewards);
    assert.ok(till.workspaceId);
  });

  it('keeps the id of a reward over changes, also of the one that a program began with', async () => {
    const till = await Till.open(app);
    const [first] = idsOf(till);
    const renamed = await till.change({ reward: { title: 'Espresso' } });
    assert.deepEqual(renamed.body.rewards, [
      { rewardId: first, title: 'Espresso', cost: 10, status: 'active' },
    ]);
    const { body } = await till.change({ rewards: [cake, { rewardId: first, title: 'Espresso', cost: 8 }] });
    assert.deepEqual([body.reward, body.rewards[1].rewardId], [cake, first]);
    const hidden = await till.change({
      rewards: body.rewards.map((one: Json, at: number) => (at === 1 ? { ...one, status: 'hidden' } : one)),
    });
    assert.deepEqual(hidden.body.rewards[1], { ...body.rewards[1], status: 'hidden' });
    const dearer = await till.change({ reward: { cost: 30 } });
    assert.deepEqual(
      [dearer.body.reward, dearer.body.rewards[0].rewardId],
      [{ ...cake, cost: 30 }, body.rewards[0].rewardId],
    );
    const alone = await till.change({ rewards: [{ rewardId: first, ...drink, status: 'active' }] });
    assert.deepEqual(alone.body.rewards, [{ rewardId: first, ...drink, status: 'active' }]);
  });

  it('is refused where its rewards are none', async () => {
    const till = await Till.open(app, menu);
    const other = await Till.open(app);
    const [mine] = idsOf(till);
    const [others] = idsOf(other);
    const wrong: [object, RegExp][] = [
      [{ rewards: [] }, /^rewards: a program in POINTS needs at least one/],
      [{ rewards: [{ title: 'Tea' }] }, /^rewards\[0\]\.cost is required/],
      [{ rewards: [{ ...drink, cost: 0 }] }, /^rewards\[0\]\.cost must/],
      [{ rewards: [{ ...drink, status: 'gone' }] }, /^rewards\[0\]\.status must/],
      [{ rewards: [{ ...drink, status: 'hidden' }] }, /^rewards\[0\]\.status: the first reward/],
      [{ rewards: [drink, { ...cake, rewardId: others }] }, /^rewards\[1\]\.rewardId: is none/],
      [{ rewards: [{ ...drink, rewardId: 'rew_1' }] }, /^rewards\[0\]\.rewardId: is none/],
      [
        { rewards: [mine, mine].map((rewardId) => ({ ...drink, rewardId })) },
        /^rewards\[1\]\.rewardId: is none/,
      ],
      [{ rewards: [drink], reward: drink }, /^reward: is the first of rewards/],
      [{ rewards: Array.from({ length: 51 }, () => drink) }, /^rewards must/],
    ];
    for (const [change, message] of wrong)
      assertRefused(await till.change(change), 'invalid_request', message);
    const stamps = await Till.open(app, threeStamps);
    assertRefused(
      await stamps.change({ rewards: [drink] }),
      'invalid_request',
      /^rewards: only mode "POINTS"/,
    );
    assert.deepEqual(stamps.program.rewards, []);
    const { passId } = await makePass(till.client);
    const create = (body: object) => till.client.post('/loyalty/programs', { passId, ...body });
    assertRefused(await create({ mode: 'POINTS' }), 'invalid_request', /^reward is required/);
    assertRefused(await create({ ...menu, reward: drink }), 'invalid_request', /^reward: is the first/);
    assertRefused(
      await create({ ...menu, rewards: [{ ...drink, rewardId: mine }] }),
      'invalid_request',
      /^rewards\[0\]\.rewardId: is none/,
    );
  });

  it('of the version before has one reward, and gets more', async () => {
    const till = await Till.open(app);
    await app.sql("update programs set rewards = '{}', reward_title = 'Tea' where program_id = $1", [
      decodeId('prog', till.program.programId),
    ]);
    await till.earn(30);
    const { body } = await till.rewards();
    assert.deepEqual(titles({ body }), ['Tea']);
    const [{ rewardId }] = body.data;
    const { body: more } = await till.change({ rewards: [{ rewardId, ...drink }, cake] });
    assert.equal(more.rewards[0].rewardId, rewardId);
    assert.equal((await till.redeem({ rewardId })).body.rewardTitle, 'Free coffee');
  });
});

describe('POST /loyalty/redeem with a rewardId', () => {
  it('takes what that reward costs, and the first one where none is named', async () => {
    const till = await Till.open(app, menu);
    const [first, second] = idsOf(till);
    await till.earn(45);
    const { body } = await till.redeem({ rewardId: second, reason: 'Birthday' });
    assert.deepEqual(
      [body.rewardId, body.rewardTitle, body.spent, body.balance],
      [second, 'Free cake', 20, 25],
    );
    assert.equal((await till.redeem()).body.rewardId, first);
    assertRefused(
      await till.redeem({ rewardId: second }),
      'insufficient_points',
      /costs 20 and the balance is 15/,
      { balance: 15, cost: 20 },
    );
    assert.deepEqual(
      (await till.entries()).map(({ reason }) => reason),
      [null, 'Birthday', null],
    );
    await till.assertSound();
  });

  it('refuses a reward that is hidden, gone or none, and changes nothing', async () => {
    const till = await Till.open(app, menu);
    const [first = '', second, third] = idsOf(till);
    await till.earn(45);
    await till.change({
      rewards: [
        { rewardId: second, ...cake },
        { rewardId: third, ...secret },
      ],
    });
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem({ rewardId: third }), 'invalid_request', /^rewardId: .* is hidden/);
      for (const rewardId of [first, 'rew_1', encodeId('rew', newUuidV7())])
        assertRefused(await till.redeem({ rewardId }), 'invalid_request', /^rewardId: none of this program/);
      assertRefused(await till.redeem({ rewardId: null }), 'invalid_request', /^rewardId must/);
    });
  });

  it('is another effect under the same externalRef', async () => {
    const till = await Till.open(app, menu);
    const [first, second] = idsOf(till);
    await till.earn(60);
    const one = await till.redeem({ rewardId: second, externalRef: 'r' });
    assert.equal((await till.redeem({ rewardId: second, externalRef: 'r' })).text, one.text);
    assertRefused(await till.redeem({ rewardId: first, externalRef: 'r' }), 'external_ref_reused');
    assert.equal((await till.holder()).balance, 40);
  });

  it('never spends a point twice, however many tills ask for different rewards', async () => {
    const till = await Till.open(app, menu);
    const [first, second] = idsOf(till);
    await till.earn(100);
    const replies = await inParallel(20, (at) => till.redeem({ rewardId: at % 2 === 0 ? first : second }));
    const spent = replies.reduce((sum, { body }) => sum + (body.spent ?? 0), 0);
    assert.equal((await till.holder()).balance, 100 - spent);
    assert.ok(100 - spent < 20);
    await till.assertSound();
  });

  it('uses the pending reward of stamps that it names, once', async () => {
    const till = await Till.open(app, threeStamps);
    await till.earn(3);
    await till.change({ reward: { title: 'Free cake' } });
    await till.earn(6);
    const { data } = (await till.rewards()).body;
    assert.deepEqual(titles({ body: { data } }), ['Free coffee', 'Free cake', 'Free cake']);
    const [, second, third] = data.map(({ rewardId }: Json) => rewardId);
    const replies = await inParallel(5, () => till.redeem({ rewardId: second }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 400: 4 });
    assertRefused(
      await till.redeem({ rewardId: second }),
      'invalid_request',
      /^rewardId: no pending reward of this card/,
    );
    const { body } = await till.redeem();
    assert.deepEqual([body.rewardTitle, body.rewardId], ['Free coffee', data[0].rewardId]);
    assertRefused(await till.redeem({ rewardId: 'rew_1' }), 'invalid_request', /^rewardId/);
    assert.equal((await till.redeem({ rewardId: third })).body.pendingRewards, 0);
    assertRefused(await till.redeem({ rewardId: third }), 'no_reward_pending', /./, {
      balance: 0,
      threshold: 3,
    });
    await till.assertSound();
  });

  it('brings a reward back under its id when the redeem is undone', async () => {
    const till = await Till.open(app, threeStamps);
    await till.earn(6);
    const before = (await till.rewards()).body;
    const redeemed = await till.redeem({ rewardId: before.data[1].rewardId });
    await till.reverse(redeemed);
    assert.deepEqual((await till.rewards()).body, before);
  });
});

describe('GET /loyalty/rewards', () => {
  it('lists what the balance covers, without what is hidden or over', async () => {
    const till = await Till.open(app, { ...menu, expiry: { months: 1 } });
    assert.deepEqual((await till.rewards()).body, { data: [], nextCursor: null });
    await till.earn(10);
    const [first] = idsOf(till);
    assert.deepEqual((await till.rewards({ instanceId: till.ada.instanceId })).body.data, [
      { rewardId: first, title: 'Free coffee', cost: 10, unlockedAt: null },
    ]);
    await till.earn(10);
    assert.deepEqual(titles(await till.rewards({ barcode: till.ada.barcode })), ['Free coffee', 'Free cake']);
    app.advance(40 * 86_400_000);
    assert.deepEqual(titles(await till.rewards()), []);
  });

  it('pages, in both modes', async () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ title: `Reward ${at}`, cost: 10 - at }));
    for (const program of [{ mode: 'POINTS', rewards: many }, threeStamps]) {
      const till = await Till.open(app, program);
      await till.earn(21);
      const found: Json[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const asked = { identifier: 'ada', limit: '3', ...(cursor !== '' && { cursor }) };
        const { body } = await till.rewards(asked);
        assert.ok(body.data.length <= 3);
        found.push(...body.data);
        cursor = body.nextCursor;
      }
      assert.deepEqual(found, (await till.rewards()).body.data);
      assert.equal(found.length, 7);
    }
  });

  it('takes one target, of that pass', async () => {
    const till = await Till.open(app, coffee);
    const other = await Till.open(app, coffee);
    assertRefused(await till.rewards({}), 'invalid_request', /^Name the card by one of/);
    assertRefused(
      await till.rewards({ identifier: 'ada', barcode: till.ada.barcode }),
      'invalid_request',
      /only one of/,
    );
    const { passId } = await makePass(till.client);
    const elsewhere = (await till.client.post(`/passes/${passId}/instances`, {})).body;
    assertRefused(await till.rewards({ instanceId: elsewhere.instanceId }), 'instance_not_found');
    assertRefused(await till.rewards({ instanceId: other.ada.instanceId }), 'forbidden');
    assertRefused(await other.rewards({}, till.client), 'invalid_request');
    assertRefused(await other.rewards({ identifier: 'ada' }, till.client), 'forbidden');
  });
});
