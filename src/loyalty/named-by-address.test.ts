import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { rowOf, Till } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
let bob: Json;
beforeEach(async () => {
  till = await Till.open(app);
  bob = await till.card('bob', {
    holder: { identifier: 'bob', email: 'Bob@Example.com', phone: '+44 (20) 7946-0958' },
  });
});

describe('a card named by the address of its holder', () => {
  it('is found by every call, however the address is written', async () => {
    for (const named of [
      { email: 'bob@example.com' },
      { phone: '+442079460958' },
      { phone: '+44 20 7946.0958' },
      { phone: '0044 (0)20/7946-0958' },
    ]) {
      const calls: Reply[] = [
        await till.preview({ points: 1, ...named }),
        await till.earn(20, named),
        await till.adjust(-1, named),
        await till.redeem(named),
      ];
      assert.deepEqual(tally(calls.map(({ status }) => status)), { 200: 4 });
      for (const { body } of calls.slice(1)) assert.equal(body.instanceId, bob.instanceId);
    }
    assert.equal((await till.holder('bob')).balance, 36);
    await till.assertSound();
  });

  it('is the same effect whatever its spelling', async () => {
    const first = await till.earn(5, { email: 'BOB@example.com', externalRef: 'r-1' });
    assert.equal((await till.earn(5, { email: 'bob@Example.com', externalRef: 'r-1' })).text, first.text);
    const other = await till.earn(5, { email: 'eve@example.com', externalRef: 'r-1' });
    assertRefused(other, 'external_ref_reused');
  });

  it('names no card without a present card of this pass', async () => {
    const elsewhere = await makePass(till.client);
    const other = await Till.open(app);
    await other.card('eve', { holder: { email: 'eve@example.com' } });
    await till.assertUntouched(async () => {
      assertRefused(await till.earn(1, { email: 'eve@example.com' }), 'holder_not_found', /this email/);
      assertRefused(await till.redeem({ phone: '+442079460959' }), 'holder_not_found', /this phone/);
      const { client, passId } = { client: till.client, passId: elsewhere.passId };
      const wrong = await client.post('/loyalty/points', { passId, email: 'bob@example.com', points: 1 });
      assertRefused(wrong, 'no_loyalty_program');
    });
    await till.void(bob);
    assertRefused(await till.earn(1, { email: 'bob@example.com' }), 'holder_not_found');
    assertRefused(await till.preview({ points: 1, email: 'bob@example.com' }), 'holder_not_found');
  });

  it('is ambiguous where several holders share the address', async () => {
    await till.card('eve', {
      holder: { identifier: 'eve', email: 'BOB@EXAMPLE.COM', phone: '+442079460958' },
    });
    await till.card(undefined, { holder: { email: 'bob@example.com' } });
    await till.assertUntouched(async () => {
      for (const call of [
        () => till.earn(1, { email: 'bob@example.com' }),
        () => till.adjust(1, { email: 'bob@example.com' }),
        () => till.redeem({ email: 'bob@example.com' }),
        () => till.preview({ points: 1, email: 'bob@example.com' }),
      ])
        assertRefused(await call(), 'ambiguous_holder', /^3 holders.*email.*identifier/, { matchCount: 3 });
      assertRefused(await till.earn(1, { phone: '+442079460958' }), 'ambiguous_holder', /phone/, {
        matchCount: 2,
      });
    });
  });

  it('refuses a malformed one, and two names', async () => {
    for (const [named, message] of [
      [{ email: 'bob' }, /^email/],
      [{ email: null }, /^email/],
      [{ phone: 'call me' }, /^phone/],
      [{ email: 'bob@example.com', phone: '+442079460958' }, /only one of/],
      [{ identifier: 'bob', email: 'bob@example.com' }, /only one of/],
    ] as const)
      assertRefused(await till.earn(1, named as object), 'invalid_request', message);
  });

  it('is held like any other: fifty at a time count once each', async () => {
    const names = [{ email: 'bob@example.com' }, { phone: '+442079460958' }, { identifier: 'bob' }];
    const replies = await inParallel(50, (turn) => till.earn(1, names[turn % 3]));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 50 });
    assert.equal((await till.holder('bob')).balance, 50);
    await till.assertSound();
  });

  it('names no card once its holder was erased, while the call waited for the card', async () => {
    const erase = () => till.client.delete(`/instances/${bob.instanceId}`);
    const [reply] = await till.behindLock(
      rowOf(bob),
      [erase],
      [() => till.earn(5, { email: 'bob@example.com' })],
    );
    assertRefused(reply as Reply, 'holder_not_found');
    assert.deepEqual(await till.entries(bob), []);
  });

  it('is the card that has the address after the wait', async () => {
    const eve = await till.card('eve', { holder: { identifier: 'eve', email: 'eve@example.com' } });
    const holder = { email: 'swapped@example.com' };
    await till.client.patch(`/instances/${eve.instanceId}`, { holder });
    const move = async () => {
      await till.client.patch(`/instances/${eve.instanceId}`, { holder: { email: 'bob@example.com' } });
      return till.client.patch(`/instances/${bob.instanceId}`, { holder: { email: null } });
    };
    const [reply] = await till.behindLock(
      rowOf(bob),
      [move],
      [() => till.earn(5, { email: 'bob@example.com' })],
    );
    // Two have it for a moment.
    if (reply?.status === 409) assert.equal(reply.body.code, 'ambiguous_holder');
    else assert.equal(reply?.body.instanceId, eve.instanceId);
    assert.equal((await till.earn(5, { email: 'bob@example.com' })).body.instanceId, eve.instanceId);
  });

  it('is not reached by a key of another pass', async () => {
    const { passId } = await makePass(till.client);
    const { client } = await makeKey(till.client, { passIds: [passId] });
    assertRefused(await till.earn(1, { email: 'bob@example.com' }, client), 'insufficient_scope');
  });
});

