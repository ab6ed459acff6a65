import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, bodyOf, type Reply, secondsOf } from './caller.ts';
import {
  accountOf,
  earn,
  inPoints,
  makeCard,
  makeKey,
  makeMember,
  makePass,
  postPass,
  processOrder,
  redeem,
  setFields,
} from './makings.ts';
import { exceedRate, loseCommit } from './provocations.ts';
import { needing, part } from './sentence.ts';
import type { World } from './world.ts';

export const retryRules = part(import.meta.url, '7. Errors: retry rules', {
  'HTTP 202: the update was applied but the wallet push was skipped for lack of credits (pushed false, pushSkipReason insufficient_credits, plus a warnings entry)':
    async (world) => {
      const { by } = await world.newWorkspace('pro', 0);
      const card = await makeCard(by, (await makePass(by)).passId);
      await world.install(card);
      const skipped = bodyOf(await setFields(by, card, { tier: 'Gold' }), 202);
      assert.deepEqual([skipped.pushed, skipped.pushSkipReason], [false, 'insufficient_credits']);
      assert.equal(skipped.warnings.length, 1);
      assert.equal(bodyOf(await by.get(`/instances/${card.instanceId}`), 200).fields.tier, 'Gold');
      assert.equal(bodyOf(await by.get('/credits'), 200).balance, 0);
    },
  'After topping up credits, re-send to deliver': async (world) => {
    const { workspaceId, by } = await world.newWorkspace('pro', 0);
    const card = await makeCard(by, (await makePass(by)).passId);
    await world.install(card);
    bodyOf(await setFields(by, card, { tier: 'Gold' }), 202);
    await world.topUp(workspaceId, 5);
    const sent = bodyOf(await setFields(by, card, { tier: 'Gold' }), 200);
    assert.deepEqual([sent.pushed, 'warnings' in sent], [true, false]);
  },
  '(with a fresh externalRef where externalRef is used)': async (world) => {
    const { workspaceId, by } = await world.newWorkspace('pro', 0);
    const card = await makeCard(by, (await makePass(by)).passId);
    await world.install(card);
    const [used, fresh] = [{ externalRef: randomUUID() }, { externalRef: randomUUID() }];
    const skipped = bodyOf(await setFields(by, card, { tier: 'Gold' }, used), 202);
    await world.topUp(workspaceId, 5);
    assert.deepEqual(bodyOf(await setFields(by, card, { tier: 'Gold' }, used), 202), skipped);
    assert.equal(bodyOf(await setFields(by, card, { tier: 'Gold' }, fresh), 200).pushed, true);
  },
  'Any 4xx: do not retry unchanged': async (world) => {
    const member = await makeMember(await world.shop(), inPoints);
    const calls = [
      () => redeem(member),
      () => postPass(member.by, { type: 'season ticket' }),
      () => setFields(member.by, member.card, { tire: 'Gold' }, { externalRef: randomUUID() }),
      () => earn({ ...member, identifier: 'nobody' }, 1, { externalRef: 'kept-for-no-refusal' }),
    ];
    for (const call of calls) {
      const [first, second] = [await call(), await call()];
      assert.ok(first.status >= 400 && first.status < 500, first.text);
      assert.deepEqual([second.status, second.body.code], [first.status, first.body.code]);
    }
    assert.equal((await accountOf(member)).balance, 0);
    // Changed, with the same externalRef: a refusal keeps none.
    bodyOf(await earn(member, 1, { externalRef: 'kept-for-no-refusal' }), 200);
  },
  'Exceptions: insufficient_credits (retry after topping up)': async (world) => {
    const { workspaceId, by } = await world.newWorkspace('pro', 0);
    const card = await makeCard(by, (await makePass(by)).passId);
    await world.install(card);
    const send = () => by.post(`/passes/${card.passId}/messages`, { text: 'Hello' });
    assertRefused(await send(), 402, 'insufficient_credits');
    await world.topUp(workspaceId, 1);
    assert.equal(bodyOf(await send(), 202).recipients, 1);
  },
  'Exceptions: rate_limited (retry with backoff, honoring Retry-After)': async (world) => {
    const { holder } = await makeKey(await world.shop(), { rateLimit: 1 });
    const refused = await exceedRate(holder);
    await sleep(secondsOf(refused) * 1_000);
    assert.equal((await holder.get('/me', { impatient: true })).status, 200);
  },
  '500 with retryable: true: safe to retry': needing('its own service', async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const issue = () => by.post(`/passes/${passId}/instances`, {});
    const lost = await world.own.withoutDatabase(issue);
    assertRefused(lost, 500, 'internal_error', { retryable: true });
    bodyOf(await issue(), 201);
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).counts.issued, 1, 'the first did nothing');
  }),
  'The operation released its claim': needing('its own service', async (world) => {
    const member = await makeMember(await world.shop(), inPoints);
    const once = { externalRef: randomUUID() };
    const lost = await world.own.withoutDatabase(() => earn(member, 5, once));
    assertRefused(lost, 500, 'internal_error', { retryable: true });
    // Neither stuck under way, nor taken for another effect.
    assert.equal(bodyOf(await earn(member, 6, once), 200).balance, 6);
  }),
  'idempotent operations return the original result and do not apply twice: issue': needing(
    'its own service',
    async (world) => {
      const by = await world.shop();
      const { passId } = await makePass(by, { barcode: { mode: 'pool' } });
      const barcodes = Array.from({ length: 100 }, (_, count) => `A-${count}`);
      bodyOf(await by.post(`/passes/${passId}/barcodes`, { barcodes }), 200);
      const { repeats, others } = await retryAfterLoss(world, (externalRef) =>
        by.post(`/passes/${passId}/instances`, { externalRef }),
      );
      const [first, second] = repeats.map((reply) => bodyOf(reply, 201));
      assert.deepEqual(second, first);
      const { counts, pool } = bodyOf(await by.get(`/passes/${passId}`), 200);
      assert.deepEqual([counts.issued, pool.assigned], [others + 1, others + 1]);
    },
  ),
  'idempotent operations return the original result and do not apply twice: points with externalRef': needing(
    'its own service',
    async (world) => {
      const member = await makeMember(await world.shop(), inPoints);
      const { repeats, others } = await retryAfterLoss(world, (externalRef) =>
        earn(member, 5, { externalRef }),
      );
      const [first, second] = repeats.map((reply) => bodyOf(reply, 200));
      assert.deepEqual(second, first);
      assert.equal((await accountOf(member)).balance, (others + 1) * 5);
    },
  ),
  'idempotent operations return the original result and do not apply twice: Process Order': needing(
    'its own service',
    async (world) => {
      const member = await makeMember(await world.shop(), inPoints);
      const customer = { id: member.identifier };
      const { repeats, others } = await retryAfterLoss(world, (orderId) =>
        processOrder(member.by, member.passId, { orderId, customer }),
      );
      const [first, second] = repeats.map((reply) => bodyOf(reply, 200));
      assert.deepEqual(second, first);
      assert.equal((await accountOf(member)).balance, (others + 1) * 10);
    },
  ),
  '500 without retryable: not retried': needing('its own service', async (world) => {
    const { body } = await loseUnprotected(world);
    assert.deepEqual([body.code, 'retryable' in body], ['internal_error', false]);
  }),
  'the request details (including requestId) go to support': needing('its own service', async (world) => {
    const { body } = await loseUnprotected(world);
    const lines = (await world.own.logged(body.requestId, 2)).map((line) => JSON.parse(line));
    const answered = lines.find((line) => line.status === 500);
    assert.deepEqual(
      [answered.op, answered.method, answered.code],
      ['createPartner', 'POST', 'internal_error'],
    );
    assert.ok(answered.keyId && answered.workspaceId && answered.time, 'who asked, and when');
    assert.ok(
      lines.some((line) => line.err !== undefined),
      'and why it failed',
    );
  }),
});

/**
 * Sends with fresh references until the answer to one gets lost after it was committed; then twice more with that
 * one. `others` is how many were answered before.
 */
async function retryAfterLoss(
  world: World,
  send: (ref: string) => Promise<Reply>,
): Promise<{ repeats: [Reply, Reply]; others: number }> {
  let ref = '';
  let sent = 0;
  const lost = await loseCommit(world, () => {
    ref = randomUUID();
    sent += 1;
    return send(ref);
  });
  assertRefused(lost, 500, 'internal_error', { retryable: true });
  return { repeats: [await send(ref), await send(ref)], others: sent - 1 };
}

/** A change without a key that keeps it from being done twice, whose COMMIT got no answer. */
async function loseUnprotected(world: World): Promise<Reply> {
  const by = await world.shop();
  return loseCommit(world, () => by.post('/partners', { name: 'Harbour' }));
}
