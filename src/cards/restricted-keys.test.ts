import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
let client: Client;
let other: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
  const elsewhere = await makePass(client);
  ({ client: other } = await makeKey(client, { passIds: [elsewhere.passId] }));
});

describe('a key that is restricted to another pass', () => {
  it('sees no replay of an issue, single or in a batch', async () => {
    const body = { externalRef: 'signup-1', holder: { identifier: 'c1', email: 'ada@example.com' } };
    await makeCard(client, pass.passId, body);
    assertRefused(await other.post(`/passes/${pass.passId}/instances`, body), 'insufficient_scope');
    assertRefused(
      await other.post(`/passes/${pass.passId}/instances/batch`, { instances: [body] }),
      'insufficient_scope',
    );
  });

  it('sees no replay of a change', async () => {
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'c2', name: 'Ada' } });
    const changes = { fields: { tier: 'Gold' }, externalRef: 'change-1' };
    await client.patch(`/instances/${card.instanceId}/fields`, changes);
    assertRefused(await other.patch(`/instances/${card.instanceId}/fields`, changes), 'insufficient_scope');
    const keyed = { headers: { 'idempotency-key': 'change-2' } };
    for (const verb of ['void', 'reactivate']) {
      await client.post(`/instances/${card.instanceId}/${verb}`, undefined, keyed);
      assertRefused(
        await other.post(`/instances/${card.instanceId}/${verb}`, undefined, keyed),
        'insufficient_scope',
      );
    }
  });
});
