import assert from 'node:assert/strict';
import { after as afterAll, beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { until } from '../../test/wallets.ts';
import { issueServerCertificate, makeAuthority } from '../../tools/fakes/authority.ts';
import type { EventReceiver } from '../../tools/fakes/event-receiver.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { settleWhatMayBeSent } from '../commands/settle-restored.ts';
import { decodeId } from '../kit/ids.ts';
import { makePerson } from '../sign-in/people.fixture.ts';
import { schedule } from './schedule.ts';
import { deliveriesOf, emitEvents, makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const mailbox = await Mailbox.start();
const app = await startWebhookApp({ SMTP_URL: mailbox.url, MAIL_FROM: 'cards@shop.example' });
afterAll(() => mailbox.close());
let client: Client;
let workspaceId: string;
let receiver: EventReceiver;
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  receiver = await startReceiver();
});

/** The only delivery of a webhook, after so many attempts. */
async function after(webhookId: string, attempts: number): Promise<Json> {
  const [first] = await deliveriesOf(client, webhookId, ([one]) => one?.attempts.length >= attempts);
  return first as Json;
}

/** How long until it is tried again, in seconds. */
function pauseOf(delivery: Json): number {
  const { at, milliseconds } = delivery.attempts.at(-1);
  return (Date.parse(delivery.nextAttemptAt) - Date.parse(at) - milliseconds) / 1_000;
}

async function problemOf(url: string): Promise<Json> {
  const { webhookId } = await makeWebhook(client, url);
  await emitEvents(app, workspaceId);
  return (await after(webhookId, 1)).attempts[0];
}

const eventsOf = async (type: string) => (await client.get(`/events?type=${type}`)).body.data as Json[];

describe('a delivery that fails', () => {
  it('is tried again by the schedule, under one id, until it succeeds; its owner is warned after the fourth failure', async () => {
    receiver.answering = 500;
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    for (let attempts = 1; attempts <= 4; attempts++) {
      const pause = pauseOf(await after(webhookId, attempts));
      const step = (schedule[attempts] ?? 0) / 1_000;
      assert.ok(pause >= step * 0.8 - 1 && pause <= step * 1.2 + 1, `${pause} s after ${attempts} attempts`);
      app.advance(step * 1_200);
    }
    await until('its owner is warned', async () => (await eventsOf('webhook.failing')).length > 0);
    const shown = (await client.get(`/webhooks/${webhookId}`)).body;
    assert.deepEqual([shown.status, shown.problem.code], ['active', 'failing']);
    const [{ data, previous, actor }] = (await eventsOf('webhook.failing')) as [Json];
    assert.deepEqual(
      [data.problem.code, data.webhookId, previous, actor],
      ['failing', webhookId, { problem: null }, 'system'],
    );
    await after(webhookId, 5);
    receiver.answering = 200;
    app.advance(7 * 3_600_000);
    await deliveriesOf(client, webhookId, ([one]) => one?.status === 'delivered');
    await until(
      'the problem is gone',
      async () => (await client.get(`/webhooks/${webhookId}`)).body.problem === null,
    );
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    // Its own failing is nothing that it hears of.
    assert.equal((await deliveriesOf(client, webhookId)).length, 1);
    assert.equal((await eventsOf('webhook.failing')).length, 1);
  });

  it('is given up after ten attempts', async () => {
    receiver.answering = 502;
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    for (let attempts = 1; attempts < 10; attempts++) {
      await after(webhookId, attempts);
      app.advance((schedule[attempts] ?? 0) * 1.2 + 1_000);
    }
    const delivery = await after(webhookId, 10);
    assert.deepEqual([delivery.status, delivery.nextAttemptAt], ['failed', null]);
  });

  it('leaves a receiver alone that asks for less, for as long as it asks, within bounds', async () => {
    const { webhookId } = await makeWebhook(client, receiver.url);
    receiver.answering = (response) => response.writeHead(429, { 'retry-after': '7200' }).end();
    await emitEvents(app, workspaceId);
    const first = pauseOf(await after(webhookId, 1));
    assert.ok(first >= 59 && first <= 61, `${first}`);
    app.advance(61_000);
    const second = pauseOf(await after(webhookId, 2));
    assert.ok(second >= 599 && second <= 601, `${second}`);
  });

  it('has failed with a redirect, which is not followed', async () => {
    const elsewhere = await startReceiver();
    receiver.answering = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    const { status } = await problemOf(receiver.url);
    assert.equal(status, 307);
    assert.equal(elsewhere.received.length, 0);
  });

  it('has failed when no server listens, speaks the protocol, or has a trusted certificate', async () => {
    const gone = await startReceiver();
    const { url } = gone;
    await gone.close();
    assert.match((await problemOf(url)).problem, /cannot be reached.*ECONNREFUSED/);
    assert.match((await problemOf(receiver.url.replace('http:', 'https:'))).problem, /cannot be reached/);
    const tls = issueServerCertificate(makeAuthority(), ['localhost', '127.0.0.1']);
    const untrusted = await startReceiver({ tls });
    assert.match((await problemOf(untrusted.url)).problem, /certificate of the host is not valid/);
    assert.equal(untrusted.received.length, 0);
  });

  it('has failed when nothing is answered within 15 s, and rests for a minute then', async () => {
    receiver.answering = 'hang';
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    const delivery = await after(webhookId, 1);
    const { problem, milliseconds } = delivery.attempts[0];
    assert.match(problem, /15 seconds/);
    assert.ok(milliseconds >= 14_990, `${milliseconds}`);
    const pause = pauseOf(delivery);
    assert.ok(pause >= 59 && pause <= 62, `${pause}`);
  });

  it('is never sent to a forbidden address, whenever the name resolves to one', async () => {
    const { webhookId } = await makeWebhook(client, receiver.url);
    // As a name would that has led elsewhere since.
    await app.sql('update webhooks set url = $1', ['http://10.0.0.1/hook']);
    await emitEvents(app, workspaceId);
    const { attempts } = await after(webhookId, 1);
    assert.match(attempts[0].problem, /local, private or reserved/);
  });
});

