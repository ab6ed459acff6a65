import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till } from './till.fixture.ts';
import { charge, euros, load, openMoney, refund, transfer } from './value.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await openMoney(app);
});

describe('a program in MONEY', () => {
  it('says its currency and what a card may hold, and nothing of rewards', async () => {
    const { body } = await till.change({ maxBalance: euros('150') });
    assert.deepEqual(
      [body.mode, body.currency, body.maxBalance, body.rewards, body.threshold, body.pointName],
      ['MONEY', 'EUR', euros('150.00'), [], null, { one: 'Balance', other: 'Balance' }],
    );
    assert.deepEqual((await till.change({ maxBalance: null })).body.maxBalance, null);
  });

  it('is of a gift card, in a currency that there is', async () => {
    const { client } = till;
    const pass = await makePass(client, { type: 'giftCard' });
    const loyal = await makePass(client);
    const body = { passId: pass.passId, mode: 'MONEY' };
    for (const [wrong, path] of [
      [{ ...body, passId: loyal.passId }, 'passId'],
      [{ ...body, currency: 'EUU' }, 'currency'],
      [{ ...body, maxBalance: { amount: '1', currency: 'CHF' } }, 'maxBalance.currency'],
      [{ ...body, maxBalance: euros('0') }, 'maxBalance.amount'],
      [{ ...body, maxBalance: euros('0.001') }, 'maxBalance.amount'],
      [{ ...body, reward: { title: 'Cake' } }, 'reward'],
      [{ ...body, threshold: 3 }, 'threshold'],
      [{ ...body, limits: { perDay: 5 } }, 'limits.perDay'],
      [{ ...body, earn: { perOrder: 1 } }, 'earn'],
      [{ ...coffee, passId: pass.passId, currency: 'EUR' }, 'currency'],
      [{ ...coffee, passId: pass.passId, maxBalance: euros('5') }, 'maxBalance'],
    ] as const) {
      const { body: refused, status, text } = await client.post('/loyalty/programs', wrong);
      assert.deepEqual([status, refused.problems?.[0]?.path], [400, path], text);
    }
    // By default in the currency of the workspace.
    const { body: made, text } = await client.post('/loyalty/programs', body);
    assert.equal(made.currency, 'EUR', text);
  });

  it('earns and redeems no points, as one of points holds no money', async () => {
    assertRefused(await till.earn(5), 'invalid_request', /^passId: .*POST \/value\/load/);
    assertRefused(await till.redeem(), 'invalid_request', /^passId: .*POST \/value\/load/);
    assertRefused(await till.preview({ points: 3 }), 'invalid_request', /^passId: .*POST \/value\/load/);
    assert.deepEqual((await till.rewards()).body.data, []);
    till = await Till.open(app, coffee);
    assertRefused(await load(till, '5'), 'invalid_request', /^passId: .*POST \/loyalty\/points/);
    assertRefused(await charge(till, '5'), 'invalid_request', /^passId: .*POST \/loyalty\/points/);
  });

  it('takes no money before its launch, nor while it is paused, and gives it back', async () => {
    await load(till, '10');
    const paid = await charge(till, '4');
    await till.change({ status: 'paused' });
    assertRefused(await load(till, '5'), 'program_inactive');
    assertRefused(await charge(till, '5'), 'program_inactive');
    assert.deepEqual((await refund(till, { entryId: paid.body.entryId })).body.balance, euros('10.00'));
    till = await openMoney(app, {}, { launched: false });
    assertRefused(await load(till, '5'), 'program_not_launched');
  });
});

