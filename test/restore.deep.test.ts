import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pushDevices } from '../src/delivery/apple/push-devices.job.ts';
import { walkRollouts } from '../src/delivery/walk-rollouts.job.ts';
import { invite } from '../src/invitations/invites.fixture.ts';
import { sendInvites } from '../src/invitations/send-invites.job.ts';
import { allowed, authority, openShop } from '../src/invitations/sweeps/sweeps.fixture.ts';
import { decodeId, newUuidV7 } from '../src/kit/ids.ts';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { connectShop, newOrder, send } from '../src/stores/stores.fixture.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { Client, type Json } from './client.ts';
import { makeCard } from './factories.ts';
import { startTestApp, temporaryDataDir } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { emptyDatabase, rowCounts, schemaOf, secretsOf } from './restored.ts';
import { succeed } from './run-command.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { Phones, startDevelopmentApns, until as untilWithin } from './wallets.ts';

/**
 * A service is backed up while everything that can wait waits. Then all of it is sent, phones and stores go on, and the
 * database is lost.
 */
const apns = await startDevelopmentApns();
const mailbox = await Mailbox.start();
after(() => mailbox.close());
const settings = {
  ...allowed,
  APNS_URL: apns.url,
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@example.test',
  MAIL_PER_MINUTE: '60000',
};
const app = await startTestApp({ ...settings, WORKERS: 'off' });
const { client, workspaceId } = await app.newWorkspace('pro', 1_000);
const ctx = { app: app.running.app, requestId: 'job' };
const inWorkspace = [decodeId('ws', workspaceId)];

/** Phones reach whichever service runs on the public address. */
let servedAt = app.url;
const phones = new Phones(app, apns);
const reach = (url: string) => url.replace(app.config.publicUrl, servedAt);

/** Nothing here is a matter of time. */
const until = (what: string, isSo: () => boolean | Promise<boolean>) => untilWithin(what, isSo, 90_000);

async function runJobs(...jobs: ((context: typeof ctx) => Promise<boolean>)[]): Promise<void> {
  for (const job of jobs) while (await job(ctx)) {}
}

// All of it happens an hour ago.
app.stopClock(Date.now() - 3_600_000);

const earn = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };
const { pass } = await makeProgram(client, earn);
const { passId } = pass;
const [ada, bob, eve] = (await Promise.all(
  ['ada', 'bob', 'eve'].map((identifier) => makeCard(client, passId, { holder: { identifier } })),
)) as [Json, Json, Json];
const phone = await phones.add([ada, bob], { reach, now: () => new Date() });
const other = await phones.add([eve], { reach, now: () => new Date() });
const [adas = '', bobs = ''] = phone.cards.map(({ identity }) => identity.serialNumber);
const tier = (card: Json, value: string, by = client) =>
  by.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: value } });
const reference = { passId, instanceId: ada.instanceId, points: 40, externalRef: 'till-1' };

// Some of it is long done.
const awarded = await client.post('/loyalty/points', reference);
assert.equal(awarded.status, 200, awarded.text);
await tier(ada, 'Silver');
await runJobs(pushDevices);
await until('the phone shows it', () => phone.shows('tier', adas) === 'Silver');
app.advance(120_002);

// The rest waits, as of a crowd: changes, a message, an invitation, a sweep, an order in a webhook.
await tier(bob, 'Gold');
await tier(eve, 'Gold');
const { body: message } = await client.post(`/passes/${passId}/messages`, { text: 'Double points' });
assert.ok(message.messageId, JSON.stringify(message));
await invite(client, passId, { email: 'waiting@example.com' });
const shop = await openShop({ customers: 20 });
const { status: connected } = await client.post('/stores', {
  platform: 'shopify',
  domain: shop.domain,
  credentials: { accessToken: shop.accessToken },
  webhookSecret: shop.webhookSecret,
  passId,
});
assert.equal(connected, 201);
const sweep = `/passes/${passId}/invites/sweep`;
assert.equal((await client.post(sweep)).status, 202);
const custom = await connectShop(client, { passId });
const webhook = await send(client, custom.storeId, newOrder('kept', { customer: { id: 'grace' } }));
assert.equal(webhook.status, 200, webhook.text);
await updateGoogle();

