import assert from 'node:assert/strict';
import { assertRefused, bodyOf } from './caller.ts';
import {
  earn,
  makeArchived,
  makeCard,
  makeDraft,
  makeMember,
  makePass,
  makeProgram,
  postPass,
  processOrder,
  setProgram,
  setStatus,
} from './makings.ts';
import { finishSweep, fullOfDrafts, startSlowSweep } from './provocations.ts';
import { needing, part } from './sentence.ts';
import type { World } from './world.ts';

export const states = part(import.meta.url, '3. States and transitions', {
  'States named for a pass: draft': async (world) => {
    const by = await world.shop();
    const { passId, status } = await makeDraft(by);
    assert.equal(status, 'draft');
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 409, 'pass_not_active');
  },
  'States named for a pass: published': async (world) => {
    const by = await world.shop();
    const { passId, status } = await makePass(by);
    assert.equal(status, 'published');
    await makeCard(by, passId);
  },
  'States named for a pass: archived': async (world) => {
    assert.equal((await makeArchived(await world.shop())).status, 'archived');
  },
  'A pass goes from draft to published and back, to archived, and from there to published or draft': async (
    world,
  ) => {
    const by = await world.shop();
    const { passId } = await makeDraft(by);
    for (const status of ['published', 'draft', 'published', 'archived', 'published', 'archived', 'draft']) {
      assert.equal((await setStatus(by, passId, status)).status, status);
      assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).status, status);
    }
  },
  'archived passes cannot issue new instances': async (world) => {
    const by = await world.shop();
    const { passId, counts } = await makeArchived(by);
    assertRefused(await by.post(`/passes/${passId}/instances`, {}), 400, 'pass_archived');
    assert.deepEqual(bodyOf(await by.get(`/passes/${passId}`), 200).counts, counts);
  },
  'an inactive pass makes Process Order fail': async (world) => {
    const by = await world.shop();
    for (const { passId } of [await makeDraft(by), await makeArchived(by)])
      assertRefused(await processOrder(by, passId), 400, 'pass_not_found');
  },
  'States named for a loyalty program: not launched': async (world) => {
    const by = await world.shop();
    const { status } = await makeProgram(by, (await makePass(by)).passId);
    assert.equal(status, 'not_launched');
  },
  'States named for a loyalty program: launched, active': async (world) => {
    const member = await makeMember(await world.shop());
    const program = bodyOf(await member.by.get(`/loyalty/programs/${member.programId}`), 200);
    assert.equal(program.status, 'active');
    assert.ok(program.launchedAt, 'it says since when it is launched');
    bodyOf(await earn(member, 1), 200);
  },
  'States named for a loyalty program: paused (an existing program that is not active is inactive)': async (
    world,
  ) => {
    const member = await makeMember(await world.shop());
    assert.equal((await setProgram(member.by, member.programId, 'paused')).status, 'paused');
    assertRefused(await earn(member, 1), 400, 'program_inactive');
  },
  'A program goes from not launched to active, to paused and back to active': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    for (const status of ['active', 'paused', 'active'])
      assert.equal((await setProgram(by, programId, status)).status, status);
  },
  'Launching a program requires a published pass': async (world) => {
    const by = await world.shop();
    const { passId } = await makeDraft(by);
    const { programId } = await makeProgram(by, passId);
    const path = `/loyalty/programs/${programId}`;
    await by.patch(path, { status: 'active' });
    assert.equal(bodyOf(await by.get(path), 200).status, 'not_launched');
    await setStatus(by, passId, 'published');
    assert.equal((await setProgram(by, programId, 'active')).status, 'active');
  },
  'otherwise error program_state_conflict with reason publish_pass_first': async (world) => {
    const by = await world.shop();
    for (const { passId } of [await makeDraft(by), await makeArchived(by)]) {
      const { programId } = await makeProgram(by, passId);
      const refused = await by.patch(`/loyalty/programs/${programId}`, { status: 'active' });
      assertRefused(refused, 422, 'program_state_conflict', { reason: 'publish_pass_first' });
    }
  },
  'Pausing a program requires an active program': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    const path = `/loyalty/programs/${programId}`;
    await by.patch(path, { status: 'paused' });
    assert.equal(bodyOf(await by.get(path), 200).status, 'not_launched');
    await setProgram(by, programId, 'active');
    assert.equal((await setProgram(by, programId, 'paused')).status, 'paused');
  },
  'otherwise error program_state_conflict with reason pause_requires_active': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    const pause = () => by.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
    assertRefused(await pause(), 422, 'program_state_conflict', { reason: 'pause_requires_active' });
    await setProgram(by, programId, 'active');
    await setProgram(by, programId, 'paused');
    assertRefused(await pause(), 422, 'program_state_conflict', { reason: 'pause_requires_active' });
  },
  'Setting a pass to draft is refused with draft_limit_reached when an entry-plan workspace already holds 10 drafts':
    async (world) => {
      const { by, path } = await fullOfDrafts(world);
      const extras = { limit: 10, drafts: 10 };
      assertRefused(await by.patch(path, { status: 'draft' }), 409, 'draft_limit_reached', extras);
      assert.equal(bodyOf(await by.get(path), 200).status, 'published');
    },
  'so is creating a pass': async (world) => {
    const { by } = await fullOfDrafts(world);
    const refused = await postPass(by, {});
    assertRefused(refused, 409, 'draft_limit_reached', { limit: 10, drafts: 10 });
    assert.equal(await draftsOf(world), 10);
  },
  'so is cloning a pass': async (world) => {
    const { by, path } = await fullOfDrafts(world);
    const refused = await by.post(`${path}/clone`);
    assertRefused(refused, 409, 'draft_limit_reached', { limit: 10, drafts: 10 });
    assert.equal(await draftsOf(world), 10);
  },
  'higher plans have no draft limit': async (world) => {
    const { workspaceId, by } = await world.newWorkspace('entry');
    const { passId } = await makePass(by);
    for (let count = 0; count < 10; count++) await makeDraft(by);
    bodyOf(await world.operator.patch(`/operator/workspaces/${workspaceId}`, { plan: 'pro' }), 200);
    await makeDraft(by);
    bodyOf(await by.post(`/passes/${passId}/clone`), 201);
    assert.equal((await setStatus(by, passId, 'draft')).status, 'draft');
    assert.equal(bodyOf(await by.get('/me'), 200).workspace.drafts, 13);
  },
  'Invites to store customers require a published pass (pass_not_active)': async (world) => {
    const by = await world.shop();
    for (const { passId } of [await makeDraft(by), await makeArchived(by)])
      assertRefused(await by.post(`/passes/${passId}/invites/sweep`), 409, 'pass_not_active');
  },
  'Only one existing-customer invite sweep may run per pass at a time (sweep_running)': needing(
    'store',
    async (world) => {
      const { by, store, sweep, started } = await startSlowSweep(world);
      const second = await by.post(sweep);
      assert.deepEqual([second.status, second.body.code], [409, 'sweep_running'], second.text);
      const ended = await finishSweep(by, store, sweep);
      assert.equal(ended.sweepId, started.sweepId, 'no other has run');
      bodyOf(await by.post(sweep, { dryRun: true }), 202);
      await finishSweep(by, store, sweep);
    },
  ),
});

async function draftsOf(world: World): Promise<number> {
  const { by } = await fullOfDrafts(world);
  return bodyOf(await by.get('/me'), 200).workspace.drafts;
}
