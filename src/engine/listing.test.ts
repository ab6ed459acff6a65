import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { connectStore } from '../stores/stores.fixture.ts';
import { loopback, makeWebhook } from '../webhooks/webhooks.fixture.ts';

// Without background work nothing changes on its own.
const app = await startTestApp({ WORKERS: 'off', ...loopback });

/** A list, and how something comes into it. */
interface Case {
  readonly path: string;
  readonly client: Client;
  make(place: number): Promise<unknown>;
}

const names = [
  'passes',
  'keys',
  'partners',
  'programs',
  'stores',
  'invites',
  'a timeline',
  'credit entries',
  'workspaces',
  'cards',
  'webhooks',
  'deliveries',
] as const;

describe('createdAfter and createdBefore', () => {
  const cases = {} as Record<(typeof names)[number], Case>;
  before(async () => {
    const { client, workspaceId } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId);
    const post = (path: string, body: object) => client.post(path, body);
    const tier = (place: number) =>
      client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: `T${place}` } });
    const topUp = (place: number) =>
      app.operator.post(`/operator/workspaces/${workspaceId}/credits`, {
        amount: 1,
        externalRef: `top-up ${place}`,
      });
    const listener = (await app.newWorkspace()).client;
    const receiver = 'http://127.0.0.1:8080/events';
    const { webhookId } = await makeWebhook(listener, receiver, { types: ['pass.created'] });
    Object.assign(cases, {
      passes: { path: '/passes', client, make: () => makePass(client, {}, 'draft') },
      keys: { path: '/api-keys', client, make: () => makeKey(client) },
      partners: { path: '/partners', client, make: () => post('/partners', { name: 'Harbour' }) },
      programs: { path: '/loyalty/programs', client, make: () => makeProgram(client) },
      stores: {
        path: '/stores',
        client,
        make: () => connectStore(client, { passId }),
      },
      invites: {
        path: `/passes/${passId}/invites`,
        client,
        make: (place) => post(`/passes/${passId}/invites`, { email: `ada${place}@example.test` }),
      },
      'a timeline': { path: `/instances/${card.instanceId}/timeline`, client, make: tier },
      'credit entries': { path: '/credits/entries', client, make: topUp },
      workspaces: { path: '/operator/workspaces', client: app.operator, make: () => app.newWorkspace() },
      cards: { path: `/passes/${passId}/instances`, client, make: () => makeCard(client, passId) },
      webhooks: { path: '/webhooks', client, make: () => makeWebhook(client, receiver) },
      deliveries: {
        path: `/webhooks/${webhookId}/deliveries`,
        client: listener,
        async make() {
          await makePass(listener, {}, 'draft');
          // Counting the event follows the log.
          await listener.get('/statistics');
        },
      },
    } satisfies Record<(typeof names)[number], Case>);
  });

  for (const name of names) {
    it(`bound the list of ${name}, page by page`, async () => {
      const { path, client, make } = cases[name];
      const moments: string[] = [];
      for (let place = 0; place < 5; place++) {
        await sleep(3);
        moments.push(new Date().toISOString());
        await sleep(3);
        await make(place);
      }
      await sleep(3);
      const [, second = '', , fourth = ''] = moments;
      const all = await allOf(client, path, '');
      const last = all.slice(0, 5);
      assert.equal(last.length, 5);
      assert.deepEqual(await allOf(client, path, `&createdAfter=${fourth}`), last.slice(0, 2));
      assert.deepEqual(await allOf(client, path, `&createdBefore=${second}`), all.slice(4));
      const between = `&createdAfter=${second}&createdBefore=${fourth}`;
      assert.deepEqual(await allOf(client, path, between), last.slice(2, 4));
      assert.deepEqual(await allOf(client, path, '&createdAfter=2099-01-01T00:00:00Z'), []);
      assert.deepEqual(await allOf(client, path, '&createdBefore=1999-01-01T00:00:00%2B02:00'), []);
      assert.deepEqual(await allOf(client, path, `&createdAfter=${fourth}&createdBefore=${second}`), []);

      const { nextCursor } = (await client.get(`${path}?limit=1&createdAfter=${second}`)).body;
      const others = [`?cursor=${nextCursor}`, `?createdAfter=${fourth}&cursor=${nextCursor}`];
      for (const query of others)
        assertRefused(await client.get(`${path}${query}`), 'invalid_request', /cursor/);
      for (const wrong of ['createdAfter=yesterday', 'createdBefore=2027-01-31', 'createdBefore='])
        assertRefused(await client.get(`${path}?${wrong}`), 'invalid_request', /created(After|Before)/);
    });
  }
});

/** Follows the cursors to the end. */
async function allOf(client: Client, path: string, query: string): Promise<Json[]> {
  const found: Json[] = [];
  let cursor = '';
  do {
    const { status, body, text } = await client.get(`${path}?limit=2${query}${cursor}`);
    assert.equal(status, 200, text);
    found.push(...body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return found;
}
