import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import { accessToken, connectStore, newStore, webhookSecret } from './stores.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const read = async (storeId: string, by = client): Promise<Json> => (await by.get(`/stores/${storeId}`)).body;
const auditOf = (storeId: string) =>
  app.sql<{ action: string; actor: string; detail: Json }>(
    'select action, actor, detail from audit_log where target = $1 order by audit_id',
    [storeId],
  );

describe('POST /stores', () => {
  it('connects a store, and shows nothing secret of it', async () => {
    const pass = await makePass(client);
    const { storeId, webhookUrl, connectedAt, createdAt, updatedAt, webhookTopics, ...rest } =
      await connectStore(client, { domain: 'Blue-Bean.myshopify.com', passId: pass.passId });
    assert.match(storeId, /^store_[0-9a-z]{26}$/);
    assert.equal(webhookUrl, `${app.config.publicUrl}/v1/stores/${storeId}/webhooks`);
    assert.ok(webhookTopics.includes('orders/updated') && webhookTopics.includes('customers/redact'));
    assert.deepEqual(rest, {
      platform: 'shopify',
      domain: 'blue-bean.myshopify.com',
      passId: pass.passId,
      consent: null,
      followsEdits: false,
      status: 'connected',
      customersReadable: true,
      reconciledAt: null,
      problem: null,
      waitingWebhooks: 0,
      givenUpWebhooks: 0,
    });
    assert.equal(createdAt, updatedAt);
    assert.equal(connectedAt, createdAt.replace(/\.\d+Z/, '.000Z'));
  });

  it('takes each platform with what it is read with', async () => {
    const woo = await connectStore(client, {
      platform: 'woocommerce',
      domain: 'tea.example:8443',
      credentials: { consumerKey: `ck_${'a'.repeat(40)}`, consumerSecret: `cs_${'b'.repeat(40)}` },
    });
    assert.deepEqual([woo.domain, woo.customersReadable], ['tea.example:8443', true]);
    const custom = await connectStore(client, {
      platform: 'custom',
      domain: 'till.example',
      credentials: undefined,
    });
    assert.deepEqual([custom.customersReadable, custom.webhookTopics[0]], [false, 'order']);
  });

  it('replays the same key, and refuses another effect', async () => {
    const headers = { 'idempotency-key': 'store-once' };
    const body = newStore();
    const replies = await inParallel(5, () => client.post('/stores', body, { headers }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 5 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assertRefused(await client.post('/stores', newStore(), { headers }), 'external_ref_reused');
  });

  it('refuses a domain that is connected already, however many try at once', async () => {
    const body = newStore();
    const replies = await inParallel(6, () => client.post('/stores', body));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 409: 5 });
    const refused = replies.find(({ status }) => status === 409) ?? assert.fail();
    const made = replies.find(({ status }) => status === 201) ?? assert.fail();
    assertRefused(refused, 'store_already_connected', new RegExp(made.body.storeId));
    const other = await app.newWorkspace();
    assert.equal((await other.client.post('/stores', body)).status, 201);
  });

  const wrong: [string, object, RegExp][] = [
    ['an unknown platform', { platform: 'magento' }, /^platform/],
    ['no domain', { domain: undefined }, /^domain is required/],
    ['a domain that is no host', { domain: 'https://blue-bean.myshopify.com/admin' }, /domain/],
    ['a host that is none of the platform', { domain: 'blue-bean.example' }, /domain/],
    ['no credentials', { credentials: undefined }, /^credentials is required/],
    ['credentials of another platform', { credentials: { consumerKey: accessToken } }, /^credentials/],
    ['credentials as text', { credentials: accessToken }, /^credentials must be an object/],
    ['more credentials', { credentials: { accessToken, shop: 'x' } }, /^credentials\.shop/],
    ['a header in the credentials', { credentials: { accessToken: 'a\r\nhost: evil' } }, /^credentials/],
    ['no secret', { webhookSecret: undefined }, /^webhookSecret is required/],
    ['a short secret', { webhookSecret: 'tooshort-tooshor'.slice(0, 15) }, /^webhookSecret/],
    ['a long secret', { webhookSecret: 'x'.repeat(256) }, /^webhookSecret/],
    ['a secret that is not ASCII', { webhookSecret: `${webhookSecret}ß` }, /^webhookSecret/],
    ['consent where the platform says it', { consent: { attestedBy: 'Ada' } }, /^consent: shopify itself/],
    ['an unknown property', { topics: [] }, /^topics is not known/],
  ];
  for (const [what, body, message] of wrong) {
    it(`refuses ${what}, without repeating a secret`, async () => {
      const reply = await client.post('/stores', newStore(body));
      assertRefused(reply, 'invalid_request', message);
      for (const secret of [accessToken, webhookSecret, 'tooshort'])
        assert.ok(!reply.text.includes(secret), reply.text);
    });
  }

  it('refuses an unknown pass, and one of another account', async () => {
    const passId = encodeId('pass', newUuidV7());
    assertRefused(await client.post('/stores', newStore({ passId })), 'pass_not_found');
    const others = await makePass((await app.newWorkspace()).client);
    assertRefused(await client.post('/stores', newStore({ passId: others.passId })), 'forbidden');
  });

  const woo = {
    platform: 'woocommerce',
    credentials: { consumerKey: 'ck_0123456789', consumerSecret: 'cs_0123456789' },
  };
  it('takes one of two kinds of consent where the platform has none, and records who has given their word', async () => {
    const { key, client: till } = await makeKey(client);
    const meta = { metaKey: 'newsletter', metaValue: 'yes' };
    const byMeta = await connectStore(client, { ...woo, domain: 'a.example', consent: meta });
    assert.deepEqual(byMeta.consent, meta);
    const { consent, storeId } = await connectStore(till, {
      ...woo,
      domain: 'b.example',
      consent: { attestedBy: 'Ada Lovelace' },
    });
    const { recordedAt, ...rest } = consent;
    assert.deepEqual(rest, { attestedBy: 'Ada Lovelace', recordedBy: key.keyId });
    assert.ok(Math.abs(Date.parse(recordedAt) - Date.now()) < 60_000);
    assert.deepEqual((await auditOf(storeId))[0]?.detail.consent, consent);
    const both = { consent: { ...meta, attestedBy: 'Ada' } };
    const refused = await client.post('/stores', newStore({ ...woo, domain: 'c.example', ...both }));
    assertRefused(refused, 'invalid_request', /consent/);
  });
});

