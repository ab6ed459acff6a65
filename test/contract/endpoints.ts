import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertRefused, bodyOf, extrasOf } from './caller.ts';
import {
  accountOf,
  earn,
  inPoints,
  makeCard,
  makeMember,
  makePass,
  makeProgram,
  missing,
  postPass,
  postProgram,
  processOrder,
  redeem,
  setFields,
  setProgram,
  setStatus,
} from './makings.ts';
import {
  connectStore,
  finishSweep,
  fullOfDrafts,
  postLogo,
  redeemTooEarly,
  redeemTooMuch,
} from './provocations.ts';
import { needing, part } from './sentence.ts';

export const endpoints = part(import.meta.url, '4. Endpoints', {
  'POST /passes creates a pass': async (world) => {
    const by = await world.shop();
    const { passId, title } = bodyOf(await postPass(by, { title: 'Tea Club' }), 201);
    assert.equal(title, 'Tea Club');
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).title, 'Tea Club');
  },
  'POST /passes may fail with draft_limit_reached': async (world) => {
    const { by } = await fullOfDrafts(world);
    extrasOf(await postPass(by), 409, 'draft_limit_reached');
  },
  'POST /passes may fail with asset_fetch_failed': async (world) => {
    const refused = await postLogo(await world.shop(), 'https://localhost/logo.png');
    extrasOf(refused, 422, 'asset_fetch_failed');
  },
  'POST /passes may fail with payload_too_large': needing('image host', async (world) => {
    const refused = await postLogo(await world.shop(), world.outside.url('/too-heavy.png'));
    extrasOf(refused, 413, 'payload_too_large');
  }),
  'POST /loyalty/points awards points': async (world) => {
    const member = await makeMember(await world.shop(), inPoints);
    assert.equal(bodyOf(await earn(member, 7), 200).balance, 7);
    assert.equal((await accountOf(member)).balance, 7);
  },
  'POST /loyalty/points requires a pass with an active, launched loyalty program': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const identifier = randomUUID();
    await makeCard(by, passId, { holder: { identifier } });
    const award = () => by.post('/loyalty/points', { passId, identifier, points: 1 });
    assertRefused(await award(), 400, 'no_loyalty_program');
    const { programId } = await makeProgram(by, passId);
    assertRefused(await award(), 400, 'program_not_launched');
    await setProgram(by, programId, 'active');
    bodyOf(await award(), 200);
    await setProgram(by, programId, 'paused');
    assertRefused(await award(), 400, 'program_inactive');
  },
  'POST /loyalty/points accepts externalRef for idempotency': async (world) => {
    const member = await makeMember(await world.shop(), inPoints);
    const once = { externalRef: randomUUID() };
    const first = bodyOf(await earn(member, 7, once), 200);
    assert.deepEqual(bodyOf(await earn(member, 7, once), 200), first);
    assert.equal((await accountOf(member)).balance, 7);
    bodyOf(await earn(member, 7, { externalRef: randomUUID() }), 200);
    assert.equal((await accountOf(member)).balance, 14);
  },
  'POST /loyalty/redeem redeems a reward on a membership card with a loyalty program': async (world) => {
    const member = await makeMember(await world.shop(), inPoints);
    bodyOf(await earn(member, 12), 200);
    const redeemed = bodyOf(await redeem(member), 200);
    assert.deepEqual([redeemed.rewardTitle, redeemed.spent, redeemed.balance], ['Free coffee', 10, 2]);
  },
  'POST /loyalty/redeem fails with no_reward_pending': async (world) => {
    const { refused, extras } = await redeemTooEarly(world);
    assertRefused(refused, 409, 'no_reward_pending', extras);
  },
  'POST /loyalty/redeem fails with insufficient_points': async (world) => {
    const { refused, extras } = await redeemTooMuch(world);
    assertRefused(refused, 409, 'insufficient_points', extras);
  },
  'a failed redeem deducts nothing': async (world) => {
    const [stamps, points] = [await redeemTooEarly(world), await redeemTooMuch(world)];
    assert.equal((await accountOf(stamps.member)).balance, 3);
    assert.equal((await accountOf(points.member)).balance, 9);
  },
  'POST /loyalty/programs creates a loyalty program on a pass': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const { programId } = bodyOf(await postProgram(by, passId), 201);
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).programId, programId);
  },
  'POST /loyalty/programs fails with pass_already_dynamic if the pass already has one': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    await makeProgram(by, passId);
    assertRefused(await postProgram(by, passId), 409, 'pass_already_dynamic');
  },
  'PATCH /loyalty/programs/{programId} updates a program': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    const path = `/loyalty/programs/${programId}`;
    assert.equal(bodyOf(await by.patch(path, { threshold: 12 }), 200).threshold, 12);
    assert.equal(bodyOf(await by.get(path), 200).threshold, 12);
  },
  'PATCH /loyalty/programs/{programId}: including launching and pausing': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    for (const status of ['active', 'paused']) {
      const changed = await by.patch(`/loyalty/programs/${programId}`, { status });
      assert.equal(bodyOf(changed, 200).status, status);
    }
  },
  'PATCH /loyalty/programs/{programId} fails with program_state_conflict': async (world) => {
    const by = await world.shop();
    const { programId } = await makeProgram(by, (await makePass(by)).passId);
    const refused = await by.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
    extrasOf(refused, 422, 'program_state_conflict');
  },
  'issue an instance (idempotent)': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const once = { externalRef: randomUUID() };
    const first = await makeCard(by, passId, once);
    assert.deepEqual(await makeCard(by, passId, once), first);
    assert.equal(bodyOf(await by.get(`/passes/${passId}`), 200).counts.issued, 1);
  },
  'clone a pass': async (world) => {
    const by = await world.shop();
    const { passId, fields } = await makePass(by);
    const clone = bodyOf(await by.post(`/passes/${passId}/clone`, { title: 'Another' }), 201);
    assert.notEqual(clone.passId, passId);
    assert.deepEqual([clone.title, clone.status, clone.fields], ['Another', 'draft', fields]);
  },
  'change a pass status (a status value draft exists)': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    assert.equal((await setStatus(by, passId, 'draft')).status, 'draft');
    assertRefused(await by.patch(`/passes/${passId}`, { status: 'drafty' }), 400, 'invalid_request');
  },
  'Process Order (idempotent, takes a passId)': async (world) => {
    const member = await makeMember(await world.shop());
    const order = { orderId: randomUUID(), customer: { id: member.identifier } };
    const first = bodyOf(await processOrder(member.by, member.passId, order), 200);
    assert.equal(first.instanceId, member.card.instanceId);
    assert.deepEqual(bodyOf(await processOrder(member.by, member.passId, order), 200), first);
    assert.equal((await accountOf(member)).lifetimePoints, first.pointsAwarded);
    assertRefused(await processOrder(member.by, missing('pass')), 404, 'pass_not_found');
  },
  'update per-holder field values (keyed by field key)': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const [ada, bob] = [await makeCard(by, passId), await makeCard(by, passId)];
    assert.equal(bodyOf(await setFields(by, ada, { tier: 'Gold' }), 200).fields.tier, 'Gold');
    assert.equal(bodyOf(await by.get(`/instances/${bob.instanceId}`), 200).fields.tier, 'Bronze');
  },
  'invite existing store customers': needing('store', async (world) => {
    const { by, store, sweep } = await connectStore(world);
    assert.equal(bodyOf(await by.post(sweep, { dryRun: true }), 202).state.running, true);
    assert.equal((await finishSweep(by, store, sweep)).state.found, 20);
  }),
  'upload barcodes': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by, { barcode: { mode: 'pool' } });
    const uploaded = await by.post(`/passes/${passId}/barcodes`, { barcodes: ['A-1', 'A-2', 'A-1'] });
    const { received, added, pool } = bodyOf(uploaded, 200);
    assert.deepEqual([received, added, pool.available], [3, 2, 2]);
  },
  'look up instances by instanceId or barcode': async (world) => {
    const by = await world.shop();
    const { instanceId, barcode } = await makeCard(by, (await makePass(by)).passId);
    const found = [
      await by.get(`/instances/lookup?instanceId=${instanceId}`),
      await by.get(`/instances/lookup?barcode=${barcode}`),
      await by.get(`/instances/${instanceId}`),
    ];
    for (const reply of found) assert.equal(bodyOf(reply, 200).instanceId, instanceId);
  },
});