/** A class and an object at Google with an update that is due, and a browser that is to be pushed to. */
async function updateGoogle(): Promise<void> {
  const of = [...inWorkspace, decodeId('inst', eve.instanceId)];
  await app.sql('insert into google_classes (workspace_id, pass_id, content) values ($1, $2, $3)', [
    ...inWorkspace,
    decodeId('pass', passId),
    Buffer.from('sent'),
  ]);
  await app.sql(
    'insert into google_objects (workspace_id, instance_id, content, saved, due_at) values ($1, $2, $3, true, now())',
    [...of, Buffer.from('sent')],
  );
  await app.sql(
    "insert into web_cards (workspace_id, instance_id, viewer_id, expires_at, due_at) values ($1, $2, $3, now() + interval '1 year', now())",
    [...of, newUuidV7()],
  );
  await app.sql(
    'update instances set google_wallets = 1, web_wallets = 1 where workspace_id = $1 and instance_id = $2',
    of,
  );
  // A person was erased, and Google still has to learn it.
  const mallory = await makeCard(client, passId, { holder: { identifier: 'mallory' } });
  const erased = [...inWorkspace, decodeId('inst', mallory.instanceId)];
  await app.sql('insert into google_objects (workspace_id, instance_id, content) values ($1, $2, $3)', [
    ...erased,
    Buffer.from('sent'),
  ]);
  assert.equal((await client.delete(`/instances/${mallory.instanceId}`)).status, 204);
  await app.sql(
    'update pushes set google = true, web = true where workspace_id = $1 and instance_id = $2',
    of,
  );
}

const file = join(app.config.dataDir, 'quiet.backup');
const source = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
await succeed(['backup', file], source);
const counted = await rowCounts(app.sql);
const ledgerBefore = await app.sql('select * from loyalty_entries order by entry_id');
const creditsBefore = (await client.get('/credits')).body;

// This is sent and changed after the backup, and is lost with the database.
await runJobs(walkRollouts);
app.advance(10_000);
await runJobs(walkRollouts, pushDevices, sendInvites);
await until(
  'both phones have the change',
  () => other.shows('tier') === 'Gold' && phone.shows('tier', bobs) === 'Gold',
);
await until('the invitation came', () => mailbox.to('waiting@example.com').length === 1);
await tier(ada, 'Platinum');
await tier(bob, 'Platinum');
app.advance(60_000);
await runJobs(pushDevices);
await until('the phone is ahead', () => phone.shows('tier', bobs) === 'Platinum');
const lost = await makeCard(client, passId, { holder: { identifier: 'lost' } });
const [tagAhead] = await app.sql<{ tag: number }>('select max(tag)::float8 as tag from apple_devices');
const order = shop.placeOrder({ total: '20.00', paid: true, customerId: shop.customerAt(0).id });

const target = await emptyDatabase();
const restoredSettings = {
  ...settings,
  ...(await secretsOf(app)),
  DATABASE_URL: target.url,
  DATA_DIR: await temporaryDataDir(),
  PUBLIC_URL: app.config.publicUrl,
};
const printed = await succeed(['restore', file], restoredSettings);

describe('a database that was restored', () => {
  it('holds every row of the backup, and no more than the settling has added', async () => {
    const {
      instance_events: events = 0,
      credit_entries: entries = 0,
      request_log: _,
      ...rest
    } = await rowCounts(target.sql);
    // Requests are logged a moment after they were answered.
    const {
      instance_events: eventsBefore,
      credit_entries: entriesBefore,
      request_log: __,
      ...before
    } = counted;
    // Two pushes were given up, the rollout and the sweep ended.
    assert.deepEqual(rest, { ...before, pushes: 0, event_log: (before.event_log ?? 0) + 4 });
    // Of bob the one wallet, of eve all three; the credits of the message, of bob and of eve.
    assert.equal(events, (eventsBefore ?? 0) + 4);
    assert.equal(entries, (entriesBefore ?? 0) + 3);
    assert.deepEqual(await target.sql('select * from loyalty_entries order by entry_id'), ledgerBefore);
    await assertInvariants(target.sql);
    assert.deepEqual(await schemaOf(target.sql), await schemaOf(app.sql));
  });

  it('owes nothing: pushes, mails, sweeps and rollouts are at their end, each with the reason', async () => {
    assert.match(
      printed,
      /pushes given up {7}2 .*\n.*rollouts ended {8}1\n.*unknown {3}1\n.*sweeps ended {10}1\n.*events given up {7}0 .*\n.*read {5}1 /,
    );
    const open = await target.sql(`
      select 'device' as what from apple_devices where due_at is not null or rollout_id is not null
      union all select 'object' from google_objects join instances using (workspace_id, instance_id)
      where due_at is not null and erased_at is null
      union all select 'browser' from web_cards where due_at is not null
      union all select 'push' from pushes where apple or google or web
      union all select 'mail' from invites where due_at is not null or status in ('queued', 'sending')
      union all select 'sweep' from sweeps where status = 'running'
      union all select 'rollout' from rollouts where stage <> 'finished'`);
    assert.deepEqual(open, []);
    const [credits] = await target.sql<{ balance: string; reserved: string }>(
      'select balance, reserved from credit_accounts where workspace_id = $1',
      inWorkspace,
    );
    assert.deepEqual(
      [Number(credits?.balance), Number(credits?.reserved)],
      [creditsBefore.balance + creditsBefore.reserved, 0],
    );
    const outcomes = await target.sql(
      'select status, problem from invites union all select status, problem from sweeps',
    );
    assert.deepEqual(outcomes, [
      { status: 'unknown', problem: 'restored' },
      { status: 'failed', problem: 'restored' },
    ]);
  });

  it('takes the state at Google for unknown, and the messages that were on their way for sent', async () => {
    const known = await target.sql(
      `select c.content as class, o.content as object, c.message_rollout_id as message, o.due_at is not null as due
       from google_classes c join google_objects o using (workspace_id) order by due`,
    );
    const nothing = { class: Buffer.alloc(0), object: Buffer.alloc(0) };
    const sent = { ...nothing, message: decodeId('push', message.messageId) };
    // The object that was to be erased there still is.
    assert.deepEqual(known, [
      { ...sent, due: false },
      { ...sent, due: true },
    ]);
  });
});

