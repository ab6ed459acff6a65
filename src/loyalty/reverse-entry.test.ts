import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const path = (entryId: string) => `/loyalty/entries/${entryId}/reverse`;
/** The entry of this kind that came last. */
async function lastOf(kind: string): Promise<Reply> {
  const entry = (await till.entries()).findLast((one) => one.kind === kind);
  return { body: entry } as Reply;
}

describe('undoing an earn', () => {
  it('takes its points again, and says which entry it has undone', async () => {
    const earned = await till.earn(7);
    const { status, body } = await till.reverse(earned, { reason: 'Goods returned' });
    assert.equal(status, 200);
    const { entryId, ...rest } = body;
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      points: -7,
      balance: 0,
      lifetimePoints: 0,
      threshold: null,
      cost: 10,
      pendingRewards: 0,
      reversalOf: earned.body.entryId,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    const entry = (await till.entries()).at(-1);
    assert.deepEqual(
      [entry.entryId, entry.kind, entry.points, entry.reversalOf, entry.reason],
      [entryId, 'reversal', -7, earned.body.entryId, 'Goods returned'],
    );
    await till.assertSound();
  });

  it('leaves a debt where the points were spent, which the next earn pays', async () => {
    const earned = await till.earn(12);
    await till.redeem();
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-12, -10, 0]);
    assert.equal((await till.earn(10)).body.balance, 0);
    assert.equal((await till.earn(3)).body.balance, 3);
    await till.assertSound();
  });

  it('takes what is there and no more, where the program says within_balance', async () => {
    till = await Till.open(app, { ...coffee, refundPolicy: 'within_balance' });
    const earned = await till.earn(12);
    await till.redeem();
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-2, 0, 10]);
    assertRefused(await till.reverse(earned), 'already_reversed');
    const bob = await till.card('bob');
    const spent = await till.earn(10, { instanceId: bob.instanceId });
    await till.redeem({ instanceId: bob.instanceId });
    const nothing = await till.reverse(spent);
    assert.deepEqual([nothing.body.points, nothing.body.balance], [0, 0]);
    assert.equal(nothing.body.pushSkipReason, 'unchanged');
    await till.assertSound();
  });

  it('takes the points from where they went first', async () => {
    await till.earn(6);
    await till.change({ expiry: { months: 1 } });
    await till.earn(6);
    await till.change({ expiry: { months: null } });
    const forever = await till.earn(4);
    await till.reverse(forever);
    const [{ lots } = { lots: [] }] = (await till.snapshot()).accounts;
    assert.deepEqual(
      lots.map(([, remaining]) => remaining),
      [6, 6],
    );
    await till.assertSound();
  });

  it('takes back unused rewards, the newest first', async () => {
    till = await Till.open(app, threeStamps);
    await till.earn(2);
    const earned = await till.earn(5);
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance, body.pendingRewards, body.lifetimePoints], [-5, 2, 0, 2]);
    assert.deepEqual((await till.story()).slice(4), ['cancel +3 = 4', 'cancel +3 = 7', 'reversal -5 = 2']);
    await till.assertSound();
  });

  it('leaves used rewards alone: their stamps are owed', async () => {
    till = await Till.open(app, threeStamps);
    const earned = await till.earn(3);
    await till.redeem();
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.balance, body.pendingRewards], [-3, 0]);
    assert.equal((await till.earn(5)).body.balance, 2);
    assert.equal((await till.earn(1)).body.pendingRewards, 1);
    await till.assertSound();
  });

  it('gives back nothing of the limits of the day', async () => {
    till = await Till.open(app, { ...coffee, limits: { perDay: 5 } });
    const earned = await till.earn(5);
    await till.reverse(earned);
    assert.equal((await till.earn(1)).body.limitedBy, 'per_day');
  });

  it('undoes an award that a limit has made one of nothing', async () => {
    till = await Till.open(app, { ...coffee, limits: { perDay: 5 } });
    await till.earn(5);
    const limited = await till.earn(1);
    const { body } = await till.reverse(limited);
    assert.deepEqual([body.points, body.balance, body.pushSkipReason], [0, 5, 'unchanged']);
    await till.assertSound();
  });
});

