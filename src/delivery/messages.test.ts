import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url, ROLLOUT_DEVICES_PER_SECOND: '100000' });
const phones = new Phones(app, apns);

let client: Client;
let pass: Json;
beforeEach(async () => {
  apns.unscript();
  ({ client } = await app.newWorkspace('pro', 100));
  pass = await makePass(client);
});

const send = (text: string, more: object = {}, headers = {}): Promise<Reply> =>
  client.post(`/passes/${pass.passId}/messages`, { text, ...more }, { headers });
const message = async (messageId: string): Promise<Json> => (await client.get(`/messages/${messageId}`)).body;
const ended = (messageId: string) =>
  until('all have had it', async () => {
    const { state, waiting } = await message(messageId);
    return state === 'finished' && waiting === 0;
  });
const credits = async (): Promise<Json> => (await client.get('/credits')).body;
const heard = (phone: Awaited<ReturnType<Phones['add']>>) => phone.notifications.map(({ text }) => text);
const cardWith = (body: object) => makeCard(client, pass.passId, body);
const figures = ({ recipients, delivered, failed, skipped, waiting }: Json) => ({
  recipients,
  delivered,
  failed,
  skipped,
  waiting,
});

describe('POST /passes/{passId}/messages to an audience', () => {
  it('reaches the cards that match, and shows on no other', async () => {
    const [gold, silver, standard] = [
      await cardWith({ fields: { tier: 'Gold' } }),
      await cardWith({ fields: { tier: 'Silver' } }),
      await cardWith({}),
    ];
    const own = await phones.add([gold]);
    const others = [await phones.add([silver]), await phones.add([standard])];
    const reply = await send('Gold week', { audience: { fields: { tier: 'Gold' } } });
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual([reply.body.recipients, reply.body.credits], [1, 1]);
    await ended(reply.body.messageId);
    await until('the phone says it', () => heard(own).includes('Gold week'));
    assert.deepEqual(await credits(), { balance: 99, reserved: 0, spent: 1 });
    for (const phone of others) {
      assert.deepEqual(heard(phone), []);
      assert.ok(!JSON.stringify(phone.cards[0]?.pass).includes('Gold week'));
    }
    const timeline = async (card: Json) =>
      (await client.get(`/instances/${card.instanceId}/timeline`)).body.data.map(({ kind }: Json) => kind);
    assert.ok((await timeline(gold)).some((kind: string) => kind.startsWith('message')));
    assert.ok(!(await timeline(silver)).some((kind: string) => kind.startsWith('message')));
    await assertInvariants(app.sql);
  });

  it('goes before an older message to all cards, and gives way to a newer one', async () => {
    const phone = await phones.add([await cardWith({ fields: { tier: 'Gold' } })]);
    for (const [text, more] of [
      ['To all', {}],
      ['To some', { audience: { fields: { tier: 'Gold' } } }],
      ['To all again', {}],
    ] as const) {
      await ended((await send(text, more)).body.messageId);
      await until(text, () => heard(phone).at(-1) === text);
    }
    assert.deepEqual(heard(phone), ['To all', 'To some', 'To all again']);
    assert.deepEqual(phone.complaints, []);
  });

  it('is chosen by field, tier, balance, wallet, partner and when it was seen last', async () => {
    const { partnerId } = (await client.post('/partners', { name: 'Harbour' })).body;
    const program = { passId: pass.passId, mode: 'POINTS', reward: { title: 'Tea', cost: 50 } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const cards = [
      await cardWith({ fields: { tier: 'Gold' } }),
      await cardWith({ partnerId }),
      await cardWith({ fields: { tier: null } }),
    ];
    const [first, second, third] = cards as [Json, Json, Json];
    for (const card of cards) await phones.add([card]);
    await cardWith({ fields: { tier: 'Gold' } });
    await client.post('/loyalty/points', { passId: pass.passId, instanceId: first.instanceId, points: 80 });
    await client.post('/loyalty/points', { passId: pass.passId, instanceId: second.instanceId, points: 20 });
    await app.sql(
      `update instance_events set event_id = overlay(event_id::text placing '01800000' from 1)::uuid
        where instance_id = $1`,
      [decodeId('inst', third.instanceId)],
    );
    await app.sql('update instances set apple_wallets = 0, web_wallets = 1 where instance_id = $1', [
      decodeId('inst', third.instanceId),
    ]);
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
    const expected: [audience: object, recipients: number][] = [
      [{ fields: { tier: 'Gold' } }, 1],
      [{ fields: { tier: 'Bronze' } }, 1],
      [{ fields: { tier: null } }, 1],
      [{ tier: 'Gold' }, 1],
      [{ balance: { from: 20 } }, 2],
      [{ balance: { from: 21, to: 80 } }, 1],
      [{ balance: { to: 0 } }, 1],
      [{ installed: true }, 3],
      [{ installed: 'apple' }, 2],
      [{ installed: 'web' }, 1],
      [{ installed: 'google' }, 0],
      [{ partnerId }, 1],
      [{ lastSeen: { after: dayAgo } }, 2],
      [{ lastSeen: { before: dayAgo } }, 1],
      [{ partnerId, balance: { from: 50 } }, 0],
    ];
    for (const [audience, recipients] of expected) {
      const { status, body } = await send('?', { audience, dryRun: true });
      const cost = { recipients, credits: recipients, announcementsLeft: null };
      assert.deepEqual([status, body], [200, cost], JSON.stringify(audience));
    }
    await app.sql('update instances set apple_wallets = 1, web_wallets = 0 where instance_id = $1', [
      decodeId('inst', third.instanceId),
    ]);
    assert.equal((await client.get(`/passes/${pass.passId}/messages`)).body.data.length, 0);
    const before = await credits();
    assert.deepEqual((await send('?', { dryRun: true })).body, {
      recipients: 3,
      credits: 3,
      announcementsLeft: null,
    });
    assert.deepEqual(await credits(), before);
  });

  it('is chosen by the tier of the program where that has any, whatever the cards show', async () => {
    const tiers = [
      { key: 'base', title: 'Base', from: 0 },
      { key: 'gold', title: 'Gold', from: 50 },
      { key: 'platinum', title: 'Platinum', from: 90 },
    ];
    const program = { passId: pass.passId, mode: 'POINTS', reward: { title: 'Tea', cost: 50 }, tiers };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    for (const points of [0, 49, 50, 89, 90]) {
      const card = await cardWith({});
      await phones.add([card]);
      if (points > 0)
        await client.post('/loyalty/points', { passId: pass.passId, instanceId: card.instanceId, points });
    }
    const recipients = async (tier: string) =>
      (await send('?', { audience: { tier }, dryRun: true })).body.recipients;
    assert.deepEqual(
      [await recipients('base'), await recipients('gold'), await recipients('platinum')],
      [2, 2, 1],
    );
    const { body } = await send('Gold week', { audience: { tier: 'gold' } });
    await ended(body.messageId);
    assert.deepEqual(figures(await message(body.messageId)), {
      recipients: 2,
      delivered: 2,
      failed: 0,
      skipped: 0,
      waiting: 0,
    });
    assertRefused(
      await send('?', { audience: { tier: 'silver' } }),
      'invalid_request',
      /"silver".*base, gold, platinum/,
    );
    const { passId } = await makePass(client, { fields: [] });
    const noField = { text: '?', audience: { tier: 'gold' } };
    assertRefused(await client.post(`/passes/${passId}/messages`, noField), 'invalid_request', /no tiers/);
  });

  it('sends nothing when the credits are not enough for the whole audience', async () => {
    ({ client } = await app.newWorkspace('pro', 1));
    pass = await makePass(client);
    const phone = await phones.add([await cardWith({}), await cardWith({})]);
    const all = { audience: { fields: { tier: 'Bronze' } } };
    assertRefused(await send('Hello', all), 'insufficient_credits', /2 cards.*1 credits/);
    assert.deepEqual(await credits(), { balance: 1, reserved: 0, spent: 0 });
    assert.deepEqual(heard(phone), []);
    assert.deepEqual((await client.get(`/passes/${pass.passId}/messages`)).body.data, []);
  });

  it('sends once under one Idempotency-Key', async () => {
    await phones.add([await cardWith({ fields: { tier: 'Gold' } })]);
    const gold = { audience: { fields: { tier: 'Gold' } } };
    const key = { 'idempotency-key': 'gold-1' };
    const replies = await inParallel(8, () => send('Hello', gold, key));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    await ended(replies[0]?.body.messageId);
    assert.deepEqual(await credits(), { balance: 99, reserved: 0, spent: 1 });
    assertRefused(await send('Hello', {}, key), 'external_ref_reused');
  });

  const wrong: [object, RegExp][] = [
    [{ audience: {} }, /audience must have at least 1/],
    [{ audience: { city: 'Porto' } }, /audience\.city is not known/],
    [{ audience: { fields: {} } }, /audience\.fields must have at least 1/],
    [{ audience: { installed: false } }, /audience\.installed must be/],
    [{ audience: { balance: {} } }, /audience\.balance must have at least 1/],
    [{ audience: { balance: { from: '5' } } }, /audience\.balance\.from must be a whole number/],
    [{ audience: { balance: { from: 5 } } }, /audience\.balance: .*no loyalty program/],
    [{ audience: { lastSeen: { after: 'yesterday' } } }, /audience\.lastSeen\.after/],
    [{ audience: null }, /audience must be an object/],
    [{ dryRun: 'yes' }, /dryRun must be true or false/],
  ];
  for (const [more, problem] of wrong) {
    it(`refuses ${JSON.stringify(more)}`, async () => {
      assertRefused(await send('Hello', more), 'invalid_request', problem);
    });
  }

  it('refuses fields that the pass has not, and unknown partners', async () => {
    assertRefused(
      await send('x', { audience: { fields: { tire: 'Gold' } } }),
      'unknown_field_key',
      /"tire".*tier/,
    );
    const { client: stranger } = await app.newWorkspace();
    const { partnerId } = (await stranger.post('/partners', { name: 'Harbour' })).body;
    for (const id of [partnerId, 'part_1'])
      assertRefused(await send('x', { audience: { partnerId: id } }), 'partner_not_found');
  });
});

describe('GET /messages/{messageId}', () => {
  it('says its outcome, and the credits say what they were for', async () => {
    const [reached, lost] = [await cardWith({}), await cardWith({})];
    const phone = await phones.add([reached]);
    const gone = await phones.add([lost]);
    apns.script(
      { status: 410, reason: 'Unregistered', timestamp: new Date(Date.now() + 60_000) },
      { token: gone.pushToken },
    );
    const { body, headers } = await send('Hello');
    await ended(body.messageId);
    const shown = await message(body.messageId);
    assert.deepEqual(figures(shown), { recipients: 2, delivered: 1, failed: 1, skipped: 0, waiting: 0 });
    assert.deepEqual(
      [shown.passId, shown.text, shown.audience, shown.state],
      [pass.passId, 'Hello', null, 'finished'],
    );
    await until('the phone says it', () => heard(phone).includes('Hello'));
    assert.deepEqual(heard(phone), ['Hello']);
    const { data } = (await client.get('/credits/entries')).body;
    const caused = data.filter(({ messageId }: Json) => messageId === body.messageId);
    assert.deepEqual(caused.map(({ kind }: Json) => kind).sort(), ['release', 'reserve', 'settle']);
    for (const entry of caused) assert.equal(entry.requestId, headers.get('x-request-id'));
    assert.deepEqual(
      caused
        .filter(({ kind }: Json) => kind !== 'reserve')
        .map(({ instanceId }: Json) => instanceId)
        .sort(),
      [reached.instanceId, lost.instanceId].sort(),
    );
  });

  it('does not find an unknown message, and forbids those of others and of other passes', async () => {
    const { messageId } = (await send('Hello')).body;
    for (const id of [encodeId('push', newUuidV7()), 'push_1', 'x'])
      assertRefused(await client.get(`/messages/${id}`), 'message_not_found');
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await stranger.get(`/messages/${messageId}`), 'forbidden');
    const other = await makePass(client);
    const { client: narrow } = await makeKey(client, { passIds: [other.passId] });
    assertRefused(await narrow.get(`/messages/${messageId}`), 'insufficient_scope');
    // The rollout of a design is no message.
    await phones.add([await cardWith({})]);
    await client.patch(`/passes/${pass.passId}`, { title: 'Changed' });
    const [row] = await app.sql<{ rollout_id: string }>(
      "select rollout_id from rollouts where kind = 'design' and pass_id = $1",
      [decodeId('pass', pass.passId)],
    );
    const design = encodeId('push', row?.rollout_id ?? '');
    assertRefused(await client.get(`/messages/${design}`), 'message_not_found');
  });
});

