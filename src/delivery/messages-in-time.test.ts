import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { decodeId } from '../kit/ids.ts';
import { sendPlanned } from './send-planned.job.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url, ROLLOUT_DEVICES_PER_SECOND: '100000' });
const phones = new Phones(app, apns);

let client: Client;
let pass: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace('pro', 100));
  pass = await makePass(client);
});

const hour = 3_600_000;
const inHours = (hours: number) => new Date(app.running.app.now().getTime() + hours * hour).toISOString();
const send = (text: string, more: object = {}): Promise<Reply> =>
  client.post(`/passes/${pass.passId}/messages`, { text, ...more });
const message = async (messageId: string): Promise<Json> => (await client.get(`/messages/${messageId}`)).body;
const list = async (): Promise<Json[]> => (await client.get(`/passes/${pass.passId}/messages`)).body.data;
const is = (messageId: string, state: string) =>
  until(`the message is ${state}`, async () => {
    const shown = await message(messageId);
    return shown.state === state && (state !== 'finished' || shown.waiting === 0);
  });
const takeBack = (messageId: string) => client.post(`/messages/${messageId}/take-back`);
const cardWith = (body: object = {}) => makeCard(client, pass.passId, body);
const credits = async () => (await client.get('/credits')).body.balance as number;
type Phone = Awaited<ReturnType<Phones['add']>>;
const heard = (phone: Phone) => phone.notifications.map(({ text }) => text);
const news = (phone: Phone) =>
  JSON.stringify(phone.cards[0]?.pass).match(/"latest-news".*?"value":"(.*?)"/)?.[1];
const loseNews = (phone: Phone) => until('the text leaves the card', () => news(phone) === '–');
const webCard = async (card: Json) =>
  (await fetch(`${card.links.add.replace(app.running.app.config.publicUrl, app.url)}/card`)).text();

