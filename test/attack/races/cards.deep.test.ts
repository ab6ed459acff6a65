import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, Reply } from '../../client.ts';
import { makeCard, makePass } from '../../factories.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('cards');
const { client } = races;
const { passId } = await makePass(client);

const issue = (body: object, headers: Record<string, string> = {}, pass = passId) =>
  races.by().post(`/passes/${pass}/instances`, body, { headers });
const call = (card: Json, verb: string) => races.by().post(`/instances/${card.instanceId}/${verb}`);
const update = (card: Json, holder: object) => races.by().patch(`/instances/${card.instanceId}`, { holder });
const idsOf = (replies: readonly Reply[]) => new Set(granted(replies).map(({ body }) => body.instanceId));
/** The active cards of a holder. */
const activeOf = async (identifier: string): Promise<Json[]> =>
  (await client.get(`/passes/${passId}/instances?identifier=${identifier}&status=active`)).body.data;

describe('cards that are issued at once', () => {
  it('with one barcode: one gets it', () =>
    races.run({
      prepare: async (round) => `barcode-${round}`,
      calls: (barcode) =>
        times(30, (at) => issue({ barcode, holder: { identifier: `${barcode} of ${at}` } })),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 201: 1, barcode_taken: 29 }),
    }));

  it('to one holder: all get one card', () =>
    races.run({
      prepare: async (round) => `eager-${round}`,
      calls: (identifier) => times(16, () => issue({ holder: { identifier } })),
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 200: 15, 201: 1 });
        assert.equal(idsOf(replies).size, 1);
      },
    }));

  it('under one key: all get one answer, and another effect is refused', () =>
    races.run({
      prepare: async (round) => `key-${round}`,
      calls: (key) =>
        times(12, (at) =>
          issue(
            { holder: { identifier: `${key} ${at % 4 === 0 ? 'left' : 'right'}` } },
            { 'idempotency-key': key },
          ),
        ),
      judge(replies) {
        const { 201: issued, external_ref_reused: refused } = outcomes(replies);
        assert.ok((issued === 3 && refused === 9) || (issued === 9 && refused === 3));
        assert.equal(new Set(granted(replies).map(({ text }) => text)).size, 1);
      },
    }));

  it('to one holder with one of two barcodes, under a few keys', () =>
    races.run({
      prepare: async (round) => `mixed-${round}`,
      calls: (name) =>
        times(12, (at) =>
          issue(
            { barcode: `${name}-${at % 2}`, holder: { identifier: `${name}-${at % 3}` } },
            { 'idempotency-key': `${name}-${at % 6}` },
          ),
        ),
      judge(replies) {
        assertOnly(replies, 200, 201, 'barcode_taken');
        assert.equal(idsOf(replies).size, 2);
      },
    }));

  it('with the same barcodes and holders by batches and imports in any order', () =>
    races.run({
      prepare: async (round) => Array.from({ length: 6 }, (_, at) => `import-${round}-${at}`),
      calls: (names) =>
        times(8, (at) => {
          const cards = names.map((name) => ({ barcode: name, holder: { identifier: name } }));
          const instances = at % 2 === 0 ? cards : cards.reverse();
          return races.by().post(`/passes/${passId}/instances/${at < 4 ? 'import' : 'batch'}`, { instances });
        }),
      judge(replies, names) {
        const items: Json[] = replies.flatMap(({ body }) => body.results);
        assert.equal(items.filter(({ status }) => status === 201).length, names.length);
        assert.equal(items.filter(({ status }) => status === 200).length, 7 * names.length);
      },
    }));
});

describe('one holder', () => {
  it('whose former card is reactivated while a new one is issued has one of them', () =>
    races.run({
      async prepare(round) {
        const identifier = `former-${round}`;
        const card = await makeCard(client, passId, { holder: { identifier } });
        await client.post(`/instances/${card.instanceId}/void`);
        return { card, identifier };
      },
      calls: ({ card, identifier }) => [
        ...times(6, () => call(card, 'reactivate')),
        ...times(6, () => issue({ holder: { identifier } })),
      ],
      async judge(replies, { identifier }) {
        assertOnly(replies.slice(0, 6), 200, 'holder_has_active_instance');
        assertOnly(replies.slice(6), 200, 201);
        assert.equal(idsOf(replies).size, 1);
        assert.equal((await activeOf(identifier)).length, 1);
      },
    }));

  it('is claimed by one of several cards', () =>
    races.run({
      async prepare(round) {
        const identifier = `claimed-${round}`;
        const cards = [await makeCard(client, passId), await makeCard(client, passId)];
        return { identifier, cards };
      },
      calls: ({ identifier, cards }) => [
        ...times(6, (at) => update(cards[at % 2], { identifier })),
        ...times(4, () => issue({ holder: { identifier } })),
      ],
      async judge(replies, { identifier }) {
        assertOnly(replies.slice(0, 6), 200, 'holder_has_active_instance');
        assertOnly(replies.slice(6), 200, 201);
        assert.equal((await activeOf(identifier)).length, 1);
      },
    }));

  it('changes places with another, and neither is lost', () =>
    races.run({
      async prepare(round) {
        const names = [`left-${round}`, `right-${round}`];
        const left = await makeCard(client, passId, { holder: { identifier: names[0] } });
        const right = await makeCard(client, passId, { holder: { identifier: names[1] } });
        return { names, left, right };
      },
      calls: ({ names: [one, other], left, right }) => [
        ...times(3, () => update(left, { identifier: other })),
        ...times(3, () => update(right, { identifier: one })),
        ...times(2, () => issue({ holder: { identifier: one } })),
      ],
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 200: 2, holder_has_active_instance: 6 });
      },
    }));

  it('has at most one card while cards are voided, reactivated, changed, erased and issued', () =>
    races.run({
      async prepare(round) {
        const identifier = `busy-${round}`;
        return { identifier, card: await makeCard(client, passId, { holder: { identifier } }) };
      },
      calls: ({ identifier, card }) => [
        ...times(4, () => call(card, 'void')),
        ...times(4, () => call(card, 'reactivate')),
        ...times(4, () => issue({ holder: { identifier } })),
        ...times(2, () => update(card, { name: 'Ada' })),
        ...times(2, () => races.by().delete(`/instances/${card.instanceId}`)),
        ...times(2, (at) =>
          races.by().patch(`/instances/${card.instanceId}/fields`, { fields: { tier: `t${at}` } }),
        ),
      ],
      async judge(replies, { identifier }) {
        const codes = ['holder_has_active_instance', 'instance_voided', 'invalid_request'];
        assertOnly(replies, 200, 201, 204, ...codes);
        assert.ok((await activeOf(identifier)).length <= 1);
      },
    }));
});

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
