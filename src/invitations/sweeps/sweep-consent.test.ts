import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '../../../test/client.ts';
import { makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { WooCommerceStore } from '../../../tools/fakes/woocommerce-store.ts';
import { allowed, authority, countsOf, ended, start } from './sweeps.fixture.ts';

const app = await startTestApp(allowed);
const count = 350;
const consented = count * 0.4;

/** A sweep of a shop whose platform does not know who has agreed. */
async function sweptBy(consent: Json, consentMeta?: Json) {
  const shop = await WooCommerceStore.start({ authority, customers: count, consentMeta });
  after(() => shop.close());
  const { client } = await app.newWorkspace();
  const { passId } = await makePass(client);
  const { status, text } = await client.post('/stores', {
    platform: 'woocommerce',
    domain: shop.domain,
    credentials: { consumerKey: shop.consumerKey, consumerSecret: shop.consumerSecret },
    webhookSecret: 'whsec_0123456789abcdef',
    passId,
    ...(consent !== null && { consent }),
  });
  assert.equal(status, 201, text);
  const sweep = `/passes/${passId}/invites/sweep`;
  await start(client, sweep);
  return { shop, client, sweep, done: () => ended(client, sweep) };
}

test('where the platform does not know who has agreed, no customer is invited', async () => {
  const { done } = await sweptBy(null);
  assert.deepEqual(countsOf(await done()), { found: count, consentUnknown: count });
});

test("a field of the merchant's own says it", async () => {
  const meta = { key: 'newsletter', value: 'yes', otherwise: 'no' };
  const { done } = await sweptBy({ metaKey: 'newsletter', metaValue: 'yes' }, meta);
  const { found, invited = 0, noConsent = 0, consentUnknown = 0 } = countsOf(await done());
  assert.deepEqual([found, invited], [count, consented]);
  assert.equal(noConsent + consentUnknown, count - consented);
  assert.ok(noConsent > 0 && consentUnknown > 0, 'left, and never asked');
});

test('or the merchant, in writing', async () => {
  const { done } = await sweptBy({ attestedBy: 'Ada Lovelace' });
  assert.deepEqual(countsOf(await done()), { found: count, invited: count });
});

test('customers who go while it runs keep no other from being found', async () => {
  const { shop, client, sweep, done } = await sweptBy({ attestedBy: 'Ada Lovelace' });
  shop.fail({ times: 1_000, outcome: { delayMs: 200 } });
  await until('it is under way', async () => (await client.get(sweep)).body.state.found >= 99);
  // All behind them move forward by two.
  for (const index of [3, 40]) shop.customers.remove(shop.customers.at(index)?.id ?? 0);
  assert.deepEqual(countsOf(await done()), { found: count, invited: count });
});