describe('a planned message', () => {
  it('waits, and goes out once at its time to those who match then', async () => {
    const first = await phones.add([await cardWith()]);
    const { status, body } = await send('At ten', { sendAt: inHours(2), endsAt: inHours(5) });
    assert.equal(status, 202);
    assert.deepEqual([body.recipients, body.credits, await credits()], [1, 0, 100]);
    const planned = await message(body.messageId);
    assert.deepEqual([planned.state, planned.recipients, planned.text], ['planned', 0, 'At ten']);
    assert.deepEqual(
      (await list()).map(({ messageId }) => messageId),
      [body.messageId],
    );
    app.advance(hour);
    assert.equal((await message(body.messageId)).state, 'planned');
    const second = await phones.add([await cardWith()]);
    // Of two messages the one that went out later is newer, also where it was planned first.
    const between = (await send('Now')).body;
    await is(between.messageId, 'finished');
    app.advance(hour);
    await is(body.messageId, 'finished');
    await until('both say it', () => [first, second].every((phone) => heard(phone).at(-1) === 'At ten'));
    assert.equal((await message(body.messageId)).recipients, 2);
    assert.equal(await credits(), 96);
    // Several workers at once find nothing more to send.
    await inParallel(4, () => sendPlanned({ app: app.running.app, requestId: 'again' }));
    assert.equal((await list()).length, 2);
    await assertInvariants(app.sql);
  });

  it('is changed or taken back before its time, and not after', async () => {
    const phone = await phones.add([await cardWith({ fields: { tier: 'Gold' } })]);
    const { messageId } = (await send('Draft', { sendAt: inHours(1), audience: { tier: 'Gold' } })).body;
    const sendAt = inHours(3);
    const changed = await client.patch(`/messages/${messageId}`, { text: 'Better', audience: null, sendAt });
    assert.deepEqual(
      [changed.status, changed.body.text, changed.body.audience, changed.body.sendAt],
      [200, 'Better', null, sendAt],
    );
    const gone = (await send('Never', { sendAt: inHours(2) })).body.messageId;
    assert.equal((await takeBack(gone)).body.state, 'cancelled');
    assert.equal((await takeBack(gone)).body.state, 'cancelled');
    assertRefused(await client.patch(`/messages/${gone}`, { text: 'x' }), 'message_already_sent');
    app.advance(3 * hour);
    await is(messageId, 'finished');
    await until('the phone says it', () => heard(phone).includes('Better'));
    assert.deepEqual(heard(phone), ['Better']);
    assertRefused(await client.patch(`/messages/${messageId}`, { text: 'x' }), 'message_already_sent');
  });

  it('says why it could not be sent', async () => {
    for (let count = 0; count < 3; count++) await phones.add([await cardWith()]);
    const { client: poor } = await app.newWorkspace('pro', 0);
    const theirs = await makePass(poor);
    await phones.add([await makeCard(poor, theirs.passId)]);
    const unpaid = (
      await poor.post(`/passes/${theirs.passId}/messages`, { text: 'Hello', sendAt: inHours(1) })
    ).body;
    const late = (await send('Late', { sendAt: inHours(1), endsAt: inHours(2) })).body;
    // As after hours without a worker.
    await app.sql('update planned_messages set ends_at = send_at where message_id = $1', [
      decodeId('push', late.messageId),
    ]);
    app.advance(hour);
    await is(late.messageId, 'unsent');
    assert.equal((await message(late.messageId)).unsentReason, 'too_late');
    await until('it is unsent', async () => {
      const { state, unsentReason } = (await poor.get(`/messages/${unpaid.messageId}`)).body;
      return state === 'unsent' && unsentReason === 'insufficient_credits';
    });
    assert.equal((await takeBack(late.messageId)).body.state, 'unsent');
  });

  it('waits while its workspace is suspended', async () => {
    const { workspaceId } = (await client.get('/workspace')).body;
    const { messageId } = (await send('Later', { sendAt: inHours(1) })).body;
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: true });
    app.advance(hour);
    const dueAt = async () =>
      (
        await app.sql('select due_at from planned_messages where message_id = $1', [
          decodeId('push', messageId),
        ])
      )[0]?.due_at as Date;
    await until('it is put off', async () => (await dueAt()) > app.running.app.now());
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: false });
    app.advance(hour);
    await is(messageId, 'finished');
  });

  const wrong: [more: () => object, RegExp][] = [
    [() => ({ sendAt: '2020-01-01T00:00:00Z' }), /sendAt/],
    [() => ({ endsAt: '2020-01-01T00:00:00Z' }), /endsAt/],
    [() => ({ sendAt: inHours(4_000 * 24) }), /ten years ahead/],
    [() => ({ sendAt: inHours(2), endsAt: inHours(1) }), /later than sendAt/],
    [() => ({ sendAt: 'tomorrow' }), /sendAt/],
    [() => ({ audience: { awayDays: 0 } }), /awayDays/],
    [() => ({ audience: { rewardWaiting: true } }), /no loyalty program/],
    [() => ({ audience: { consent: 'news' } }), /no consent "news"/],
  ];
  for (const [more, problem] of wrong)
    it(`is refused where ${problem.source} is wrong: ${JSON.stringify(more())}`, async () => {
      assertRefused(await send('Hello', more()), 'invalid_request', problem);
      assert.deepEqual(await list(), []);
    });

  it('is nothing that others can see or change', async () => {
    const { messageId } = (await send('Later', { sendAt: inHours(1) })).body;
    const { client: stranger } = await app.newWorkspace();
    for (const reply of [
      await stranger.get(`/messages/${messageId}`),
      await stranger.patch(`/messages/${messageId}`, { text: 'x' }),
      await stranger.post(`/messages/${messageId}/take-back`),
    ])
      assertRefused(reply, 'forbidden');
    assert.equal((await message(messageId)).state, 'planned');
  });
});

