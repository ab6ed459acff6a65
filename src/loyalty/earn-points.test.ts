import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const most = Number.MAX_SAFE_INTEGER;
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const partnerOf = async (at = till): Promise<string> =>
  (await at.client.post('/partners', { name: 'Harbour' })).body.partnerId;
const twoForms = { composed: 'Jos\u00e9-\u00fc', decomposed: 'Jose\u0301-u\u0308' };

describe('POST /loyalty/points', () => {
  it('adds points and says where the card stands', async () => {
    const { status, body } = await till.earn(7);
    assert.equal(status, 200);
    const { entryId, ...rest } = body;
    assert.match(entryId, /^entry_/);
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      points: 7,
      balance: 7,
      lifetimePoints: 7,
      threshold: null,
      cost: 10,
      pendingRewards: 0,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    const repeat = await till.earn(5);
    assert.deepEqual([repeat.body.points, repeat.body.balance, repeat.body.lifetimePoints], [5, 12, 12]);
    assert.deepEqual(await till.story(), ['earn +7 = 7', 'earn +5 = 12']);
    await till.assertSound();
  });

  it('turns stamps into rewards at each crossing of the threshold', async () => {
    till = await Till.open(app, threeStamps);
    const { body } = await till.earn(2);
    assert.deepEqual(
      [body.points, body.balance, body.threshold, body.cost, body.pendingRewards],
      [2, 2, 3, null, 0],
    );
    const crossing = (await till.earn(5)).body;
    assert.deepEqual(
      [crossing.points, crossing.balance, crossing.lifetimePoints, crossing.pendingRewards],
      [5, 1, 7, 2],
    );
    assert.deepEqual(await till.story(), ['earn +2 = 2', 'earn +5 = 7', 'unlock -3 = 4', 'unlock -3 = 1']);
    await till.assertSound();
  });

  it('keeps what was unlocked when the threshold changes', async () => {
    till = await Till.open(app, threeStamps);
    await till.earn(3);
    await till.change({ threshold: 5 });
    const { body } = await till.earn(4);
    assert.deepEqual([body.balance, body.threshold, body.pendingRewards], [4, 5, 1]);
    assert.equal((await till.earn(1)).body.pendingRewards, 2);
    await till.assertSound();
  });

  it('finds the card by identifier, instanceId and barcode', async () => {
    const { instanceId, barcode } = till.ada;
    for (const [turn, named] of [{ identifier: 'ada' }, { instanceId }, { barcode }].entries()) {
      const { body } = await till.earn(1, named);
      assert.deepEqual([body.instanceId, body.balance], [instanceId, turn + 1]);
    }
  });

  it('compares identifiers and barcodes in NFC', async () => {
    const { composed, decomposed } = twoForms;
    const card = await till.card(composed, { barcode: `${composed}-1` });
    const calls = [{ identifier: decomposed }, { barcode: `${decomposed}-1` }];
    for (const named of calls) assert.equal((await till.earn(1, named)).body.instanceId, card.instanceId);
    // The same effect in another spelling.
    const first = await till.earn(4, { identifier: composed, externalRef: 'one' });
    const repeat = await till.earn(4, { identifier: decomposed, externalRef: 'one' });
    assert.equal(repeat.text, first.text);
  });

  it('keeps why, when and where', async () => {
    const partnerId = await partnerOf();
    const occurredAt = '2026-01-31T12:00:00+02:00';
    await till.earn(3, { reason: 'Opening day – 開店 🎉', occurredAt, partnerId, externalRef: 'r-1' });
    const [entry] = await till.entries();
    assert.deepEqual(
      [entry.reason, entry.occurredAt, entry.partnerId, entry.externalRef, entry.seq, entry.kind],
      ['Opening day – 開店 🎉', '2026-01-31T10:00:00.000Z', partnerId, 'r-1', 1, 'earn'],
    );
    assert.deepEqual(
      [entry.limitedBy, entry.orderId, entry.reversalOf, entry.instanceId],
      [null, null, null, till.ada.instanceId],
    );
    const nulls = { reason: null, occurredAt: null, partnerId: null };
    assert.equal((await till.earn(3, nulls)).status, 200);
  });

  it('pays what the card owes first', async () => {
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    assert.equal((await till.holder()).balance, -10);
    const { body } = await till.earn(4);
    assert.deepEqual([body.balance, body.lifetimePoints], [-6, 4]);
    assert.equal((await till.earn(9)).body.balance, 3);
    await till.assertSound();
  });

  it('serves a card of a pass that was archived or drafted since', async () => {
    for (const status of ['archived', 'draft']) {
      await till.client.patch(`/passes/${till.passId}`, { status });
      assert.equal((await till.earn(1)).status, 200);
    }
  });

  it('serves a key that is restricted to the pass, with any partner', async () => {
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    const partnerId = await partnerOf();
    assert.equal((await till.earn(1, { partnerId }, client)).status, 200);
  });

  it('goes up to 9007199254740991 and no further', async () => {
    assert.equal((await till.earn(most - 1)).body.balance, most - 1);
    await till.assertUntouched(async () => {
      assertRefused(await till.earn(2), 'invalid_request', /^points: .*9007199254740991/);
    });
    assert.equal((await till.earn(1)).body.balance, most);
    assertRefused(await till.earn(1), 'invalid_request', /^points/);
    await till.assertSound();
  });

  it('counts what a card was ever given up to there as well', async () => {
    await till.earn(most);
    assert.equal((await till.redeem()).body.balance, most - 10);
    assertRefused(await till.earn(1), 'invalid_request', /^points/);
  });

  it('earns on after a day that has seen more than a balance holds', async () => {
    await till.reverse(await till.earn(most));
    await till.reverse(await till.earn(most));
    assert.equal((await till.earn(40)).body.balance, 40);
    assert.equal((await till.earn(2)).body.balance, 42);
    await till.assertSound();
  });

  it('adds up exactly what many cards hold, beyond what one may', async () => {
    const bob = await till.card('bob');
    const replies = await till.together('earn', [
      () => till.earn(most - 2),
      () => till.earn(most - 5, { instanceId: bob.instanceId }),
    ]);
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 2 });
    await till.assertSound();
  });

  it('unlocks a hundred rewards at once and no more', async () => {
    till = await Till.open(app, threeStamps);
    await till.assertUntouched(async () => {
      assertRefused(await till.earn(303), 'invalid_request', /^points: .*101 rewards.*100/);
      assertRefused(await till.earn(most), 'invalid_request', /^points/);
    });
    assert.equal((await till.earn(302)).body.pendingRewards, 100);
    assert.equal((await till.earn(298)).body.pendingRewards, 200);
    await till.assertSound();
  });
});

