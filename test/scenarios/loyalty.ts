import assert from 'node:assert/strict';
import { owned } from '../access-refusals.ts';
import type { Json, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { type Called, callsOnCards } from './calls-on-cards.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

/** Programs, and the ledger of their points. */
export async function loyaltyScenarios(world: World): Promise<Scenarios> {
  const { client, missing, strangers } = world;
  const { open, onPass, onCard, onGoodCard } = callsOnCards(world, points);
  const gifts = callsOnCards(world, { mode: 'MONEY', currency: 'EUR' }, { type: 'giftCard' });
  const earn = (called: Called) => client.post('/loyalty/points', { points: 5, ...called });
  const redeem = (called: Called) => client.post('/loyalty/redeem', called);
  const adjust = (amount: number) => (called: Called) =>
    client.post('/loyalty/adjust', { points: amount, reason: 'A slip', ...called });
  const reverse = ({ body }: Reply) => client.post(`/loyalty/entries/${body.entryId}/reverse`, {});
  const onNewCard = async (call: (called: Called) => Promise<Reply>, program: object = points) =>
    call({ passId: (await open(program)).passId, identifier: 'ada' });

  const { passId } = await open();
  await makeCard(client, passId, { holder: { identifier: 'bob' } });
  const ada = { passId, identifier: 'ada' };
  const earned = async (rest = ''): Promise<Request> => ({
    path: `/loyalty/entries/${(await earn(ada)).body.entryId}${rest}`,
    also: owned,
  });
  const onAda = (body: Json = {}, other: Json = {}): Request => ({
    body: { ...ada, ...body },
    other: { ...ada, ...body, ...other },
    also: owned,
  });
  const onProgram = async (rest = ''): Promise<Request> => {
    const { programId } = (await makeProgram((await makePass(client)).passId)).body;
    return { path: `/loyalty/programs/${programId}${rest}`, also: owned };
  };
  const makeProgram = (on: string) => client.post('/loyalty/programs', { ...stamps, passId: on });
  const query = (called: Called) => `?${new URLSearchParams({ ...called } as Record<string, string>)}`;
  const slip = { points: 10, reason: 'A slip' };
  return {
    createProgram: {
      async good() {
        const body = { ...stamps, passId: (await makePass(client)).passId };
        return { body, other: { ...body, threshold: 6 }, status: 201, also: owned };
      },
      errors: {
        pass_not_found: () => makeProgram(missing.passId),
        forbidden: () => makeProgram(strangers.passId),
        pass_already_dynamic: () => makeProgram(passId),
      },
    },
    listPrograms: { good: () => ({}) },
    getProgram: { good: () => onProgram() },
    updateProgram: {
      good: async () => ({ ...(await onProgram()), body: { drawsStamps: false } }),
      errors: {
        program_state_conflict: async () =>
          client.patch((await onProgram()).path ?? '', { status: 'paused' }),
      },
    },
    previewProgram: { good: async () => ({ ...(await onProgram('/preview')), body: { threshold: 3 } }) },
    getProgramSummary: { good: () => onProgram('/summary') },

    earnPoints: { good: () => onAda({ points: 10 }, { points: 11 }), errors: onGoodCard(earn) },
    previewPoints: {
      good: () => onAda({ points: 10 }),
      errors: {
        ...onGoodCard((called) => client.post('/loyalty/points/preview', { points: 5, ...called })),
        partner_not_found: undefined,
      },
    },
    redeemReward: {
      async good() {
        await earn({ ...ada, points: 10 });
        return onAda({}, { identifier: 'bob' });
      },
      errors: {
        ...onGoodCard(redeem),
        insufficient_points: () => onNewCard(redeem),
        no_reward_pending: () => onNewCard(redeem, stamps),
      },
    },
    adjustPoints: {
      good: () => onAda(slip, { points: 11 }),
      errors: {
        ...onCard(adjust(5)),
        program_not_launched: undefined,
        program_inactive: undefined,
        balance_too_low: () => onNewCard(adjust(-5)),
      },
    },
    listRewards: {
      good: () => ({ path: `/loyalty/rewards${query(ada)}`, also: owned }),
      errors: {
        ...onGoodCard((called) => client.get(`/loyalty/rewards${query(called)}`)),
        partner_not_found: undefined,
      },
    },
    // The card of an item is checked with the item.
    earnBatch: {
      good: () => ({
        body: { awards: [{ ...ada, points: 10 }] },
        other: { awards: [{ ...ada, points: 11 }] },
      }),
    },
    adjustBatch: {
      good: () => ({
        body: { adjustments: [{ ...ada, ...slip }] },
        other: { adjustments: [{ ...ada, ...slip, points: 11 }] },
      }),
    },
    listEntries: {
      good: () => ({ path: `/loyalty/entries${query(ada)}`, also: owned }),
      errors: {
        ...onPass((called) => client.get(`/loyalty/entries${query(called)}`)),
        instance_not_found: () => client.get(`/loyalty/entries?instanceId=${missing.instanceId}`),
        program_not_found: () => client.get(`/loyalty/entries?programId=${missing.programId}`),
        partner_not_found: () =>
          client.get(`/loyalty/entries?passId=${passId}&partnerId=${missing.partnerId}`),
      },
    },
    getEntry: { good: () => earned() },
    reverseEntry: {
      good: async () => ({
        ...(await earned('/reverse')),
        body: {},
        // Of another person's entry.
        also: { ...owned, staff: 'role_required', 'paired till': 'role_required' },
      }),
      errors: {
        entry_not_reversible: async () => reverse(await onNewCard(adjust(5))),
        async already_reversed() {
          const entry = await onNewCard(earn);
          assert.equal((await reverse(entry)).status, 200);
          return reverse(entry);
        },
        async insufficient_value() {
          const card = { ...(await gifts.open()), amount: { amount: '5', currency: 'EUR' } };
          const loaded = await client.post('/value/load', card);
          assert.equal((await client.post('/value/charge', card)).status, 200);
          return reverse(loaded);
        },
      },
    },
    getHolder: {
      good: () => ({ path: `/loyalty/holders/ada?passId=${passId}`, also: owned }),
      errors: onPass((called) => client.get(`/loyalty/holders/${called.identifier}?passId=${called.passId}`)),
    },
    exportBalances: { good: () => onProgram('/balances.csv') },
    importBalances: {
      good: async () => ({
        ...(await onProgram('/balances')),
        body: 'identifier,balance\nada,5\n',
        contentType: 'text/csv',
      }),
    },
  };
}
