import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { type AskedHolder, findHolders } from './keep-holder.ts';

const app = await startTestApp();
const { db } = app.running.app.database;
const { client, workspaceId } = await app.newWorkspace();
const { passId } = await makePass(client);

const find = async (...asked: AskedHolder[]) => {
  const pass = { workspaceId: decodeId('ws', workspaceId) ?? '', passId: decodeId('pass', passId) ?? '' };
  const found = await findHolders(db, pass, asked);
  return found.map((id) => (id === null ? null : encodeId('inst', id)));
};
const card = async (holder: object, ofPass = passId) =>
  String((await makeCard(client, ofPass, { holder })).instanceId);

it('finds the present card of each person: by the identifier, else the first that has the address', async () => {
  const first = await card({ identifier: 'Zoe\u0308', email: 'Shared@Example.test' });
  const second = await card({ identifier: 'b', email: 'shared@example.TEST' });
  const umlaut = await card({ email: 'ÄGIR@example.test' });
  const gone = await card({ identifier: 'gone', email: 'gone@example.test' });
  await client.post(`/instances/${gone}/void`);
  const other = await makePass(client);
  await card({ identifier: 'elsewhere', email: 'elsewhere@example.test' }, other.passId);
  const stranger = await app.newWorkspace();
  const theirs = await makePass(stranger.client);
  await makeCard(stranger.client, theirs.passId, { holder: { identifier: 'foreign' } });

  assert.deepEqual(
    await find(
      { identifier: 'b', email: null },
      { identifier: null, email: ' shared@example.test ' },
      { identifier: 'Zoë', email: 'nobody@example.test' },
      { identifier: 'unknown', email: 'SHARED@example.test' },
      { identifier: 'b', email: 'ägir@example.test' },
      { identifier: null, email: 'ägir@example.test' },
      { identifier: 'gone', email: 'gone@example.test' },
      { identifier: 'elsewhere', email: 'elsewhere@example.test' },
      { identifier: 'foreign', email: null },
      { identifier: null, email: null },
    ),
    [second, first, first, first, second, umlaut, null, null, null, null],
  );
  assert.deepEqual(await find(), []);
});