describe('GET /stores', () => {
  it('lists those of the workspace, newest first, a page at a time', async () => {
    const own = (await app.newWorkspace()).client;
    const ids = [];
    for (const _ of [1, 2, 3]) ids.unshift((await connectStore(own)).storeId);
    await own.delete(`/stores/${ids[1]}`);
    const page = await own.get('/stores?limit=2');
    assert.deepEqual(
      page.body.data.map(({ storeId, status }: Json) => [storeId, status]),
      [
        [ids[0], 'connected'],
        [ids[1], 'disconnected'],
      ],
    );
    const rest = await own.get(`/stores?cursor=${page.body.nextCursor}`);
    assert.deepEqual([rest.body.data[0].storeId, rest.body.nextCursor], [ids[2], null]);
    assertRefused(await client.get(`/stores?cursor=${page.body.nextCursor}`), 'invalid_request', /cursor/);
  });
});

describe('PATCH /stores/{storeId}', () => {
  it('changes what is named and leaves the rest alone', async () => {
    const pass = await makePass(client);
    const store = await connectStore(client, { passId: pass.passId });
    const path = `/stores/${store.storeId}`;
    app.advance(1_000);
    const { body } = await client.patch(path, { followsEdits: true });
    assert.ok(body.updatedAt > store.updatedAt);
    assert.deepEqual(body, { ...store, followsEdits: true, updatedAt: body.updatedAt });
    assert.equal((await client.patch(path, { passId: null })).body.passId, null);
    assert.equal((await client.patch(path, { passId: pass.passId })).body.passId, pass.passId);
    const last = (await client.patch(path, { followsEdits: true })).body;
    assert.deepEqual(await read(store.storeId), last);
  });

  it('refuses what it does not know, and nothing at all', async () => {
    const { storeId } = await connectStore(client);
    for (const body of [{}, { domain: 'b.myshopify.com' }, { platform: 'custom' }, { webhookSecret: null }])
      assertRefused(await client.patch(`/stores/${storeId}`, body), 'invalid_request');
    const wrong = { credentials: { consumerKey: 'x' } };
    assertRefused(await client.patch(`/stores/${storeId}`, wrong), 'invalid_request', /^credentials/);
  });

  it('is audited without what is secret', async () => {
    const { storeId } = await connectStore(client);
    await client.patch(`/stores/${storeId}`, {
      credentials: { accessToken: 'shpat_another' },
      webhookSecret: 'another secret of ours',
      followsEdits: true,
    });
    const [, changed] = await auditOf(storeId);
    assert.deepEqual(changed?.detail, {
      changed: ['credentials', 'webhookSecret', 'followsEdits'],
      before: { followsEdits: false },
      after: { followsEdits: true },
    });
  });
});

