import assert from 'node:assert/strict';
import { bodyOf, extrasOf, type Reply } from './caller.ts';
import {
  accountOf,
  earn,
  inPoints,
  makeCard,
  makeMember,
  makePass,
  makeProgram,
  missing,
  processOrder,
  redeem,
  setFields,
} from './makings.ts';
import {
  finishSweep,
  fullOfDrafts,
  postLogo,
  redeemTooEarly,
  redeemTooMuch,
  shareCode,
  startSlowSweep,
} from './provocations.ts';
import { needing, part } from './sentence.ts';
import type { World } from './world.ts';

export const errorBody = part(import.meta.url, '2. Resources and their fields: the error body', {
  'error: string, always; human-readable': async (world) => {
    for (const { body } of await variousErrors(world)) assert.match(body.error, /^\S.*[.!?]$/s);
  },
  'error may be reworded and is never matched on: the code alone distinguishes refusals': async (world) => {
    const replies = await variousErrors(world);
    const codes = replies.map(({ body }) => body.code);
    assert.equal(new Set(codes).size, codes.length);
    const { properties } = bodyOf(await world.bare.get('/openapi.json'), 200).components.schemas.Error;
    assert.deepEqual([properties.error.type, 'enum' in properties.error], ['string', false]);
  },
  'code: string, always; stable machine-readable code (see Errors)': async (world) => {
    for (const { body } of await variousErrors(world)) assert.match(body.code, /^[a-z]+(_[a-z]+)*$/);
  },
  'requestId: string, always; equals the X-Request-Id response header': async (world) => {
    for (const { body, headers } of await variousErrors(world))
      assert.equal(body.requestId, headers.get('x-request-id'));
  },
  'Extra context fields appear only on some codes': async (world) => {
    for (const { body } of await variousErrors(world)) {
      const { problems: _, ...others } = body;
      assert.deepEqual(Object.keys(others).sort(), ['code', 'error', 'requestId']);
      // An addition of ours, which every invalid_request has.
      assert.equal(Array.isArray(body.problems), body.code === 'invalid_request');
    }
  },
  'matchCount appears on ambiguous_barcode': async (world) => {
    const { lookUp } = await shareCode(await world.shop());
    assert.deepEqual(extrasOf(await lookUp(), 409, 'ambiguous_barcode'), { matchCount: 2 });
  },
  'balance, threshold appear on no_reward_pending': async (world) => {
    const { refused, extras } = await redeemTooEarly(world);
    assert.deepEqual(extrasOf(refused, 409, 'no_reward_pending'), extras);
  },
  'balance, cost appear on insufficient_points': async (world) => {
    const { refused, extras } = await redeemTooMuch(world);
    assert.deepEqual(extrasOf(refused, 409, 'insufficient_points'), extras);
  },
  'limit, drafts appear on draft_limit_reached': async (world) => {
    const { by, path } = await fullOfDrafts(world);
    const refused = await by.patch(path, { status: 'draft' });
    assert.deepEqual(extrasOf(refused, 409, 'draft_limit_reached'), { limit: 10, drafts: 10 });
  },
  'slot, reason appear on asset_fetch_failed': async (world) => {
    const refused = await postLogo(await world.shop(), 'http://example.com/logo.png');
    const extras = { slot: 'logoUrl', reason: 'invalid_url' };
    assert.deepEqual(extrasOf(refused, 422, 'asset_fetch_failed'), extras);
  },
  'reason appears on program_state_conflict': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    const refused = await by.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
    const extras = { reason: 'pause_requires_active' };
    assert.deepEqual(extrasOf(refused, 422, 'program_state_conflict'), extras);
  },
  'reason appears on sweep_failed': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const refused = await by.post(`/passes/${passId}/invites/sweep`);
    assert.deepEqual(extrasOf(refused, 502, 'sweep_failed'), { reason: 'store_not_connected' });
  },
  'retryable (boolean true) appears on internal_error, only when a retry is safe': needing(
    'its own service',
    async (world) => {
      const by = await world.shop();
      const { passId } = await makePass(by);
      await world.own.withoutDatabase(async () => {
        const lost = await by.post(`/passes/${passId}/instances`, {});
        assert.deepEqual(extrasOf(lost, 500, 'internal_error'), { retryable: true });
      });
    },
  ),
  'state.running: sweep state for invite sweeps; clears when the sweep finishes': needing(
    'store',
    async (world) => {
      const { by, store, sweep, started } = await startSlowSweep(world);
      assert.equal(started.state.running, true);
      const { state, ...others } = extrasOf(await by.post(sweep), 409, 'sweep_running');
      assert.deepEqual([state.running, others], [true, {}]);
      assert.equal((await finishSweep(by, store, sweep)).state.running, false);
    },
  ),
});