describe('the end of a message', () => {
  it('takes the text off every card, without a word on the lock screen', async () => {
    const phone = await phones.add([await cardWith()]);
    const outside = await cardWith();
    const { messageId } = (await send('Double stamps', { endsAt: inHours(48) })).body;
    await is(messageId, 'finished');
    await until('the phone says it', () => heard(phone).includes('Double stamps'));
    assert.match(await webCard(outside), /Double stamps/);
    app.advance(48 * hour);
    await loseNews(phone);
    assert.deepEqual(heard(phone), ['Double stamps']);
    assert.doesNotMatch(await webCard(outside), /Double stamps/);
    assert.ok((await message(messageId)).endedAt);
    assert.deepEqual(phone.complaints, []);
    // The next one is announced as any other.
    await is((await send('Again')).body.messageId, 'finished');
    await until('the phone says it', () => heard(phone).at(-1) === 'Again');
    await assertInvariants(app.sql);
  });

  it('comes at once where it is taken back, for those of an audience too, and leaves a newer text', async () => {
    const [gold, silver] = [
      await cardWith({ fields: { tier: 'Gold' } }),
      await cardWith({ fields: { tier: 'Silver' } }),
    ];
    const [one, other] = [await phones.add([gold]), await phones.add([silver])];
    const both = (await send('To both', { audience: { installed: true } })).body.messageId;
    await is(both, 'finished');
    await until('both say it', () => [one, other].every((phone) => heard(phone).includes('To both')));
    const newer = (await send('To gold', { audience: { tier: 'Gold' } })).body.messageId;
    await is(newer, 'finished');
    await until('gold says it', () => heard(one).includes('To gold'));
    const [first, second] = await inParallel(2, () => takeBack(both));
    assert.equal(first?.body.endedAt, second?.body.endedAt);
    await loseNews(other);
    assert.equal(news(one), 'To gold');
    await takeBack(newer);
    await loseNews(one);
    assert.deepEqual([heard(one), heard(other)], [['To both', 'To gold'], ['To both']]);
    assert.deepEqual([...one.complaints, ...other.complaints], []);
    await assertInvariants(app.sql);
  });

  it('leaves out the cards that it has not reached yet, and gives their credits back', async () => {
    await phones.add([await cardWith()]);
    const { messageId } = (await send('Oops', { audience: { installed: true } })).body;
    await takeBack(messageId);
    await is(messageId, 'finished');
    const { recipients, delivered, skipped, failed } = await message(messageId);
    assert.equal(delivered + skipped + failed, recipients);
    await until('nothing is held', async () => (await client.get('/credits')).body.reserved === 0);
    await assertInvariants(app.sql);
  });
});

describe('the audience of a message', () => {
  it('has no void card, of all cards neither', async () => {
    const [kept, gone] = [await cardWith(), await cardWith()];
    const phone = await phones.add([gone]);
    await phones.add([kept]);
    await client.post(`/instances/${gone.instanceId}/void`);
    for (const more of [{}, { audience: { installed: true } }]) {
      assert.equal((await send('?', { ...more, dryRun: true })).body.recipients, 1);
      const { recipients, messageId } = (await send('Hello', more)).body;
      assert.equal(recipients, 1);
      await is(messageId, 'finished');
    }
    assert.ok(!heard(phone).includes('Hello'));
    assert.doesNotMatch(await webCard(gone), /Hello/);
  });

  it('is chosen by days without an award, a reward that waits, and a consent', async () => {
    const consents = [{ key: 'news', text: 'News by message', required: false }];
    await client.patch(`/passes/${pass.passId}`, { join: { enabled: true, consents } });
    const program = { passId: pass.passId, mode: 'STAMPS', reward: { title: 'Tea' }, threshold: 2 };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const [full, some, quiet] = [await cardWith(), await cardWith(), await cardWith()];
    for (const card of [full, some, quiet]) await phones.add([card]);
    const award = (card: Json, points: number) =>
      client.post('/loyalty/points', { passId: pass.passId, instanceId: card.instanceId, points });
    await award(full, 2);
    await award(some, 1);
    const uuid = (card: Json) => decodeId('inst', card.instanceId);
    const answers: [Json, boolean][] = [
      [full, true],
      [some, true],
      [some, false],
      [quiet, false],
    ];
    for (const [at, [card, agreed]] of answers.entries())
      await app.sql(
        `insert into consents (workspace_id, consent_id, instance_id, key, text, agreed, created_at)
          select workspace_id, $1, instance_id, 'news', 'News', $2, now() from instances where instance_id = $3`,
        [`01900000-0000-7000-8000-00000000000${at}`, agreed, uuid(card)],
      );
    const counts = async (audience: object) => {
      const reply = await send('?', { audience, dryRun: true });
      assert.equal(reply.status, 200, reply.text);
      return reply.body.recipients as number;
    };
    assert.equal(await counts({ rewardWaiting: true }), 1);
    assert.equal(await counts({ consent: 'news' }), 1);
    assert.equal(await counts({ awayDays: 1 }), 0);
    app.advance(30 * 24 * hour);
    await award(some, 1);
    assert.equal(await counts({ awayDays: 30 }), 2);
    assert.equal(await counts({ awayDays: 31 }), 0);
    assert.equal(await counts({ awayDays: 30, consent: 'news' }), 1);
    assert.equal(await counts({ rewardWaiting: true }), 2);
    const { messageId } = (await send('We miss you', { audience: { awayDays: 30 } })).body;
    await is(messageId, 'finished');
    assert.equal((await message(messageId)).delivered, 2);
  });
});
