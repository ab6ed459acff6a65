import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertRefused, bodyOf } from './caller.ts';
import {
  accountOf,
  earn,
  inPoints,
  inStamps,
  makeCard,
  makeKey,
  makeMember,
  makePass,
  makeProgram,
  redeem,
  setFields,
} from './makings.ts';
import { connectStore, finishSweep, shareCode } from './provocations.ts';
import { needing, part } from './sentence.ts';

export const service = part(import.meta.url, '1. What the service does', {
  'The service is a v1 HTTP JSON API': async (world) => {
    const { headers, body } = await (await world.shop()).get('/me');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(typeof body.keyId, 'string');
  },
  'issues wallet passes to holders and manages them': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const card = await makeCard(by, passId, { holder: { identifier: randomUUID(), name: 'Ada' } });
    assert.equal(card.holder.name, 'Ada');
    const page = await world.bare.get(new URL(card.links.add).pathname);
    assert.equal(page.status, 200, 'its holder can add it to a wallet');
    const voided = bodyOf(await by.post(`/instances/${card.instanceId}/void`), 200);
    assert.equal(voided.status, 'voided');
  },
  'passes and pass instances issued from them': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const { instanceId } = await makeCard(by, passId);
    assert.equal(bodyOf(await by.get(`/instances/${instanceId}`), 200).passId, passId);
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).counts.issued, 1);
  },
  'pools of barcodes attached to a pass': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by, { barcode: { mode: 'pool' } });
    const { added } = bodyOf(await by.post(`/passes/${passId}/barcodes`, { barcodes: ['A-1', 'A-2'] }), 200);
    assert.equal(added, 2);
    assert.equal((await makeCard(by, passId)).barcode, 'A-1');
  },
  'loyalty programs on membership cards (points, rewards, thresholds)': async (world) => {
    const member = await makeMember(await world.shop(), { ...inStamps, threshold: 3 });
    const earned = bodyOf(await earn(member, 4), 200);
    assert.deepEqual([earned.balance, earned.threshold, earned.pendingRewards], [1, 3, 1]);
    assert.equal(bodyOf(await redeem(member), 200).rewardTitle, 'Free coffee');
  },
  'partners within a workspace': async (world) => {
    const by = await world.shop();
    const { partnerId } = bodyOf(await by.post('/partners', { name: 'Harbour' }), 201);
    assert.equal(bodyOf(await by.get(`/partners/${partnerId}`), 200).name, 'Harbour');
  },
  'invitations sent to the customers of a connected online store': needing('store', async (world) => {
    const { by, store, sweep } = await connectStore(world);
    bodyOf(await by.post(sweep, {}), 202);
    const { state } = await finishSweep(by, store, sweep);
    assert.equal(state.found, 20);
    assert.ok(state.invited > 0, 'a customer was invited');
  }),
  "credits that are consumed when an update is pushed to a holder's wallet": async (world) => {
    const { by } = await world.newWorkspace('pro', 5);
    const card = await makeCard(by, (await makePass(by)).passId);
    bodyOf(await setFields(by, card, { tier: 'Silver' }), 200);
    assert.equal(bodyOf(await by.get('/credits'), 200).balance, 5, 'nothing was pushed to no wallet');
    await world.install(card);
    assert.equal(bodyOf(await setFields(by, card, { tier: 'Gold' }), 200).pushed, true);
    assert.equal(bodyOf(await by.get('/credits'), 200).balance, 4);
  },
});

