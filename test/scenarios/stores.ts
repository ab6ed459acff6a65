import { connectShop, connectStore, newStore } from '../../src/stores/stores.fixture.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** Stores, which are connected and never asked. */
export function storeScenarios({ app, client, missing, strangers }: World): Scenarios {
  const newShop = async () => `/stores/${(await connectShop(client)).storeId}`;
  const onStore = async (rest = ''): Promise<Request> => ({
    path: `${await newShop()}${rest}`,
    also: { 'key of another workspace': 'forbidden' },
  });
  return {
    connectStore: {
      good: () => ({ body: newStore(), status: 201 }),
      errors: {
        pass_not_found: () => client.post('/stores', newStore({ passId: missing.passId })),
        forbidden: () => client.post('/stores', newStore({ passId: strangers.passId })),
        store_already_connected: async () =>
          client.post('/stores', newStore({ domain: (await connectStore(client)).domain })),
      },
    },
    listStores: { good: () => ({}) },
    getStore: { good: () => onStore() },
    updateStore: {
      good: async () => ({ ...(await onStore()), body: { followsEdits: true } }),
      errors: { pass_not_found: async () => client.patch(await newShop(), { passId: missing.passId }) },
    },
    disconnectStore: { good: async () => ({ ...(await onStore()), status: 204 }) },
    testStore: { good: () => onStore('/test') },
    receiveWebhook: {
      /** The trial call, which is the only one that needs no signature. */
      good: async () => ({
        path: `${await newShop()}/webhooks`,
        body: 'webhook_id=7',
        contentType: 'application/x-www-form-urlencoded',
      }),
      errors: { invalid_signature: async () => app.anyone.post(`${await newShop()}/webhooks`, {}) },
    },
    listPrivacyRequests: { good: () => onStore('/privacy-requests') },
  };
}
