import assert from 'node:assert/strict';
import { assertRefused, bodyOf } from './caller.ts';
import {
  importCard,
  makeArchived,
  makeCard,
  makeDraft,
  makePass,
  missing,
  postPass,
  processOrder,
  setFields,
} from './makings.ts';
import { connectStore, finishSweep, fullOfDrafts, shareCode, startSlowSweep } from './provocations.ts';
import { needing, part } from './sentence.ts';

const full = { limit: 10, drafts: 10 };
const fixed = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'back', editable: false }];

export const errorsOfPasses = part(import.meta.url, '7. Errors: passes and instances', {
  'pass_not_found, 404: No pass with that ID on the account': async (world) => {
    const by = await world.shop();
    for (const passId of [missing('pass'), 'pass_1', 'missing'])
      assertRefused(await by.get(`/passes/${passId}`), 404, 'pass_not_found');
    const issued = await by.post(`/passes/${missing('pass')}/instances`, {});
    assertRefused(issued, 404, 'pass_not_found');
    assertRefused(await processOrder(by, missing('pass')), 404, 'pass_not_found');
  },
  'pass_not_found, 400 when Process Order receives an inactive passId': async (world) => {
    const by = await world.shop();
    for (const { passId } of [await makeDraft(by), await makeArchived(by)])
      assertRefused(await processOrder(by, passId), 400, 'pass_not_found');
  },
  'instance_not_found, 404: No instance matches the instanceId or barcode': async (world) => {
    const by = await world.shop();
    const replies = [
      await by.get(`/instances/${missing('inst')}`),
      await by.get('/instances/inst_1'),
      await by.get(`/instances/lookup?instanceId=${missing('inst')}`),
      await by.get('/instances/lookup?barcode=missing'),
    ];
    for (const reply of replies) assertRefused(reply, 404, 'instance_not_found');
  },
  'pass_archived, 400: An archived pass cannot issue new instances': async (world) => {
    const by = await world.shop();
    const { passId } = await makeArchived(by);
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 400, 'pass_archived');
  },
  'fields_not_editable, 400: The pass has no editable fields': async (world) => {
    const by = await world.shop();
    for (const fields of [fixed, []]) {
      const card = await makeCard(by, (await makePass(by, { fields })).passId);
      assertRefused(await setFields(by, card, { tier: 'Gold' }), 400, 'fields_not_editable');
    }
  },
  'template_owned_field, 400: The key is template-owned (title, details, terms, expiry)': async (world) => {
    const by = await world.shop();
    const card = await makeCard(by, (await makePass(by)).passId);
    for (const key of ['title', 'details', 'terms', 'expiry'])
      assertRefused(await setFields(by, card, { [key]: 'Mine' }), 400, 'template_owned_field');
    assertRefused(await setFields(by, card, { tier: 'Gold', title: 'Mine' }), 400, 'template_owned_field');
    assert.equal(bodyOf(await by.get(`/instances/${card.instanceId}`), 200).fields.tier, 'Bronze');
  },
  'template_owned_field: it is changed for all holders, not per holder': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const pages = [];
    for (let count = 0; count < 2; count++)
      pages.push(new URL((await makeCard(by, passId)).links.add).pathname);
    bodyOf(await by.patch(`/passes/${passId}`, { title: 'Harbour Tea Club' }), 200);
    for (const page of pages) assert.match((await world.bare.get(page)).text, /Harbour Tea Club/);
  },
  'unknown_field_key, 400: The key does not exist on the pass': async (world) => {
    const by = await world.shop();
    const card = await makeCard(by, (await makePass(by)).passId);
    assertRefused(await setFields(by, card, { tier: 'Gold', tire: 'Gold' }), 400, 'unknown_field_key');
    assert.equal(bodyOf(await by.get(`/instances/${card.instanceId}`), 200).fields.tier, 'Bronze');
  },
  'unknown_field_key: the message lists valid keys': async (world) => {
    const by = await world.shop();
    const fields = ['tier', 'seat', 'note'].map((key) => ({ key, label: key, section: 'back' }));
    const card = await makeCard(by, (await makePass(by, { fields })).passId);
    const { error } = (await setFields(by, card, { tire: 'Gold' })).body;
    for (const key of ['tier', 'seat', 'note']) assert.match(error, new RegExp(`\\b${key}\\b`));
  },
  "fields_update_unsupported, 409: The holder's card predates per-holder addressing or ownership tracking, so per-holder values are impossible":
    async (world) => {
      const by = await world.shop();
      const card = await importCard(by, (await makePass(by)).passId);
      assertRefused(await setFields(by, card, { tier: 'Gold' }), 409, 'fields_update_unsupported');
      assert.equal(bodyOf(await by.get(`/instances/${card.instanceId}`), 200).fields.tier, 'Bronze');
    },
  'fields_update_unsupported: so is clearing one with null': async (world) => {
    const by = await world.shop();
    const card = await importCard(by, (await makePass(by)).passId);
    assertRefused(await setFields(by, card, { tier: null }), 409, 'fields_update_unsupported');
  },
  'fields_update_unsupported: re-adding the pass creates an addressable card': async (world) => {
    const by = await world.shop();
    const card = await importCard(by, (await makePass(by)).passId);
    await world.install(card);
    assert.equal(bodyOf(await setFields(by, card, { tier: 'Gold' }), 200).fields.tier, 'Gold');
  },
  "pool_exhausted, 409: No barcodes remain in the pass's pool": async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by, { barcode: { mode: 'pool' } });
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 409, 'pool_exhausted');
    bodyOf(await by.post(`/passes/${passId}/barcodes`, { barcodes: ['A-1'] }), 200);
    await makeCard(by, passId);
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 409, 'pool_exhausted');
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).counts.issued, 1);
  },
  'draft_limit_reached, 409: POST /passes on an entry-plan workspace already holding 10 drafts; body has limit and drafts':
    async (world) => {
      assertRefused(await postPass((await fullOfDrafts(world)).by), 409, 'draft_limit_reached', full);
    },
  'draft_limit_reached, 409: a clone on such a workspace; body has limit and drafts': async (world) => {
    const { by, path } = await fullOfDrafts(world);
    assertRefused(await by.post(`${path}/clone`, {}), 409, 'draft_limit_reached', full);
  },
  'draft_limit_reached, 409: PATCH status draft on such a workspace; body has limit and drafts': async (
    world,
  ) => {
    const { by, path } = await fullOfDrafts(world);
    assertRefused(await by.patch(path, { status: 'draft' }), 409, 'draft_limit_reached', full);
  },
  'ambiguous_barcode, 409: A shared Simple-mode code matches several instances; body has matchCount': async (
    world,
  ) => {
    const by = await world.shop();
    const { passId, lookUp } = await shareCode(by);
    assertRefused(await lookUp(), 409, 'ambiguous_barcode', { matchCount: 2 });
    await makeCard(by, passId);
    assertRefused(await lookUp(), 409, 'ambiguous_barcode', { matchCount: 3 });
  },
  'ambiguous_barcode: and how to disambiguate': async (world) => {
    const by = await world.shop();
    const { value, cards, lookUp } = await shareCode(by);
    const [{ instanceId }] = cards;
    assert.match((await lookUp()).body.error, /instanceId/);
    const found = await by.get(`/instances/lookup?barcode=${value}&instanceId=${instanceId}`);
    assert.equal(bodyOf(found, 200).instanceId, instanceId);
  },
  'pass_not_active, 409: The action needs a published pass (for example inviting store customers to a draft)':
    async (world) => {
      const by = await world.shop();
      const { passId } = await makeDraft(by);
      assertRefused(await by.post(`/passes/${passId}/invites/sweep`), 409, 'pass_not_active');
      const invite = await by.post(`/passes/${passId}/invites`, { email: 'ada@example.com' });
      assertRefused(invite, 409, 'pass_not_active');
      assertRefused(await by.post(`/passes/${passId}/instances`, {}), 409, 'pass_not_active');
    },
  'sweep_running, 409: An invite sweep for existing customers is already running for this pass': needing(
    'store',
    async (world) => {
      const { by, store, sweep } = await startSlowSweep(world);
      const { status, body } = await by.post(sweep, {});
      assert.deepEqual([status, body.code, body.state.running], [409, 'sweep_running', true]);
      await finishSweep(by, store, sweep);
    },
  ),
  'sweep_failed, 502: reason is store_not_connected': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const refused = await by.post(`/passes/${passId}/invites/sweep`, {});
    assertRefused(refused, 502, 'sweep_failed', { reason: 'store_not_connected' });
  },
  "sweep_failed, 502: The store's customers could not be read or invited; reason is an error from the store platform":
    needing('store', async (world) => {
      const { by, store, sweep } = await connectStore(world);
      store.uninstall();
      const refused = await by.post(sweep, {});
      const { reason } = refused.body;
      assertRefused(refused, 502, 'sweep_failed', { reason });
      assert.match(reason, /^[a-z_]+$/);
      assert.notEqual(reason, 'store_not_connected');
      assert.equal((await by.get(sweep)).status, 404, 'no sweep has begun');
    }),
});