export const resources = part(import.meta.url, '2. Resources and their fields', {
  'Account / workspace: owns passes, partners and API keys': async (world) => {
    const { by } = await world.newWorkspace();
    const { passId } = await makePass(by);
    const { partnerId } = bodyOf(await by.post('/partners', { name: 'Harbour' }), 201);
    const { keyId } = (await makeKey(by, {})).key;
    const lists = [
      ['/passes', 'passId', passId],
      ['/partners', 'partnerId', partnerId],
      ['/api-keys', 'keyId', keyId],
    ] as const;
    const stranger = await world.stranger();
    for (const [path, name, id] of lists) {
      const has = (list: { [name: string]: string }[]) => list.some((one) => one[name] === id);
      assert.ok(has(bodyOf(await by.get(path), 200).data), `${path} has it`);
      assert.ok(!has(bodyOf(await stranger.get(path), 200).data), `another account's ${path} does not`);
    }
  },
  'Account / workspace: a workspace may be on an entry plan or on a higher plan': async (world) => {
    const { workspaceId, by } = await world.newWorkspace('entry');
    assert.equal(bodyOf(await by.get('/me'), 200).workspace.plan, 'entry');
    const path = `/operator/workspaces/${workspaceId}`;
    assert.equal(bodyOf(await world.operator.patch(path, { plan: 'pro' }), 200).plan, 'pro');
    assert.equal(bodyOf(await by.get('/me'), 200).workspace.plan, 'pro');
  },
  'Pass: passId': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    assert.equal(typeof passId, 'string');
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).passId, passId);
  },
  'Pass: editable fields addressed by field key': async (world) => {
    const by = await world.shop();
    const card = await makeCard(by, (await makePass(by)).passId);
    assert.equal(bodyOf(await setFields(by, card, { tier: 'Gold' }), 200).fields.tier, 'Gold');
  },
  'Pass: template-owned keys: title, details, terms, expiry': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const expiry = { kind: 'fixed', at: '2099-01-01T00:00:00.000Z' };
    const own = { title: 'Tea Club', details: 'Ten stamps, one tea', terms: 'One per person', expiry };
    const changed = bodyOf(await by.patch(`/passes/${passId}`, own), 200);
    for (const [key, value] of Object.entries(own)) assert.deepEqual(changed[key], value, key);
    const card = await makeCard(by, passId);
    for (const key of Object.keys(own))
      assertRefused(await setFields(by, card, { [key]: 'Mine' }), 400, 'template_owned_field');
  },
  'Pass instance: instanceId': async (world) => {
    const by = await world.shop();
    const { instanceId } = await makeCard(by, (await makePass(by)).passId);
    assert.equal(bodyOf(await by.get(`/instances/${instanceId}`), 200).instanceId, instanceId);
  },
  'Pass instance: barcode (a shared Simple-mode code can match several instances)': async (world) => {
    const { value, cards, lookUp } = await shareCode(await world.shop());
    assert.deepEqual(
      cards.map(({ barcode }) => barcode),
      [value, value],
    );
    assertRefused(await lookUp(), 409, 'ambiguous_barcode', { matchCount: 2 });
  },
  'Barcode pool: belongs to a pass': async (world) => {
    const by = await world.shop();
    const [one, other] = [await makePool(), await makePool()];
    bodyOf(await by.post(`/passes/${one}/barcodes`, { barcodes: ['A-1'] }), 200);
    assert.equal(bodyOf(await by.get(`/passes/${one}`), 200).pool.available, 1);
    assert.equal(bodyOf(await by.get(`/passes/${other}`), 200).pool.available, 0);

    async function makePool() {
      return (await makePass(by, { barcode: { mode: 'pool' } })).passId;
    }
  },
  'Barcode pool: can be exhausted': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by, { barcode: { mode: 'pool' } });
    bodyOf(await by.post(`/passes/${passId}/barcodes`, { barcodes: ['A-1'] }), 200);
    await makeCard(by, passId);
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 409, 'pool_exhausted');
  },
  'Loyalty holder: identified by an identifier': async (world) => {
    const member = await makeMember(await world.shop());
    const account = await accountOf(member);
    assert.deepEqual([account.identifier, account.instanceId], [member.identifier, member.card.instanceId]);
  },
  'Loyalty program: programId': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    assert.equal(bodyOf(await by.get(`/loyalty/programs/${programId}`), 200).programId, programId);
  },
  'Loyalty program: has a balance, a threshold and a reward cost': async (world) => {
    const by = await world.shop();
    const [stamps, points] = [await makeMember(by, inStamps), await makeMember(by, inPoints)];
    const inTen = bodyOf(await earn(stamps, 2), 200);
    assert.deepEqual([inTen.balance, inTen.threshold], [2, 10]);
    const forTen = bodyOf(await earn(points, 3), 200);
    assert.deepEqual([forTen.balance, forTen.cost], [3, 10]);
  },
  'Partner: partner id': async (world) => {
    const by = await world.shop();
    const { partnerId } = bodyOf(await by.post('/partners', { name: 'Harbour' }), 201);
    const card = await makeCard(by, (await makePass(by)).passId, { partnerId });
    assert.equal(card.partnerId, partnerId);
  },
  'API key: sent as a Bearer token': async (world) => {
    const { key, holder } = await makeKey(await world.shop(), {});
    assert.equal(bodyOf(await holder.get('/me'), 200).keyId, key.keyId);
    const headers = { authorization: `Basic ${key.secret}` };
    assertRefused(await world.anyone.get('/me', { headers }), 401, 'missing_authorization');
  },
});