describe('DELETE /stores/{storeId}', () => {
  it('disconnects: the credentials are gone, the row stays; connected again it is the same store', async () => {
    const store = await connectStore(client);
    const path = `/stores/${store.storeId}`;
    assert.equal((await client.delete(path)).status, 204);
    const { status, customersReadable, problem } = await read(store.storeId);
    assert.deepEqual([status, customersReadable, problem], ['disconnected', false, null]);
    const [row] = await app.sql('select credentials, reconcile_at from stores where store_id = $1', [
      decodeId('store', store.storeId),
    ]);
    assert.deepEqual(row, { credentials: null, reconcile_at: null });
    assertRefused(await client.delete(path), 'store_not_found');
    assertRefused(await client.patch(path, { followsEdits: true }), 'store_not_found');
    assertRefused(await client.post(`${path}/test`), 'store_not_found');
    app.advance(5_000);
    const body = newStore({ domain: store.domain, followsEdits: true });
    const replies = await inParallel(5, () => client.post('/stores', body));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 409: 4 });
    const reconnected = await read(store.storeId);
    assert.deepEqual(
      [reconnected.status, reconnected.followsEdits, reconnected.createdAt],
      ['connected', true, store.createdAt],
    );
    assert.ok(reconnected.connectedAt > store.connectedAt);
    assert.equal(
      (await client.get('/stores')).body.data.filter(({ domain }: Json) => domain === store.domain).length,
      1,
    );
  });

  it('was long ago: connected again, the store is not read from where that was', async () => {
    const read = async (days: number) => {
      const { storeId, domain } = await connectStore(client);
      await client.delete(`/stores/${storeId}`);
      const id = decodeId('store', storeId);
      const wasRead = new Date(app.running.app.now().getTime() - days * 86_400_000);
      await app.sql('update stores set watermark = $2 where store_id = $1', [id, wasRead]);
      assert.equal((await connectStore(client, { domain })).storeId, storeId);
      const [row] = await app.sql<{ watermark: Date }>('select watermark from stores where store_id = $1', [
        id,
      ]);
      return Math.round((app.running.app.now().getTime() - (row?.watermark.getTime() ?? 0)) / 86_400_000);
    };
    assert.deepEqual([await read(365), await read(30)], [60, 30]);
  });

  it('happens once, however many ask at once', async () => {
    const { storeId } = await connectStore(client);
    const replies = await inParallel(5, () => client.delete(`/stores/${storeId}`));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 204: 1, 404: 4 });
    assert.deepEqual(
      (await auditOf(storeId)).map(({ action }) => action),
      ['connectStore', 'disconnectStore'],
    );
  });
});

it('a store of another account is forbidden, an unknown one not found', async () => {
  const store = await connectStore((await app.newWorkspace()).client);
  for (const [id, code] of [
    [store.storeId, 'forbidden'],
    [encodeId('store', newUuidV7()), 'store_not_found'],
    ['store_O0l', 'store_not_found'],
  ] as const) {
    const path = `/stores/${id}`;
    assertRefused(await client.get(path), code);
    assertRefused(await client.patch(path, { followsEdits: true }), code);
    assertRefused(await client.delete(path), code);
    assertRefused(await client.post(`${path}/test`), code);
    assertRefused(await client.get(`${path}/privacy-requests`), code);
  }
});

it('no secret of a store is in the database unsealed', async () => {
  const own = { accessToken: 'shpat_nowhere_to_be_found', webhookSecret: 'nowhere to be found' };
  const store = await connectStore(client, {
    credentials: { accessToken: own.accessToken },
    webhookSecret: own.webhookSecret,
  });
  const replayed = newStore({ credentials: { accessToken: own.accessToken } });
  await client.post('/stores', replayed, { headers: { 'idempotency-key': 'dumped' } });
  await client.patch(`/stores/${store.storeId}`, { credentials: { accessToken: `${own.accessToken}2` } });
  const dump = await app.dump();
  assert.ok(dump.includes(store.domain));
  for (const secret of Object.values(own)) assert.ok(!dump.includes(secret));
});
