import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeId } from '../../../src/kit/ids.ts';
import { newStore } from '../../../src/stores/stores.fixture.ts';
import type { Client, Json } from '../../client.ts';
import { makeKey, makePass } from '../../factories.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('workspaces');
const { client, app, workspaceId } = races;
const { passId } = await makePass(client);

async function connected(): Promise<Json> {
  const store = newStore();
  const { status, body, text } = await client.post('/stores', store);
  assert.equal(status, 201, text);
  return { ...store, storeId: body.storeId };
}

describe('a partner', () => {
  it('that is deleted is named by no card afterwards', () =>
    races.run({
      prepare: async () => (await client.post('/partners', { name: 'Harbour' })).body.partnerId as string,
      calls: (partnerId) => [
        ...times(4, () => races.by().delete(`/partners/${partnerId}`)),
        ...times(4, (at) => races.by().patch(`/partners/${partnerId}`, { name: `Harbour ${at}` })),
        ...times(6, () => races.by().post(`/passes/${passId}/instances`, { partnerId })),
      ],
      async judge(replies, partnerId) {
        assert.deepEqual(outcomes(replies.slice(0, 4)), { 204: 1, partner_not_found: 3 });
        assertOnly(replies.slice(4), 200, 201, 'partner_not_found');
        assert.equal((await client.get(`/partners/${partnerId}`)).body.code, 'partner_not_found');
      },
    }));

  it('is made once under one key', () =>
    races.run({
      prepare: async (round) => ({ 'idempotency-key': `partner-${round}` }),
      calls: (headers) =>
        times(8, (at) => races.by().post('/partners', { name: `Shop ${at % 2}` }, { headers })),
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 201: 4, external_ref_reused: 4 });
        assert.equal(new Set(granted(replies).map(({ text }) => text)).size, 1);
      },
    }));
});

describe('a store', () => {
  it('is connected once', () =>
    races.run({
      prepare: async () => newStore(),
      calls: (store) => times(8, () => races.by().post('/stores', store)),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 1, store_already_connected: 7 }),
    }));

  it('that was disconnected is connected again once', () =>
    races.run({
      async prepare() {
        const { storeId, ...store } = await connected();
        assert.equal((await client.delete(`/stores/${storeId}`)).status, 204);
        return store;
      },
      calls: (store) => times(8, () => races.by().post('/stores', store)),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 1, store_already_connected: 7 }),
    }));

  it('is connected, changed and disconnected at once', () =>
    races.run({
      prepare: connected,
      calls: ({ storeId, ...store }) => [
        ...times(4, () => races.by().post('/stores', store)),
        ...times(3, () => races.by().delete(`/stores/${storeId}`)),
        ...times(4, (at) => races.by().patch(`/stores/${storeId}`, { followsEdits: at % 2 === 0 })),
      ],
      judge: (replies) => assertOnly(replies, 200, 201, 204, 'store_already_connected', 'store_not_found'),
    }));
});

describe('a key', () => {
  it('is rotated, changed and revoked at once', () =>
    races.run({
      prepare: () => makeKey(client),
      calls: ({ key: { keyId } }) => [
        ...times(4, () => races.by().post(`/api-keys/${keyId}/rotate`, { overlapSeconds: 0 })),
        ...times(3, () => races.by().delete(`/api-keys/${keyId}`)),
        ...times(4, (at) => races.by().patch(`/api-keys/${keyId}`, { name: `Till ${at}` })),
      ],
      judge: (replies) => assertOnly(replies, 200, 201, 'api_key_not_found'),
    }));

  it('of two that revoke each other and themselves, one is left', () =>
    races.run({
      async prepare() {
        const { client: one } = await app.newWorkspace();
        const { client: other, key } = await makeKey(one);
        return { one, other, first: (await one.get('/me')).body.keyId as string, second: key.keyId };
      },
      calls: ({ one, other, first, second }) => [
        ...times(2, () => races.by(one).delete(`/api-keys/${second}`)),
        ...times(2, () => races.by(other).delete(`/api-keys/${first}`)),
        ...times(2, () => races.by(one).delete(`/api-keys/${first}`)),
        ...times(2, () => races.by(other).patch(`/api-keys/${second}`, { access: 'read' })),
      ],
      async judge(replies, { first, second }) {
        assertOnly(replies, 200, 'last_key', 'invalid_api_key', 'insufficient_scope');
        const left = await app.sql(
          "select from api_keys where key_id = any($1) and access = 'full' and revoked_at is null",
          [[first, second].map((id) => decodeId('key', id))],
        );
        assert.ok(left.length > 0);
      },
    }));
});

describe('a workspace', () => {
  it('is topped up once by one reference', () =>
    races.run({
      prepare: async (round) => ({
        externalRef: `invoice-${round}`,
        before: (await client.get('/credits')).body.balance as number,
      }),
      calls: ({ externalRef }) => [
        ...times(6, () =>
          races
            .by(app.operator)
            .post(`/operator/workspaces/${workspaceId}/credits`, { amount: 5, externalRef }),
        ),
        ...times(6, (at) =>
          races.by(app.operator).post(`/operator/workspaces/${workspaceId}/credits`, {
            amount: 1,
            externalRef: `${externalRef}-${at}`,
          }),
        ),
      ],
      async judge(replies, { before }) {
        assert.deepEqual(outcomes(replies), { 200: 12 });
        assert.equal((await client.get('/credits')).body.balance, before + 5 + 6);
      },
    }));

  it('of the entry plan has ten drafts, however they are made', () =>
    races.run({
      async prepare() {
        const { client: small } = await app.newWorkspace('entry');
        const passes = await Promise.all(Array.from({ length: 8 }, () => makePass(small, {}, 'draft')));
        return { small, passes };
      },
      calls: ({ small, passes }) => [
        ...times(4, () => races.by(small).post('/passes', { title: 'Draft', type: 'coupon' })),
        ...times(4, () => races.by(small).post(`/passes/${passes[0].passId}/clone`)),
      ],
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 2, draft_limit_reached: 6 }),
    }));

  it('is changed by its owner and the operator at once', () =>
    races.run({
      prepare: async () => app.newWorkspace(),
      calls: (own) => [
        ...times(4, (at) => races.by(own.client).patch('/workspace', { name: `Blue Bean ${at}` })),
        ...times(4, (at) =>
          races
            .by(app.operator)
            .patch(`/operator/workspaces/${own.workspaceId}`, { suspended: at % 2 === 0 }),
        ),
        ...times(2, () => makePassAt(own.client)),
      ],
      judge: (replies) => assertOnly(replies, 200, 201, 'workspace_suspended'),
    }));
});

const makePassAt = (owner: Client) => races.by(owner).post('/passes', { title: 'Club', type: 'loyalty' });

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
