import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const most = Number.MAX_SAFE_INTEGER;
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

describe('POST /loyalty/adjust', () => {
  it('adds and takes points, and leaves lifetime points alone', async () => {
    const { status, body } = await till.adjust(30, { reason: 'Sorry for the wait' });
    assert.equal(status, 200);
    const { entryId, ...rest } = body;
    assert.match(entryId, /^entry_/);
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      points: 30,
      balance: 30,
      lifetimePoints: 0,
      threshold: null,
      cost: 10,
      pendingRewards: 0,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    const taken = (await till.adjust(-12)).body;
    assert.deepEqual([taken.points, taken.balance, taken.lifetimePoints], [-12, 18, 0]);
    const [first, second] = await till.entries();
    assert.deepEqual([first.kind, first.points, first.reason], ['adjust', 30, 'Sorry for the wait']);
    assert.deepEqual([second.kind, second.points, second.balance], ['adjust', -12, 18]);
    await till.assertSound();
  });

  it('counts as earned where it says so, both ways', async () => {
    await till.earn(10);
    const counted = { countsAsEarned: true };
    const { body } = await till.adjust(30, { ...counted, externalRef: 'a-1' });
    assert.deepEqual([body.balance, body.lifetimePoints], [40, 40]);
    assert.equal((await till.adjust(5, { countsAsEarned: false })).body.lifetimePoints, 40);
    assert.equal((await till.adjust(-12, counted)).body.lifetimePoints, 28);
    assert.equal((await till.adjust(-3)).body.lifetimePoints, 28);
    assert.deepEqual(
      (await till.entries()).map(({ kind }) => kind),
      ['earn', 'adjust', 'adjust', 'adjust', 'adjust'],
    );
    assert.equal((await till.summary()).adjusted, 20);
    assertRefused(await till.adjust(30, { externalRef: 'a-1' }), 'external_ref_reused');
    assertRefused(await till.adjust(1, { countsAsEarned: 'yes' }), 'invalid_request', /^countsAsEarned/);
    await till.assertSound();
  });

  it('leaves what was earned to be undone', async () => {
    const earned = await till.earn(10);
    await till.adjust(-4);
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.balance, body.lifetimePoints], [-4, 0]);
    await till.assertSound();
  });

  it('is audited, with who, what and why', async () => {
    const { body } = await till.adjust(5, { reason: 'Awarded by hand' });
    const { keyId } = (await till.client.get('/me')).body;
    assert.deepEqual(await till.audits('adjustPoints'), [
      {
        target: till.ada.instanceId,
        detail: { points: 5, entryId: body.entryId, before: { balance: 0 }, after: { balance: 5 } },
        actor: keyId,
      },
    ]);
    await till.adjust(-9);
    await till.adjust(5, { externalRef: 'a-1' });
    await till.adjust(5, { externalRef: 'a-1' });
    assert.equal((await till.audits('adjustPoints')).length, 2, 'neither refusals nor replays');
  });

  it('never takes more than there is', async () => {
    await till.earn(9);
    await till.assertUntouched(async () => {
      assertRefused(await till.adjust(-10), 'balance_too_low', /balance is 9: at most 9/, { balance: 9 });
    });
    assert.equal((await till.adjust(-9)).body.balance, 0);
    assertRefused(await till.adjust(-1), 'balance_too_low', /at most 0/, { balance: 0 });
    await till.card('bob');
    await till.assertUntouched(async () => {
      assertRefused(await till.adjust(-1, { identifier: 'bob' }), 'balance_too_low', /./, { balance: 0 });
    });
  });

  it('takes nothing from who owes, and pays what is owed with what it adds', async () => {
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    assertRefused(await till.adjust(-1), 'balance_too_low', /balance is -10: at most 0/, { balance: -10 });
    const { body } = await till.adjust(15);
    assert.deepEqual([body.balance, body.lifetimePoints], [5, 0]);
    await till.assertSound();
  });

  it('unlocks rewards, and takes stamps but no reward', async () => {
    till = await Till.open(app, threeStamps);
    const { body } = await till.adjust(7);
    assert.deepEqual([body.balance, body.threshold, body.pendingRewards], [1, 3, 2]);
    assertRefused(await till.adjust(-2), 'balance_too_low', /./, { balance: 1 });
    const taken = (await till.adjust(-1)).body;
    assert.deepEqual([taken.balance, taken.pendingRewards], [0, 2]);
    assertRefused(await till.adjust(303), 'invalid_request', /^points: .*101 rewards/);
    await till.assertSound();
  });

  it('works in every state of the program, and ignores its limits', async () => {
    const limits = { perDay: 5, minSecondsBetween: 3_600 };
    till = await Till.open(app, { ...coffee, limits }, { launched: false });
    const first = await till.adjust(100);
    assert.deepEqual([first.status, first.body.balance], [200, 100]);
    await till.change({ status: 'active' });
    assert.equal((await till.adjust(100)).body.balance, 200);
    await till.change({ status: 'paused' });
    assert.equal((await till.adjust(100)).body.balance, 300);
    await till.change({ status: 'active' });
    // It counts against no limit either.
    const earned = await till.earn(5);
    assert.equal('limitedBy' in earned.body, false);
    await till.assertSound();
  });

  it('goes up to 9007199254740991 and down from there', async () => {
    assert.equal((await till.adjust(most)).body.balance, most);
    await till.assertUntouched(async () => {
      assertRefused(await till.adjust(1), 'invalid_request', /^points: .*9007199254740991/);
    });
    assert.equal((await till.adjust(-most)).body.balance, 0);
    const { body } = await till.adjust(most);
    assert.deepEqual([body.balance, body.lifetimePoints], [most, 0]);
    await till.assertSound();
  });

  it('lets as many of fifty take as there are points for', async () => {
    await till.earn(17);
    const replies = await inParallel(50, () => till.adjust(-5));
    assert.deepEqual(tally(replies.map(({ status, body }) => body.code ?? status)), {
      200: 3,
      balance_too_low: 47,
    });
    assert.equal((await till.holder()).balance, 2);
    await till.assertSound();
  });

  it('finds the card by every name', async () => {
    const { instanceId, barcode } = till.ada;
    for (const named of [{ identifier: 'ada' }, { instanceId }, { barcode }])
      assert.equal((await till.adjust(1, named)).body.instanceId, instanceId);
  });

  it('keeps partner and reference', async () => {
    const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
    await till.adjust(3, { partnerId, externalRef: 'a-1' });
    const [entry] = await till.entries();
    assert.deepEqual([entry.partnerId, entry.externalRef], [partnerId, 'a-1']);
  });
});