describe('undoing a redeem', () => {
  it('gives back what it took, to where it was', async () => {
    await till.earn(6);
    await till.change({ expiry: { months: 1 } });
    await till.earn(6);
    const redeemed = await till.redeem();
    const { status, body } = await till.reverse(redeemed);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.points, body.balance, body.lifetimePoints, body.reversalOf],
      [10, 12, 12, redeemed.body.entryId],
    );
    const [{ lots } = { lots: [] }] = (await till.snapshot()).accounts;
    assert.deepEqual(
      lots.map(([, remaining]) => remaining),
      [6, 6],
    );
    await till.assertSound();
  });

  it('pays what is owed first', async () => {
    const earned = await till.earn(12);
    const redeemed = await till.redeem();
    await till.reverse(earned);
    const { body } = await till.reverse(redeemed);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [10, 0, 0]);
    await till.assertSound();
  });

  it('gives back what the reward cost then, not now', async () => {
    await till.earn(30);
    const redeemed = await till.redeem();
    await till.change({ reward: { cost: 20 } });
    assert.equal((await till.reverse(redeemed)).body.balance, 30);
  });

  it('makes the reward pending again, with the name that it had', async () => {
    till = await Till.open(app, threeStamps);
    await till.earn(4);
    const redeemed = await till.redeem();
    await till.change({ reward: { title: 'Free cake' } });
    const { body } = await till.reverse(redeemed);
    assert.deepEqual([body.points, body.balance, body.pendingRewards], [0, 1, 1]);
    assert.equal((await till.redeem()).body.rewardTitle, 'Free coffee');
    assertRefused(await till.redeem(), 'no_reward_pending', /./, { balance: 1, threshold: 3 });
    await till.assertSound();
  });

  it('comes to the same whichever of a stamp and its reward is undone first', async () => {
    for (const earnFirst of [true, false]) {
      till = await Till.open(app, threeStamps);
      const earned = await till.earn(3);
      const redeemed = await till.redeem();
      const [first, second] = earnFirst ? [earned, redeemed] : [redeemed, earned];
      await till.reverse(first);
      const { body } = await till.reverse(second);
      assert.deepEqual([body.balance, body.pendingRewards, body.lifetimePoints], [0, 0, 0]);
      await till.assertSound();
    }
  });

  it('may be followed by another redeem, which can be undone as well', async () => {
    await till.earn(10);
    for (let turn = 0; turn < 3; turn++) {
      const redeemed = await till.redeem();
      assert.equal(redeemed.status, 200);
      assert.equal((await till.reverse(redeemed)).body.balance, 10);
    }
    await till.assertSound();
  });
});

