import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { award, makeProgram } from '../../../src/loyalty/account.fixture.ts';
import type { Json, Reply } from '../../client.ts';
import { makeCard, makePass } from '../../factories.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('ledger');
const { client } = races;
const coffee = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 } };
const { passId } = (await makeProgram(client, coffee)).pass;

const nameOf = (target: Json) =>
  typeof target === 'string' ? { passId, identifier: target } : { passId, instanceId: target.instanceId };
const earn = (target: Json, points: number, more: object = {}) =>
  races.by().post('/loyalty/points', { ...nameOf(target), points, ...more });
const redeem = (target: Json, more: object = {}) =>
  races.by().post('/loyalty/redeem', { ...nameOf(target), ...more });
const adjust = (target: Json, points: number) =>
  races.by().post('/loyalty/adjust', { ...nameOf(target), points, reason: 'a slip' });
const reverse = ({ entryId }: Json) => races.by().post(`/loyalty/entries/${entryId}/reverse`, {});
const issue = (body: object) => races.by().post(`/passes/${passId}/instances`, body);
const erase = ({ instanceId }: Json) => races.by().delete(`/instances/${instanceId}`);
const call = ({ instanceId }: Json, verb: string) => races.by().post(`/instances/${instanceId}/${verb}`);
const gained = (replies: readonly Reply[]) =>
  granted(replies).reduce((sum, { body }) => sum + (body.points ?? 0), 0);

/** A new card with this many points; with none it has no account. */
async function cardWith(points: number, holder?: object): Promise<Json> {
  const card = await makeCard(client, passId, holder && { holder });
  const { entryId } = points === 0 ? { entryId: null } : await award(client, card, points);
  return { ...card, entryId };
}

async function balanceOf(identifier: string): Promise<number> {
  const { body, text } = await client.get(`/loyalty/holders/${identifier}?passId=${passId}`);
  assert.equal(typeof body.balance, 'number', text);
  return body.balance;
}

describe('one account', () => {
  it('earns once by one reference', () =>
    races.run({
      prepare: async (round) => ({ card: await cardWith(0), externalRef: `visit-${round}` }),
      calls: ({ card, externalRef }) => times(10, () => earn(card, 5, { externalRef })),
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 200: 10 });
        assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      },
    }));

  it('is opened once, by whichever call is the first', () =>
    races.run({
      prepare: () => cardWith(0),
      calls: (card) => [...times(6, () => earn(card, 1)), ...times(6, () => adjust(card, 1))],
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 200: 12 });
        const balances = replies.map(({ body }) => body.balance);
        assert.equal(new Set(balances).size, 12);
      },
    }));

  it('pays the rewards that it can afford', () =>
    races.run({
      prepare: () => cardWith(25),
      calls: (card) => times(10, (at) => redeem(card, { externalRef: `${card.instanceId} ${at % 8}` })),
      judge(replies) {
        const distinct = new Map(granted(replies).map(({ text }) => [text, true]));
        assert.equal(distinct.size, 2);
        assertOnly(replies, 200, 'insufficient_points');
      },
    }));

  it('has one of its entries undone once', () =>
    races.run({
      prepare: () => cardWith(20),
      calls: (card) => times(10, () => reverse(card)),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 200: 1, already_reversed: 9 }),
    }));

  it('is adjusted down to nothing, not below', () =>
    races.run({
      prepare: () => cardWith(10),
      calls: (card) => times(10, () => adjust(card, -3)),
      judge: (replies) => assert.deepEqual(outcomes(replies), { 200: 3, balance_too_low: 7 }),
    }));

  it('is earned on, spent, corrected and undone at once', () =>
    races.run({
      prepare: () => cardWith(20),
      calls: (card) => [
        ...times(4, (at) => earn(card, 3, { externalRef: `${card.instanceId} ${at % 3}` })),
        ...times(3, () => redeem(card)),
        ...times(3, () => adjust(card, -4)),
        ...times(3, () => reverse(card)),
      ],
      judge: (replies) =>
        assertOnly(replies, 200, 'insufficient_points', 'balance_too_low', 'already_reversed'),
    }));
});

