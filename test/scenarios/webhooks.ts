import { until } from '../wallets.ts';
import type { Request, Scenarios } from './scenario.ts';
import { newHook, type World } from './world.ts';

/** Webhooks, at an address where nothing is, and their deliveries. */
export function webhookScenarios({ app, client }: World): Scenarios {
  const make = async () => `/webhooks/${(await client.post('/webhooks', newHook)).body.webhookId}`;
  // Each request is about the other one: a workspace may have few of them.
  const both = Promise.all([make(), make()]);
  const also = { 'key of another workspace': 'forbidden' } as const;
  let turn = 0;
  const onWebhook = async (rest = ''): Promise<Request> => {
    turn += 1;
    return { path: `${(await both)[turn % 2]}${rest}`, also };
  };
  const onDelivery = async (rest = ''): Promise<Request> => {
    const { path: webhook } = await onWebhook();
    const path = `${webhook}/deliveries/${(await client.post(`${webhook}/test`)).body.deliveryId}`;
    await until('the delivery', async () => (await client.get(path)).status === 200);
    return { path: `${path}${rest}`, also };
  };
  const sinceNow = () => ({ since: new Date(Date.now() - 1_000).toISOString() });
  return {
    createWebhook: {
      good: () => ({ body: newHook, other: { ...newHook, payload: 'thin' }, status: 201 }),
      errors: {
        async webhook_limit_reached() {
          const { client: full } = await app.newWorkspace();
          for (let count = 0; count < 16; count++) await full.post('/webhooks', newHook);
          return full.post('/webhooks', newHook);
        },
      },
    },
    listWebhooks: { good: () => ({}) },
    getWebhook: { good: () => onWebhook() },
    updateWebhook: { good: async () => ({ ...(await onWebhook()), body: { description: 'Till' } }) },
    deleteWebhook: { good: async () => ({ path: await make(), status: 204, also }) },
    rotateWebhook: { good: async () => ({ ...(await onWebhook('/rotate')), status: 201 }) },
    testWebhook: { good: async () => ({ ...(await onWebhook('/test')), status: 202 }) },
    recoverWebhook: {
      good: async () => ({ ...(await onWebhook('/recover')), body: sinceNow() }),
      errors: {
        async webhook_not_active() {
          const path = await make();
          await client.patch(path, { status: 'paused' });
          const answer = await client.post(`${path}/recover`, sinceNow());
          await client.delete(path);
          return answer;
        },
      },
    },
    listDeliveries: { good: () => onWebhook('/deliveries') },
    getDelivery: { good: () => onDelivery() },
    resendDelivery: { good: async () => ({ ...(await onDelivery('/resend')), status: 202 }) },
  };
}
