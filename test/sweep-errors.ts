import type { ErrorCode } from '../src/errors.ts';
import { noCounts } from '../src/invitations/sweeps/sweep-row.ts';
import { connectShop, openShop, slowDown } from '../src/invitations/sweeps/sweeps.fixture.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import type { Client, Reply } from './client.ts';
import { makePass } from './factories.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

/** The fields of the errors of sweeps besides their code. */
export const sweepExtras: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  sweep_running: {
    state: {
      running: true,
      status: 'running',
      ...noCounts,
      sent: 0,
      sendFailed: 0,
      waiting: 0,
      cursor: null,
      reason: null,
    },
  },
  sweep_failed: { reason: 'store_not_connected' },
};

/** How the operations on sweeps come to answer what they declare, by operation and code. */
export function sweepErrors(client: Client): Record<string, Provocations> {
  const pathOf = async (status = 'published') =>
    `/passes/${(await makePass(client, {}, status)).passId}/invites/sweep`;
  const none = (method: string, rest: string) => ({
    sweep_not_found: async () => client.send(method, `${await pathOf()}${rest}`, undefined),
  });
  return {
    startSweep: {
      pass_not_active: async () => client.post(await pathOf('draft')),
      store_not_found: async () => client.post(await pathOf(), { storeId: encodeId('store', newUuidV7()) }),
      sweep_failed: async () => client.post(await pathOf()),
      async sweep_running() {
        const shop = await openShop({ customers: 300 });
        const { sweep } = await connectShop(client, shop);
        // Its first page is on its way when the second start comes.
        slowDown(shop, 3_000);
        await client.post(sweep, {});
        return client.post(sweep, {});
      },
    },
    getSweep: none('GET', ''),
    watchSweep: none('GET', '/progress'),
    cancelSweep: none('POST', '/cancel'),
    listSweepResults: none('GET', '/results'),
  };
}

/** Two sweeps of one pass. */
export async function twoSweeps(
  client: Client,
): Promise<[path: string, body: object, otherPath: string, otherBody: object]> {
  const shop = await openShop({ customers: 10 });
  const { sweep } = await connectShop(client, shop);
  return [sweep, { dryRun: true }, sweep, { dryRun: false }];
}
