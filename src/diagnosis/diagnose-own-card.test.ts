import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { signInAs } from '../sign-in/people.fixture.ts';

// No worker runs, and phones would not take the address.
const app = await startTestApp({ WORKERS: 'off', PUBLIC_URL: 'http://cards.example.test' });
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});
const pathOf = ({ instanceId }: Json) => `/instances/${instanceId}/diagnosis`;
const findings = async (card: Json): Promise<Json[]> => (await client.get(pathOf(card))).body.findings;
const codes = async (card: Json) => (await findings(card)).map(({ code }) => code);

describe('GET /instances/{instanceId}/diagnosis', () => {
  it('says by codes, levels and words what is the matter, and what to do', async () => {
    const card = await makeCard(client, pass.passId);
    const found = (await findings(card)).find(({ code }) => code === 'never_opened');
    assert.deepEqual(found, {
      level: 'error',
      code: 'never_opened',
      wallet: null,
      at: null,
      what: 'No wallet holds the card: its link was never opened',
      advice: 'Send the holder the link, `links.add` of the card.',
    });
    await app.anyone.get(card.links.add);
    const opened = (await findings(card)).find(({ code }) => code === 'not_added');
    assert.ok(Math.abs(Date.parse(opened?.at) - app.running.app.now().getTime()) < 60_000);
    await client.post(`/instances/${card.instanceId}/void`);
    assert.equal((await codes(card))[0], 'card_voided');
    await client.delete(`/instances/${card.instanceId}`);
    assert.equal((await codes(card))[0], 'card_erased');
  });

  it("says of what is the operator's business only that there is something", async () => {
    const card = await makeCard(client, pass.passId);
    const all = await findings(card);
    const ofService = all.filter(({ code }) => code === 'service_address' || code === 'certificate');
    assert.ok(ofService.length >= 2, JSON.stringify(all));
    for (const { advice } of ofService) assert.equal(advice, 'Ask the operator of the service.');
    assert.doesNotMatch(JSON.stringify(all), /PUBLIC_URL|APPLE_|example\.test/);
  });

  it('says that credits are missing, and how to get them', async () => {
    const poor = await app.newWorkspace('pro', 0);
    const card = await makeCard(poor.client, (await makePass(poor.client)).passId);
    const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
    const { pathname } = new URL(card.links.add);
    await app.anyone.post(`${pathname}/card/installation`, { viewer, installed: true });
    const changed = await poor.client.patch(`/instances/${card.instanceId}/fields`, {
      fields: { tier: 'Gold' },
    });
    assert.equal(changed.status, 202, changed.text);
    const { body } = await poor.client.get(pathOf(card));
    const found = body.findings.find(({ code }: Json) => code === 'credits_missing');
    assert.deepEqual([found.level, found.advice], ['error', 'Top up: that delivers what was skipped.']);
  });

  it('is for all who may read the card, and for no other', async () => {
    const card = await makeCard(client, pass.passId);
    const { client: reader } = await makeKey(client, { access: 'read' });
    assert.equal((await reader.get(pathOf(card))).status, 200);
    const viewer = await signInAs(app, 'viewer', client);
    assert.equal((await viewer.get(pathOf(card))).status, 200);
    const other = await makePass(client);
    const { client: elsewhere } = await makeKey(client, { passIds: [other.passId] });
    assertRefused(await elsewhere.get(pathOf(card)), 'insufficient_scope');
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await stranger.get(pathOf(card)), 'forbidden');
    for (const instanceId of [encodeId('inst', newUuidV7()), 'inst_O0l', 'x'])
      assertRefused(await client.get(pathOf({ instanceId })), 'instance_not_found');
  });
});