/** The answers to errors of several kinds, met on different ways through the service. */
async function variousErrors(world: World): Promise<Reply[]> {
  const by = await world.shop();
  const card = await world.once('a card', async () => makeCard(by, (await makePass(by)).passId));
  const stranger = await world.stranger();
  const replies = [
    await world.anyone.get('/me'),
    await world.anyone.as('missing').get('/me'),
    await by.get('/nothing/here'),
    await by.delete('/me'),
    await by.post('/passes', '{"title":'),
    await by.get(`/passes/${missing('pass')}`),
    await by.get(`/instances/${missing('inst')}`),
    await stranger.get(`/instances/${card.instanceId}`),
    await setFields(by, card, { tire: 'Gold' }),
  ];
  for (const { status, text } of replies) assert.ok(status >= 400, text);
  return replies;
}

export const skippedDelivery = part(
  import.meta.url,
  '2. Resources and their fields: update response when delivery is skipped (HTTP 202)',
  {
    'HTTP 202 when delivery is skipped': async (world) => {
      assert.equal((await updateWithoutCredits(world)).skipped.status, 202);
    },
    'pushed is false': async (world) => {
      assert.equal((await updateWithoutCredits(world)).skipped.body.pushed, false);
    },
    'pushSkipReason is insufficient_credits': async (world) => {
      assert.equal((await updateWithoutCredits(world)).skipped.body.pushSkipReason, 'insufficient_credits');
    },
    'warnings is an array with an entry describing the skip': async (world) => {
      const { warnings } = (await updateWithoutCredits(world)).skipped.body;
      assert.ok(Array.isArray(warnings) && warnings.length === 1, JSON.stringify(warnings));
      assert.equal(warnings[0].code, 'insufficient_credits');
      assert.match(warnings[0].message, /credit/);
    },
    'so it is with every update: points, redeem, Process Order, void': async (world) => {
      const { by } = await world.newWorkspace('pro', 1);
      const member = await makeMember(by, inPoints);
      await world.install(member.card);
      bodyOf(await earn(member, 10), 200);
      const customer = { id: member.identifier };
      const skipped = [
        await earn(member, 5),
        await redeem(member),
        await processOrder(by, member.passId, { customer }),
        await by.post(`/instances/${member.card.instanceId}/void`),
      ];
      for (const reply of skipped) {
        const { pushed, pushSkipReason, warnings } = bodyOf(reply, 202);
        assert.deepEqual([pushed, pushSkipReason, warnings.length], [false, 'insufficient_credits', 1]);
      }
      assert.equal((await accountOf(member)).balance, 15, 'all of them were applied');
    },
    'Per-holder field values: a value can be cleared by sending null': async (world) => {
      const by = await world.shop();
      const card = await makeCard(by, (await makePass(by)).passId, { fields: { tier: 'Gold' } });
      assert.equal(card.fields.tier, 'Gold');
      assert.equal(bodyOf(await setFields(by, card, { tier: null }), 200).fields.tier, null);
      assert.equal(bodyOf(await by.get(`/instances/${card.instanceId}`), 200).fields.tier, null);
    },
  },
);

/** A change of a card that a wallet holds, in a workspace without credits. */
function updateWithoutCredits(world: World): Promise<{ skipped: Reply }> {
  return world.once('update without credits', async () => {
    const { by } = await world.newWorkspace('pro', 0);
    const card = await makeCard(by, (await makePass(by)).passId);
    await world.install(card);
    const skipped = await setFields(by, card, { tier: 'Gold' });
    assertApplied(bodyOf(await by.get(`/instances/${card.instanceId}`), 200));
    return { skipped };
  });
}

function assertApplied(card: { fields: { tier: string } }): void {
  assert.equal(card.fields.tier, 'Gold', 'the update was applied');
}
