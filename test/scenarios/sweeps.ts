import { connectShop, openShop, slowDown } from '../../src/invitations/sweeps/sweeps.fixture.ts';
import { owned } from '../access-refusals.ts';
import { makePass } from '../factories.ts';
import type { Request, Scenarios } from './scenario.ts';
import { missingId, type World } from './world.ts';

/** Sweeps, which invite the customers of a simulated store. */
export function sweepScenarios({ client }: World): Scenarios {
  const noSweep = async (status = 'published') =>
    `/passes/${(await makePass(client, {}, status)).passId}/invites/sweep`;
  const none = (method: string, rest: string) => ({
    sweep_not_found: async () => client.send(method, `${await noSweep()}${rest}`, undefined),
  });
  const onSweep = async (rest: string, customers = 1): Promise<Request> => {
    const shop = await openShop({ customers });
    const { sweep } = await connectShop(client, shop);
    // Behind the first page nothing comes: such a sweep runs until it is cancelled.
    shop.fail({ matching: /id:>[1-9]/, times: 1_000_000, outcome: 'silence' });
    await client.post(sweep, { dryRun: true });
    return { path: `${sweep}${rest}`, also: owned };
  };
  return {
    startSweep: {
      async good() {
        const { sweep } = await connectShop(client, await openShop({ customers: 1 }));
        return { path: sweep, other: { dryRun: true }, status: 202, also: owned };
      },
      errors: {
        pass_not_active: async () => client.post(await noSweep('draft')),
        store_not_found: async () => client.post(await noSweep(), { storeId: missingId('store') }),
        sweep_failed: async () => client.post(await noSweep()),
        async sweep_running() {
          const shop = await openShop({ customers: 300 });
          const { sweep } = await connectShop(client, shop);
          // Its first page is on its way when the second start comes.
          slowDown(shop, 3_000);
          await client.post(sweep, {});
          return client.post(sweep, {});
        },
      },
    },
    getSweep: { good: () => onSweep(''), errors: none('GET', '') },
    watchSweep: { good: () => onSweep('/progress'), errors: none('GET', '/progress') },
    cancelSweep: { good: () => onSweep('/cancel', 300), errors: none('POST', '/cancel') },
    listSweepResults: { good: () => onSweep('/results?format=csv'), errors: none('GET', '/results') },
  };
}
