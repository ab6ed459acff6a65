import assert from 'node:assert/strict';
import { owned } from '../access-refusals.ts';
import type { Json, Reply } from '../client.ts';
import { makeCard } from '../factories.ts';
import { type Called, callsOnCards } from './calls-on-cards.ts';
import type { Scenarios } from './scenario.ts';
import type { World } from './world.ts';

const euros = (amount: string) => ({ amount, currency: 'EUR' });

/** Gift cards that hold money. */
export async function valueScenarios(world: World): Promise<Scenarios> {
  const { client, missing, strangers } = world;
  const money = { mode: 'MONEY', currency: 'EUR' };
  const { open, onGoodCard } = callsOnCards(world, money, { type: 'giftCard' });
  const { passId, instanceId } = await open();
  const bob = await makeCard(client, passId, { holder: { identifier: 'bob' } });
  const ada = { passId, identifier: 'ada' };
  const load = (called: Called) => client.post('/value/load', { amount: euros('5'), ...called });
  const charge = (called: Called) => client.post('/value/charge', { amount: euros('5'), ...called });
  const transfer = ({ passId: pass, partnerId: _, ...from }: Called) =>
    client.post('/value/transfer', {
      ...(pass && { passId: pass }),
      from,
      to: { instanceId: bob.instanceId },
    });
  let refunds = 0;
  const refund = (body: Json) => client.post('/value/refund', { refundId: `refund-${++refunds}`, ...body });
  /** A charge of a card that nothing else is done with. */
  async function charged(): Promise<{ readonly entryId: string; readonly card: Json }> {
    const card = await open();
    const target = { passId: card.passId, instanceId: card.instanceId };
    await load(target);
    return { entryId: (await charge(target)).body.entryId, card };
  }
  const empty = async (call: (called: Called) => Promise<Reply>) =>
    call({ passId: (await open()).passId, identifier: 'ada' });
  return {
    loadValue: {
      good: () => ({
        body: { ...ada, amount: euros('5') },
        other: { ...ada, amount: euros('6') },
        also: owned,
      }),
      errors: onGoodCard(load),
    },
    chargeValue: {
      async good() {
        await load(ada);
        return {
          body: { ...ada, amount: euros('1') },
          other: { ...ada, amount: euros('2') },
          also: owned,
        };
      },
      errors: { ...onGoodCard(charge), insufficient_value: () => empty(charge) },
    },
    refundValue: {
      async good() {
        const { entryId } = await charged();
        refunds += 1;
        const body = { entryId, refundId: `refund-${refunds}`, amount: euros('1') };
        return {
          body,
          other: { ...body, amount: euros('2') },
          // Of another person's entry.
          also: { ...owned, staff: 'role_required', 'paired till': 'role_required' },
        };
      },
      errors: {
        entry_not_found: () => refund({ entryId: missing.entryId }),
        forbidden: () => refund({ entryId: strangers.entryId }),
        entry_not_reversible: async () => refund({ entryId: (await load(ada)).body.entryId }),
        async already_reversed() {
          const { entryId } = await charged();
          assert.equal((await refund({ entryId })).status, 200);
          return refund({ entryId });
        },
        async instance_voided() {
          const { entryId, card } = await charged();
          await client.post(`/instances/${card.instanceId}/void`);
          return refund({ entryId });
        },
      },
    },
    transferValue: {
      async good() {
        await load(ada);
        const body = { passId, from: { instanceId }, to: { instanceId: bob.instanceId }, amount: euros('1') };
        return { body, other: { ...body, amount: euros('2') }, also: owned };
      },
      errors: {
        ...onGoodCard(transfer),
        partner_not_found: undefined,
        async instance_voided() {
          await load(ada);
          const { instanceId: lost } = await makeCard(client, passId);
          await client.post(`/instances/${lost}/void`);
          return client.post('/value/transfer', { passId, from: { instanceId }, to: { instanceId: lost } });
        },
        insufficient_value: () => empty(transfer),
      },
    },
  };
}
