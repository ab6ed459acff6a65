import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Client, type Reply } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { waitLimits } from './event-waits.ts';

const app = await startTestApp();

/** The number of the last event of a workspace. */
async function lastSeq(client: Client): Promise<number> {
  return (await client.get('/events?limit=1')).body.data[0]?.seq ?? 0;
}

/** A call that waits for the next event, once the service has found none. */
async function waiting(
  reader: Client,
  owner: Client,
  more = '',
): Promise<{ readonly reply: Promise<Reply> }> {
  const { eventWaits } = app.running.app;
  await until('those before', () => eventWaits.count === 0);
  const reply = reader.get(`/events?afterSeq=${await lastSeq(owner)}&wait=30${more}`);
  await until('the call', () => eventWaits.count > 0);
  return { reply };
}

describe('a call that waits for events', () => {
  it('gets none once its key is revoked, or reads other passes only', async () => {
    const { client } = await app.newWorkspace();
    const [passes, others] = [await makePass(client), await makePass(client)];
    const changes: Readonly<Record<string, (keyId: string) => Promise<unknown>>> = {
      invalid_api_key: (keyId) => client.delete(`/api-keys/${keyId}`),
      insufficient_scope: (keyId) => client.patch(`/api-keys/${keyId}`, { passIds: [others.passId] }),
    };
    for (const [code, change] of Object.entries(changes)) {
      const key = await makeKey(client, { passIds: [passes.passId], access: 'read' });
      const { reply } = await waiting(key.client, client, `&passId=${passes.passId}`);
      await change(key.key.keyId);
      await client.patch(`/passes/${passes.passId}`, { title: `Changed for ${code}` });
      assertRefused(await reply, code as 'invalid_api_key');
    }
  });

  it('gets none once its workspace is suspended, and ends without an event', async () => {
    const { client, workspaceId } = await app.newWorkspace();
    const { reply } = await waiting(client, client);
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: true });
    assertRefused(await reply, 'workspace_suspended');
  });

  it('gets none once its person is removed', async () => {
    const { client } = await app.newWorkspace();
    const person = await signInAs(app, 'viewer', client);
    const { reply } = await waiting(person, client);
    await client.delete(`/people/${person.personId}`);
    await makePass(client);
    const { status, body } = await reply;
    assert.ok([401, 403].includes(status), JSON.stringify(body));
  });

  it('takes a place of its workspace, whatever its key, and gives it back when its client goes', async () => {
    const { client } = await app.newWorkspace();
    const { perKey } = waitLimits.places;
    const keys = [
      client,
      ...(await Promise.all(Array.from({ length: 4 }, () => makeKey(client)))).map((one) => one.client),
    ];
    const path = `/events?afterSeq=${await lastSeq(client)}&wait=30`;
    const clients = new AbortController();
    const { inFlight } = app.running;
    const calls = Array.from({ length: perKey }, (_, at) => {
      const authorization = `Bearer ${keys[at % keys.length]?.secret}`;
      const sent = fetch(`${app.url}${path}`, { headers: { authorization }, signal: clients.signal });
      return sent.catch(() => null);
    });
    await until('all of them', () => app.running.inFlight === inFlight + perKey);
    let refused: Reply | undefined;
    await until('a refusal', async () => {
      refused = await (keys[1] ?? client).impatient.get(path.replace('wait=30', 'wait=1'));
      return refused.status === 503;
    });
    assertRefused(refused as Reply, 'overloaded');
    const other = (await app.newWorkspace()).client;
    assert.equal((await other.get(`/events?afterSeq=${await lastSeq(other)}&wait=1`)).status, 200);
    clients.abort();
    await Promise.all(calls);
    await until('the places to be free', () => app.running.inFlight <= inFlight);
    assert.equal((await client.impatient.get(path.replace('wait=30', 'wait=1'))).status, 200);
  });
});
