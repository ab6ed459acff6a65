import { newUuidV7 } from '../../src/kit/ids.ts';
import { connectStore } from '../../src/stores/stores.fixture.ts';
import { owned, strangersOrder } from '../access-refusals.ts';
import type { Client, Json } from '../client.ts';
import { makeKey, makePass } from '../factories.ts';
import type { Request, Scenarios } from './scenario.ts';
import { missingId, type World } from './world.ts';

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
const euro = { amount: '1.00', currency: 'EUR' };

/** Orders, their refunds and cancellations. */
export async function orderScenarios({ client, stranger, missing, strangers }: World): Promise<Scenarios> {
  /** A pass whose program has come as far as this. */
  async function open(states: readonly string[] = ['active'], design: object = {}): Promise<string> {
    const { passId } = await makePass(client, design);
    const { programId } = (await client.post('/loyalty/programs', { ...points, passId })).body;
    for (const status of states) await client.patch(`/loyalty/programs/${programId}`, { status });
    return passId;
  }
  const passId = await open();
  const orderOf = (more: Json = {}) => ({
    passId,
    orderId: newUuidV7(),
    customer: { id: newUuidV7() },
    total: { amount: '12.50', currency: 'EUR' },
    ...more,
  });
  const process = (more: Json = {}) => client.post('/orders/process', orderOf(more));
  /** The path of an order that was processed. */
  const processed = async (rest = '') => `/orders/${(await process()).body.orderId}${rest}`;
  const cancelledEarly = async (): Promise<string> => {
    const path = `/orders/${newUuidV7()}/cancel`;
    await client.post(path, { early: true });
    return path;
  };
  const refund = { refundId: '1', amount: euro };
  const storeId = missingId('store');
  const theirs = { storeId: (await connectStore(stranger)).storeId };
  const ofPass: Request['also'] = { 'key of another pass': 'insufficient_scope' };
  return {
    processOrder: {
      good: () => ({ body: orderOf(), also: owned }),
      errors: {
        pass_not_found: () => process({ passId: missing.passId }),
        forbidden: () => process({ passId: strangers.passId }),
        store_not_found: () => process({ storeId }),
        partner_not_found: () => process({ partnerId: missing.partnerId }),
        no_loyalty_program: async () => process({ passId: (await makePass(client)).passId }),
        program_not_launched: async () => process({ passId: await open([]) }),
        program_inactive: async () => process({ passId: await open(['active', 'paused']) }),
        pool_exhausted: async () =>
          process({ passId: await open(['active'], { barcode: { mode: 'pool' } }) }),
        async external_ref_reused() {
          const order = orderOf();
          await client.post('/orders/process', order);
          return client.post('/orders/process', { ...order, passId: await open() });
        },
      },
    },
    listOrders: {
      good: () => ({ path: `/orders?passId=${passId}`, also: owned }),
      errors: {
        pass_not_found: () => client.get(`/orders?passId=${missing.passId}`),
        instance_not_found: () => client.get(`/orders?instanceId=${missing.instanceId}`),
        store_not_found: () => client.get(`/orders?storeId=${storeId}`),
        forbidden: () => client.get(`/orders?passId=${strangers.passId}`),
      },
    },
    getOrder: {
      good: async () => ({ path: await processed(), also: strangersOrder }),
      errors: {
        store_not_found: () => client.get(`/orders/1?storeId=${storeId}`),
        forbidden: () => client.get(`/orders/1?storeId=${theirs.storeId}`),
      },
    },
    refundOrder: {
      good: async () => ({ path: await processed('/refunds'), body: refund, also: ofPass }),
      errors: {
        store_not_found: () => client.post('/orders/1/refunds', { ...refund, storeId }),
        forbidden: () => client.post('/orders/1/refunds', { ...refund, ...theirs }),
        order_not_found: async () => (await restricted()).post('/orders/1/refunds', refund),
        refund_exceeds_order: async () =>
          client.post(await processed('/refunds'), { ...refund, amount: { ...euro, amount: '12.51' } }),
        async external_ref_reused() {
          const path = `/orders/${newUuidV7()}/refunds`;
          await client.post(path, refund);
          return client.post(path, { ...refund, amount: { ...euro, amount: '2.00' } });
        },
      },
    },
    cancelOrder: {
      good: async () => ({ path: await processed('/cancel'), body: {}, also: strangersOrder }),
      errors: {
        store_not_found: () => client.post('/orders/1/cancel', { storeId }),
        forbidden: () => client.post('/orders/1/cancel', theirs),
      },
    },
    withdrawCancellation: {
      good: async () => ({
        path: await cancelledEarly(),
        status: 204,
        also: { ...strangersOrder, 'key of another pass': 'order_not_found' },
      }),
      errors: {
        store_not_found: () => client.delete(`/orders/1/cancel?storeId=${storeId}`),
        forbidden: () => client.delete(`/orders/1/cancel?storeId=${theirs.storeId}`),
        cancel_not_reversible: async () => client.delete(await processed('/cancel')),
      },
    },
  };

  /** A key that reaches one pass does not show whether an unknown order is of that pass. */
  async function restricted(): Promise<Client> {
    return (await makeKey(client, { passIds: [passId] })).client;
  }
}