describe('POST /loyalty/points refuses', () => {
  const bodies: [string, object, RegExp][] = [
    ['no target', { identifier: undefined }, /one of: identifier, instanceId, barcode, email, phone/],
    ['two targets', { identifier: 'ada', barcode: 'A' }, /only one of/],
    ['three targets', { identifier: 'ada', barcode: 'A', instanceId: 'inst_1' }, /only one of/],
    ['null as target', { identifier: null }, /^identifier/],
    ['an empty identifier', { identifier: '' }, /^identifier/],
    ['no points', { points: undefined }, /points/],
    ['0 points', { points: 0 }, /^points.*1/],
    ['points below 0', { points: -1 }, /^points/],
    ['half a point', { points: 1.5 }, /^points/],
    ['text as points', { points: '5' }, /^points/],
    ['null as points', { points: null }, /^points/],
    ['2^53 points', { points: 2 ** 53 }, /^points.*9007199254740991/],
    ['1e300 points', { points: 1e300 }, /^points/],
    ['an empty reference', { externalRef: '' }, /^externalRef/],
    ['a reference of 256 characters', { externalRef: 'x'.repeat(256) }, /^externalRef/],
    ['a reference of two lines', { externalRef: 'a\nb' }, /^externalRef/],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, /^reason/],
    ['NUL in the reason', { reason: 'a\u0000b' }, /./],
    ['a day as moment', { occurredAt: '2026-01-31' }, /^occurredAt/],
    ['a moment without a zone', { occurredAt: '2026-01-31T10:00:00' }, /^occurredAt/],
    ['a moment of no calendar', { occurredAt: '2026-02-30T10:00:00Z' }, /^occurredAt/],
    ['a moment ahead', { occurredAt: '2999-01-01T00:00:00Z' }, /^occurredAt.*future/],
    ['an unknown property', { amount: 5 }, /amount/],
    ['another operation’s property', { total: { amount: '1.00', currency: 'EUR' } }, /total/],
  ];
  for (const [what, change, message] of bodies) {
    it(`${what}: invalid_request`, async () => {
      const body = { passId: till.passId, identifier: 'ada', points: 1, ...change };
      await till.assertUntouched(async () => {
        assertRefused(await till.client.post('/loyalty/points', body), 'invalid_request', message);
      });
    });
  }

  it('a moment more than five minutes ahead, since clocks differ by less', async () => {
    const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    assert.equal((await till.earn(1, { occurredAt: ahead(290) })).status, 200);
    assertRefused(await till.earn(1, { occurredAt: ahead(320) }), 'invalid_request', /future/);
  });

  it('moments of long ago only where the points have expired since', async () => {
    for (const occurredAt of ['1900-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'])
      assert.equal((await till.earn(1, { occurredAt })).status, 200);
    till = await Till.open(app, { ...coffee, expiry: { months: 1 } });
    await till.assertUntouched(async () => {
      const occurredAt = new Date(Date.now() - 40 * 86_400_000).toISOString();
      assertRefused(await till.earn(1, { occurredAt }), 'invalid_request', /^occurredAt.*expired/);
    });
  });

  it('an unknown holder and unknown cards', async () => {
    await till.assertUntouched(async () => {
      assertRefused(await till.earn(1, { identifier: 'bob' }), 'holder_not_found');
      assertRefused(await till.earn(1, { barcode: 'nobody' }), 'instance_not_found');
      assertRefused(await till.earn(1, { instanceId: encodeId('inst', newUuidV7()) }), 'instance_not_found');
      for (const instanceId of ['inst_1', till.passId, ' '])
        assertRefused(await till.earn(1, { instanceId }), 'instance_not_found');
    });
  });

  it('a card of another pass, by every name', async () => {
    const other = await makePass(till.client);
    const { instanceId } = await makeCard(till.client, other.passId, {
      holder: { identifier: 'bob' },
      barcode: 'B-1',
    });
    assertRefused(await till.earn(1, { instanceId }), 'instance_not_found');
    assertRefused(await till.earn(1, { barcode: 'B-1' }), 'instance_not_found');
    assertRefused(await till.earn(1, { identifier: 'bob' }), 'holder_not_found');
  });

  it('a pass, a card and a partner of another account', async () => {
    const other = await Till.open(app);
    const { instanceId, barcode } = other.ada;
    assertRefused(await till.earn(1, { passId: other.passId }), 'forbidden');
    assertRefused(await till.earn(1, { instanceId }), 'forbidden');
    assertRefused(await till.earn(1, { barcode }), 'instance_not_found');
    assertRefused(await till.earn(1, { partnerId: await partnerOf(other) }), 'partner_not_found');
    assert.deepEqual(await other.story(), []);
  });

  it('a voided card, by every name, until it is reactivated', async () => {
    const { instanceId, barcode } = till.ada;
    await till.void();
    await till.assertUntouched(async () => {
      for (const named of [{ identifier: 'ada' }, { instanceId }, { barcode }])
        assertRefused(await till.earn(1, named), 'instance_voided', /reactivate/);
    });
    await till.client.post(`/instances/${instanceId}/reactivate`);
    assert.equal((await till.earn(1)).status, 200);
  });

  it('an erased card: it no longer has a holder', async () => {
    const { instanceId, barcode } = till.ada;
    await till.earn(5);
    await till.client.delete(`/instances/${instanceId}`);
    assertRefused(await till.earn(1, { identifier: 'ada' }), 'holder_not_found');
    assertRefused(await till.earn(1, { instanceId }), 'instance_voided');
    assertRefused(await till.earn(1, { barcode }), 'instance_not_found');
    assert.deepEqual(await till.story(), ['earn +5 = 5']);
    await till.assertSound();
  });

  it('the deleted partner', async () => {
    const partnerId = await partnerOf();
    await till.earn(1, { partnerId });
    await till.client.delete(`/partners/${partnerId}`);
    assertRefused(await till.earn(1, { partnerId }), 'partner_not_found');
    assertRefused(await till.earn(1, { partnerId: 'part_1' }), 'partner_not_found');
  });
});

