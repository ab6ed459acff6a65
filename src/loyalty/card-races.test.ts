import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { rowOf, Till, threeStamps } from './till.fixture.ts';

/** Calls to the ledger that meet changes of the card, the program and the partner. */
const app = await startTestApp({ WORKERS: 'off' });
const twin = await app.twin();
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const elsewhere = () => twin.as(till.client.secret);
const codes = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));
const reissue = () => makeCard(elsewhere(), till.passId, { holder: { identifier: 'ada' } });

/** The replies to calls that wait for the card while it is voided, and by default issued anew. */
async function voidedMeanwhile(calls: (() => Promise<Reply>)[], reissued = true): Promise<Reply[]> {
  const sent: Promise<Reply>[] = [];
  const next = async () => {
    const reply = await till.void();
    if (reissued) await reissue();
    return reply;
  };
  // The voiding is the first in the queue, so that it is done when the calls get the card.
  await till.behindLock(
    rowOf(till.ada),
    [next],
    [
      async () => {
        for (const call of calls) sent.push(call());
        return (await Promise.all(sent))[0] as Reply;
      },
    ],
  );
  return Promise.all(sent);
}

/** An award that waits for the card while it is voided, and then for a transaction that has it until the next one is there. */
async function reissuedBeforeAward(): Promise<{ next: Json; award: Reply }> {
  const requests = await till.whileLocked(till.ada, async () => {
    const voiding = till.void();
    await till.waiters(1);
    const reissuing = till.whileLocked(till.ada, async () => {
      await voiding;
      return reissue();
    });
    await till.waiters(2);
    const award = till.earn(5, { identifier: 'ada' });
    await till.waiters(3);
    return { reissuing, award };
  });
  return { next: await requests.reissuing, award: await requests.award };
}

describe('a card that is voided while calls wait for it', () => {
  it('earns and spends nothing afterwards', async () => {
    await till.earn(50);
    const replies = await voidedMeanwhile(
      [
        () => till.earn(1),
        () => till.redeem(),
        () => till.adjust(1),
        () => till.earn(1, { identifier: 'ada' }),
      ],
      false,
    );
    assert.deepEqual(codes(replies), { instance_voided: 4 });
    assert.deepEqual(await till.story(), ['earn +50 = 50']);
  });

  it('has its entries undone nevertheless', async () => {
    const earned = await till.earn(50);
    const [reply] = await voidedMeanwhile([() => till.reverse(earned)], false);
    assert.deepEqual([reply?.status, reply?.body.balance], [200, 0]);
  });

  it('leaves its account to the next: nothing is lost between them, in either order', async () => {
    for (let turn = 0; turn < 5; turn++) {
      till = await Till.open(app);
      const earned = await till.earn(50);
      const replies = await voidedMeanwhile([
        () => till.earn(1, { identifier: 'ada' }),
        () => till.earn(2, { identifier: 'ada' }, elsewhere()),
        () => till.reverse(earned),
      ]);
      const gained = replies
        .filter(({ status }) => status === 200)
        .reduce((sum, { body }) => sum + body.points, 50);
      const { balance } = await till.holder();
      assert.equal(balance, gained, JSON.stringify(codes(replies)));
      assert.equal(replies[2]?.status, 200, replies[2]?.text);
      await till.assertSound();
    }
  });

  it('is found no longer by who has waited for it until the holder had the next', async () => {
    // PostgreSQL keeps no order among those who wait for a row that changed: mostly the award comes after the next card.
    for (let turn = 0; turn < 20; turn++) {
      till = await Till.open(app);
      const { next, award } = await reissuedBeforeAward();
      await till.assertSound();
      if (award.status === 200) {
        assert.deepEqual([award.body.instanceId, award.body.balance], [next.instanceId, 5]);
        return;
      }
      assertRefused(award, 'instance_voided');
    }
    assert.fail('the award never came after the next card');
  });

  it('keeps one account through ten re-issues under awards', async () => {
    let given = 0;
    const awards = inParallel(4, async (at) => {
      for (let turn = 0; turn < 15; turn++) {
        const reply = await till.earn(1, { identifier: 'ada' }, at % 2 === 0 ? till.client : elsewhere());
        if (reply.status === 200) given += 1;
        else assertRefused(reply, 'instance_voided');
      }
    });
    for (let turn = 0; turn < 10; turn++) {
      const { body } = await till.client.get(`/passes/${till.passId}/instances?identifier=ada&status=active`);
      await till.void(body.data[0]);
      await reissue();
    }
    await awards;
    assert.equal((await till.holder()).balance, given);
    assert.equal((await till.snapshot()).accounts.length, 1);
    await till.assertSound();
  });
});

describe('a program that is paused while awards go on', () => {
  it('gives nothing once the pausing was answered', async () => {
    const early = inParallel(30, (at) => till.earn(1, {}, at % 2 === 0 ? till.client : elsewhere()));
    assert.equal((await till.change({ status: 'paused' })).status, 200);
    const late = await inParallel(30, (at) => till.earn(1, {}, at % 2 === 0 ? till.client : elsewhere()));
    assert.deepEqual(codes(late), { program_inactive: 30 });
    const given = (await early).filter(({ status }) => status === 200).length;
    assert.equal((await till.holder()).balance, given);
    await till.assertSound();
  });
});

describe('a program that changes while awards go on', () => {
  it('unlocks each reward with one threshold or the other', async () => {
    till = await Till.open(app, threeStamps);
    const awards = inParallel(60, () => till.earn(1));
    for (const threshold of [5, 2, 4]) await till.change({ threshold });
    await awards;
    const unlocked = (await till.entries()).filter(({ kind }) => kind === 'unlock');
    for (const { points } of unlocked) assert.ok([-3, -5, -2, -4].includes(points));
    await till.assertSound();
  });
});

describe('a partner that is deleted while awards go on', () => {
  it('is named by none once the deleting was answered', async () => {
    const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
    const early = inParallel(20, () => till.earn(1, { partnerId }));
    assert.equal((await till.client.delete(`/partners/${partnerId}`)).status, 204);
    const late = await inParallel(20, () => till.earn(1, { partnerId }, elsewhere()));
    assert.deepEqual(codes(late), { partner_not_found: 20 });
    await early;
    await till.assertSound();
  });
});

describe('first awards of a card', () => {
  it('open one account, in any order', async () => {
    const replies = await inParallel(40, (at) => {
      const by = at % 2 === 0 ? till.client : elsewhere();
      return at % 4 < 2 ? till.earn(1, {}, by) : till.adjust(1, {}, by);
    });
    assert.deepEqual(codes(replies), { 200: 40 });
    assert.equal((await till.snapshot()).accounts.length, 1);
    await till.assertSound();
  });
});
