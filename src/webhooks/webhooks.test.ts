import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { eventTypes } from '../events/event-kinds.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import { blockedAddresses } from '../kit/safe-fetch/addresses.fixture.ts';
import { makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const app = await startWebhookApp();
const strict = await startTestApp({ WORKERS: 'off' });
const { url } = await startReceiver();
let client: Client;
let workspaceId: string;
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
});

const post = (body: Json, by = client) => by.post('/webhooks', { url, types: ['*'], ...body });

describe('createWebhook', () => {
  it('makes one that is active, and shows its secret once', async () => {
    const { passId } = await makePass(client);
    const asked = {
      url,
      types: ['points.*', 'reward.redeemed'],
      passIds: [passId],
      description: 'Till',
      payload: 'thin',
    };
    const { status, body } = await client.post('/webhooks', asked);
    assert.equal(status, 201);
    const { webhookId, secret, createdAt, updatedAt, ...shown } = body;
    assert.deepEqual(shown, { ...asked, status: 'active', problem: null });
    assert.match(webhookId, /^hook_/);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const got = await client.get(`/webhooks/${webhookId}`);
    assert.deepEqual(got.body, {
      webhookId,
      createdAt,
      updatedAt,
      ...shown,
      lastDay: { delivered: 0, failed: 0, waiting: 0 },
    });
    assert.deepEqual((await client.get('/webhooks')).body, { data: [got.body], nextCursor: null });
    assert.ok(!(await app.dump()).includes(secret.slice('whsec_'.length)));
  });

  it('answers a repeat with the same secret', async () => {
    const headers = { 'idempotency-key': 'hook-1' };
    const body = { url, types: ['*'] };
    const [one, other] = [
      await client.post('/webhooks', body, { headers }),
      await client.post('/webhooks', body, { headers }),
    ];
    assert.equal(one.body.secret, other.body.secret);
    assert.equal((await client.get('/webhooks')).body.data.length, 1);
  });

  it('refuses kinds that there are not, passes of others, and what is malformed', async () => {
    const stranger = (await app.newWorkspace()).client;
    const { passId } = await makePass(stranger);
    const wrong: Json[] = [
      { types: ['points.given'] },
      { types: ['point.*'] },
      { types: ['*.awarded'] },
      { types: [] },
      { types: ['*', '*'] },
      { passIds: [passId] },
      { passIds: ['pass_1'] },
      { passIds: [] },
      { payload: 'fat' },
      { status: 'paused' },
      { description: 'a\nb' },
      { secret: 'whsec_1' },
    ];
    for (const body of wrong) assertRefused(await post(body), 'invalid_request');
    for (const type of eventTypes)
      assert.equal((await post({ types: [type] }, await fresh())).status, 201, type);
  });

  it('refuses URLs that nothing may be posted to', async () => {
    const wrong = [
      'ftp://example.com/',
      'example.com',
      'https://user:secret@example.com/',
      'https://localhost/',
      'https://a.internal/',
      'https://metadata.google.internal/',
      'http://ex ample.com',
      '',
    ];
    for (const url of wrong) assertRefused(await post({ url }), 'invalid_request');
    for (const { address } of blockedAddresses) {
      if (address.includes('%')) continue;
      const host = address.includes(':') ? `[${address}]` : address;
      assertRefused(await post({ url: `https://${host}/` }, strict.client), 'invalid_request');
    }
    assertRefused(await post({ url: 'http://example.com/' }, strict.client), 'invalid_request');
  });

  it('makes 16 at most, also side by side', async () => {
    const replies = await inParallel(20, () => post({}));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 16, 409: 4 });
    const { body } = await client.get('/webhooks?limit=10');
    assert.equal(body.data.length, 10);
    const rest = await client.get(`/webhooks?limit=10&cursor=${body.nextCursor}`);
    assert.deepEqual([rest.body.data.length, rest.body.nextCursor], [6, null]);
    await client.delete(`/webhooks/${body.data[0].webhookId}`);
    assert.equal((await post({})).status, 201);
  });
});

/** A client of a workspace without webhooks, every 16 calls. */
let used = 16;
let roomy: Client;
async function fresh(): Promise<Client> {
  if (used++ >= 16) {
    used = 1;
    roomy = (await app.newWorkspace()).client;
  }
  return roomy;
}

describe('updateWebhook', () => {
  it('changes what is named, and says in the audit log what it was', async () => {
    const { webhookId } = await makeWebhook(client, `${url}?token=hidden`, { description: 'Till' });
    const changes = { types: ['pool.low'], description: null, payload: 'thin', status: 'paused' };
    const { status, body } = await client.patch(`/webhooks/${webhookId}`, changes);
    assert.equal(status, 200);
    const { types, description, payload, status: state } = body;
    assert.deepEqual({ types, description, payload, status: state }, changes);
    const [line] = await app.sql<{ detail: Json }>(
      "select detail from audit_log where action = 'updateWebhook' and workspace_id = $1",
      [decodeId('ws', workspaceId)],
    );
    assert.deepEqual([line?.detail.before.types, line?.detail.after.types], [['*'], ['pool.low']]);
    assert.ok(!JSON.stringify(line).includes('hidden'));
  });

  it('refuses what makes no webhook', async () => {
    const path = `/webhooks/${(await makeWebhook(client, url)).webhookId}`;
    for (const body of [
      {},
      { status: 'disabled' },
      { types: ['x'] },
      { url: 'https://10.0.0.1/' },
      { url: null },
    ])
      assertRefused(await client.patch(path, body), 'invalid_request');
  });
});

describe('a webhook', () => {
  it('is found by its own workspace alone, and no more once it was deleted', async () => {
    const { webhookId } = await makeWebhook(client, url);
    const stranger = (await app.newWorkspace()).client;
    const path = `/webhooks/${webhookId}`;
    assertRefused(await stranger.get(path), 'forbidden');
    assertRefused(await stranger.get(`${path}/deliveries`), 'forbidden');
    for (const id of ['hook_1', encodeId('hook', newUuidV7())])
      assertRefused(await client.get(`/webhooks/${id}`), 'webhook_not_found');
    assert.equal((await client.delete(path)).status, 204);
    assertRefused(await client.delete(path), 'webhook_not_found');
    assertRefused(await client.post(`${path}/test`), 'webhook_not_found');
    assert.deepEqual((await client.get('/webhooks')).body.data, []);
  });
});
