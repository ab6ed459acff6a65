import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { diagnosisBy } from '../delivery/diagnosis.fixture.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});

/** The words that versions before the event log have written, and those that stand for them now. */
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

  it('tell a diagnosis what has happened', async () => {
    const card = await makeCard(client, pass.passId);
    await write(card, ['link opened', 'device reported']);
    const { diagnose } = diagnosisBy(app);
    const told = (await diagnose(card)).map(({ what }) => what).join('\n');
    assert.match(told, /its link was opened on/);
  });
});
