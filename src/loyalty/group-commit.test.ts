import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';
import { coffee, rowOf, Till } from './till.fixture.ts';

/** Callers do not notice that calls share a transaction: each gets its own answer. */
const app = await startTestApp({ WORKERS: 'off' });
const twin = await app.twin();
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

/** The same till at another process of the service, in turn. */
const either = (turn: number) => (turn % 2 === 0 ? till.client : twin.as(till.client.secret));
const codes = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));

/** Fails unless entries are numbered without a gap, and each answer says what its own entry says. */
function assertOwnAnswers(
  entries: readonly Json[],
  replies: readonly Reply[],
  points: readonly number[],
): void {
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, at) => at + 1),
  );
  const byId = new Map(entries.map((entry) => [entry.entryId, entry]));
  for (const [at, { body, text }] of replies.entries()) {
    const entry = byId.get(body.entryId);
    assert.ok(entry, text);
    assert.deepEqual([body.points, body.balance], [entry.points, entry.balance]);
    assert.equal(body.points, points[at], 'the answer to another call');
  }
  assert.equal(new Set(replies.map(({ body }) => body.entryId)).size, replies.length);
}

const sizes = Array.from({ length: 100 }, (_, at) => at + 1);

for (const processes of ['one process', 'two processes'] as const) {
  const by = (turn: number) => either(processes === 'one process' ? 0 : turn);

  describe(`a hundred awards at the same time, with ${processes}`, () => {
    it('on one card', async () => {
      const replies = await inParallel(100, (at) => till.earn(at + 1, { externalRef: `r-${at}` }, by(at)));
      assert.deepEqual(codes(replies), { 200: 100 });
      assertOwnAnswers(await till.entries(), replies, sizes);
      assert.equal((await till.holder()).balance, 5_050);
      await till.assertSound();
    });

    it('over ten cards', async () => {
      const cards = await inParallel(10, () => till.card());
      const replies = await inParallel(100, (at) => {
        return till.earn(at + 1, { instanceId: cards[at % 10].instanceId }, by(at));
      });
      assert.deepEqual(codes(replies), { 200: 100 });
      for (const [turn, card] of cards.entries()) {
        const own = (_: unknown, at: number) => at % 10 === turn;
        assertOwnAnswers(await till.entries(card), replies.filter(own), sizes.filter(own));
      }
      await till.assertSound();
    });

    it('on a hundred cards', async () => {
      const cards = await inParallel(100, () => till.card());
      const replies = await inParallel(100, (at) => {
        return till.earn(at + 1, { instanceId: cards[at].instanceId }, by(at));
      });
      assert.deepEqual(codes(replies), { 200: 100 });
      for (const [at, { body }] of replies.entries())
        assert.deepEqual([body.instanceId, body.balance], [cards[at].instanceId, at + 1]);
      const { issued, outstanding, trialBalance } = await till.summary();
      assert.deepEqual([issued, outstanding, trialBalance.difference], [5_050, 5_050, 0]);
      await till.assertSound();
    });

    it('of one reference: one is applied, all get its bytes', async () => {
      const replies = await inParallel(50, (at) => till.earn(5, { externalRef: 'r-1' }, by(at)));
      assert.deepEqual(codes(replies), { 200: 50 });
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter(({ headers }) => headers.has('idempotent-replayed')).length, 49);
      assert.deepEqual(await till.story(), ['earn +5 = 5']);
      await till.assertSound();
    });

    it('of ten references, each ten times', async () => {
      const replies = await inParallel(100, (at) => {
        return till.earn((at % 10) + 1, { externalRef: `r-${at % 10}` }, by(at));
      });
      assert.deepEqual(codes(replies), { 200: 100 });
      for (const [at, { text }] of replies.entries()) assert.equal(text, replies[at % 10]?.text);
      assert.equal((await till.entries()).length, 10);
      assert.equal((await till.holder()).balance, 55);
      await till.assertSound();
    });

    it('of one reference with other points or another card: one is applied, the others are refused', async () => {
      const bob = await till.card('bob');
      const replies = await inParallel(60, (at) => {
        const more = at % 3 === 2 ? { instanceId: bob.instanceId } : {};
        return till.earn(at % 3 === 0 ? 5 : 6, { externalRef: 'r-1', ...more }, by(at));
      });
      assert.deepEqual(codes(replies), { 200: 20, external_ref_reused: 40 });
      assert.equal(new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text)).size, 1);
      assert.equal((await till.entries()).length + (await till.entries(bob)).length, 1);
      await till.assertSound();
    });

    it('among redeems, adjustments and reversals', async () => {
      const earned = await inParallel(20, () => till.earn(10));
      const replies = await inParallel(100, (at) => {
        const turns = [
          () => till.earn(3, {}, by(at)),
          () => till.redeem({}, by(at)),
          () => till.adjust(at % 2 === 0 ? 4 : -4, {}, by(at)),
          () => till.reverse(earned[at % 20] as Reply, {}, by(at)),
        ];
        return (turns[Math.floor(at / 2) % 4] ?? assert.fail)();
      });
      for (const { status, text } of replies) assert.ok([200, 409].includes(status), text);
      const entries = await till.entries();
      const answered = replies.filter(({ status }) => status === 200).length;
      assert.equal(entries.length, 20 + answered);
      await till.assertSound();
    });
  });
}

