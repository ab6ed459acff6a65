import type { ErrorCode } from '../src/errors.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import type { Client, Json, Reply } from './client.ts';
import { until } from './wallets.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

interface WebhookErrors {
  /** How each operation comes to answer what it declares, by operation and code. */
  readonly provoke: Record<string, Provocations>;
  /** Two effects of each operation: path and body, and another path and body. */
  readonly effects: Record<string, () => Promise<[string, Json | undefined, string, Json | undefined]>>;
  make(by: Client): Promise<string>;
}

/** How the operations on webhooks are refused, where 127.0.0.1 may be reached. */
export function webhookErrors(client: Client, newClient: () => Promise<Client>): WebhookErrors {
  const hook = (more: Json = {}) => ({
    url: 'https://127.0.0.1:8443/hook',
    types: ['webhook.failing'],
    ...more,
  });
  const make = async (by: Client): Promise<string> => (await by.post('/webhooks', hook())).body.webhookId;
  const pathOf = async () => `/webhooks/${await make(client)}`;
  const nobodys = encodeId('msg', newUuidV7());

  /** The path of a delivery. */
  async function deliver(): Promise<string> {
    const webhook = await pathOf();
    const path = `${webhook}/deliveries/${(await client.post(`${webhook}/test`)).body.deliveryId}`;
    await until('the delivery', async () => (await client.get(path)).status === 200);
    return path;
  }

  const provoke: WebhookErrors['provoke'] = {
    createWebhook: {
      async webhook_limit_reached() {
        const full = await newClient();
        for (let count = 0; count < 16; count++) await make(full);
        return full.post('/webhooks', hook());
      },
    },
    recoverWebhook: {
      async webhook_not_active() {
        const path = await pathOf();
        await client.patch(path, { status: 'paused' });
        const answer = await client.post(`${path}/recover`, {
          since: new Date(Date.now() - 1_000).toISOString(),
        });
        await client.delete(path);
        return answer;
      },
    },
    getDelivery: {
      delivery_not_found: async () => client.get(`${await pathOf()}/deliveries/${nobodys}`),
    },
    resendDelivery: {
      delivery_not_found: async () => client.post(`${await pathOf()}/deliveries/${nobodys}/resend`),
    },
  };
  const twice = async (end: string): Promise<[string, undefined, string, undefined]> => [
    `${await pathOf()}/${end}`,
    undefined,
    `${await pathOf()}/${end}`,
    undefined,
  ];
  const effects: WebhookErrors['effects'] = {
    createWebhook: async () => ['/webhooks', hook(), '/webhooks', hook({ payload: 'thin' })],
    updateWebhook: async () => [await pathOf(), { payload: 'thin' }, await pathOf(), { payload: 'thin' }],
    deleteWebhook: async () => [await pathOf(), undefined, await pathOf(), undefined],
    rotateWebhook: () => twice('rotate'),
    testWebhook: () => twice('test'),
    async recoverWebhook() {
      const path = `${await pathOf()}/recover`;
      const at = (ms: number) => ({ since: new Date(Date.now() - ms).toISOString() });
      return [path, at(1_000), path, at(2_000)];
    },
    resendDelivery: async () => [
      `${await deliver()}/resend`,
      undefined,
      `${await deliver()}/resend`,
      undefined,
    ],
  };
  return { provoke, effects, make };
}