describe('a webhook is disabled', () => {
  it('by 410, with an event, and gets nothing until it is activated', async () => {
    receiver.answering = 410;
    const other = await startReceiver();
    await makeWebhook(client, other.url, { types: ['webhook.*'] });
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    const delivery = await after(webhookId, 1);
    assert.deepEqual([delivery.status, delivery.nextAttemptAt], ['failed', null]);
    const shown = (await client.get(`/webhooks/${webhookId}`)).body;
    assert.deepEqual([shown.status, shown.problem.code], ['disabled', 'gone']);
    await until('the other one hears of it', () => other.received.length > 0);
    const event = JSON.parse(other.received[0]?.body ?? '');
    assert.deepEqual(
      [event.type, event.data.data.webhookId, event.data.previous.status],
      ['webhook.disabled', webhookId, 'active'],
    );
    await emitEvents(app, workspaceId);
    await client.get('/events');
    receiver.answering = 200;
    const active = (await client.patch(`/webhooks/${webhookId}`, { status: 'active' })).body;
    assert.deepEqual([active.status, active.problem], ['active', null]);
    await emitEvents(app, workspaceId, [{ data: { after: true } }]);
    await until('the next event', () => receiver.received.length === 2);
    assert.match(receiver.received[1]?.body ?? '', /"after":true/);
  });

  it('after five days in which nothing has succeeded, not before', async () => {
    receiver.answering = 500;
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    await after(webhookId, 1);
    app.advance(4.9 * 86_400_000);
    await after(webhookId, 2);
    assert.equal((await client.get(`/webhooks/${webhookId}`)).body.status, 'active');
    app.advance(0.2 * 86_400_000);
    await after(webhookId, 3);
    const shown = (await client.get(`/webhooks/${webhookId}`)).body;
    assert.deepEqual([shown.status, shown.problem.code], ['disabled', 'no_success']);
    assert.equal((await eventsOf('webhook.disabled')).length, 1);
  });

  it('is mailed to the owners, once, and to no other person', async () => {
    const [owner, other, staff] = ['owner', 'owner', 'staff'].map((role, at) => ({
      role,
      email: `${role}-${at}@${workspaceId.replace('_', '-')}.example`,
    }));
    for (const { role, email } of [owner, other, staff].flatMap((one) => one ?? []))
      await makePerson(client, role as 'owner', { email });
    const mailsTo = (email = '') =>
      mailbox.mails.filter(
        ({ recipients, text }) => recipients.includes(email) && text.includes('No more events are sent'),
      );
    receiver.answering = 410;
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    await until('the mails', () => mailsTo(owner?.email).length + mailsTo(other?.email).length === 2);
    const [mail] = mailsTo(owner?.email);
    assert.match(mail?.text ?? '', new RegExp(`${webhookId}.*${new URL(receiver.url).host}`, 's'));
    assert.match(mail?.text ?? '', /410/);
    assert.deepEqual(mailsTo(staff?.email), []);
  });
});