describe('calls that share a transaction', () => {
  it('are refused, replayed and applied next to each other', async () => {
    const other = await Till.open(app);
    const voided = await till.card('eve');
    const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
    await till.void(voided);
    const known = await till.earn(5, { externalRef: 'known' });
    const expected: [string | number, () => Promise<Reply>][] = [
      [200, () => till.earn(1, { externalRef: 'new' })],
      ['holder_not_found', () => till.earn(2, { identifier: 'nobody' })],
      ['instance_not_found', () => till.earn(3, { barcode: 'nobody' })],
      ['instance_voided', () => till.earn(4, { identifier: 'eve', externalRef: 'of eve' })],
      [200, () => till.earn(5, { externalRef: 'known' })],
      ['external_ref_reused', () => till.earn(6, { externalRef: 'known' })],
      ['forbidden', () => till.earn(7, { instanceId: other.ada.instanceId })],
      ['partner_not_found', () => till.earn(8, { partnerId: till.passId })],
      ['invalid_request', () => till.earn(Number.MAX_SAFE_INTEGER, { externalRef: 'huge' })],
      [200, () => till.earn(9, { partnerId, reason: 'nine' })],
      ['external_ref_reused', () => till.earn(10, { externalRef: 'new' })],
      [200, () => till.earn(1, { externalRef: 'new' })],
    ];
    const replies = await till.together(
      'earn',
      expected.map(([, call]) => call),
    );
    assert.deepEqual(
      replies.map(({ status, body }) => body.code ?? status),
      expected.map(([code]) => code),
    );
    assert.equal(replies[4]?.text, known.text);
    assert.equal(replies[11]?.text, replies[0]?.text);
    assert.deepEqual(await till.story(), ['earn +5 = 5', 'earn +1 = 6', 'earn +9 = 15']);
    // What was refused has kept no reference.
    for (const externalRef of ['of eve', 'huge'])
      assert.equal((await till.earn(1, { externalRef })).status, 200);
    await till.assertSound();
  });

  it('keep their own reason, partner, moment and reference', async () => {
    const partners = await inParallel(5, async (at) => {
      return (await till.client.post('/partners', { name: `Shop ${at}` })).body.partnerId;
    });
    const moment = (at: number) => `2026-01-0${at + 1}T10:00:00.000Z`;
    await till.together(
      'earn',
      partners.map((partnerId, at) => () => {
        const more = { partnerId, reason: `why ${at}`, occurredAt: moment(at), externalRef: `r-${at}` };
        return till.earn(at + 1, more);
      }),
    );
    for (const entry of await till.entries()) {
      const at = entry.points - 1;
      assert.deepEqual(
        [entry.partnerId, entry.reason, entry.occurredAt, entry.externalRef],
        [partners[at], `why ${at}`, moment(at), `r-${at}`],
      );
    }
  });

  it('redeem what is there, in their order, and are refused from there on', async () => {
    await till.earn(25);
    const replies = await till.together(
      'redeem',
      Array.from({ length: 6 }, (_, at) => () => till.redeem({ externalRef: `r-${at}` })),
    );
    assert.deepEqual(codes(replies), { 200: 2, insufficient_points: 4 });
    for (const { body } of replies.filter(({ status }) => status === 409))
      assert.deepEqual([body.balance, body.cost], [5, 10]);
    await till.assertSound();
  });

  it('undo an entry once, whichever asks', async () => {
    const earned = await till.earn(5);
    const replies: Reply[] = [];
    const undo = async () => {
      const reply = await till.reverse(earned);
      replies.push(reply);
      return reply;
    };
    await till.behindLock(rowOf(till.ada), [undo], [undo, undo, undo]);
    assert.deepEqual(codes(replies), { 200: 1, already_reversed: 3 });
    assert.deepEqual(await till.story(), ['earn +5 = 5', 'reversal -5 = 0']);
  });

  it('are distinguished by their cards when the database refuses one of them', async () => {
    const cards = await inParallel(6, () => till.card());
    const broken = decodeId('inst', cards[3].instanceId);
    await app.sql(`create function refuse_card() returns trigger language plpgsql
      as $$ begin raise exception 'not this card'; end $$`);
    await app.sql(`create trigger one_bad_card before insert on loyalty_entries for each row
      when (new.instance_id = '${broken}') execute function refuse_card()`);
    const award = (at: number) => () =>
      till.earn(5, { instanceId: cards[at].instanceId, externalRef: `r-${at}` });
    const replies = await till.together('earn', [0, 1, 2, 3, 4, 5].map(award));
    assert.deepEqual(
      replies.map(({ status, body }) => body.code ?? status),
      [200, 200, 200, 'internal_error', 200, 200],
    );
    await app.sql('drop trigger one_bad_card on loyalty_entries');
    await till.assertSound();
    const repeat = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => award(at)()));
    for (const [at, { status, body, text }] of repeat.entries()) {
      assert.deepEqual([status, body.balance], [200, 5]);
      if (at !== 3) assert.equal(text, replies[at]?.text);
    }
    await till.assertSound();
  });

  it('do not wait for ever for a card that another transaction holds', async () => {
    const bob = await till.card('bob');
    const [stuck, neighbour] = await till.whileLocked(till.ada, () =>
      till.together('earn', [
        () => till.earn(5, { externalRef: 'r-1' }, till.client.impatient),
        () => till.earn(6, { instanceId: bob.instanceId }),
      ]),
    );
    assert.equal(neighbour?.status, 200, neighbour?.text);
    assertRefused(stuck as Reply, 'overloaded');
    assert.equal((await till.earn(5, { externalRef: 'r-1' })).body.balance, 5);
    await till.assertSound();
  });
});

