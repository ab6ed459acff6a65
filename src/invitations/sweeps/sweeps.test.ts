import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused, type Json } from '../../../test/client.ts';
import { eventsOf } from '../../../test/events.ts';
import { inParallel, makeCard, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { emailHashOf } from '../../engine/email-hash.ts';
import { decodeId, encodeId, newUuidV7 } from '../../kit/ids.ts';
import {
  allowed,
  connectShop,
  countsOf,
  ended,
  invitable,
  invitedTo,
  openShop,
  slowDown,
  start,
} from './sweeps.fixture.ts';

const app = await startTestApp(allowed);

async function prepared(customers: Parameters<typeof openShop>[0] = { customers: 600 }) {
  const { client, workspaceId } = await app.newWorkspace();
  const shop = await openShop(customers);
  return { client, workspaceId, shop, ...(await connectShop(client, shop)) };
}

const itemsOf = ({ sweepId }: Json) =>
  app.sql<{ customer_id: string; outcome: string }>(
    'select customer_id, outcome from sweep_items where sweep_id = $1',
    [decodeId('sweep', sweepId)],
  );

describe('who is invited', () => {
  test('each customer who has agreed, once; the others are counted by reason', async () => {
    const { client, shop, passId, storeId, sweep } = await prepared({
      customers: { count: 1_000, consentEvery: 2, duplicateEvery: 51, noEmailEvery: 7, badEmailEvery: 11 },
    });
    const begun = await start(client, sweep);
    assert.deepEqual(
      [begun.passId, begun.storeId, begun.dryRun, begun.limit, begun.finishedAt],
      [passId, storeId, false, null, null],
    );
    const done = await ended(client, sweep);
    assert.equal(done.sweepId, begun.sweepId);
    assert.deepEqual([done.state.status, done.state.cursor, done.state.reason], ['completed', null, null]);
    const all = Array.from({ length: 1_000 }, (_, index) => shop.customerAt(index));
    const mailed = all.filter(({ email, consent }) => email !== null && consent === 'subscribed');
    const broken = mailed.filter(({ email }) => email?.includes(' ')).length;
    const expected = invitable(shop);
    assert.deepEqual(countsOf(done), {
      found: 1_000,
      invited: expected.size,
      noConsent: all.filter(({ email, consent }) => email !== null && consent !== 'subscribed').length,
      noContact: all.filter(({ email }) => email === null).length,
      invalidContact: broken,
      ...(mailed.length - broken > expected.size && {
        duplicateContact: mailed.length - broken - expected.size,
      }),
    });
    assert.deepEqual((await invitedTo(app, passId)).sort(), [...expected].sort());
    assert.equal((await itemsOf(done)).length, 1_000);
    const [event, ...others] = await eventsOf(client, 'type=sweep.finished');
    assert.deepEqual(others, []);
    const { data, previous } = event ?? {};
    const { sweepId, finishedAt, state } = data;
    assert.deepEqual([event?.passId, sweepId, finishedAt], [passId, done.sweepId, done.finishedAt]);
    assert.deepEqual([state.running, state.status, state.found], [false, 'completed', 1_000]);
    const { running, status } = previous.state;
    assert.deepEqual([running, status, previous.finishedAt], [true, 'running', null]);
  });

  test('an address that several customers have is invited once, also across pages', async () => {
    const { client, shop, passId, sweep } = await prepared({ customers: { count: 600, consentEvery: 1 } });
    for (const index of [0, 100, 255, 590]) {
      shop.customers.change(shop.customerAt(index).id, {
        email: ['Ada@Mail.example', 'ada@mail.example '][index % 2] ?? '',
      });
    }
    await start(client, sweep, { dryRun: true });
    const dry = await ended(client, sweep);
    await start(client, sweep);
    const done = await ended(client, sweep);
    assert.deepEqual(countsOf(done), { found: 600, invited: 597, duplicateContact: 3 });
    assert.deepEqual(countsOf(dry), countsOf(done));
    assert.equal((await invitedTo(app, passId)).filter((email) => email === 'ada@mail.example').length, 1);
  });

  test('not who has a card, wants no mail, or was invited before', async () => {
    const { client, workspaceId, shop, passId, sweep } = await prepared({
      customers: { count: 10, consentEvery: 1 },
    });
    const holder = { identifier: `${shop.domain}/${shop.customerAt(0).id}` };
    await makeCard(client, passId, { holder });
    await makeCard(client, passId, { holder: { email: 'CUSTOMER1@mail.example' } });
    // Of another pass, and one that is void.
    await makeCard(client, (await makePass(client)).passId, { holder: { email: 'customer2@mail.example' } });
    const voided = await makeCard(client, passId, { holder: { email: 'customer3@mail.example' } });
    await client.post(`/instances/${voided.instanceId}/void`);
    const ws = decodeId('ws', workspaceId) ?? '';
    await app.sql(
      "insert into suppressions (workspace_id, email_hash, reason, created_at) values ($1, $2, 'unsubscribed', now())",
      [ws, emailHashOf({ app: app.running.app, requestId: 'test' }, ws, 'customer4@mail.example')],
    );
    await start(client, sweep, { dryRun: true });
    const dry = countsOf(await ended(client, sweep));
    await start(client, sweep);
    const first = countsOf(await ended(client, sweep));
    assert.deepEqual(first, { found: 10, invited: 7, alreadyHolder: 2, suppressed: 1 });
    assert.deepEqual(dry, first);
    shop.customers.add(1);
    await start(client, sweep);
    assert.deepEqual(countsOf(await ended(client, sweep)), {
      found: 11,
      invited: 1,
      alreadyHolder: 2,
      alreadyInvited: 7,
      suppressed: 1,
    });
    assert.equal((await invitedTo(app, passId)).length, 8);
  });

  test('customers who come, change and go while it runs are found once each, or not at all', async () => {
    const { client, shop, passId, sweep } = await prepared({ customers: { count: 2_000, consentEvery: 1 } });
    slowDown(shop, 60);
    await start(client, sweep);
    await until('it has begun', async () => (await client.get(sweep)).body.state.found >= 500);
    shop.customers.add(300);
    for (const index of [3, 1_990]) shop.customers.remove(shop.customerAt(index).id);
    const done = await ended(client, sweep);
    assert.equal(done.state.found, 2_299);
    const invited = await invitedTo(app, passId);
    assert.equal(new Set(invited).size, 2_299);
    assert.equal(invited.length, 2_299);
  });
});

describe('how many are invited', () => {
  test('a dry run writes and mails nothing, and counts what the sweep then does', async () => {
    const { client, passId, sweep } = await prepared({
      customers: { count: 700, duplicateEvery: 9, noEmailEvery: 20, badEmailEvery: 30 },
    });
    const dry = await start(client, sweep, { dryRun: true });
    assert.equal(dry.dryRun, true);
    const dryCounts = countsOf(await ended(client, sweep));
    assert.deepEqual(await invitedTo(app, passId), []);
    assert.deepEqual(await itemsOf(dry), []);
    assert.deepEqual((await client.get(`${sweep}/results`)).body, { data: [], nextCursor: null });
    await start(client, sweep);
    assert.deepEqual(countsOf(await ended(client, sweep)), dryCounts);
    assert.equal((await invitedTo(app, passId)).length, dryCounts.invited);
  });

  test('no more than the limit; the next sweep goes on with the others', async () => {
    const { client, shop, passId, sweep } = await prepared({ customers: { count: 900, consentEvery: 2 } });
    const inFirst = async (limit: number) => {
      await start(client, sweep, { limit });
      const { state } = await ended(client, sweep);
      assert.equal(state.status, 'completed');
      return countsOf({ state });
    };
    await start(client, sweep, { limit: 130, dryRun: true });
    const dry = countsOf(await ended(client, sweep));
    assert.deepEqual(await inFirst(130), { found: 259, invited: 130, noConsent: 129 });
    assert.deepEqual(dry, { found: 259, invited: 130, noConsent: 129 });
    // 130 of 250 customers, half of them in the second page.
    assert.deepEqual(await inFirst(1), { found: 261, invited: 1, alreadyInvited: 130, noConsent: 130 });
    assert.equal((await inFirst(10_000)).invited, 450 - 131);
    assert.equal((await invitedTo(app, passId)).length, invitable(shop).size);
    for (const limit of [0, -1, 1.5, '10'])
      assertRefused(await client.post(sweep, { limit }), 'invalid_request');
  });
});

describe('starting', () => {
  test('of twenty at the same time exactly one begins, and the others are answered with its progress', async () => {
    const { client, shop, passId, storeId, sweep } = await prepared({ customers: 1_000 });
    slowDown(shop, 1_000);
    const replies = await inParallel(20, () => client.post(sweep, { storeId }));
    shop.recover();
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 202: 1, 409: 19 });
    for (const reply of replies.filter(({ status }) => status === 409)) {
      assertRefused(reply, 'sweep_running', /./, { state: reply.body.state });
      assert.equal(reply.body.state.running, true);
    }
    // Another pass has a sweep of its own.
    const other = await makePass(client);
    const elsewhere = `/passes/${other.passId}/invites/sweep`;
    await start(client, elsewhere, { storeId });
    await ended(client, sweep);
    await ended(client, elsewhere);
    const [{ count } = { count: 0 }] = await app.sql<{ count: number }>(
      'select count(*)::int from sweeps where pass_id = $1',
      [decodeId('pass', passId)],
    );
    assert.equal(count, 1);
    await start(client, sweep);
    await ended(client, sweep);
  });

  test('the same key answers the same sweep; for another effect it is refused', async () => {
    const { client, sweep } = await prepared();
    const headers = { 'idempotency-key': 'autumn' };
    const first = await client.post(sweep, { dryRun: true }, { headers });
    assert.equal(first.status, 202, first.text);
    await ended(client, sweep);
    const repeat = await client.post(sweep, { dryRun: true }, { headers });
    assert.deepEqual([repeat.status, repeat.body], [202, first.body]);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assertRefused(await client.post(sweep, { dryRun: false }, { headers }), 'external_ref_reused');
  });

  test('refusals, each before the next', async () => {
    const { client, shop, storeId, sweep } = await prepared();
    const stranger = (await app.newWorkspace()).client;
    const missingStore = encodeId('store', newUuidV7());
    const of = async (status: string) =>
      `/passes/${(await makePass(client, {}, status)).passId}/invites/sweep`;
    assertRefused(
      await client.post(`/passes/${encodeId('pass', newUuidV7())}/invites/sweep`, {}),
      'pass_not_found',
    );
    assertRefused(await stranger.post(sweep, { storeId: missingStore }), 'forbidden');
    assertRefused(await client.post(await of('draft'), { storeId: missingStore }), 'pass_not_active');
    assertRefused(await client.post(await of('archived'), { storeId: missingStore }), 'pass_not_active');
    assertRefused(await client.post(sweep, { storeId: missingStore }), 'store_not_found');
    const theirs = await makePass(stranger);
    const path = `/passes/${theirs.passId}/invites/sweep`;
    assertRefused(await stranger.post(path, { storeId }), 'forbidden');
    const failed = async (reply: Promise<Json>, reason: string) => {
      assertRefused(await reply, 'sweep_failed', /./, { reason });
    };
    await failed(stranger.post(path), 'store_not_connected');
    const custom = { platform: 'custom', domain: 'shop.example', webhookSecret: shop.webhookSecret };
    await stranger.post('/stores', custom);
    await failed(stranger.post(path), 'customers_not_readable');
    assertRefused(await stranger.get(path), 'sweep_not_found');
    assertRefused(await stranger.post(`${path}/cancel`), 'sweep_not_found');
    assertRefused(await stranger.get(`${path}/results`), 'sweep_not_found');
  });

  test('what is wrong with the store shows at once, and nothing is left running', async () => {
    const { client, shop, storeId, sweep } = await prepared();
    const failed = async (reason: string) => {
      assertRefused(await client.post(sweep), 'sweep_failed', /./, { reason });
      assertRefused(await client.get(sweep), 'sweep_not_found');
    };
    shop.fail({ outcome: { status: 401 } });
    await failed('store_unauthorized');
    shop.fail({ outcome: { status: 402 } });
    await failed('store_not_connected');
    shop.fail({ outcome: { status: 503 } });
    await failed('store_unavailable');
    shop.fail({ outcome: 'throttled' });
    await failed('store_throttled');
    shop.fail({ outcome: 'malformed' });
    await failed('store_answer_unreadable');
    shop.fail({ outcome: 'cut' });
    await failed('store_unavailable');
    await start(client, sweep);
    await ended(client, sweep);
    await client.delete(`/stores/${storeId}`);
    const reply = await client.post(sweep, { storeId });
    assertRefused(reply, 'sweep_failed', /./, { reason: 'store_not_connected' });
  });
});