describe('money on a card', () => {
  it('is loaded and charged to the cent, and seen as money everywhere', async () => {
    const loaded = await load(till, '25', { orderId: 'order-1' });
    assert.equal(loaded.status, 200, loaded.text);
    const { entryId, ...rest } = loaded.body;
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      loaded: euros('25.00'),
      balance: euros('25.00'),
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    const paid = await charge(till, '8.45', { orderId: 'order-2', reason: 'Two cakes' });
    assert.deepEqual(
      [paid.body.charged, paid.body.due, paid.body.balance],
      [euros('8.45'), euros('0.00'), euros('16.55')],
    );
    const entries = await till.entries();
    assert.deepEqual(
      entries.map(({ kind, points, balance, amount, orderId }) => ({
        kind,
        points,
        balance,
        amount,
        orderId,
      })),
      [
        { kind: 'earn', points: 2500, balance: 2500, amount: euros('25.00'), orderId: 'order-1' },
        { kind: 'redeem', points: -845, balance: 1655, amount: euros('-8.45'), orderId: 'order-2' },
      ],
    );
    assert.equal(entries[0]?.entryId, entryId);
    const holder = await till.holder();
    assert.deepEqual([holder.mode, holder.balance, holder.amount], ['MONEY', 1655, euros('16.55')]);
    const { body: card } = await till.client.get(`/instances/${till.ada.instanceId}`);
    assert.deepEqual([card.loyalty.balance, card.loyalty.amount], [1655, euros('16.55')]);
    await till.assertSound();
  });

  it('counts in a currency without decimals, and in one with three', async () => {
    for (const [currency, amount, minor] of [
      ['JPY', '1500', 1500],
      ['KWD', '1.250', 1250],
    ] as const) {
      till = await openMoney(app, { currency });
      await load(till, '1', { amount: { amount, currency } });
      assert.deepEqual((await till.holder()).amount, { amount, currency });
      assert.equal((await till.holder()).balance, minor);
    }
  });

  it('is refused in another currency, with too many decimals, and where it is nothing', async () => {
    await load(till, '10');
    await till.assertUntouched(async () => {
      for (const [amount, path] of [
        [{ amount: '5.00', currency: 'CHF' }, 'amount.currency'],
        [{ amount: '5.00', currency: 'EUU' }, 'amount.currency'],
        [{ amount: '0.00', currency: 'EUR' }, 'amount.amount'],
        [{ amount: '5.001', currency: 'EUR' }, 'amount.amount'],
        [{ amount: '-5', currency: 'EUR' }, 'amount.amount'],
        [{ amount: '90071992547409.92', currency: 'EUR' }, 'amount.amount'],
        [5, 'amount'],
      ] as const)
        for (const call of [load, charge]) {
          const { status, body, text } = await call(till, '1', { amount });
          assert.deepEqual([status, body.problems?.[0]?.path], [400, path], text);
        }
    });
  });

  it('is never less than nothing: a charge beyond it takes nothing, or what is there', async () => {
    const empty = { balance: 0, amount: euros('0.00') };
    assertRefused(await charge(till, '1', { partial: true }), 'insufficient_value', /holds 0\.00 EUR/, empty);
    await load(till, '5');
    const there = { balance: 500, amount: euros('5.00') };
    assertRefused(
      await charge(till, '5.01'),
      'insufficient_value',
      /holds 5\.00 EUR, less than 5\.01 EUR/,
      there,
    );
    const { body } = await charge(till, '7.50', { partial: true });
    assert.deepEqual([body.charged, body.due, body.balance], [euros('5.00'), euros('2.50'), euros('0.00')]);
    await till.assertSound();
  });

  it('is never more than a card may hold', async () => {
    await till.change({ maxBalance: euros('50') });
    await load(till, '50');
    assertRefused(await load(till, '0.01'), 'invalid_request', /^amount: the card would hold 50\.01 EUR/);
    assertRefused(await till.adjust(1), 'invalid_request', /^points: the card would hold 50\.01 EUR/);
    const opened = await till.client.post(`/passes/${till.passId}/instances`, { value: euros('50.01') });
    assertRefused(opened, 'invalid_request', /^value: the card would hold 50\.01 EUR/);
    await till.change({ limits: { perAward: 2_000 } });
    assertRefused(
      await load(till, '20.01'),
      'invalid_request',
      /^amount: one award gives 20\.00 EUR at most/,
    );
  });

  it('comes with a new card', async () => {
    const card = await makeCard(till.client, till.passId, { value: euros('20'), externalRef: 'sale-3' });
    assert.deepEqual(card.loyalty.amount, euros('20.00'));
    assert.deepEqual((await charge(till, '20', { instanceId: card.instanceId })).body.balance, euros('0.00'));
    await till.assertSound();
  });

  it('comes with no card that its holder has already, nor on one of points', async () => {
    const issue = (value: object, path = till.passId) =>
      till.client.post(`/passes/${path}/instances`, { value, holder: { identifier: 'ada' } });
    assertRefused(await issue(euros('5')), 'holder_has_active_instance');
    assertRefused(
      await issue({ amount: '5', currency: 'CHF' }),
      'invalid_request',
      /^value\.currency: must be EUR/,
    );
    assertRefused(await issue(euros('0')), 'invalid_request', /^value\.amount: must be above 0/);
    const plain = await makePass(till.client, { type: 'giftCard' });
    assertRefused(await issue(euros('5'), plain.passId), 'no_loyalty_program');
    const points = await Till.open(app, coffee);
    const refused = await points.client.post(`/passes/${points.passId}/instances`, { value: euros('5') });
    assertRefused(refused, 'invalid_request', /counts points/);
  });

  it('is neither loaded nor charged on a card that is voided or has expired', async () => {
    await load(till, '10');
    const soon = new Date(app.running.app.now().getTime() + 3_600_000).toISOString();
    const short = await makeCard(till.client, till.passId, { value: euros('5'), expiresAt: soon });
    await till.void();
    assertRefused(await load(till, '1'), 'instance_voided');
    assertRefused(await charge(till, '1'), 'instance_voided');
    app.advance(3_600_000);
    assertRefused(await charge(till, '1', { instanceId: short.instanceId }), 'instance_expired', /./, {
      expiredAt: soon,
    });
  });

  it('is charged once by repeats, and not again for another amount under the same reference', async () => {
    await load(till, '10', { externalRef: 'sale-1' });
    assert.deepEqual((await load(till, '10.00', { externalRef: 'sale-1' })).body.balance, euros('10.00'));
    const paid = await inParallel(8, () => charge(till, '3', { externalRef: 'receipt-1' }));
    assert.equal(new Set(paid.map(({ text }) => text)).size, 1);
    assertRefused(await charge(till, '3.01', { externalRef: 'receipt-1' }), 'external_ref_reused');
    assert.deepEqual((await till.holder()).amount, euros('7.00'));
  });

  it('pays as many charges at once as it covers, and no other', async () => {
    await load(till, '10');
    const replies = await inParallel(30, () => charge(till, '0.75'));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 13, 409: 17 });
    assert.deepEqual((await till.holder()).amount, euros('0.25'));
    await till.assertSound();
  });
});

