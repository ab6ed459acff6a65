import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { addPasskey, makePerson, sameOrigin, signIn, signInAtTill, signInWith } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const password = 'correct horse battery';

/** What the audit log of a workspace says of ways in, the oldest first. */
async function linesOf(client: Client, filter: string): Promise<Json[]> {
  const { data } = (await client.get(`/audit?limit=100&${filter}`)).body;
  return data.toReversed();
}

describe('the audit log', () => {
  it('informs each workspace of a person when they sign in and out, and of their ways in', async () => {
    const { client: one } = await app.newWorkspace();
    const { client: other, workspaceId } = await app.newWorkspace();
    const { personId, link, email } = await makePerson(one, 'owner', { name: 'Ada' });
    // As a mail that was answered does.
    await app.sql('update people set home_id = null where email = $1', [email]);
    const there = await makePerson(other, 'viewer', { email });
    const { browser, reply } = await signIn(app, link);
    assert.equal((await browser.post('/sessions/current/workspaces', { workspaceId })).status, 204);
    const { authenticator, passkeyId } = await addPasskey(app, browser);
    await browser.patch(`/passkeys/${passkeyId}`, { name: 'Telephone' });
    await browser.post('/sessions/current/password', { password });
    const second = await app.anyone.post('/sessions', { email, password }, { headers: sameOrigin });
    await browser.delete(`/sessions/${second.body.sessionId}`);
    const third = await signInWith(app, authenticator);
    await browser.delete(`/passkeys/${passkeyId}`);
    await browser.delete('/sessions/current');
    const firstLines = [
      ['acceptInvitation', personId, {}],
      ['createSession', reply.body.sessionId, { by: 'link' }],
    ];
    for (const [client, id, begin] of [
      [one, personId, firstLines],
      [other, there.personId, [['acceptInvitation', there.personId, {}]]],
    ] as const) {
      const lines = await linesOf(client, `actor=${id}`);
      assert.deepEqual(
        lines.map(({ action, target, detail }) => [action, target, detail]),
        [
          ...begin,
          ['createPasskey', passkeyId, { name: 'Passkey' }],
          ['updatePasskey', passkeyId, { after: { name: 'Telephone' } }],
          ['setPassword', id, {}],
          ['createSession', second.body.sessionId, { by: 'password' }],
          ['endSession', second.body.sessionId, {}],
          ['createSession', third.body.sessionId, { by: 'passkey' }],
          ['deletePasskey', passkeyId, { before: { name: 'Telephone' } }],
          ['endCurrentSession', reply.body.sessionId, {}],
        ],
      );
    }
  });

  it('names the till at which a person signs in, in its workspace alone', async () => {
    const { client } = await app.newWorkspace();
    const { browser, device } = await signInAtTill(app, 'staff', client);
    const [line] = await linesOf(client, `actor=${browser.personId}`);
    assert.deepEqual(line?.detail, { by: 'pin', deviceId: device.deviceId });
  });

  it('says once an hour that a person was guessed at beyond the limit, and nothing of unknown persons', async () => {
    const { client } = await app.newWorkspace();
    const { personId, email } = await makePerson(client, 'owner');
    const guess = (at: string) => app.anyone.post('/sessions', { email: at, password: 'not this one' });
    await inParallel(10, () => guess(email));
    assert.deepEqual(await linesOf(client, 'actor=anyone'), []);
    await inParallel(5, () => guess(email));
    await inParallel(15, () => guess(`${newUuidV7()}@example.com`));
    let lines: Json[] = [];
    await until('a line of the guesses', async () => {
      lines = await linesOf(client, 'actor=anyone');
      return lines.length > 0;
    });
    assert.deepEqual(
      lines.map(({ action, target, detail }) => [action, target, detail]),
      [['createSession', personId, { by: 'password', refused: 'rate_limited' }]],
    );
  });
});