export const commonRules = part(import.meta.url, '4. Endpoints: rules common to all operations', {
  'Every response carries an X-Request-Id header': async (world) => {
    const by = await world.shop();
    const card = await makeCard(by, (await makePass(by)).passId);
    const page = new URL(card.links.add).pathname;
    // The caller refuses every response without it: here are those that no operation answers, and pages.
    const replies = [
      await world.bare.get('/healthz'),
      await world.bare.get('/openapi.json'),
      await world.bare.get(page),
      await world.bare.get(`${page}/qr.svg`),
      await world.bare.get('/no/such/path'),
      await world.anyone.get('/me'),
      await by.delete('/me'),
      await by.post('/passes', '{'),
      await by.post('/passes', 'a', { headers: { 'content-type': 'text/plain' } }),
    ];
    const ids = replies.map(({ headers }) => headers.get('x-request-id'));
    assert.equal(new Set(ids).size, replies.length);
  },
  'A client may send X-Request-Id with any request': async (world) => {
    const by = await world.shop();
    const sent = { headers: { 'x-request-id': `till-4.${randomUUID()}` } };
    const replies = [
      await by.get('/me', sent),
      await by.post('/partners', { name: 'Harbour' }, sent),
      await by.post('/passes', {}, sent),
      await world.anyone.get('/me', sent),
      await world.bare.get('/healthz', sent),
      await world.bare.get('/no/such/path', sent),
    ];
    for (const { headers } of replies)
      assert.equal(headers.get('x-request-id'), sent.headers['x-request-id']);
  },
  "at most 64 characters, from letters, digits, '.', '_', '-'": async (world) => {
    for (const id of ['a', 'Z'.repeat(64), '0123456789', 'a.b_c-d', '.', '_', '-'])
      assert.equal(await idFor(id), id);
    for (const id of ['a'.repeat(65), 'a b', 'a/b', 'a:b', 'é', 'a,b', '"a"', '{}', 'a;b', '<b>'])
      assert.notEqual(await idFor(id), id);

    async function idFor(id: string): Promise<string | null> {
      const { headers } = await world.anyone.get('/me', { headers: { 'x-request-id': id } });
      return headers.get('x-request-id');
    }
  },
  'The service records it': needing('its own service', async (world) => {
    const id = `recorded-${randomUUID()}`;
    await world.anyone.get('/me', { headers: { 'x-request-id': id } });
    const [line, ...others] = (await world.own.logged(id, 1)).map((text) => JSON.parse(text));
    assert.deepEqual([line.requestId, line.status, others.length], [id, 401, 0]);
  }),
  'The service echoes it': async (world) => {
    const id = randomUUID();
    const { headers, body } = await world.anyone.get('/me', { headers: { 'x-request-id': id } });
    assert.deepEqual([headers.get('x-request-id'), body.requestId], [id, id]);
  },
  'when it is absent the service generates one': async (world) => {
    const ids = [];
    for (let count = 0; count < 5; count++)
      ids.push((await world.anyone.get('/me')).headers.get('x-request-id'));
    assert.equal(new Set(ids).size, 5);
    for (const id of ids) assert.match(id ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  },
});