describe('a code that all cards of a pass share', () => {
  const design = { barcode: { mode: 'simple', value: 'SHARED' } };

  it('names the card where there is one', async () => {
    till = await Till.open(app, coffee, { design });
    const { body } = await till.earn(3, { barcode: 'SHARED' });
    assert.deepEqual([body.instanceId, body.balance], [till.ada.instanceId, 3]);
  });

  it('names no card where there are several: matchCount says how many', async () => {
    till = await Till.open(app, coffee, { design });
    await till.card('bob');
    await till.card('eve');
    await till.assertUntouched(async () => {
      const refused = await till.earn(3, { barcode: 'SHARED' });
      assertRefused(refused, 'ambiguous_barcode', /3 instances.*identifier or instanceId/, { matchCount: 3 });
    });
    assert.equal((await till.earn(3, { identifier: 'bob' })).status, 200);
    assertRefused(await till.earn(3, { barcode: 'OTHER' }), 'instance_not_found');
  });
});

describe('POST /loyalty/points with externalRef', () => {
  const assertReplay = (first: Reply, repeat: Reply) => {
    assert.deepEqual([repeat.status, repeat.text], [first.status, first.text]);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
  };

  it('applies once and answers the same bytes ever after', async () => {
    const first = await till.earn(5, { externalRef: 'r-1' });
    await till.earn(5);
    assertReplay(first, await till.earn(5, { externalRef: 'r-1' }));
    assert.deepEqual(await till.story(), ['earn +5 = 5', 'earn +5 = 10']);
    await till.assertSound();
  });

  it('takes the header Idempotency-Key for the same', async () => {
    const headers = { 'idempotency-key': 'r-1' };
    const body = { passId: till.passId, identifier: 'ada', points: 5 };
    const first = await till.client.post('/loyalty/points', body, { headers });
    assertReplay(first, await till.earn(5, { identifier: 'ada', externalRef: 'r-1' }));
    assert.equal((await till.entries())[0].externalRef, 'r-1');
  });

  it('answers also while the program is paused, the pass archived, the card voided, the partner deleted', async () => {
    const partnerId = await partnerOf();
    const body = { externalRef: 'r-1', partnerId };
    const first = await till.earn(5, body);
    await till.change({ status: 'paused' });
    assertReplay(first, await till.earn(5, body));
    await till.client.patch(`/passes/${till.passId}`, { status: 'archived' });
    await till.client.delete(`/partners/${partnerId}`);
    await till.void();
    assertReplay(first, await till.earn(5, body));
  });

  it('replays whatever does not change the effect: reason, partner and moment', async () => {
    const first = await till.earn(5, { externalRef: 'r-1', reason: 'one' });
    const partnerId = await partnerOf();
    const occurredAt = '2026-01-31T10:00:00Z';
    assertReplay(first, await till.earn(5, { externalRef: 'r-1', reason: 'two', partnerId, occurredAt }));
  });

  it('refuses another effect: points, card, pass or the name of the card', async () => {
    await till.earn(5, { externalRef: 'r-1' });
    const bob = await till.card('bob');
    const other = await makePass(till.client);
    await till.assertUntouched(async () => {
      for (const reply of [
        await till.earn(6, { externalRef: 'r-1' }),
        await till.earn(5, { externalRef: 'r-1', instanceId: bob.instanceId }),
        await till.earn(5, { externalRef: 'r-1', identifier: 'ada' }),
        await till.earn(5, { externalRef: 'r-1', passId: other.passId }),
      ])
        assertRefused(reply, 'external_ref_reused', /"r-1".*fresh externalRef/);
    });
  });

  it('is the key of this operation only, and of this workspace', async () => {
    const other = await Till.open(app);
    await till.earn(20, { externalRef: 'r-1' });
    for (const reply of [
      await till.redeem({ externalRef: 'r-1' }),
      await till.adjust(1, { externalRef: 'r-1' }),
      await other.earn(20, { externalRef: 'r-1' }),
    ])
      assert.equal(reply.headers.get('idempotent-replayed'), null, reply.text);
  });

  it('gives the reference back when it is refused', async () => {
    assertRefused(await till.earn(5, { externalRef: 'r-1', identifier: 'bob' }), 'holder_not_found');
    await till.change({ status: 'paused' });
    assertRefused(await till.earn(5, { externalRef: 'r-1' }), 'program_inactive');
    await till.change({ status: 'active' });
    assert.equal((await till.earn(6, { externalRef: 'r-1' })).body.balance, 6);
  });

  it('shows no replay to a key that does not reach the pass', async () => {
    const elsewhere = await makePass(till.client);
    const { client } = await makeKey(till.client, { passIds: [elsewhere.passId] });
    await till.earn(5, { externalRef: 'r-1' });
    const refused = await till.earn(5, { externalRef: 'r-1' }, client);
    assertRefused(refused, 'insufficient_scope');
    assert.equal(refused.headers.get('idempotent-replayed'), null);
    assertRefused(await till.earn(6, { externalRef: 'r-1' }, client), 'insufficient_scope');
    const { client: reader } = await makeKey(till.client, { access: 'read' });
    assertRefused(await till.earn(5, { externalRef: 'r-1' }, reader), 'insufficient_scope');
  });

  it('is applied once by fifty calls at the same time', async () => {
    const replies = await inParallel(50, () => till.earn(5, { externalRef: 'r-1' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.has('idempotent-replayed')).length, 49);
    assert.deepEqual(await till.story(), ['earn +5 = 5']);
  });

  it('takes references of any script, each its own', async () => {
    const refs = ['quittung-é', 'quittung-e\u0301', '領収書', '🧾', 'R-1', 'r-1', ' r-1', 'x'.repeat(255)];
    for (const externalRef of refs) assert.equal((await till.earn(1, { externalRef })).status, 200);
    assert.equal((await till.holder()).balance, refs.length);
  });
});