describe('a call that names no pass', () => {
  const earn = (body: object, by = till.client) => by.post('/loyalty/points', { points: 5, ...body });

  it('is for the pass of the card that alone has the barcode', async () => {
    const { barcode, instanceId } = bob;
    assert.equal((await earn({ barcode, points: 20 })).body.instanceId, instanceId);
    const adjusted = await till.client.post('/loyalty/adjust', { barcode, points: -5, reason: 'A slip' });
    assert.equal(adjusted.body.balance, 15);
    assert.equal((await till.client.post('/loyalty/redeem', { barcode })).body.balance, 5);
    await till.assertSound();
  });

  it('needs a barcode or an identifier', async () => {
    for (const named of [{ instanceId: bob.instanceId }, { email: 'bob@example.com' }, {}])
      assertRefused(await earn(named), 'invalid_request', /^passId: is required, unless a barcode/);
    assertRefused(await earn({ barcode: bob.barcode, identifier: 'bob' }), 'invalid_request', /only one of/);
  });

  it('is ambiguous where cards of several passes have the barcode, unless the key reaches one', async () => {
    const other = await makePass(till.client);
    const body = { barcode: 'SAME-1' };
    const own = await till.card('eve', body);
    await till.client.post(`/passes/${other.passId}/instances`, body);
    assertRefused(await earn(body), 'ambiguous_barcode', /passId/, { matchCount: 2 });
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    assert.equal((await earn(body, client)).body.instanceId, own.instanceId);
    const { client: elsewhere } = await makeKey(till.client, { passIds: [other.passId] });
    assertRefused(await earn(body, elsewhere), 'no_loyalty_program');
  });

  it('is for the pass of which the holder alone has a card, whatever barcode that has', async () => {
    const plain = await makePass(till.client);
    const named = { identifier: 'bob' };
    assert.equal((await earn({ ...named, points: 20 })).body.instanceId, bob.instanceId);
    const rewards = await till.client.get('/loyalty/rewards?identifier=bob');
    assert.equal(rewards.body.data.length, 1, rewards.text);
    assert.deepEqual(
      (await till.client.get(`/loyalty/rewards?barcode=${bob.barcode}`)).body.data,
      rewards.body.data,
    );
    for (const card of [named, { barcode: bob.barcode }]) {
      const { body } = await till.preview({ ...card, passId: undefined, points: 3 });
      assert.deepEqual([body.points, body.balance], [3, 23]);
    }
    const first = await earn({ ...named, externalRef: 'n-1' });
    const other = (await till.client.post(`/passes/${plain.passId}/instances`, { holder: named })).body;
    const ambiguous = [
      await earn(named),
      await till.client.post('/loyalty/redeem', named),
      await till.client.post('/loyalty/adjust', { ...named, points: 1, reason: 'A slip' }),
      await till.preview({ ...named, passId: undefined, points: 3 }),
      await till.client.get('/loyalty/rewards?identifier=bob'),
    ];
    for (const reply of ambiguous)
      assertRefused(reply, 'ambiguous_holder', /of 2 passes.*passId/, { matchCount: 2 });
    assert.equal(
      (await earn({ ...named, externalRef: 'n-1' })).text,
      first.text,
      'a repeat is for the same pass',
    );
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    assert.equal((await earn(named, client)).body.instanceId, bob.instanceId);
    await till.client.post(`/instances/${other.instanceId}/void`);
    assert.equal(
      (await earn(named)).body.instanceId,
      bob.instanceId,
      'a card that is valid goes before a former',
    );
    await till.client.post(`/instances/${bob.instanceId}/void`);
    assertRefused(await earn(named), 'ambiguous_holder', /./, { matchCount: 2 });
  });

  it('finds nothing of other workspaces', async () => {
    const stranger = await Till.open(app);
    for (const named of [{ identifier: 'bob' }, { identifier: 'nobody' }])
      assertRefused(await earn(named, stranger.client), 'holder_not_found');
    const query = `/loyalty/rewards?barcode=${bob.barcode}`;
    assertRefused(await stranger.client.get(query), 'instance_not_found');
    const preview = { barcode: bob.barcode, points: 1 };
    assertRefused(await stranger.client.post('/loyalty/points/preview', preview), 'instance_not_found');
    assertRefused(await earn({ barcode: bob.barcode }, stranger.client), 'instance_not_found');
    assertRefused(await earn({ barcode: 'missing' }), 'instance_not_found');
  });

  it('is the same effect as one that names it, and replays whatever became of the barcode', async () => {
    const { barcode } = bob;
    const first = await earn({ barcode, externalRef: 'r-1' });
    assert.equal((await earn({ passId: till.passId, barcode, externalRef: 'r-1' })).text, first.text);
    assertRefused(await earn({ barcode, externalRef: 'r-1', points: 6 }), 'external_ref_reused');
    const other = await makePass(till.client);
    await till.client.post(`/passes/${other.passId}/instances`, { barcode });
    assertRefused(await earn({ barcode, externalRef: 'r-2' }), 'ambiguous_barcode', /./, { matchCount: 2 });
    assert.equal((await earn({ barcode, externalRef: 'r-1' })).text, first.text);
    const { client } = await makeKey(till.client, { passIds: [other.passId] });
    assertRefused(await earn({ barcode, externalRef: 'r-1' }, client), 'insufficient_scope');
    assert.equal((await till.holder('bob')).balance, 5);
  });
});
