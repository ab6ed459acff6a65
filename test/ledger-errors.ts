import assert from 'node:assert/strict';
import type { ErrorCode } from '../src/errors.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import type { Client, Json, Reply } from './client.ts';
import { makeCard, makePass } from './factories.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

/** The names in a call to the ledger, apart from what it does. */
interface Called {
  readonly passId?: string;
  readonly identifier?: string;
  readonly instanceId?: string;
  readonly barcode?: string;
  readonly email?: string;
  readonly partnerId?: string;
  readonly points?: number;
}

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
const nobodys = (prefix: string) => encodeId(prefix, newUuidV7());

/** Path and body, and another path and body. */
type TwoEffects = [path: string, body: Json, otherPath: string, otherBody: Json];

interface LedgerErrors {
  /** How each operation comes to answer what it declares, by operation and code. */
  readonly provoke: Record<string, Provocations>;
  /** Two effects of each operation. */
  readonly effects: Record<string, () => Promise<TwoEffects>>;
}

/** How the operations of the ledger are refused. */
export function ledgerErrors(client: Client, stranger: Client): LedgerErrors {
  /** A program whose card is "ada"'s. */
  async function open(program = points, by = client, status = 'active', design: object = {}): Promise<Json> {
    const { passId } = await makePass(by, design);
    const { programId } = (await by.post('/loyalty/programs', { ...program, passId })).body;
    if (status !== 'not_launched') await by.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    if (status === 'paused') await by.patch(`/loyalty/programs/${programId}`, { status });
    const { instanceId } = await makeCard(by, passId, { holder: { identifier: 'ada' } });
    return { passId, instanceId };
  }

  /** What every call that names a pass can be refused for. */
  function onPass(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      pass_not_found: () => call({ passId: nobodys('pass'), identifier: 'ada' }),
      forbidden: async () => call({ passId: (await makePass(stranger)).passId, identifier: 'ada' }),
      no_loyalty_program: async () => call({ passId: (await makePass(client)).passId, identifier: 'ada' }),
      holder_not_found: async () => call({ passId: (await open()).passId, identifier: 'nobody' }),
    };
  }

  /** What a call that gives or takes value can be refused for besides that. */
  function onGoodCard(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      ...onCard(call),
      async instance_expired() {
        const { passId } = await open();
        await client.patch(`/passes/${passId}`, { expiry: { kind: 'fixed', at: '2020-01-01T00:00:00Z' } });
        return call({ passId, identifier: 'ada' });
      },
    };
  }

  /** What every call that names a card of a pass in its body can be refused for. */
  function onCard(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      ...onPass(call),
      partner_not_found: async () =>
        call({ passId: (await open()).passId, identifier: 'ada', partnerId: nobodys('part') }),
      program_not_launched: async () =>
        call({ passId: (await open(points, client, 'not_launched')).passId, identifier: 'ada' }),
      program_inactive: async () =>
        call({ passId: (await open(points, client, 'paused')).passId, identifier: 'ada' }),
      instance_not_found: async () => call({ passId: (await open()).passId, instanceId: nobodys('inst') }),
      async ambiguous_barcode() {
        const design = { barcode: { mode: 'simple', value: 'SHARED' } };
        const { passId } = await open(points, client, 'active', design);
        await makeCard(client, passId);
        return call({ passId, barcode: 'SHARED' });
      },
      async ambiguous_holder() {
        const { passId } = await open();
        const holder = { email: 'shared@example.com' };
        for (const identifier of ['bob', 'eve'])
          await makeCard(client, passId, { holder: { ...holder, identifier } });
        return call({ passId, ...holder });
      },
      async instance_voided() {
        const { passId, instanceId } = await open();
        await client.post(`/instances/${instanceId}/void`);
        return call({ passId, identifier: 'ada' });
      },
    };
  }

  const earn = (called: Called, by = client) => by.post('/loyalty/points', { points: 5, ...called });
  const redeem = (called: Called) => client.post('/loyalty/redeem', called);
  const adjust = (amount: number) => (called: Called) =>
    client.post('/loyalty/adjust', { points: amount, reason: 'A slip', ...called });
  const reverse = ({ body }: Reply) => client.post(`/loyalty/entries/${body.entryId}/reverse`, {});
  const rewards = ({ passId = '', ...named }: Called) =>
    client.get(`/loyalty/rewards?${new URLSearchParams({ passId, ...(named as Record<string, string>) })}`);
  const onAda = async (call: (called: Called) => Promise<Reply>, program: object = points) =>
    call({ passId: (await open(program as typeof points)).passId, identifier: 'ada' });

  const provoke = {
    earnPoints: onGoodCard(earn),
    previewPoints: onGoodCard((called) => client.post('/loyalty/points/preview', { points: 5, ...called })),
    redeemReward: {
      ...onGoodCard(redeem),
      insufficient_points: () => onAda(redeem),
      no_reward_pending: () => onAda(redeem, stamps),
    },
    adjustPoints: { ...onCard(adjust(5)), balance_too_low: () => onAda(adjust(-5)) },
    getEntry: {
      async forbidden() {
        const { body } = await earn(await cardOf(stranger), stranger);
        return client.get(`/loyalty/entries/${body.entryId}`);
      },
    },
    reverseEntry: {
      async forbidden() {
        return reverse(await earn(await cardOf(stranger), stranger));
      },
      entry_not_reversible: async () => reverse(await onAda(adjust(5))),
      async already_reversed() {
        const earned = await onAda(earn);
        assert.equal((await reverse(earned)).status, 200);
        return reverse(earned);
      },
    },
    getHolder: onPass(({ passId, identifier }) =>
      client.get(`/loyalty/holders/${identifier}?passId=${passId}`),
    ),
    listRewards: { ...onGoodCard(rewards), partner_not_found: undefined },
    listEntries: {
      ...onPass(({ passId, identifier }) =>
        client.get(`/loyalty/entries?passId=${passId}&identifier=${identifier}`),
      ),
      instance_not_found: () => client.get(`/loyalty/entries?instanceId=${nobodys('inst')}`),
      program_not_found: () => client.get(`/loyalty/entries?programId=${nobodys('prog')}`),
      async partner_not_found() {
        const { passId } = await open();
        return client.get(`/loyalty/entries?passId=${passId}&partnerId=${nobodys('part')}`);
      },
    },
    getStatistics: {
      pass_not_found: () => client.get(`/statistics?passId=${nobodys('pass')}`),
      partner_not_found: () => client.get(`/statistics?partnerId=${nobodys('part')}`),
      forbidden: async () => client.get(`/statistics?passId=${(await cardOf(stranger)).passId}`),
    },
  };
  const bothOf =
    (path: string, body: (called: Called, turn: number) => Json) => async (): Promise<TwoEffects> => {
      const { passId } = await cardOf(client);
      await makeCard(client, passId ?? '', { holder: { identifier: 'bob' } });
      for (const identifier of ['ada', 'bob']) await earn({ passId, identifier, points: 10 });
      const called = { passId, identifier: 'ada' };
      return [path, body(called, 0), path, body(called, 1)];
    };
  const effects = {
    earnPoints: bothOf('/loyalty/points', (called, turn) => ({ ...called, points: 5 + turn })),
    adjustPoints: bothOf('/loyalty/adjust', (called, turn) => ({
      ...called,
      points: 5 + turn,
      reason: 'A slip',
    })),
    redeemReward: bothOf('/loyalty/redeem', (called, turn) => ({
      ...called,
      identifier: turn === 0 ? 'ada' : 'bob',
    })),
    earnBatch: bothOf('/loyalty/points/batch', (called, turn) => ({
      awards: [{ ...called, points: 5 + turn }],
    })),
    adjustBatch: bothOf('/loyalty/adjust/batch', (called, turn) => ({
      adjustments: [{ ...called, points: 5 + turn, reason: 'A slip' }],
    })),
    async reverseEntry(): Promise<TwoEffects> {
      const card = await cardOf(client);
      const [one, other] = [await earn(card), await earn(card)].map(
        ({ body }) => `/loyalty/entries/${body.entryId}/reverse`,
      );
      return [one ?? '', {}, other ?? '', {}];
    },
  };
  return { provoke, effects };

  async function cardOf(by: Client): Promise<Called> {
    return { passId: (await open(points, by)).passId, identifier: 'ada' };
  }
}
