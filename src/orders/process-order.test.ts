import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { euros, Shop } from './shop.fixture.ts';

/** The status too: some codes have two. */
function refused(reply: Reply, status: number, code: Parameters<typeof assertRefused>[1]): void {
  assertRefused(reply, code);
  assert.equal(reply.status, status);
}

const app = await startTestApp({ WORKERS: 'off' });

describe('POST /orders/process', () => {
  it('issues a card for a new customer and awards by the earn rule', async () => {
    const shop = await Shop.open(app);
    const { status, body } = await shop.process('1001', {
      customer: { id: 'ada', email: ' Ada@Example.com ', name: 'Ada', phone: '+49 30 1234' },
    });
    assert.equal(status, 200);
    const [card] = await shop.cards();
    assert.deepEqual(body, {
      orderId: '1001',
      instanceId: card?.instanceId,
      issued: true,
      pointsAwarded: 25,
      balance: 25,
      pendingRewards: 0,
      links: card?.links,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    assert.deepEqual(card?.holder, {
      identifier: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      phone: '+49301234',
      locale: null,
    });
    const { data } = (await shop.client.get(`/loyalty/entries?passId=${shop.passId}`)).body;
    assert.deepEqual([data[0].orderId, data[0].kind], ['1001', 'earn']);
    await shop.assertSound();
  });

  it('answers a repeat with the same bytes, whatever its amounts, also while the program is paused', async () => {
    const shop = await Shop.open(app);
    const first = await shop.process('1001');
    const bytes = (text: string) => text;
    const repeat = await shop.process('1001', { total: { amount: '99.00', currency: 'EUR' } });
    assert.equal(bytes(repeat.text), bytes(first.text));
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, { status: 'paused' });
    assert.equal((await shop.process('1001')).text, first.text);
    refused(await shop.process('1002'), 400, 'program_inactive');
    assert.equal(await shop.balance(), 25);
  });

  it('refuses the same order for another pass', async () => {
    const shop = await Shop.open(app);
    await shop.process('1001');
    const other = await makePass(shop.client);
    const reply = await shop.process('1001', { passId: other.passId });
    refused(reply, 409, 'external_ref_reused');
    assert.match(reply.body.error, /^The key "1001" was used/);
  });

  it('awards 50 parallel copies of one order once', async () => {
    const shop = await Shop.open(app);
    const replies = await inParallel(50, () => shop.process('1001'));
    assert.deepEqual(tally(replies.map(({ text }) => text)), { [replies[0]?.text ?? '']: 50 });
    assert.deepEqual(await shop.story(), ['earn +25 = 25']);
    await shop.assertSound();
  });

  it('gives a new customer one card, however many first orders come at once', async () => {
    const shop = await Shop.open(app);
    const replies = await inParallel(40, (index) =>
      shop.process(`${index}`, {
        customer: index % 2 === 0 ? { id: 'ada', email: 'ada@example.com' } : { email: 'ADA@example.com' },
      }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 40 });
    assert.deepEqual(tally(replies.map(({ body }) => body.issued)), { true: 1, false: 39 });
    const cards = await shop.cards();
    assert.equal(cards.length, 1);
    assert.equal(cards[0]?.loyalty.balance, 40 * 25);
    await shop.assertSound();
  });

  it('finds the holder by id, then by e-mail address', async () => {
    const shop = await Shop.open(app);
    const byId = await makeCard(shop.client, shop.passId, {
      holder: { identifier: 'ada', email: 'one@example.com' },
    });
    const byMail = await makeCard(shop.client, shop.passId, {
      holder: { identifier: 'x', email: 'Two@Example.com' },
    });
    const cardOf = async (orderId: string, customer: object) =>
      (await shop.process(orderId, { customer })).body.instanceId;
    assert.equal(await cardOf('1', { id: 'ada', email: 'two@example.com' }), byId.instanceId);
    assert.equal(await cardOf('2', { id: 'unknown', email: 'TWO@example.com' }), byMail.instanceId);
    assert.equal(await cardOf('3', { email: 'one@example.com' }), byId.instanceId);
    await shop.client.post(`/instances/${byMail.instanceId}/void`);
    const fresh = await cardOf('4', { email: 'two@example.com' });
    assert.notEqual(fresh, byMail.instanceId);
    assert.equal((await shop.cards()).length, 3);
  });

  it('finds the holder by a telephone number alone, however it is written', async () => {
    const shop = await Shop.open(app);
    const held = await makeCard(shop.client, shop.passId, {
      holder: { identifier: 'ada', phone: '+49 (0)30 1234567' },
    });
    const elsewhere = (await makeProgram(shop.client, euros)).pass.passId;
    await makeCard(shop.client, elsewhere, { holder: { identifier: 'ada', phone: '+49301234567' } });
    const process = async (orderId: string, customer: object) =>
      (await shop.process(orderId, { customer })).body;
    for (const [at, phone] of ['+49 30 1234567', '0049-30-1234567', '+49301234567'].entries())
      assert.equal((await process(`${at}`, { phone })).instanceId, held.instanceId, phone);
    // A number next to an id does not identify a customer: families share one.
    assert.notEqual((await process('4', { id: 'bob', phone: '+49301234567' })).instanceId, held.instanceId);
    await shop.client.post(`/instances/${held.instanceId}/void`);
    const stranger = await process('5', { phone: '+43 1 7654321', name: 'Cy' });
    assert.equal(stranger.issued, true);
    const [card] = await shop.cards();
    assert.deepEqual(
      [card?.instanceId, card?.holder],
      [
        stranger.instanceId,
        { identifier: '+4317654321', name: 'Cy', email: null, phone: '+4317654321', locale: null },
      ],
    );
    assert.equal((await process('6', { phone: '+4317654321' })).instanceId, stranger.instanceId);
    await shop.assertSound();
  });

  it('gives the first orders of one telephone number one card, however many come at once', async () => {
    const shop = await Shop.open(app);
    const replies = await inParallel(30, (index) =>
      shop.process(`${index}`, {
        customer: { phone: index % 2 === 0 ? '+49 30 1234567' : '004930/1234567' },
      }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 30 });
    assert.deepEqual(tally(replies.map(({ body }) => body.issued)), { true: 1, false: 29 });
    assert.equal((await shop.cards()).length, 1);
    assert.equal((await shop.cards())[0]?.loyalty.balance, 30 * 25);
    await shop.assertSound();
  });

  it('keeps orders that earn nothing', async () => {
    const shop = await Shop.open(app, {
      ...euros,
      earn: { ...euros.earn, minOrder: { amount: '5.00', currency: 'EUR' } },
    });
    const { status, body } = await shop.process('1001', { total: { amount: '4.99', currency: 'EUR' } });
    assert.deepEqual([status, body.pointsAwarded, body.balance, body.issued], [200, 0, 0, true]);
    assert.equal(body.limitedBy, 'below_minimum');
    assert.deepEqual(await shop.story(), []);
    const order = await shop.order('1001');
    assert.deepEqual(
      [order.points, order.limitedBy, order.total, order.waiting],
      [0, 'below_minimum', { amount: '4.99', currency: 'EUR' }, false],
    );
    assert.equal((await shop.process('1001')).headers.get('idempotent-replayed'), 'true');
  });

  it('says why an order earns nothing, whatever has become of it since', async () => {
    const shop = await Shop.open(app, {
      ...euros,
      earn: { perCurrencyUnit: 1, perOrder: 0, minOrder: { amount: '0.50', currency: 'EUR' } },
    });
    const limitedBy = async (orderId: string) => (await shop.order(orderId)).limitedBy;
    const process = (orderId: string, amount: string) =>
      shop.process(orderId, { total: { amount, currency: 'EUR' } });
    assert.equal((await process('empty', '0.00')).body.limitedBy, 'empty_order');
    assert.equal((await process('cents', '0.99')).body.limitedBy, 'below_minimum');
    assert.equal('limitedBy' in (await process('1', '10.00')).body, false);
    assert.equal(await limitedBy('1'), null);
    await shop.refund('1', 'r1', '9.60');
    assert.equal(await limitedBy('1'), 'below_minimum');
    await shop.refund('1', 'r2', '0.40');
    assert.equal(await limitedBy('1'), 'empty_order');
    await shop.cancel('1');
    assert.equal(await limitedBy('1'), 'cancelled');
    assert.deepEqual([await limitedBy('empty'), await limitedBy('cents')], ['empty_order', 'below_minimum']);
    await shop.refund('waiting', 'r1', '1.00');
    assert.equal(await limitedBy('waiting'), null);
  });

  it('fails as a whole: nothing is issued, awarded or kept', async () => {
    const shop = await Shop.open(
      app,
      { ...euros, earn: { minOrder: { amount: '5.00', currency: 'EUR' } } },
      { barcode: { mode: 'pool', format: 'qr' } },
    );
    const dollars = await shop.process('1', { total: { amount: '9.00', currency: 'USD' } });
    refused(dollars, 409, 'pool_exhausted');
    await app.fillPool(shop.passId, ['A', 'B']);
    refused(await shop.process('1', { total: { amount: '9.00', currency: 'USD' } }), 400, 'invalid_request');
    assert.equal((await shop.cards()).length, 0);
    const { pool, counts } = (await shop.client.get(`/passes/${shop.passId}`)).body;
    assert.deepEqual([pool.available, counts.issued], [2, 0]);
    refused(await shop.client.get('/orders/1'), 404, 'order_not_found');
    assert.equal((await shop.process('1')).body.issued, true);
    await shop.assertSound();
  });

  it('refuses a neighbour of its batch alone', async () => {
    const shop = await Shop.open(app, { ...euros, earn: { minOrder: { amount: '5.00', currency: 'EUR' } } });
    const replies = await inParallel(60, (index) =>
      shop.process(`${index}`, {
        customer: { id: `c${index}` },
        total: { amount: '9.00', currency: index % 10 === 0 ? 'USD' : 'EUR' },
      }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 54, 400: 6 });
    assert.equal((await shop.cards()).length, 54);
    await shop.assertSound();
  });

  it('refuses what the contract names, in its order', async () => {
    const shop = await Shop.open(app);
    const { client } = shop;
    const unknown = 'pass_01h455vb4pex5vsknk084sn02q';
    refused(await shop.process('1', { passId: unknown }), 404, 'pass_not_found');
    const settlement = await makePass(client, {}, 'draft');
    refused(await shop.process('1', { passId: settlement.passId }), 400, 'pass_not_found');
    const archived = await makePass(client, {}, 'archived');
    refused(await shop.process('1', { passId: archived.passId }), 400, 'pass_not_found');
    const plain = await makePass(client);
    refused(await shop.process('1', { passId: plain.passId }), 400, 'no_loyalty_program');
    await client.post('/loyalty/programs', { passId: plain.passId, ...euros });
    refused(await shop.process('1', { passId: plain.passId }), 400, 'program_not_launched');
    refused(await shop.process('1', { partnerId: 'part_none' }), 404, 'partner_not_found');
    refused(await shop.process('1', { storeId: 'store_none' }), 404, 'store_not_found');
    const elsewhere = await Shop.open(app);
    refused(await shop.process('1', { passId: elsewhere.passId }), 403, 'forbidden');
    const { client: restricted } = await makeKey(client, { passIds: [plain.passId] });
    const body = {
      passId: shop.passId,
      orderId: '1',
      customer: { id: 'a' },
      total: { amount: '1', currency: 'EUR' },
    };
    refused(await restricted.post('/orders/process', body), 403, 'insufficient_scope');
    await client.patch(`/passes/${shop.passId}`, { status: 'archived' });
    refused(await shop.process('1'), 400, 'pass_not_found');
    assert.deepEqual(await shop.cards(), []);
  });

  it('says what is wrong with a body', async () => {
    const shop = await Shop.open(app);
    const bad: [object, RegExp][] = [
      [{ customer: {} }, /customer: send an id, an email or a phone/],
      [{ customer: { name: 'Ada' } }, /customer: send an id, an email or a phone/],
      [{ customer: { phone: '030 1234567' } }, /customer\.phone: write it with its country/],
      [{ customer: { phone: 'none' } }, /customer\.phone/],
      [{ customer: { email: 'nobody' } }, /customer\.email/],
      [{ total: { amount: '1.234', currency: 'EUR' } }, /total\.amount/],
      [{ total: { amount: '1.00', currency: 'XXZ' } }, /total\.currency/],
      [{ total: { amount: 1, currency: 'EUR' } }, /total\.amount/],
      [{ total: { amount: '-1.00', currency: 'EUR' } }, /total\.amount/],
      [{ orderId: '' }, /orderId/],
      [{ orderId: 'a\u0000b' }, /./],
      [{ orderId: '..' }, /orderId/],
      [{ customer: { id: '\u{1D160}'.repeat(100) } }, /customer\.id/],
      [{ customer: { email: `${'İ'.repeat(200)}@example.com` } }, /customer\.email/],
      [{ occurredAt: '2999-01-01T00:00:00Z' }, /occurredAt/],
      [{ points: 5 }, /points/],
    ];
    for (const [more, message] of bad) {
      const reply = await shop.process('1', more);
      refused(reply, 400, 'invalid_request');
      assert.match(reply.body.error, message);
    }
    assert.deepEqual(await shop.cards(), []);
  });

  it('attributes card and points to the partner', async () => {
    const shop = await Shop.open(app);
    const { partnerId } = (await shop.client.post('/partners', { name: 'Harbour' })).body;
    await shop.process('1', { partnerId });
    assert.equal((await shop.cards())[0]?.partnerId, partnerId);
    const [entry] = (await shop.client.get(`/loyalty/entries?passId=${shop.passId}`)).body.data;
    assert.equal(entry.partnerId, partnerId);
    await shop.client.delete(`/partners/${partnerId}`);
    await shop.refund('1', 'r1', '10.00');
    const [taken] = (await shop.client.get(`/loyalty/entries?passId=${shop.passId}`)).body.data;
    assert.deepEqual([taken.kind, taken.points, taken.partnerId], ['reversal', -25, partnerId]);
  });

  it('says 202 when no credit is left to push it, and does not award again afterwards', async () => {
    const { client } = await app.newWorkspace('pro', 0);
    const pass = await makePass(client);
    const { programId } = (await client.post('/loyalty/programs', { passId: pass.passId, ...euros })).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const body = {
      passId: pass.passId,
      orderId: '1',
      customer: { id: 'a' },
      total: { amount: '1.00', currency: 'EUR' },
    };
    const skipped = await client.post('/orders/process', body);
    assert.equal(skipped.status, 202);
    assert.deepEqual(
      [skipped.body.pushed, skipped.body.pushSkipReason, skipped.body.warnings.length],
      [false, 'insufficient_credits', 1],
    );
    assert.equal((await client.post('/orders/process', body)).text, skipped.text);
  });

  it('obeys the limits of the program, and remembers that it did', async () => {
    const shop = await Shop.open(app, { ...euros, limits: { perDay: 30 } });
    assert.equal((await shop.process('1')).body.pointsAwarded, 25);
    const limited = await shop.process('2');
    assert.deepEqual([limited.body.pointsAwarded, limited.body.limitedBy], [0, 'per_day']);
    assert.equal((await shop.order('2')).limitedBy, 'per_day');
    await shop.refund('2', 'r', '5.00');
    assert.equal(await shop.balance(), 25);
  });

  it('keeps any printable orderId apart', async () => {
    const shop = await Shop.open(app);
    const ids = ['#1001', 'a/b', 'a%2Fb', '...', 'ä'.normalize('NFC'), "o'r--", '1001 ', '🎁'];
    for (const id of ids) assert.equal((await shop.process(id)).status, 200, id);
    for (const id of ids) assert.equal((await shop.order(id)).orderId, id);
    assert.equal((await shop.process('a\u0308')).headers.get('idempotent-replayed'), 'true');
    assert.equal(await shop.balance(), ids.length * 25);
  });

  it('shows an order to keys that reach its pass only', async () => {
    const shop = await Shop.open(app);
    const items: Json[] = [{ sku: 'X1', quantity: 2, total: { amount: '10.00', currency: 'EUR' } }];
    await shop.process('1', { items });
    assert.deepEqual((await shop.order('1')).items, items);
    const other = await makePass(shop.client);
    const { client: restricted } = await makeKey(shop.client, { passIds: [other.passId] });
    refused(await restricted.get('/orders/1'), 403, 'insufficient_scope');
    const cents = { amount: '1.00', currency: 'EUR' };
    const refund = { refundId: 'r', amount: cents };
    refused(await restricted.post('/orders/1/refunds', refund), 403, 'insufficient_scope');
    refused(await restricted.post('/orders/9/refunds', refund), 404, 'order_not_found');
    const elsewhere = await Shop.open(app);
    refused(await elsewhere.client.get('/orders/1'), 404, 'order_not_found');
  });
});