describe('GET /passes/{passId}/messages', () => {
  it('lists them newest first, page by page, within a time', async () => {
    const sent: string[] = [];
    for (const text of ['One', 'Two', 'Three']) sent.unshift((await send(text)).body.messageId);
    const list = async (query: string) => (await client.get(`/passes/${pass.passId}/messages${query}`)).body;
    const ids = ({ data }: Json) => data.map(({ messageId }: Json) => messageId);
    assert.deepEqual(ids(await list('')), sent);
    const first = await list('?limit=2');
    assert.deepEqual(ids(first), sent.slice(0, 2));
    assert.deepEqual(ids(await list(`?limit=2&cursor=${first.nextCursor}`)), sent.slice(2));
    assert.deepEqual(ids(await list('?createdAfter=2099-01-01T00:00:00Z')), []);
    assert.deepEqual(ids(await list('?createdBefore=2099-01-01T00:00:00Z')), sent);
    assert.deepEqual(ids(await list('?createdBefore=2020-01-01T00:00:00Z')), []);
    const other = await makePass(client);
    assertRefused(
      await client.get(`/passes/${other.passId}/messages?cursor=${first.nextCursor}`),
      'invalid_request',
      /cursor/,
    );
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await stranger.get(`/passes/${pass.passId}/messages`), 'forbidden');
  });
});