describe('programs next to each other', () => {
  it('mix nothing up: two passes, the same references of two workspaces', async () => {
    const other = await Till.open(app, { ...coffee, reward: { title: 'Free tea', cost: 3 } });
    const replies = await inParallel(60, (at) => {
      return (at % 2 === 0 ? till : other).earn(at + 1, { externalRef: `r-${Math.floor(at / 2)}` });
    });
    for (const [at, { body, status }] of replies.entries()) {
      const one = at % 2 === 0 ? till : other;
      assert.deepEqual([status, body.points, body.programId], [200, at + 1, one.program.programId]);
    }
    for (const one of [till, other]) {
      assert.equal((await one.entries()).length, 30);
      await one.assertSound();
    }
  });
});

describe('awards of many workspaces at the same time', () => {
  it('are each applied once, and repeated with the same bytes', async () => {
    const tills = await inParallel(6, () => Till.open(app));
    const earn = (at: number) => (tills[at % 6] as Till).earn(at + 1, { externalRef: `r-${at}` });
    const replies = await inParallel(60, earn);
    assert.deepEqual(codes(replies), { 200: 60 });
    for (const [place, one] of tills.entries()) {
      const own = replies.filter((_, at) => at % 6 === place);
      const points = own.map((_, turn) => turn * 6 + place + 1);
      assertOwnAnswers(await one.entries(), own, points);
      await one.assertSound();
    }
    const repeats = await inParallel(60, earn);
    assert.deepEqual(
      repeats.map(({ text }) => text),
      replies.map(({ text }) => text),
    );
  });

  it('are refused, applied and replayed next to each other', async () => {
    const tills = await inParallel(4, () => Till.open(app));
    const [ended, known, spent, plain] = tills as [Till, Till, Till, Till];
    await ended.client.patch(`/loyalty/programs/${ended.program.programId}`, { status: 'paused' });
    const first = await known.earn(7, { externalRef: 'known' });
    const [refused, replayed, short, applied] = await Promise.all([
      ended.earn(5),
      known.earn(7, { externalRef: 'known' }),
      spent.redeem(),
      plain.earn(8),
    ]);
    assertRefused(refused, 'program_inactive');
    assert.equal(replayed.text, first.text);
    assertRefused(short, 'insufficient_points', /./, { balance: 0, cost: short.body.cost });
    assert.equal(applied.body.balance, 8, applied.text);
    for (const one of tills) await one.assertSound();
  });

  it('go on while a card of one of them is locked', async () => {
    const [first, ...others] = await inParallel(4, () => Till.open(app));
    const { stuck } = await (first as Till).whileLocked((first as Till).ada, async () => {
      const held = (first as Till).earn(5, { externalRef: 'held' });
      const replies = await inParallel(12, (at) => (others[at % 3] as Till).earn(at + 1));
      assert.deepEqual(codes(replies), { 200: 12 });
      return { stuck: held };
    });
    assert.equal((await stuck).body.balance, 5);
    for (const one of [first as Till, ...others]) await one.assertSound();
  });
});
