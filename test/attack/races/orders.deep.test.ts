import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeProgram } from '../../../src/loyalty/account.fixture.ts';
import { euros } from '../../../src/orders/shop.fixture.ts';
import { newOrder, newStore, send } from '../../../src/stores/stores.fixture.ts';
import type { Json } from '../../client.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('orders');
const { client } = races;
const { passId } = (await makeProgram(client, euros)).pass;

const process = (orderId: string, customer: object, more: object = {}) =>
  races.by().post('/orders/process', {
    passId,
    orderId,
    customer,
    total: { amount: '10.00', currency: 'EUR' },
    ...more,
  });
const refund = (orderId: string, refundId: string, amount = '2.50') =>
  races.by().post(`/orders/${orderId}/refunds`, { refundId, amount: { amount, currency: 'EUR' } });
const cancel = (orderId: string, early = false) => races.by().post(`/orders/${orderId}/cancel`, { early });
const show = async (orderId: string): Promise<Json> => (await client.get(`/orders/${orderId}`)).body;
const cardsOf = async (identifier: string): Promise<Json[]> =>
  (await client.get(`/passes/${passId}/instances?identifier=${identifier}`)).body.data;

describe('one order', () => {
  it('is processed once', () =>
    races.run({
      prepare: async (round) => ({ orderId: `once-${round}`, id: `buyer-${round}` }),
      calls: ({ orderId, id }) => times(8, () => process(orderId, { id })),
      async judge(replies, { id }) {
        assert.deepEqual(outcomes(replies), { 200: 8 });
        assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
        assert.equal((await cardsOf(id)).length, 1);
      },
    }));

  it('is refunded once by each refund, whatever comes first', () =>
    races.run({
      prepare: async (round) => ({ orderId: `refunded-${round}`, id: `buyer-${round % 5}` }),
      calls: ({ orderId, id }) => [
        ...times(4, () => process(orderId, { id })),
        ...times(6, (at) => refund(orderId, `refund-${at % 2}`)),
      ],
      async judge(replies, { orderId }) {
        assertOnly(replies.slice(0, 4), 200);
        assertOnly(replies.slice(4), 200, 'order_not_found');
        for (const at of [0, 1]) assert.equal((await refund(orderId, `refund-${at}`)).status, 200);
        assert.equal((await show(orderId)).points, 10 + 5);
      },
    }));

  it('is cancelled while it is processed and refunded', () =>
    races.run({
      prepare: async (round) => ({ orderId: `cancelled-${round}`, id: `buyer-${round % 5}` }),
      calls: ({ orderId, id }) => [
        ...times(4, () => process(orderId, { id })),
        ...times(4, (at) => refund(orderId, `refund-${at % 2}`)),
        ...times(4, (at) => cancel(orderId, at % 2 === 0)),
      ],
      async judge(replies, { orderId }) {
        assertOnly(replies.slice(0, 4), 200);
        assertOnly(replies.slice(4), 200, 'order_not_found');
        assert.equal((await cancel(orderId)).status, 200);
        assert.equal((await show(orderId)).points, 0);
      },
    }));
});

describe('one customer', () => {
  it('gets one card by orders under the number and the address, by an issue and by webhooks', () =>
    races.run({
      async prepare(round) {
        const { status, body, text } = await client.post(
          '/stores',
          newStore({ platform: 'custom', domain: `shop-${round}.example`, credentials: undefined, passId }),
        );
        assert.equal(status, 201, text);
        return {
          storeId: body.storeId as string,
          customer: { id: `new-${round}`, email: `new-${round}@example.com` },
        };
      },
      calls: ({ storeId, customer }) => [
        ...times(6, (at) => process(`${customer.id} ${at}`, customer)),
        ...times(2, () =>
          races.by().post(`/passes/${passId}/instances`, { holder: { identifier: customer.id } }),
        ),
        ...times(6, (at) =>
          send(races.by(), storeId, newOrder(`${at % 3}`, { customer }), { deliveryId: `${at % 2}` }),
        ),
      ],
      async judge(replies, { customer }) {
        assertOnly(replies, 200, 201, 202);
        assert.equal((await cardsOf(customer.id)).length, 1);
      },
    }));

  it('is erased while orders come in', () =>
    races.run({
      async prepare(round) {
        const customer = { id: `leaving-${round}` };
        const { body } = await process(`${customer.id} first`, customer);
        return { customer, instanceId: body.instanceId as string };
      },
      calls: ({ customer, instanceId }) => [
        ...times(2, () => races.by().delete(`/instances/${instanceId}`)),
        ...times(2, () => races.by().post(`/instances/${instanceId}/void`)),
        ...times(5, (at) => process(`${customer.id} ${at}`, customer)),
        ...times(3, () => refund(`${customer.id} first`, 'r1')),
      ],
      judge(replies) {
        assertOnly(replies, 200, 204);
        assert.ok(granted(replies).length === replies.length);
      },
    }));
});

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