describe('the end', () => {
  async function underWay() {
    const all = await prepared({ customers: { count: 5_000, consentEvery: 1 } });
    slowDown(all.shop, 80);
    const begun = await start(all.client, all.sweep);
    await until('it is under way', async () => (await all.client.get(all.sweep)).body.state.found > 0);
    return { ...all, begun };
  }

  test('cancelled: at once, with the mails that wait; again it changes nothing', async () => {
    const { client, passId, sweep, begun } = await underWay();
    const { status, body } = await client.post(`${sweep}/cancel`);
    assert.deepEqual([status, body.state.running, body.state.status], [200, false, 'cancelled']);
    // Mails that were leaving at that moment still do.
    const stateNow = async () => (await client.get(sweep)).body.state;
    await until('no mail is leaving', async () => (await stateNow()).waiting === 0);
    const { length } = await itemsOf(begun);
    const before = await stateNow();
    assert.deepEqual((await client.post(`${sweep}/cancel`)).body.state, before);
    await start(client, sweep, { dryRun: true });
    const { state } = await ended(client, sweep);
    assert.equal(state.status, 'completed');
    assert.equal((await itemsOf(begun)).length, length, 'nothing was written after it');
    // Those who were invited and not mailed may be invited again.
    assert.equal(state.invited + state.alreadyInvited, 5_000);
    const statuses = await app.sql<{ status: string }>('select status from invites where pass_id = $1', [
      decodeId('pass', passId),
    ]);
    assert.equal(statuses.filter((row) => row.status === 'queued').length, 0);
    const events = await eventsOf(client, 'type=sweep.finished');
    assert.deepEqual(
      events.map(({ actor, data }) => [actor.slice(0, 4), data.state.status]),
      [
        ['key_', 'cancelled'],
        ['syst', 'completed'],
      ],
    );
  });

  test('the pass is archived', async () => {
    const { client, passId, sweep } = await underWay();
    await client.patch(`/passes/${passId}`, { status: 'archived' });
    const { state } = await ended(client, sweep);
    assert.deepEqual([state.status, state.reason], ['failed', 'pass_not_active']);
    assert.ok(state.found < 5_000);
  });

  test('the store is disconnected', async () => {
    const { client, storeId, sweep } = await underWay();
    await client.delete(`/stores/${storeId}`);
    const { state } = await ended(client, sweep);
    assert.deepEqual([state.status, state.reason], ['failed', 'store_not_connected']);
  });

  test('the pass is deleted', async () => {
    const { client, passId, sweep } = await underWay();
    assert.equal((await client.delete(`/passes/${passId}`)).status, 204);
    assertRefused(await client.get(sweep), 'pass_not_found');
    const rows = () =>
      app.sql<Json>('select status, problem from sweeps where pass_id = $1', [decodeId('pass', passId)]);
    await until('its sweep has ended', async () =>
      (await rows()).every(({ status }) => status !== 'running'),
    );
    assert.deepEqual(await rows(), [{ status: 'failed', problem: 'pass_not_active' }]);
  });
});

