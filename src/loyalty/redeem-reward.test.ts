import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

describe('POST /loyalty/redeem of points', () => {
  it('takes the cost and says what is left', async () => {
    await till.earn(25);
    const { status, body } = await till.redeem();
    assert.equal(status, 200);
    const { entryId, rewardId, ...rest } = body;
    assert.match(entryId, /^entry_/);
    assert.equal(rewardId, till.program.rewards[0].rewardId);
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      rewardTitle: 'Free coffee',
      spent: 10,
      balance: 15,
      pendingRewards: 0,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    assert.equal((await till.redeem()).body.balance, 5);
    assert.deepEqual(await till.story(), ['earn +25 = 25', 'redeem -10 = 15', 'redeem -10 = 5']);
    assert.equal((await till.holder()).lifetimePoints, 25);
    await till.assertSound();
  });

  it('takes the last point, and not one that is not there', async () => {
    await till.earn(9);
    await till.assertUntouched(async () => {
      assertRefused(
        await till.redeem(),
        'insufficient_points',
        /costs 10 and the balance is 9. Nothing was deducted/,
        { balance: 9, cost: 10 },
      );
    });
    await till.earn(1);
    assert.equal((await till.redeem()).body.balance, 0);
    assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: 0, cost: 10 });
  });

  it('is refused to a card that never earned, and opens no account for it', async () => {
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: 0, cost: 10 });
    });
    assert.deepEqual((await till.snapshot()).accounts, []);
  });

  it('is refused to a card that owes: the balance is below zero', async () => {
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: -10, cost: 10 });
  });

  it('costs what the program says now', async () => {
    await till.earn(25);
    await till.change({ reward: { title: 'Free cake', cost: 20 } });
    const { body } = await till.redeem();
    assert.deepEqual([body.rewardTitle, body.spent, body.balance], ['Free cake', 20, 5]);
    assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: 5, cost: 20 });
  });

  it('takes what expires first', async () => {
    await till.earn(6);
    await till.change({ expiry: { months: 1 } });
    await till.earn(6);
    await till.redeem();
    const [{ lots } = { lots: [] }] = (await till.snapshot()).accounts;
    assert.deepEqual(
      lots.map(([expiresAt, remaining]) => [expiresAt !== null, remaining]),
      [
        [true, 0],
        [false, 2],
      ],
    );
    await till.assertSound();
  });

  it('lets as many of a hundred through as there are points for', async () => {
    await till.earn(75);
    const replies = await inParallel(100, () => till.redeem());
    assert.deepEqual(tally(replies.map(({ status, body }) => body.code ?? status)), {
      200: 7,
      insufficient_points: 93,
    });
    const left = replies.flatMap(({ status, body }) => (status === 200 ? [body.balance] : []));
    assert.deepEqual(
      left.sort((a, b) => b - a),
      [65, 55, 45, 35, 25, 15, 5],
    );
    assert.equal((await till.holder()).balance, 5);
    await till.assertSound();
  });
});

describe('POST /loyalty/redeem of stamps', () => {
  beforeEach(async () => {
    till = await Till.open(app, threeStamps);
  });

  it('uses one pending reward and takes no stamps', async () => {
    await till.earn(7);
    const { body } = await till.redeem();
    assert.deepEqual(
      [body.rewardTitle, body.spent, body.balance, body.pendingRewards],
      ['Free coffee', 0, 1, 1],
    );
    assert.equal((await till.redeem()).body.pendingRewards, 0);
    assert.deepEqual(await till.story(), [
      'earn +7 = 7',
      'unlock -3 = 4',
      'unlock -3 = 1',
      'redeem +0 = 1',
      'redeem +0 = 1',
    ]);
    await till.assertSound();
  });

  it('is refused without one: balance and threshold say how far the card is', async () => {
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem(), 'no_reward_pending', /0 of 3/, { balance: 0, threshold: 3 });
    });
    await till.earn(2);
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem(), 'no_reward_pending', /POST \/loyalty\/points/, {
        balance: 2,
        threshold: 3,
      });
    });
    await till.earn(1);
    await till.redeem();
    assertRefused(await till.redeem(), 'no_reward_pending', /./, { balance: 0, threshold: 3 });
  });

  it('gives the oldest reward first, as it was called when it was unlocked', async () => {
    await till.earn(3);
    await till.change({ reward: { title: 'Free cake' }, threshold: 2 });
    await till.earn(2);
    const titles = [(await till.redeem()).body.rewardTitle, (await till.redeem()).body.rewardTitle];
    assert.deepEqual(titles, ['Free coffee', 'Free cake']);
    assertRefused(await till.redeem(), 'no_reward_pending', /./, { balance: 0, threshold: 2 });
  });

  it('gives each reward to one of fifty', async () => {
    await till.earn(13);
    const replies = await inParallel(50, () => till.redeem());
    assert.deepEqual(tally(replies.map(({ status, body }) => body.code ?? status)), {
      200: 4,
      no_reward_pending: 46,
    });
    await till.assertSound();
  });
});

describe('POST /loyalty/redeem in the audit log', () => {
  it('has who redeemed what, neither refusals nor replays', async () => {
    till = await Till.open(app);
    await till.earn(15);
    const { body } = await till.redeem({ externalRef: 'x-1' });
    await till.redeem({ externalRef: 'x-1' });
    await till.redeem();
    const { keyId } = (await till.client.get('/me')).body;
    const { entryId, rewardId } = body;
    const moved = { before: { balance: 15 }, after: { balance: 5 } };
    assert.deepEqual(await till.audits('redeemReward'), [
      { target: till.ada.instanceId, detail: { points: -10, entryId, rewardId, ...moved }, actor: keyId },
    ]);
  });
});

