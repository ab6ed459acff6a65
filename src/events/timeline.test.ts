import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { diagnosisBy } from '../diagnosis/diagnosis.fixture.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import { signInAs } from '../sign-in/people.fixture.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});

/** The kinds that versions before the event log have written, and the kinds that replace them now. */
const words: readonly (readonly [former: string, now: string])[] = [
  ['issue repeated', 'instance.issue_repeated'],
  ['link opened', 'instance.link_opened'],
  ['fetched', 'instance.fetched'],
  ['installed', 'instance.installed'],
  ['removed', 'instance.removed'],
  ['updated', 'instance.updated'],
  ['voided', 'instance.voided'],
  ['reactivated', 'instance.reactivated'],
  ['pushed', 'push.delivered'],
  ['push skipped', 'push.skipped'],
  ['push failed', 'push.failed'],
  ['push repeated', 'push.repeated'],
  ['device reported', 'instance.reported'],
  ['erased', 'instance.erased'],
  ['issued', 'instance.issued'],
];

const kindsOf = async ({ instanceId }: Json): Promise<string[]> =>
  (await client.get(`/instances/${instanceId}/timeline?limit=100`)).body.data.map(({ kind }: Json) => kind);

/** Has the former version write lines of these kinds. */
async function write({ instanceId }: Json, kinds: readonly string[]): Promise<void> {
  await app.sql(
    `insert into instance_events (workspace_id, instance_id, event_id, kind, created_at)
     select workspace_id, instance_id, e.event_id, e.kind, now()
     from instances, unnest($2::uuid[], $3::text[]) as e(event_id, kind) where instance_id = $1`,
    [decodeId('inst', instanceId), kinds.map(() => newUuidV7()), kinds],
  );
}

describe('who did it', () => {
  const linesOf = async ({ instanceId }: Json): Promise<[kind: string, actor: string | undefined][]> =>
    (await client.get(`/instances/${instanceId}/timeline?limit=100`)).body.data.map(
      ({ kind, actor }: Json) => [kind, actor],
    );

  it('is on each line that a call has caused: a key, a person, the holder', async () => {
    const own = await makePass(client);
    const owner = await signInAs(app, 'owner', client);
    const { keyId } = (await client.get('/me')).body;
    const { personId } = owner;
    const card = await makeCard(owner, own.passId);
    const path = `/instances/${card.instanceId}`;
    await client.patch(`${path}/fields`, { fields: { tier: 'Gold' }, externalRef: 'one' });
    await owner.patch(`${path}/fields`, { fields: { tier: 'Gold' }, externalRef: 'two' });
    await owner.post('/instances/fields/batch', {
      updates: [{ instanceId: card.instanceId, fields: { tier: 'Silver' } }],
    });
    await owner.patch(path, { metadata: { table: '4' } });
    await client.post(`${path}/void`);
    await owner.post(`${path}/reactivate`);
    await app.anyone.get(card.links.add);
    const link = new URL(card.links.card).pathname;
    await app.anyone.post(`${link}/installation`, { viewer: randomUUID(), installed: true });
    await owner.patch(`/passes/${own.passId}`, { title: 'Bean Circle' });
    await client.post(`/passes/${own.passId}/messages`, { text: 'Hello' });
    const changes = (await linesOf(card)).filter(([kind]) => !kind.startsWith('push.')).reverse();
    assert.deepEqual(changes, [
      ['instance.issued', personId],
      ['instance.updated', keyId],
      ['instance.unchanged', personId],
      ['instance.updated', personId],
      ['instance.updated', personId],
      ['instance.voided', keyId],
      ['instance.reactivated', personId],
      ['instance.link_opened', undefined],
      ['instance.installed', 'holder'],
      ['pass.updated', personId],
      ['message.sent', keyId],
    ]);
  });

  it('stays with a message to an audience, and with a card that is erased', async () => {
    const own = await makePass(client);
    const owner = await signInAs(app, 'owner', client);
    const card = await makeCard(owner, own.passId);
    const link = new URL(card.links.card).pathname;
    await app.anyone.post(`${link}/installation`, { viewer: randomUUID(), installed: true });
    await owner.post(`/passes/${own.passId}/messages`, { text: 'Hello', audience: { installed: 'web' } });
    const isLogged = (kind: string) => async () =>
      (await linesOf(card)).some(([of, actor]) => of === kind && actor === owner.personId);
    await until('the message to be there', isLogged('message.sent'));
    await owner.delete(`/instances/${card.instanceId}`);
    assert.ok(await isLogged('instance.erased')());
  });

  it('is the operator where the name of the workspace was changed', async () => {
    const { client: other, workspaceId } = await app.newWorkspace();
    const { passId } = await makePass(other);
    const card = await makeCard(other, passId);
    const link = new URL(card.links.card).pathname;
    await app.anyone.post(`${link}/installation`, { viewer: randomUUID(), installed: true });
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { name: 'Red Bean' });
    const { data } = (await other.get(`/instances/${card.instanceId}/timeline`)).body;
    assert.equal(data.find(({ kind }: Json) => kind === 'pass.updated').actor, 'operator');
  });

  it('is missing from what a former version has written', async () => {
    const card = await makeCard(client, pass.passId);
    await write(card, ['voided']);
    assert.deepEqual((await linesOf(card))[0], ['instance.voided', undefined]);
  });
});

describe('lines that a former version has written', () => {
  it('are shown with the words of now', async () => {
    const card = await makeCard(client, pass.passId);
    const former = words.map(([word]) => word);
    await write(card, former);
    assert.deepEqual(await kindsOf(card), [...words.map(([, now]) => now).reverse(), 'instance.issued']);
  });

  it('count where a line is written once an hour', async () => {
    const card = await makeCard(client, pass.passId);
    await write(card, ['link opened']);
    await app.anyone.get(card.links.add);
    assert.deepEqual(await kindsOf(card), ['instance.link_opened', 'instance.issued']);
  });

  it('show a diagnosis what has happened', async () => {
    const card = await makeCard(client, pass.passId);
    await write(card, ['link opened', 'device reported']);
    const { diagnose } = diagnosisBy(app);
    const sentences = (await diagnose(card)).map(({ what }) => what).join('\n');
    assert.match(sentences, /its link was opened on/);
  });
});