describe('the results', () => {
  test('as a list, page by page, and as one file', async () => {
    const { client, sweep } = await prepared({ customers: { count: 1_100, noEmailEvery: 50 } });
    const { sweepId } = await start(client, sweep);
    await ended(client, sweep);
    const items: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await client.get(`${sweep}/results?limit=100${cursor}`);
      items.push(...body.data);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    assert.equal(items.length, 1_100);
    assert.equal(new Set(items.map(({ customerId }) => customerId)).size, 1_100);
    const invited = items.filter(({ outcome }) => outcome === 'invited');
    for (const { inviteId, inviteStatus } of invited) assert.ok(inviteId !== null && inviteStatus !== null);
    const file = await client.get(`${sweep}/results?format=csv`);
    assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="${sweepId}.csv"`);
    const [header, ...lines] = file.text.trimEnd().split('\r\n');
    assert.equal(header, 'customerId,outcome,inviteId,inviteStatus,decidedAt');
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(0, 3)),
      items.map(({ customerId, outcome, inviteId }) => [customerId, outcome, inviteId ?? '']),
    );
    assertRefused(await client.get(`${sweep}/results?format=xml`), 'invalid_request');
  });

  test('a cell that a spreadsheet would take for a formula begins with an apostrophe', async () => {
    const { client, sweep } = await prepared({ customers: 3 });
    const { sweepId } = await start(client, sweep);
    await ended(client, sweep);
    await app.sql(
      "update sweep_items set customer_id = '=HYPERLINK(\"https://evil.example\")' where sweep_id = $1 and customer_id like '%440'",
      [decodeId('sweep', sweepId)],
    );
    const { text } = await client.get(`${sweep}/results?format=csv`);
    assert.match(text, /^"'=HYPERLINK\(""https:\/\/evil\.example""\)",/m);
  });

  test('are forgotten after 90 days, the counts are not', async () => {
    const { client, sweep } = await prepared({ customers: 30 });
    await start(client, sweep);
    const done = await ended(client, sweep);
    const { trimSweeps } = await import('./run-sweeps.job.ts');
    const trim = async () => {
      while (await trimSweeps({ app: app.running.app, requestId: 'test' }));
    };
    await trim();
    assert.equal((await itemsOf(done)).length, 30);
    app.advance(90 * 86_400_000 + 60_000);
    await trim();
    assert.equal((await itemsOf(done)).length, 0);
    assert.deepEqual(countsOf((await client.get(sweep)).body), countsOf(done));
  });
});
