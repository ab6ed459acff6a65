import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newStore } from '../../../src/stores/stores.fixture.ts';
import type { Json } from '../../client.ts';
import { makePass } from '../../factories.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('passes');
const { client } = races;

const remove = ({ passId }: Json) => races.by().delete(`/passes/${passId}`);
const issue = ({ passId }: Json, body: object = {}) => races.by().post(`/passes/${passId}/instances`, body);
const patch = ({ passId }: Json, changes: object) => races.by().patch(`/passes/${passId}`, changes);
const upload = ({ passId }: Json, barcodes: readonly string[], headers: Record<string, string> = {}) =>
  races.by().post(`/passes/${passId}/barcodes`, { barcodes }, { headers });
const stamps = { mode: 'STAMPS', reward: { title: 'Coffee' }, threshold: 5 };
const makePool = () => makePass(client, { barcode: { mode: 'pool' } });
const codesOf = (count: number) => Array.from({ length: count }, (_, at) => `CODE-${at}`);
const poolOf = async ({ passId }: Json): Promise<Json> => (await client.get(`/passes/${passId}`)).body.pool;

describe('a pass that is deleted', () => {
  it('while cards are issued of it either has cards or is gone', () =>
    races.run({
      prepare: () => makePass(client),
      calls: (pass) => [...times(4, () => remove(pass)), ...times(8, () => issue(pass))],
      async judge(replies, pass) {
        assertOnly(replies.slice(0, 4), 204, 'pass_not_found', 'invalid_request');
        assertOnly(replies.slice(4), 201, 'pass_not_found');
        const isGone = replies.some(({ status }) => status === 204);
        assert.equal(granted(replies.slice(4)).length, isGone ? 0 : 8);
        assert.equal((await client.get(`/passes/${pass.passId}`)).status, isGone ? 404 : 200);
      },
    }));

  it('while stores are connected with it is named by none', () =>
    races.run({
      async prepare() {
        const { status, body, text } = await client.post('/stores', newStore());
        assert.equal(status, 201, text);
        return { pass: await makePass(client), storeId: body.storeId as string };
      },
      calls: ({ pass: { passId }, storeId }) => [
        ...times(2, () => races.by().delete(`/passes/${passId}`)),
        ...times(5, () => races.by().post('/stores', newStore({ passId }))),
        ...times(5, () => races.by().patch(`/stores/${storeId}`, { passId })),
      ],
      async judge(replies, { storeId }) {
        assertOnly(replies.slice(0, 2), 204, 'pass_not_found');
        assertOnly(replies.slice(2), 200, 201, 'pass_not_found');
        assert.equal((await client.get(`/stores/${storeId}`)).body.passId, null);
      },
    }));

  it('while everything else is done with it', () =>
    races.run({
      prepare: makePool,
      calls: (pass) => [
        ...times(2, () => remove(pass)),
        ...times(3, () => races.by().post('/loyalty/programs', { passId: pass.passId, ...stamps })),
        ...times(3, () => upload(pass, codesOf(3))),
        ...times(2, () => races.by().post(`/passes/${pass.passId}/clone`)),
        ...times(2, (at) => patch(pass, { details: `Open until ${at}` })),
        ...times(2, () => races.by().post(`/passes/${pass.passId}/messages`, { text: 'Hello' })),
        ...times(2, (at) =>
          races.by().post(`/passes/${pass.passId}/invites`, { email: `${at}@example.com` }),
        ),
        ...times(2, () => races.by().delete(`/passes/${pass.passId}/barcodes/CODE-1`)),
        ...times(2, () => issue(pass)),
      ],
      judge(replies) {
        const codes = ['pass_not_found', 'pass_already_dynamic', 'barcode_not_found', 'pool_exhausted'];
        assertOnly(replies, 200, 201, 202, 204, 'invalid_request', ...codes);
      },
    }));
});

describe('a pass', () => {
  it('takes one of several programs', () =>
    races.run({
      prepare: () => makePass(client),
      calls: ({ passId }) => times(10, () => races.by().post('/loyalty/programs', { passId, ...stamps })),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 1, pass_already_dynamic: 9 }),
    }));

  it('is archived, published and changed while cards are issued of it', () =>
    races.run({
      prepare: () => makePass(client),
      calls: (pass) => [
        ...times(3, () => patch(pass, { status: 'archived' })),
        ...times(3, () => patch(pass, { status: 'published' })),
        ...times(2, () => patch(pass, { barcode: { mode: 'none' } })),
        ...times(8, (at) => issue(pass, { holder: { identifier: `ada-${at % 2}` } })),
      ],
      judge: (replies) => assertOnly(replies, 200, 201, 'pass_archived', 'invalid_request'),
    }));

  it('is made once under one key', () =>
    races.run({
      prepare: async (round) => ({ 'idempotency-key': `pass-${round}` }),
      calls: (headers) =>
        times(8, () => races.by().post('/passes', { title: 'Club', type: 'loyalty' }, { headers })),
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 201: 8 });
        assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      },
    }));
});

describe('a pool', () => {
  it('takes the same codes once, whichever upload is first', () =>
    races.run({
      prepare: makePool,
      calls: (pass) =>
        times(5, (at) =>
          upload(pass, at % 2 === 0 ? codesOf(20) : codesOf(20).reverse(), {
            'idempotency-key': `${pass.passId} ${at % 2} ${at % 4}`,
          }),
        ),
      async judge(replies, pass) {
        assert.deepEqual(outcomes(replies), { 200: 5 });
        assert.equal((await poolOf(pass)).total, 20);
      },
    }));

  it('gives its last codes to one card each', () =>
    races.run({
      async prepare() {
        const pass = await makePool();
        await races.app.fillPool(pass.passId, codesOf(3));
        return pass;
      },
      calls: (pass) => times(12, () => issue(pass)),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 3, pool_exhausted: 9 }),
    }));

  it('keeps its count while codes are uploaded, deleted, brought along and issued', () =>
    races.run({
      async prepare() {
        const pass = await makePool();
        await races.app.fillPool(pass.passId, codesOf(4));
        return pass;
      },
      calls: (pass) => [
        ...times(4, (at) => races.by().delete(`/passes/${pass.passId}/barcodes/CODE-${at}`)),
        ...times(2, () => upload(pass, codesOf(8))),
        ...times(4, (at) =>
          races
            .by()
            .post(`/passes/${pass.passId}/instances/import`, { instances: [{ barcode: `CODE-${at + 2}` }] }),
        ),
        ...times(6, () => issue(pass)),
      ],
      async judge(replies, pass) {
        assertOnly(replies, 200, 201, 204, 'barcode_not_found', 'pool_exhausted', 'invalid_request');
        const codes = replies
          .flatMap(({ body }) => [body, ...(body?.results ?? []).map(({ instance }: Json) => instance)])
          .flatMap((card: Json | undefined) => card?.barcode ?? []);
        assert.equal(new Set(codes).size, codes.length);
        const { total, available, assigned } = await poolOf(pass);
        assert.equal(total, available + assigned);
      },
    }));
});

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