describe('the service on a database that was restored', async () => {
  const service = new ServiceProcess(await freePort(), {
    ...restoredSettings,
    NODE_EXTRA_CA_CERTS: await trustedShop(),
  });
  after(() => service.end('SIGKILL'));
  const restored = new Client(service.url, app.config.publicUrl, client.secret);
  const before = { mails: mailbox.arrivals.length, pushes: apns.delivered };

  it('lets everyone in as before, and answers a repeated call as it did', async () => {
    servedAt = service.url;
    await service.start();
    const repeat = await restored.post('/loyalty/points', reference);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal(repeat.text, awarded.text);
    assert.equal((await restored.get(`/instances/${lost.instanceId}`)).status, 404);
  });

  it('says why it is over', async () => {
    const { state } = (await restored.get(sweep)).body;
    assert.deepEqual([state.running, state.status, state.reason], [false, 'failed', 'restored']);
    const { data } = (await restored.get(`/instances/${bob.instanceId}/timeline`)).body;
    const { kind, wallet, reason } = data.find((event: Json) => event.kind === 'push.failed');
    assert.deepEqual([kind, wallet, reason], ['push.failed', 'apple', 'restored']);
    assert.equal((await restored.get(`/passes/${passId}`)).body.rollout.state, 'finished');
  });

  it('processes the webhook that waited, and finds in the store what is lost', async () => {
    const balance = async () => {
      const { body } = await restored.get(`/passes/${passId}/instances?limit=100`);
      return body.data.find(({ holder }: Json) => holder?.identifier.endsWith('/grace'))?.loyalty.balance;
    };
    await until('the kept order counts', async () => (await balance()) === 10);
    const found = async () =>
      (await target.sql('select from orders where order_id = $1', [String(order.id)])).length;
    await until('the lost order is found', async () => (await found()) === 1);
  });

  it('brings the next change to a phone that knows newer things, and all that it shows is true again', async () => {
    await until('no change is under way', async () => (await target.sql('select from pushes')).length === 0);
    assert.equal(phone.shows('tier', adas), 'Platinum');
    assert.equal(phone.shows('tier', bobs), 'Platinum');
    assert.equal((await tier(bob, 'Diamond', restored)).body.pushed, true);
    await until('the card has changed', () => phone.shows('tier', bobs) === 'Diamond');
    await until('so has the other', () => phone.shows('tier', adas) === 'Silver');
    const [tag] = await target.sql<{ tag: number }>('select min(tag)::float8 as tag from apple_devices');
    assert.ok((tag?.tag ?? 0) > (tagAhead?.tag ?? 0), 'tags go on above those that were given');
    assert.deepEqual(phone.complaints, []);
  });

  it('has sent nothing else', async () => {
    await invite(restored, passId, { email: 'new@example.com' });
    await until('the mail came', () => mailbox.to('new@example.com').length === 1);
    assert.deepEqual(mailbox.arrivals.slice(before.mails), ['new@example.com']);
    assert.equal(apns.delivered - before.pushes, 1);
    assert.equal(other.shows('tier'), 'Gold');
    await assertInvariants(target.sql);
    assert.equal(service.complained, '');
  });

  async function trustedShop(): Promise<string> {
    const path = join(app.config.dataDir, 'shop.pem');
    await writeFile(path, authority.certificate.toString());
    return path;
  }
});