describe('POST /loyalty/adjust refuses', () => {
  const bodies: [string, object, RegExp][] = [
    ['0 points', { points: 0 }, /^points: must not be 0/],
    ['-0 points', { points: -0 }, /^points: must not be 0/],
    ['no reason', { reason: undefined }, /reason/],
    ['null as reason', { reason: null }, /^reason/],
    ['a blank reason', { reason: '  ' }, /^reason/],
    ['half a point', { points: -0.5 }, /^points/],
    ['-2^53 points', { points: -(2 ** 53) }, /^points/],
    ['2^53 points', { points: 2 ** 53 }, /^points/],
    ['text as points', { points: '-5' }, /^points/],
    ['a moment', { occurredAt: '2026-01-31T10:00:00Z' }, /occurredAt/],
    ['two targets', { barcode: 'A' }, /only one of/],
  ];
  for (const [what, change, message] of bodies) {
    it(`${what}: invalid_request`, async () => {
      const body = { passId: till.passId, identifier: 'ada', points: 1, reason: 'why', ...change };
      await till.assertUntouched(async () => {
        assertRefused(await till.client.post('/loyalty/adjust', body), 'invalid_request', message);
      });
    });
  }

  it('the voided card, other passes and other accounts', async () => {
    const other = await Till.open(app);
    await till.earn(5);
    await till.assertUntouched(async () => {
      assertRefused(await till.adjust(1, { instanceId: other.ada.instanceId }), 'forbidden');
      assertRefused(await till.adjust(1, { passId: other.passId }), 'forbidden');
      assertRefused(await till.adjust(1, { identifier: 'bob' }), 'holder_not_found');
    });
    await till.void();
    await till.assertUntouched(async () => {
      assertRefused(await till.adjust(-1), 'instance_voided');
    });
  });
});

describe('POST /loyalty/adjust with externalRef', () => {
  it('applies once, and replays whatever the reason', async () => {
    const first = await till.adjust(5, { externalRef: 'a-1' });
    const repeat = await till.adjust(5, { externalRef: 'a-1', reason: 'said otherwise' });
    assert.equal(repeat.text, first.text);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal((await till.holder()).balance, 5);
  });

  it('refuses other points: also those of the other sign', async () => {
    await till.adjust(5, { externalRef: 'a-1' });
    for (const points of [-5, 6])
      assertRefused(await till.adjust(points, { externalRef: 'a-1' }), 'external_ref_reused');
  });

  it('is applied once by fifty calls at the same time', async () => {
    await till.earn(100);
    const replies = await inParallel(50, () => till.adjust(-5, { externalRef: 'a-1' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal((await till.holder()).balance, 95);
    assert.equal((await till.audits('adjustPoints')).length, 1);
  });

  it('shows no replay to a key that does not reach the pass, or may only read', async () => {
    await till.adjust(5, { externalRef: 'a-1' });
    const { passId } = await makePass(till.client);
    for (const settings of [{ passIds: [passId] }, { access: 'read' }]) {
      const { client } = await makeKey(till.client, settings);
      assertRefused(await till.adjust(5, { externalRef: 'a-1' }, client), 'insufficient_scope');
    }
  });
});
