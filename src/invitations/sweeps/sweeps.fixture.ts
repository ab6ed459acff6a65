import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Client, Json } from '../../../test/client.ts';
import { makePass } from '../../../test/factories.ts';
import type { TestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { makeAuthority } from '../../../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../../../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../../../tools/fakes/store-server.ts';
import { decodeId } from '../../kit/ids.ts';

/** What the service is started with, so that it may ask stores on this machine. */
export const allowed = { FETCH_ALLOW_CIDRS: '127.0.0.1/32' };

/** Signs the certificates of simulated stores; every test file of this process trusts it. */
export const authority = makeAuthority();
trustAuthority(authority);

/** A shop that may be asked as often as one likes, by default; closed when the test is over. */
export async function openShop(
  options: Parameters<typeof ShopifyStore.start>[0] = {},
): Promise<ShopifyStore> {
  const shop = await ShopifyStore.start({ authority, bucket: endlessBucket, ...options });
  after(() => shop.close());
  return shop;
}

/** A published pass with which the shop is connected. */
export async function connectShop(
  client: Client,
  shop: Pick<ShopifyStore, 'domain' | 'accessToken' | 'webhookSecret'>,
): Promise<{ passId: string; storeId: string; sweep: string }> {
  const { passId } = await makePass(client);
  const { status, body, text } = await client.post('/stores', {
    platform: 'shopify',
    domain: shop.domain,
    credentials: { accessToken: shop.accessToken },
    webhookSecret: shop.webhookSecret,
    passId,
  });
  assert.equal(status, 201, text);
  return { passId, storeId: body.storeId, sweep: `/passes/${passId}/invites/sweep` };
}

/** Starts a sweep. */
export async function start(client: Client, sweep: string, body: object = {}): Promise<Json> {
  const reply = await client.post(sweep, body);
  assert.equal(reply.status, 202, reply.text);
  assert.equal(reply.body.state.running, true);
  return reply.body;
}

/** The sweep once it has ended; its counts add up. */
export async function ended(client: Client, sweep: string, withinMs = 30_000): Promise<Json> {
  await until('the sweep has ended', async () => !(await client.get(sweep)).body.state.running, withinMs);
  const { body } = await client.get(sweep);
  assertSum(body.state);
  assert.ok(body.finishedAt);
  return body;
}

/** The outcomes add up to the customers that were found. */
export function assertSum(state: Json): void {
  const sum = outcomes.reduce((total, name) => total + state[name], 0);
  assert.equal(sum, state.found, JSON.stringify(state));
}

const outcomes = [
  'invited',
  'alreadyHolder',
  'alreadyInvited',
  'noConsent',
  'consentUnknown',
  'noContact',
  'invalidContact',
  'suppressed',
  'duplicateContact',
];

/** Whom a shop would have invited: each valid address of those who have agreed, once. */
export function invitable(shop: ShopifyStore): Set<string> {
  const customers = Array.from({ length: shop.customers.length }, (_, index) => shop.customers.at(index));
  const emails = customers.flatMap((customer) => {
    const isMailed = customer?.consent === 'subscribed' && customer.email !== null;
    return isMailed && !customer.email.includes(' ') ? [customer.email.toLowerCase()] : [];
  });
  return new Set(emails);
}

/** The addresses that were invited to a pass; each stands once for each invitation. */
export async function invitedTo(app: TestApp, passId: string): Promise<string[]> {
  const id = decodeId('pass', passId);
  const rows = await app.sql<{ email: string }>('select email from invites where pass_id = $1', [id]);
  return rows.map(({ email }) => email);
}

/** Each answer of the shop takes so long from now on. */
export function slowDown(shop: ShopifyStore, delayMs: number): void {
  shop.fail({ times: 1_000_000, outcome: { delayMs } });
}

/** The outcomes that occurred, without those that did not. */
export function countsOf({ state }: Json): Record<string, number> {
  const named = ['found', ...outcomes].map((name) => [name, state[name]] as const);
  return Object.fromEntries(named.filter(([, count]) => count > 0));
}