describe('a refund', () => {
  it('gives back a charge in parts, up to the whole', async () => {
    await load(till, '10');
    const { body: paid } = await charge(till, '6', { orderId: 'order-9' });
    const first = await refund(till, { entryId: paid.entryId, amount: euros('2.50') });
    const { entryId, ...rest } = first.body;
    assert.deepEqual(rest, {
      instanceId: till.ada.instanceId,
      programId: till.program.programId,
      refunded: euros('2.50'),
      refundable: euros('3.50'),
      refundOf: paid.entryId,
      balance: euros('6.50'),
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    const entry = (await till.entries()).at(-1);
    assert.deepEqual(
      [entry?.entryId, entry?.kind, entry?.reversalOf, entry?.orderId, entry?.amount],
      [entryId, 'reversal', paid.entryId, 'order-9', euros('2.50')],
    );
    const tooMuch = await refund(till, { entryId: paid.entryId, amount: euros('3.51') });
    assertRefused(tooMuch, 'invalid_request', /^amount: 3\.50 EUR of this charge is left to give back/);
    assertRefused(await till.reverse({ body: paid } as never), 'already_reversed');
    const last = await refund(till, { orderId: 'order-9' });
    assert.deepEqual([last.body.refunded, last.body.balance], [euros('3.50'), euros('10.00')]);
    assertRefused(await refund(till, { entryId: paid.entryId }), 'already_reversed');
    await till.assertSound();
  });

  it('is made once by repeats, whatever has happened since', async () => {
    await load(till, '10');
    await charge(till, '6', { orderId: 'order-9' });
    const body = { orderId: 'order-9', amount: euros('1'), refundId: 'again' };
    const [one, ...others] = await inParallel(6, () => refund(till, body));
    await charge(till, '2', { orderId: 'order-9' });
    others.push(await refund(till, body));
    for (const other of others) assert.equal(other.text, one?.text);
    assertRefused(await refund(till, { ...body, amount: euros('2') }), 'external_ref_reused');
    const several = await refund(till, { orderId: 'order-9' });
    assertRefused(several, 'invalid_request', /^orderId: several charges have paid for this order/);
    assert.deepEqual((await till.holder()).amount, euros('3.00'));
  });

  it('never gives back more than was charged, whatever runs at once', async () => {
    await load(till, '10');
    const { body: paid } = await charge(till, '7');
    const { entryId } = paid;
    const replies = await inParallel(20, (at) =>
      at % 5 === 4 ? till.reverse({ body: paid } as never) : refund(till, { entryId, amount: euros('1.50') }),
    );
    const given = replies.filter(({ status }) => status === 200);
    const { amount } = await till.holder();
    const undone = given.some(({ body }) => 'reversalOf' in body);
    assert.deepEqual([given.length, amount], undone ? [1, euros('10.00')] : [4, euros('9.00')]);
    await till.assertSound();
  });

  it('is of a charge alone, on a card that is not voided', async () => {
    const { body: loaded } = await load(till, '10');
    assertRefused(await refund(till, { entryId: loaded.entryId }), 'entry_not_reversible');
    assertRefused(await refund(till, { entryId: 'entry_none' }), 'entry_not_found');
    assertRefused(await refund(till, { orderId: 'none' }), 'entry_not_found');
    assertRefused(await refund(till, {}), 'invalid_request');
    assertRefused(await refund(till, { orderId: 'a', entryId: 'b' }), 'invalid_request');
    const { body: paid } = await charge(till, '4');
    await till.void();
    assertRefused(await refund(till, { entryId: paid.entryId }), 'instance_voided');
  });

  it('is good again where the money has expired since', async () => {
    await till.change({ expiry: { months: 1 } });
    await load(till, '10');
    const { body: paid } = await charge(till, '6');
    app.advance(70 * 86_400_000);
    const { body } = await refund(till, { entryId: paid.entryId });
    assert.deepEqual([body.refunded, body.balance], [euros('6.00'), euros('6.00')]);
    const { amount, nextExpiry } = await till.holder();
    assert.deepEqual([amount, nextExpiry.points], [euros('6.00'), 600]);
    assert.deepEqual((await charge(till, '6')).body.balance, euros('0.00'));
    await till.assertSound();
  });
});

describe('undoing', () => {
  it('takes a load away again where the card still has it', async () => {
    const loaded = await load(till, '10', { orderId: 'sale-1' });
    await charge(till, '4');
    assertRefused(await till.reverse(loaded), 'insufficient_value', /./, {
      balance: 600,
      amount: euros('6.00'),
    });
    await load(till, '5');
    assert.deepEqual((await till.reverse(loaded)).body.balance, 100);
    await till.assertSound();
  });

  it('gives a charge back whole, with the money where it came from', async () => {
    await load(till, '10');
    const paid = await charge(till, '4', { orderId: 'order-1' });
    assert.equal((await till.reverse(paid)).body.balance, 1_000);
    assertRefused(await till.reverse(paid), 'already_reversed');
    assertRefused(await refund(till, { entryId: paid.body.entryId }), 'already_reversed');
    await till.assertSound();
  });
});

describe('a transfer', () => {
  it('moves all money of a card, or a part, with its expiry', async () => {
    await till.change({ expiry: { months: 1 } });
    await load(till, '10');
    await till.change({ expiry: { months: null } });
    await load(till, '5');
    const before = (await till.holder()).nextExpiry;
    const bob = await till.card('bob');
    const { ada } = till;
    const { body, status, text } = await transfer(till, ada.instanceId, bob.instanceId, {
      amount: euros('12'),
    });
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.transferred, body.from.balance, body.to.balance],
      [euros('12.00'), euros('3.00'), euros('12.00')],
    );
    assert.deepEqual((await till.holder('bob')).nextExpiry, before);
    await transfer(till, ada.instanceId, bob.instanceId);
    assert.deepEqual((await till.holder('bob')).amount, euros('15.00'));
    assertRefused(await transfer(till, ada.instanceId, bob.instanceId), 'insufficient_value', /./, {
      balance: 0,
      amount: euros('0.00'),
    });
    await till.assertSound();
  });

  it('finds its cards by whatever names them, as other calls do', async () => {
    await till.client.patch('/workspace', { country: 'DE' });
    const holder = { identifier: 'bob', phone: '0170 1234567', email: 'Bob@example.com' };
    const bob = await till.card(undefined, { holder });
    const move = (from: object, to: object) =>
      till.client.post('/value/transfer', { from, to, amount: euros('1') });
    await load(till, '5');
    const { barcode } = till.ada;
    assert.equal((await move({ barcode }, { phone: '+49 170 1234567' })).body.to.instanceId, bob.instanceId);
    assert.equal((await move({ barcode }, { phone: '0170/1234567' })).body.to.instanceId, bob.instanceId);
    assert.equal((await move({ barcode }, { email: 'bob@EXAMPLE.com' })).body.to.instanceId, bob.instanceId);
    assert.deepEqual((await move({ identifier: 'bob' }, { barcode })).body.to.balance, euros('3.00'));
    assertRefused(await move({ barcode, identifier: 'ada' }, { barcode }), 'invalid_request');
    assertRefused(await move({}, { barcode }), 'invalid_request');
    assertRefused(await move({ barcode }, {}), 'invalid_request');
  });

  it('moves all of it or nothing', async () => {
    await till.change({ maxBalance: euros('20') });
    await load(till, '20');
    const bob = await till.card('bob', { value: euros('1') });
    const { instanceId: ada } = till.ada;
    await till.assertUntouched(async () => {
      assertRefused(await transfer(till, ada, bob.instanceId), 'invalid_request', /would hold 21\.00 EUR/);
      assertRefused(await transfer(till, ada, ada), 'invalid_request', /^to: /);
      assertRefused(await transfer(till, ada, 'inst_none'), 'instance_not_found');
      assertRefused(
        await transfer(till, ada, bob.instanceId, { amount: euros('20.01') }),
        'insufficient_value',
        /./,
        { balance: 2_000, amount: euros('20.00') },
      );
    });
    const moves = await inParallel(6, () =>
      transfer(till, ada, bob.instanceId, { amount: euros('15'), externalRef: 'lost-1' }),
    );
    assert.equal(new Set(moves.map(({ text }) => text)).size, 1);
    const back = await Promise.all([
      transfer(till, ada, bob.instanceId, { amount: euros('2') }),
      transfer(till, bob.instanceId, ada, { amount: euros('3') }),
    ]);
    assert.deepEqual(
      back.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual((await till.holder()).amount, euros('6.00'));
    await till.assertSound();
  });

  it('saves the money of a card that was lost and voided', async () => {
    await load(till, '9.90');
    await till.void();
    const fresh = await till.card('eve');
    const { body } = await transfer(till, till.ada.instanceId, fresh.instanceId);
    assert.deepEqual(body.to?.balance, euros('9.90'), JSON.stringify(body));
    assertRefused(await transfer(till, fresh.instanceId, till.ada.instanceId), 'instance_voided');
  });
});

describe('money that comes from elsewhere', () => {
  it('is set by a file of amounts, which an export writes alike', async () => {
    const { programId } = till.program;
    const path = `/loyalty/programs/${programId}/balances`;
    const csv = { headers: { 'content-type': 'text/csv' } };
    await till.card('bob');
    await load(till, '3');
    const file = 'identifier,balance\nada,25.50\nbob,7\nada,"7,50"\neve,1.005\n';
    const { body } = await till.client.send('POST', path, file, csv);
    assert.deepEqual(
      body.results.map(({ status, before, after, error }: Json) => [status, before, after, error?.error]),
      [
        ['changed', 300, 2550, undefined],
        ['changed', 0, 700, undefined],
        [
          'refused',
          undefined,
          undefined,
          'balance: must be an amount such as 12.50, with a point and without the currency.',
        ],
        ['refused', undefined, undefined, 'balance.amount: EUR has at most 2 decimals.'],
      ],
    );
    const { text } = await till.client.get(`${path}.csv`);
    const balances = text
      .split('\n')
      .flatMap((line) => /^(ada|bob),.*?,.*?,([^,]*),/.exec(line)?.slice(1).join(' ') ?? []);
    assert.deepEqual(balances.sort(), ['ada 25.50', 'bob 7.00']);
    assert.equal((await till.client.send('POST', path, text, csv)).body.unchanged, 2);
    await till.assertSound();
  });

  it('comes with cards that were issued elsewhere, and never as a number', async () => {
    const { body } = await till.client.post(`/passes/${till.passId}/instances/import`, {
      instances: [
        { barcode: 'G-1', value: euros('12.50') },
        { barcode: 'G-2', value: euros('0.00') },
        { barcode: 'G-3', balance: 1250 },
        { barcode: 'G-4', value: { amount: '5', currency: 'CHF' } },
        { barcode: 'G-5', value: euros('5'), balance: 500 },
      ],
    });
    assert.deepEqual(
      body.results.map(({ instance, error }: Json) => instance?.loyalty.amount ?? error.error.split(':')[0]),
      [euros('12.50'), euros('0.00'), 'balance', 'value.currency', 'balance'],
    );
    const imported = await till.entries(body.results[0].instance);
    assert.deepEqual(
      imported.map(({ kind, amount }) => [kind, amount]),
      [['import', euros('12.50')]],
    );
    const points = await Till.open(app, coffee);
    const other = await points.client.post(`/passes/${points.passId}/instances/import`, {
      instances: [{ barcode: 'P-1', value: euros('5') }],
    });
    assert.match(other.body.results[0].error.error, /counts points/);
    await till.assertSound();
  });
});

describe('what is reported of money', () => {
  it('has events of its own, with the amounts', async () => {
    const loaded = await load(till, '10');
    const { body: paid } = await charge(till, '4');
    await refund(till, { entryId: paid.entryId, amount: euros('1') });
    await till.adjust(5);
    await load(till, '1');
    await till.reverse(loaded).then(() => undefined);
    const { body } = await till.client.get(`/events?instanceId=${till.ada.instanceId}&limit=50`);
    const seen = body.data
      .filter(({ type }: { type: string }) => type.startsWith('value.') || type.startsWith('points.'))
      .map(
        ({ type, data }: { type: string; data: { amount: { amount: string } } }) =>
          `${type} ${data.amount.amount}`,
      );
    assert.deepEqual(seen.sort(), [
      'value.adjusted 0.05',
      'value.charged -4.00',
      'value.loaded 1.00',
      'value.loaded 10.00',
      'value.refunded 1.00',
    ]);
  });

  it('is no part of the points of the workspace', async () => {
    await load(till, '10');
    const { body } = await till.client.get('/statistics');
    assert.ok(!JSON.stringify(body).includes('1000'), JSON.stringify(body).slice(0, 600));
  });
});