describe('an account whose card', () => {
  it('is erased earns nothing afterwards', () =>
    races.run({
      async prepare(round) {
        const identifier = `erased-${round}`;
        return { identifier, card: await cardWith(20, { identifier }) };
      },
      calls: ({ identifier, card }) => [
        ...times(3, () => erase(card)),
        ...times(4, () => earn(card, 1)),
        ...times(4, () => earn(identifier, 1)),
        ...times(2, () => redeem(identifier)),
        ...times(2, () => reverse(card)),
        ...times(2, () => issue({ holder: { identifier } })),
      ],
      judge(replies) {
        assertOnly(replies.slice(0, 3), 204);
        const codes = ['instance_voided', 'holder_not_found', 'insufficient_points', 'already_reversed'];
        assertOnly(replies.slice(3), 200, 201, ...codes);
      },
    }));

  it('is voided goes to one of the next, with all that it has earned', () =>
    races.run({
      async prepare(round) {
        const identifier = `moved-${round}`;
        const card = await cardWith(20, { identifier });
        await call(card, 'void');
        return { identifier, card, other: await makeCard(client, passId) };
      },
      calls: ({ identifier, card, other }) => [
        ...times(4, () => issue({ holder: { identifier } })),
        ...times(3, () => call(card, 'reactivate')),
        ...times(2, () => races.by().patch(`/instances/${other.instanceId}`, { holder: { identifier } })),
        ...times(6, () => earn(identifier, 1)),
      ],
      async judge(replies, { identifier }) {
        assertOnly(replies, 200, 201, 'holder_has_active_instance', 'instance_voided');
        assert.equal(await balanceOf(identifier), 20 + gained(replies.slice(9)));
      },
    }));

  it('is voided stays where it is when the next card loses its barcode', () =>
    races.run({
      async prepare(round) {
        const holders = [0, 1].map((at) => `loser-${round}-${at}`);
        for (const identifier of holders) await call(await cardWith(7, { identifier }), 'void');
        return { barcode: `lost-${round}`, holders };
      },
      calls: ({ barcode, holders }) =>
        times(8, (at) => issue({ barcode, holder: { identifier: holders[at % 2] } })),
      async judge(replies, { holders }) {
        const { 201: issued, 200: existing = 0, barcode_taken: taken = 0 } = outcomes(replies);
        assert.deepEqual([issued, existing + taken], [1, 7]);
        for (const identifier of holders) assert.equal(await balanceOf(identifier), 7);
      },
    }));

  it('brings a balance along opens one account, whichever import is first', () =>
    races.run({
      prepare: async (round) => `imported-${round}`,
      calls: (name) => [
        ...times(6, () =>
          races.by().post(`/passes/${passId}/instances/import`, {
            instances: [{ barcode: name, holder: { identifier: name }, balance: 40 }],
          }),
        ),
        ...times(4, () => earn(name, 1)),
      ],
      async judge(replies, name) {
        assertOnly(replies, 200, 'holder_not_found');
        const earned = replies.slice(6);
        assert.equal(await balanceOf(name), 40 + gained(earned));
      },
    }));
});

describe('a program', () => {
  it('that is launched and paused earns while it is active', () =>
    races.run({
      async prepare() {
        const pass = await makePass(client);
        const program = await client.post('/loyalty/programs', { passId: pass.passId, ...coffee });
        return { card: await makeCard(client, pass.passId), programId: program.body.programId };
      },
      calls: ({ card, programId }) => [
        ...times(8, () =>
          races.by().post('/loyalty/points', { passId: card.passId, instanceId: card.instanceId, points: 1 }),
        ),
        ...times(3, () => races.by().patch(`/loyalty/programs/${programId}`, { status: 'active' })),
        ...times(2, () => races.by().patch(`/loyalty/programs/${programId}`, { status: 'paused' })),
        ...times(2, (at) =>
          races.by().patch(`/loyalty/programs/${programId}`, { reward: { title: 'Tea', cost: 5 + at } }),
        ),
      ],
      judge(replies) {
        assertOnly(replies.slice(0, 8), 200, 'program_not_launched', 'program_inactive');
        assertOnly(replies.slice(8), 200, 'program_state_conflict');
      },
    }));
});

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
