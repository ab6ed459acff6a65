import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertRefused, bodyOf, type Caller } from './caller.ts';
import {
  accountOf,
  earn,
  inStamps,
  makeCard,
  makeDraft,
  makeMember,
  makePass,
  makeProgram,
  missing,
  postProgram,
  processOrder,
  redeem,
  setProgram,
} from './makings.ts';
import { redeemTooEarly, redeemTooMuch } from './provocations.ts';
import { part } from './sentence.ts';

export const errorsOfLoyalty = part(import.meta.url, '7. Errors: loyalty and partners', {
  'holder_not_found, 404: No loyalty holder matches the identifier': async (world) => {
    const member = await makeMember(await world.shop());
    const missingHolder = { ...member, identifier: 'missing' };
    const replies = [
      await earn(missingHolder, 1),
      await redeem(missingHolder),
      await member.by.get(`/loyalty/holders/missing?passId=${member.passId}`),
    ];
    for (const reply of replies) assertRefused(reply, 404, 'holder_not_found');
  },
  'no_reward_pending, 409: POST /loyalty/redeem on a membership card with a loyalty program and no pending reward':
    async (world) => {
      const { refused, extras } = await redeemTooEarly(world);
      assertRefused(refused, 409, 'no_reward_pending', extras);
    },
  'no_reward_pending: body has balance and threshold': async (world) => {
    const { refused } = await redeemTooEarly(world);
    assert.deepEqual([refused.body.balance, refused.body.threshold], [3, 10]);
  },
  'no_reward_pending: rewards unlock at the threshold': async (world) => {
    const member = await makeMember(await world.shop(), { ...inStamps, threshold: 2 });
    assert.equal(bodyOf(await earn(member, 1), 200).pendingRewards, 0);
    assert.equal((await redeem(member)).body.code, 'no_reward_pending');
    assert.equal(bodyOf(await earn(member, 1), 200).pendingRewards, 1);
    bodyOf(await redeem(member), 200);
    assertRefused(await redeem(member), 409, 'no_reward_pending', { balance: 0, threshold: 2 });
  },
  'no_reward_pending: and are earned via POST /loyalty/points': async (world) => {
    const { member, refused } = await redeemTooEarly(world);
    assert.match(refused.body.error, /POST \/loyalty\/points/);
    bodyOf(await earn(member, 7), 200);
    bodyOf(await redeem(member), 200);
  },
  'insufficient_points, 409: POINTS balance below the reward cost on POST /loyalty/redeem': async (world) => {
    const { member, refused, extras } = await redeemTooMuch(world);
    assertRefused(refused, 409, 'insufficient_points', extras);
    bodyOf(await earn(member, 1), 200);
    bodyOf(await redeem(member), 200);
  },
  'insufficient_points: body has balance and cost': async (world) => {
    const { refused } = await redeemTooMuch(world);
    assert.deepEqual([refused.body.balance, refused.body.cost], [9, 10]);
  },
  'insufficient_points: nothing deducted': async (world) => {
    const { member } = await redeemTooMuch(world);
    assert.equal((await accountOf(member)).balance, 9);
    const entries = await member.by.get(`/loyalty/entries?instanceId=${member.card.instanceId}`);
    assert.deepEqual(
      bodyOf(entries, 200).data.map(({ kind, points }: { kind: string; points: number }) => [kind, points]),
      [['earn', 9]],
    );
  },
  'pass_already_dynamic, 409: POST /loyalty/programs on a pass that already has a program': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const { programId } = await makeProgram(by, passId);
    assertRefused(await postProgram(by, passId), 409, 'pass_already_dynamic');
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).programId, programId);
  },
  'pass_already_dynamic: use PATCH /loyalty/programs/{programId}': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const { programId } = await makeProgram(by, passId);
    assert.match((await postProgram(by, passId)).body.error, /PATCH \/loyalty\/programs\//);
    bodyOf(await by.patch(`/loyalty/programs/${programId}`, { threshold: 5 }), 200);
  },
  'program_state_conflict, 422: PATCH of a program: launch without a published pass (reason publish_pass_first)':
    async (world) => {
      const by = await world.shop();
      const { programId } = await makeProgram(by, (await makeDraft(by)).passId);
      const refused = await by.patch(`/loyalty/programs/${programId}`, { status: 'active' });
      assertRefused(refused, 422, 'program_state_conflict', { reason: 'publish_pass_first' });
    },
  'program_state_conflict, 422: PATCH of a program: pause without an active program (reason pause_requires_active)':
    async (world) => {
      const by = await world.shop();
      const { programId } = await makeProgram(by, (await makePass(by)).passId);
      const refused = await by.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
      assertRefused(refused, 422, 'program_state_conflict', { reason: 'pause_requires_active' });
    },
  'partner_not_found, 404: No partner with that id in this workspace': async (world) => {
    const member = await makeMember(await world.shop());
    const { by, passId } = member;
    const partnerId = missing('part');
    const replies = [
      await by.get(`/partners/${partnerId}`),
      await by.patch(`/partners/${partnerId}`, { name: 'Harbour' }),
      await by.delete(`/partners/${partnerId}`),
      await by.post(`/passes/${passId}/instances`, { partnerId }),
      await earn(member, 1, { partnerId }),
      await redeem(member, { partnerId }),
      await processOrder(by, passId, { partnerId }),
    ];
    for (const reply of replies) assertRefused(reply, 404, 'partner_not_found');
  },
  'no_loyalty_program, 400: Points operation on a pass without a loyalty program': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    await assertNeitherEarnsNorRedeems(by, passId, 'no_loyalty_program');
  },
  'program_inactive, 400: The program exists but is not active': async (world) => {
    const member = await makeMember(await world.shop());
    await setProgram(member.by, member.programId, 'paused');
    for (const reply of [await earn(member, 1), await redeem(member)])
      assertRefused(reply, 400, 'program_inactive');
    await setProgram(member.by, member.programId, 'active');
    bodyOf(await earn(member, 1), 200);
  },
  'program_not_launched, 400: The program has not been launched': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    await makeProgram(by, passId);
    await assertNeitherEarnsNorRedeems(by, passId, 'program_not_launched');
  },
});

/** Fails unless a new card of the pass is refused points and rewards with this code. */
async function assertNeitherEarnsNorRedeems(by: Caller, passId: string, code: string): Promise<void> {
  const identifier = randomUUID();
  await makeCard(by, passId, { holder: { identifier } });
  assertRefused(await by.post('/loyalty/points', { passId, identifier, points: 1 }), 400, code);
  assertRefused(await by.post('/loyalty/redeem', { passId, identifier }), 400, code);
}