describe('POST /loyalty/entries/{entryId}/reverse', () => {
  it('needs no body', async () => {
    for (const body of [undefined, {}, { reason: null }]) {
      const earned = await till.earn(5);
      const reply = await till.client.post(path(earned.body.entryId), body);
      assert.deepEqual([reply.status, reply.body.points], [200, -5], reply.text);
    }
  });

  it('works while the program is paused and after the card was voided or erased', async () => {
    const [one, two, three] = [await till.earn(5), await till.earn(6), await till.earn(7)];
    await till.change({ status: 'paused' });
    assert.equal((await till.reverse(one)).body.balance, 13);
    await till.void();
    assert.equal((await till.reverse(two)).body.balance, 7);
    await till.client.delete(`/instances/${till.ada.instanceId}`);
    assert.equal((await till.reverse(three)).body.balance, 0);
    await till.assertSound();
  });

  it('follows the account to the next card of the holder', async () => {
    const earned = await till.earn(5);
    await till.void();
    const next = await till.card('ada');
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.instanceId, body.balance], [next.instanceId, 0]);
    const [first, second] = await till.entries(next);
    assert.deepEqual([first.instanceId, second.instanceId], [till.ada.instanceId, next.instanceId]);
  });

  it('is audited, with who, what and why', async () => {
    const earned = await till.earn(5);
    const { body } = await till.reverse(earned, { reason: 'Goods returned' });
    await till.reverse(earned);
    const { keyId } = (await till.client.get('/me')).body;
    assert.deepEqual(await till.audits('reverseEntry'), [
      {
        target: earned.body.entryId,
        detail: { points: -5, entryId: body.entryId, before: { balance: 5 }, after: { balance: 0 } },
        actor: keyId,
      },
    ]);
  });

  it('keeps the partner of what it undoes, also when that is deleted since', async () => {
    const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
    const earned = await till.earn(5, { partnerId });
    await till.client.delete(`/partners/${partnerId}`);
    assert.equal((await till.reverse(earned)).status, 200);
    assert.equal((await till.entries()).at(-1).partnerId, partnerId);
  });

  it('is done once', async () => {
    const earned = await till.earn(5);
    await till.reverse(earned);
    await till.assertUntouched(async () => {
      assertRefused(await till.reverse(earned), 'already_reversed', /undone before/);
    });
    await till.earn(10);
    const redeemed = await till.redeem();
    await till.reverse(redeemed);
    assertRefused(await till.reverse(redeemed), 'already_reversed');
  });

  it('is done once by fifty at the same time', async () => {
    const earned = await till.earn(5);
    const replies = await inParallel(50, () => till.reverse(earned));
    assert.deepEqual(tally(replies.map(({ status, body }) => body.code ?? status)), {
      200: 1,
      already_reversed: 49,
    });
    assert.deepEqual(await till.story(), ['earn +5 = 5', 'reversal -5 = 0']);
    await till.assertSound();
  });

  it('undoes many entries of one card at the same time, each once', async () => {
    const earned = await inParallel(20, (at) => till.earn(at + 1));
    const replies = await inParallel(40, (at) => till.reverse(earned[at % 20] as Reply));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 20, 409: 20 });
    assert.equal((await till.holder()).balance, 0);
    await till.assertSound();
  });

  it('undoes earns and redeems only', async () => {
    till = await Till.open(app, { ...threeStamps, expiry: { months: 1 } });
    const earned = await till.earn(4);
    await till.adjust(1);
    const undone = await till.earn(3);
    await till.reverse(undone);
    const kinds = ['unlock', 'adjust', 'reversal', 'cancel'];
    for (const kind of kinds) {
      const entry = await lastOf(kind);
      await till.assertUntouched(async () => {
        assertRefused(
          await till.reverse(entry),
          'entry_not_reversible',
          new RegExp(`kind "${kind}".*/loyalty/adjust`),
        );
      });
    }
    assert.equal((await till.reverse(earned)).status, 200);
  });

  it('undoes no earn of an order, which is refunded instead', async () => {
    till = await Till.open(app, { ...coffee, earn: { perCurrencyUnit: 1 } });
    const ordered = await till.client.post('/orders/process', {
      passId: till.passId,
      orderId: 'B-17',
      customer: { id: 'ada' },
      total: { amount: '10.00', currency: 'EUR' },
    });
    assert.equal(ordered.status, 200, ordered.text);
    const entry = await lastOf('earn');
    assert.equal(entry.body.orderId, 'B-17');
    await till.assertUntouched(async () => {
      const message = /order "B-17".*POST \/orders\/\{orderId\}\/refunds/;
      assertRefused(await till.reverse(entry), 'entry_not_reversible', message);
    });
  });

  it('finds no unknown entry, and none of another account', async () => {
    const other = await Till.open(app);
    const foreign = await other.earn(5);
    for (const entryId of [encodeId('entry', newUuidV7()), 'entry_1', till.passId])
      assertRefused(await till.client.post(path(entryId), {}), 'entry_not_found');
    assertRefused(await till.reverse(foreign), 'forbidden');
    assert.deepEqual(await other.story(), ['earn +5 = 5']);
  });

  const bodies: [string, unknown, RegExp][] = [
    ['points', { points: 3 }, /points/],
    ['a blank reason', { reason: ' ' }, /^reason/],
    ['a list', [], /./],
    ['text', '"why"', /./],
  ];
  for (const [what, body, message] of bodies) {
    it(`takes no ${what}: invalid_request`, async () => {
      const earned = await till.earn(5);
      assertRefused(await till.client.post(path(earned.body.entryId), body), 'invalid_request', message);
    });
  }
});

describe('POST /loyalty/entries/{entryId}/reverse with externalRef', () => {
  it('applies once, and answers the same bytes', async () => {
    const earned = await till.earn(5);
    const first = await till.reverse(earned, { externalRef: 'v-1' });
    await till.change({ status: 'paused' });
    const repeat = await till.reverse(earned, { externalRef: 'v-1', reason: 'said otherwise' });
    assert.equal(repeat.text, first.text);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assertRefused(await till.reverse(earned), 'already_reversed');
    assertRefused(await till.reverse(earned, { externalRef: 'v-2' }), 'already_reversed');
  });

  it('refuses the reference for another entry', async () => {
    const [one, two] = [await till.earn(5), await till.earn(5)];
    await till.reverse(one, { externalRef: 'v-1' });
    await till.assertUntouched(async () => {
      assertRefused(await till.reverse(two, { externalRef: 'v-1' }), 'external_ref_reused');
    });
  });

  it('answers fifty at the same time alike', async () => {
    const earned = await till.earn(5);
    const replies = await inParallel(50, () => till.reverse(earned, { externalRef: 'v-1' }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 50 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  });

  it('shows no replay to a key that does not reach the pass, or may only read', async () => {
    const earned = await till.earn(5);
    await till.reverse(earned, { externalRef: 'v-1' });
    const { passId } = await makePass(till.client);
    for (const settings of [{ passIds: [passId] }, { access: 'read' }]) {
      const { client } = await makeKey(till.client, settings);
      assertRefused(await till.reverse(earned, { externalRef: 'v-1' }, client), 'insufficient_scope');
    }
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    assert.equal((await till.reverse(await till.earn(5), {}, client)).status, 200);
  });
});
