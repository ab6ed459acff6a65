import type { ErrorCode } from '../src/errors.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { connectStore } from '../src/stores/stores.fixture.ts';
import type { Client, Json, Reply } from './client.ts';
import { makePass } from './factories.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
const nobodys = (prefix: string) => encodeId(prefix, newUuidV7());

interface OrderErrors {
  /** How each operation comes to answer what it declares, by operation and code. */
  readonly provoke: Record<string, Provocations>;
  /** Two effects of each operation: path and body, and another path and body. */
  readonly effects: Record<string, () => Promise<[string, Json | undefined, string, Json | undefined]>>;
}

/** How the operations on orders are refused. */
export function orderErrors(client: Client, stranger: Client): OrderErrors {
  /** A pass whose program has come as far as this. */
  async function open(
    by = client,
    states: readonly string[] = ['active'],
    design: object = {},
  ): Promise<string> {
    const { passId } = await makePass(by, design);
    const { programId } = (await by.post('/loyalty/programs', { ...points, passId })).body;
    for (const status of states) await by.patch(`/loyalty/programs/${programId}`, { status });
    return passId;
  }
  const orderOf = (passId: string, more: Json = {}) => ({
    passId,
    orderId: newUuidV7(),
    customer: { id: newUuidV7() },
    total: { amount: '12.50', currency: 'EUR' },
    ...more,
  });
  const process = (passId: string, more: Json = {}) => client.post('/orders/process', orderOf(passId, more));
  const euro = { amount: '1.00', currency: 'EUR' };

  const processed = async (): Promise<string> => {
    const order = orderOf(await open());
    await client.post('/orders/process', order);
    return order.orderId;
  };
  const cancelledEarly = async (): Promise<string> => {
    const path = `/orders/${newUuidV7()}/cancel`;
    await client.post(path, { early: true });
    return path;
  };
  const effects: OrderErrors['effects'] = {
    async processOrder() {
      const passId = await open();
      return ['/orders/process', orderOf(passId), '/orders/process', orderOf(passId)];
    },
    async refundOrder() {
      const path = `/orders/${await processed()}/refunds`;
      return [path, { refundId: '1', amount: euro }, path, { refundId: '2', amount: euro }];
    },
    cancelOrder: async () => [
      `/orders/${await processed()}/cancel`,
      {},
      `/orders/${await processed()}/cancel`,
      {},
    ],
    withdrawCancellation: async () => [await cancelledEarly(), undefined, await cancelledEarly(), undefined],
  };
  const provoke: OrderErrors['provoke'] = {
    processOrder: {
      pass_not_found: () => process(nobodys('pass')),
      forbidden: async () => process(await open(stranger)),
      store_not_found: async () => process(await open(), { storeId: nobodys('store') }),
      partner_not_found: async () => process(await open(), { partnerId: nobodys('part') }),
      no_loyalty_program: async () => process((await makePass(client)).passId),
      program_not_launched: async () => process(await open(client, [])),
      program_inactive: async () => process(await open(client, ['active', 'paused'])),
      pool_exhausted: async () => process(await open(client, ['active'], { barcode: { mode: 'pool' } })),
      async external_ref_reused() {
        const order = orderOf(await open());
        await client.post('/orders/process', order);
        return client.post('/orders/process', { ...order, passId: await open() });
      },
    },
    listOrders: {
      pass_not_found: () => client.get(`/orders?passId=${nobodys('pass')}`),
      instance_not_found: () => client.get(`/orders?instanceId=${nobodys('inst')}`),
      store_not_found: () => client.get(`/orders?storeId=${nobodys('store')}`),
      forbidden: async () => client.get(`/orders?passId=${await open(stranger)}`),
    },
    getOrder: {
      store_not_found: () => client.get(`/orders/1?storeId=${nobodys('store')}`),
      forbidden: async () => client.get(`/orders/1?storeId=${(await connectStore(stranger)).storeId}`),
      order_not_found: () => client.get(`/orders/${newUuidV7()}`),
    },
    refundOrder: {
      store_not_found: () =>
        client.post('/orders/1/refunds', { refundId: '1', amount: euro, storeId: nobodys('store') }),
      forbidden: async () =>
        client.post('/orders/1/refunds', {
          refundId: '1',
          amount: euro,
          storeId: (await connectStore(stranger)).storeId,
        }),
      order_not_found: async () =>
        (await restricted()).post('/orders/1/refunds', { refundId: '1', amount: euro }),
      refund_exceeds_order: async () =>
        client.post(`/orders/${await processed()}/refunds`, {
          refundId: '1',
          amount: { ...euro, amount: '12.51' },
        }),
      async external_ref_reused() {
        const path = `/orders/${newUuidV7()}/refunds`;
        await client.post(path, { refundId: '1', amount: euro });
        return client.post(path, { refundId: '1', amount: { ...euro, amount: '2.00' } });
      },
    },
    cancelOrder: {
      store_not_found: () => client.post('/orders/1/cancel', { storeId: nobodys('store') }),
      forbidden: async () =>
        client.post('/orders/1/cancel', { storeId: (await connectStore(stranger)).storeId }),
      order_not_found: () => client.post(`/orders/${newUuidV7()}/cancel`, {}),
    },
    withdrawCancellation: {
      store_not_found: () => client.delete(`/orders/1/cancel?storeId=${nobodys('store')}`),
      forbidden: async () =>
        client.delete(`/orders/1/cancel?storeId=${(await connectStore(stranger)).storeId}`),
      order_not_found: () => client.delete(`/orders/${newUuidV7()}/cancel`),
      cancel_not_reversible: async () => client.delete(`/orders/${await processed()}/cancel`),
    },
  };
  return { provoke, effects };

  /** A key that reaches one pass does not show whether an unknown order is of that pass. */
  async function restricted(): Promise<Client> {
    const { passId } = await makePass(client);
    const key = { name: 'Till', access: 'full', passIds: [passId] };
    return client.as((await client.post('/api-keys', key)).body.secret);
  }
}
