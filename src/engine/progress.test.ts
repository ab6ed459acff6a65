import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { EventReader } from '../../test/event-reader.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { startApp } from '../app.ts';
import { allowed, connectShop, openShop, slowDown, start } from '../invitations/sweeps/sweeps.fixture.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { progressLimits } from './progress.ts';

const apns = await startDevelopmentApns();
// Nothing goes on until a worker is started.
const app = await startTestApp({ ...allowed, APNS_URL: apns.url, WORKERS: 'off' });
const phones = new Phones(app, apns);

/** Does the background work of the service while a test goes on. */
async function withWorker(act: () => Promise<void>): Promise<void> {
  const worker = await startApp(app.config, { serves: false });
  try {
    await act();
  } finally {
    await worker.close();
  }
}

const watch = (by: Client, path: string, headers: Record<string, string> = {}) =>
  new EventReader().read(`${app.url}${path}`, {
    ...by.headers,
    ...(by.secret !== null && { authorization: `Bearer ${by.secret}` }),
    ...headers,
  });

/** A message to a pass with one phone, on which nothing has been done yet. */
async function newMessage(): Promise<{ client: Client; passId: string; message: string }> {
  const { client } = await app.newWorkspace();
  const { passId } = await makePass(client);
  const { instanceId } = (await client.post(`/passes/${passId}/instances`, {})).body;
  await phones.add([(await client.get(`/instances/${instanceId}`)).body]);
  const { body } = await client.post(`/passes/${passId}/messages`, { text: 'Hello' });
  return { client, passId, message: `/messages/${body.messageId}` };
}

const shown = ({ events }: EventReader): Json[] => events.map(({ data }) => data);