describe('POST /loyalty/redeem names the card', () => {
  it('by identifier, instanceId and barcode', async () => {
    await till.earn(30);
    const { instanceId, barcode } = till.ada;
    for (const named of [{ identifier: 'ada' }, { instanceId }, { barcode }])
      assert.equal((await till.redeem(named)).body.instanceId, instanceId);
  });

  it('by a shared code only where one card has it', async () => {
    till = await Till.open(app, coffee, { design: { barcode: { mode: 'simple', value: 'SHARED' } } });
    await till.earn(30);
    assert.equal((await till.redeem({ barcode: 'SHARED' })).body.balance, 20);
    await till.card('bob');
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem({ barcode: 'SHARED' }), 'ambiguous_barcode', /./, { matchCount: 2 });
    });
  });

  it('and is refused where it is unknown, or of another pass or account', async () => {
    const other = await Till.open(app);
    const unknown = encodeId('inst', newUuidV7());
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem({ identifier: 'bob' }), 'holder_not_found');
      assertRefused(await till.redeem({ instanceId: unknown }), 'instance_not_found');
      assertRefused(await till.redeem({ instanceId: other.ada.instanceId }), 'forbidden');
      assertRefused(await till.redeem({ barcode: other.ada.barcode }), 'instance_not_found');
      assertRefused(await till.redeem({ passId: other.passId }), 'forbidden');
    });
  });

  it('and is refused for a voided one', async () => {
    await till.earn(30);
    await till.void();
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem(), 'instance_voided');
      assertRefused(await till.redeem({ identifier: 'ada' }), 'instance_voided');
    });
  });

  const bodies: [string, object, RegExp][] = [
    ['no target', { identifier: undefined }, /one of/],
    ['two targets', { barcode: 'A' }, /only one of/],
    ['points', { points: 10 }, /points/],
    ['a number as reason', { reason: 5 }, /^reason/],
    ['a number as reward', { rewardId: 5 }, /^rewardId/],
    ['a number as barcode', { identifier: undefined, barcode: 5 }, /^barcode/],
    ['no pass', { passId: undefined, identifier: undefined, email: 'ada@example.com' }, /passId/],
  ];
  for (const [what, change, message] of bodies) {
    it(`and not with ${what}: invalid_request`, async () => {
      const body = { passId: till.passId, identifier: 'ada', ...change };
      assertRefused(await till.client.post('/loyalty/redeem', body), 'invalid_request', message);
    });
  }
});

describe('POST /loyalty/redeem with externalRef', () => {
  it('spends once, and answers the same bytes, also while paused', async () => {
    await till.earn(30);
    const first = await till.redeem({ externalRef: 'r-1' });
    await till.change({ status: 'paused' });
    assertRefused(await till.redeem(), 'program_inactive');
    const repeat = await till.redeem({ externalRef: 'r-1' });
    assert.deepEqual([repeat.status, repeat.text], [200, first.text]);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    await till.change({ status: 'active', reward: { cost: 99 } });
    assert.equal((await till.redeem({ externalRef: 'r-1' })).text, first.text);
    assert.equal((await till.holder()).balance, 20);
  });

  it('spends once however often it is sent at the same time', async () => {
    await till.earn(30);
    const replies = await inParallel(50, () => till.redeem({ externalRef: 'r-1' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal((await till.holder()).balance, 20);
    await till.assertSound();
  });

  it('refuses the reference for another card', async () => {
    await till.earn(30);
    await till.redeem({ externalRef: 'r-1' });
    const bob = await till.card('bob');
    await till.assertUntouched(async () => {
      const { instanceId } = bob;
      assertRefused(await till.redeem({ externalRef: 'r-1', instanceId }), 'external_ref_reused');
      assertRefused(await till.redeem({ externalRef: 'r-1', identifier: 'ada' }), 'external_ref_reused');
    });
  });

  it('keeps no refusal: the reference serves again once there are points', async () => {
    assertRefused(await till.redeem({ externalRef: 'r-1' }), 'insufficient_points', /./, {
      balance: 0,
      cost: 10,
    });
    await till.earn(10);
    assert.equal((await till.redeem({ externalRef: 'r-1' })).body.balance, 0);
  });

  it('shows no replay to a key that does not reach the pass, or may only read', async () => {
    await till.earn(30);
    await till.redeem({ externalRef: 'r-1' });
    const { passId } = await makePass(till.client);
    for (const settings of [{ passIds: [passId] }, { access: 'read' }]) {
      const { client } = await makeKey(till.client, settings);
      assertRefused(await till.redeem({ externalRef: 'r-1' }, client), 'insufficient_scope');
    }
  });

  it('keeps the partner at which it was', async () => {
    await till.earn(30);
    const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
    await till.redeem({ partnerId, externalRef: 'r-1' });
    const [, entry] = await till.entries();
    assert.deepEqual([entry.kind, entry.partnerId, entry.externalRef], ['redeem', partnerId, 'r-1']);
    assertRefused(await till.redeem({ partnerId: till.passId }), 'partner_not_found');
  });
});