describe('the outcomes of deliveries', () => {
  it('is deleted after 30 days, and with it what was deleted itself', async () => {
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    await deliveriesOf(client, webhookId, ([one]) => one?.status === 'delivered');
    await client.delete(`/webhooks/${webhookId}`);
    app.advance(32 * 86_400_000);
    const { trimDeliveries } = await import('./deliver-webhooks.job.ts');
    const ctx = { app: app.running.app, requestId: 'test' };
    while (await trimDeliveries(ctx));
    // What others wait for is tried until it has ended.
    const its = 'select from webhook_deliveries where webhook_id = $1';
    assert.deepEqual(await app.sql(its, [decodeId('hook', webhookId)]), []);
    assert.deepEqual(await app.sql("select from webhooks where status = 'deleted'"), []);
  });
});

describe('what receivers have answered', () => {
  it('to the events of a card goes with the person', async () => {
    receiver.answering = (response, { body }) => response.writeHead(500).end(body);
    const { webhookId } = await makeWebhook(client, receiver.url);
    const { passId } = await makePass(client);
    const { instanceId } = await makeCard(client, passId, {
      holder: { identifier: 'ada', name: 'Ada Lovelace' },
    });
    const card = { passId: decodeId('pass', passId), instanceId: decodeId('inst', instanceId) };
    await emitEvents(app, workspaceId, [
      { ...card, data: { name: 'Ada Lovelace' } },
      { data: { name: 'Nobody' } },
    ]);
    const isAnswered = (all: Json[], name: string) =>
      all.some((one) => one.attempts[0]?.answer.includes(name));
    await deliveriesOf(client, webhookId, (all) => isAnswered(all, 'Ada') && isAnswered(all, 'Nobody'));
    await client.delete(`/instances/${instanceId}`);
    const attempts = await app.sql<{ text: string }>('select attempts::text as text from webhook_deliveries');
    assert.ok(!attempts.some(({ text }) => text.includes('Lovelace')));
    assert.ok(attempts.some(({ text }) => text.includes('Nobody')));
  });
});

describe('what waits when a backup is restored', () => {
  it('is given up, and recovered when it is asked for', async () => {
    receiver.answering = 500;
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    await after(webhookId, 1);
    const settled = await app.running.app.database.transaction(settleWhatMayBeSent);
    assert.ok(settled.webhooks >= 1);
    const delivery = await after(webhookId, 2);
    assert.deepEqual([delivery.status, delivery.nextAttemptAt], ['failed', null]);
    assert.match(delivery.attempts[1].problem, /restored/);
    receiver.answering = 200;
    const since = new Date(app.running.app.now().getTime() - 60_000).toISOString();
    assert.equal((await client.post(`/webhooks/${webhookId}/recover`, { since })).body.recovered, 1);
    await deliveriesOf(client, webhookId, ([one]) => one?.status === 'delivered');
  });
});