describe('GET …/progress', () => {
  it('sends a message as its GET shows it, at once and until no reader is left', async () => {
    const { client, message } = await newMessage();
    const reader = await watch(client, `${message}/progress`);
    assert.equal(reader.contentType, 'text/event-stream; charset=utf-8');
    assert.deepEqual(shown(reader), [(await client.get(message)).body]);
    assert.equal(reader.events[0]?.event, 'progress');
    assert.equal(reader.events[0]?.data.waiting, 1);
    await withWorker(() => until('the stream to end', () => reader.isOver));
    const last = reader.events.at(-1);
    assert.equal(last?.event, 'done');
    assert.deepEqual(last?.data, (await client.get(message)).body);
    assert.equal(last?.data.delivered, 1);
    const ids = reader.events.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'nothing is sent twice');
  });

  it('sends who comes again what they do not have, and nothing for good once they have all', async () => {
    const { client, message } = await newMessage();
    const first = await watch(client, `${message}/progress`);
    const id = first.events[0]?.id ?? '';
    first.close();
    const same = await watch(client, `${message}/progress`, { 'last-event-id': id });
    assert.equal(same.events.length, 0);
    await withWorker(() => until('the stream to end', () => same.isOver));
    const done = same.events.at(-1);
    assert.ok(done);
    const late = await watch(client, `${message}/progress`, { 'last-event-id': id });
    assert.deepEqual(late.events, [done]);
    await until('the end', () => late.isOver);
    const after = await watch(client, `${message}/progress`, { 'last-event-id': done.id ?? '' });
    assert.equal(after.status, 204);
  });

  it('shows the rollout of a pass, and a pass on which nothing is under way once', async () => {
    const { client, passId, message } = await newMessage();
    await withWorker(async () => {
      const reader = await watch(client, `${message}/progress`);
      await until('the message to arrive', () => reader.isOver);
    });
    const idle = await watch(client, `/passes/${passId}/progress`);
    await until('the end', () => idle.isOver);
    assert.deepEqual(
      idle.events.map(({ event }) => event),
      ['done'],
    );
    await client.patch(`/passes/${passId}`, { title: 'Bean Circle' });
    const staff = await signInAs(app, 'staff', client);
    const reader = await watch(staff, `/passes/${passId}/progress`);
    assert.equal(reader.events[0]?.data.rollout.state, 'running');
    await withWorker(() => until('the stream to end', () => reader.isOver));
    const last = reader.events.at(-1);
    assert.deepEqual([last?.event, last?.data.rollout.done], ['done', 1]);
  });

  it('shows a sweep until it has ended', async () => {
    const { client } = await app.newWorkspace();
    const shop = await openShop({ customers: 3 });
    const { sweep } = await connectShop(client, shop);
    await start(client, sweep, { dryRun: true });
    const reader = await watch(client, `${sweep}/progress`);
    assert.equal(reader.events[0]?.data.state.running, true);
    await withWorker(() => until('the stream to end', () => reader.isOver));
    const last = reader.events.at(-1);
    assert.deepEqual([last?.event, last?.data.state.found], ['done', 3]);
    slowDown(shop, 0);
  });

  it('cuts off a key that is revoked, one that no longer reaches the pass, and a person who is removed', async () => {
    const { client, passId, message } = await newMessage();
    const other = await makePass(client);
    const [revoked, restricted] = [await makeKey(client), await makeKey(client)];
    const viewer = await signInAs(app, 'viewer', client);
    const path = `${message}/progress`;
    const owner = await watch(client, path);
    const cut: [reader: EventReader, act: () => Promise<unknown>, by: Client, status: number][] = [
      [
        await watch(revoked.client, path),
        () => client.delete(`/api-keys/${revoked.key.keyId}`),
        revoked.client,
        401,
      ],
      [
        await watch(restricted.client, path),
        () => client.patch(`/api-keys/${restricted.key.keyId}`, { passIds: [other.passId] }),
        restricted.client,
        403,
      ],
      [await watch(viewer, path), () => client.delete(`/people/${viewer.personId}`), viewer, 401],
    ];
    for (const [reader, act, by, status] of cut) {
      assert.equal(reader.events.length, 1);
      await act();
      await until('to be cut off', () => reader.isOver);
      assert.equal((await watch(by, path)).status, status);
    }
    assert.ok(!owner.isOver, 'the others go on');
    assert.equal((await watch(client, `/passes/${passId}/progress`)).status, 200);
    owner.close();
  });

  it('refuses what the GET of the resource refuses', async () => {
    const { client, message } = await newMessage();
    assertRefused(await (await app.newWorkspace()).client.get(`${message}/progress`), 'forbidden');
    const { passId } = await makePass(client);
    assertRefused(await client.get(`/passes/${passId}/invites/sweep/progress`), 'sweep_not_found');
  });

  it('sends its readers to other processes when its own is about to end', async () => {
    const { client, message } = await newMessage();
    const leaving = await startApp(app.config, { works: false });
    const headers = { authorization: `Bearer ${client.secret}` };
    const reader = await new EventReader().read(`${leaving.url}${message}/progress`, headers);
    assert.equal(reader.events.length, 1);
    leaving.drain();
    await until('the end', () => reader.isOver);
    assert.equal((await new EventReader().read(`${leaving.url}${message}/progress`, headers)).status, 503);
    await leaving.close();
  });

  it('has so many places for a workspace, whatever keys it makes, and takes those back that are left', async () => {
    const { client, message } = await newMessage();
    const path = `${message}/progress`;
    const readers: EventReader[] = [];
    for (let count = 0; count < progressLimits.places.perKey; count++)
      readers.push(await watch(client, path));
    assert.equal((await watch(client, path)).status, 503);
    const other = await makeKey(client);
    const refused = await other.client.impatient.get(path);
    assertRefused(refused, 'overloaded');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const elsewhere = await newMessage();
    const theirs = await watch(elsewhere.client, `${elsewhere.message}/progress`);
    assert.equal(theirs.status, 200);
    readers.pop()?.close();
    await until('a place', async () => {
      const again = await watch(client, path);
      if (again.status === 200) readers.push(again);
      return again.status === 200;
    });
    for (const reader of [...readers, theirs]) reader.close();
  });
});
