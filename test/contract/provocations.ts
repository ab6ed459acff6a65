import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { until } from '../wallets.ts';
import { bodyOf, type Caller, type Reply } from './caller.ts';
import { inPoints, inStamps, makeDraft, makeKey, makeMember, makePass, postPass, redeem } from './makings.ts';
import type { World } from './world.ts';

/** A workspace on the entry plan that holds ten drafts, and a published pass in it. */
export function fullOfDrafts(world: World): Promise<{ by: Caller; path: string }> {
  return world.once('full of drafts', async () => {
    const { by } = await world.newWorkspace('entry');
    const { passId } = await makePass(by);
    for (let count = 0; count < 10; count++) await makeDraft(by);
    return { by, path: `/passes/${passId}` };
  });
}

/** A reward asked for with three stamps of ten. */
export async function redeemTooEarly(world: World) {
  const member = await makeMember(await world.shop(), inStamps);
  bodyOf(await member.by.post('/loyalty/points', { ...targetOf(member), points: 3 }), 200);
  return { member, refused: await redeem(member), extras: { balance: 3, threshold: 10 } };
}

/** A reward of ten points asked for with nine. */
export async function redeemTooMuch(world: World) {
  const member = await makeMember(await world.shop(), inPoints);
  bodyOf(await member.by.post('/loyalty/points', { ...targetOf(member), points: 9 }), 200);
  return { member, refused: await redeem(member), extras: { balance: 9, cost: 10 } };
}

function targetOf({ passId, identifier }: { passId: string; identifier: string }) {
  return { passId, identifier };
}

/** Two cards with one Simple-mode code. */
export async function shareCode(by: Caller) {
  const value = `SHARED-${crypto.randomUUID()}`;
  const { passId } = await makePass(by, { barcode: { mode: 'simple', value } });
  const cards = [];
  for (let count = 0; count < 2; count++)
    cards.push(bodyOf(await by.post(`/passes/${passId}/instances`, {}), 201));
  const lookUp = () => by.get(`/instances/lookup?barcode=${value}`);
  return { value, passId, cards, lookUp };
}

/** A pass with a picture at this address for a logo, as far as it comes to be. */
export function postLogo(by: Caller, logoUrl: string): Promise<Reply> {
  return postPass(by, { logoUrl });
}

/** Makes a pass whose logo never comes; returns the refusal, and after how many milliseconds it came. */
export function neverComes(world: World): Promise<{ refused: Reply; ms: number }> {
  return world.once('never comes', async () => {
    const start = performance.now();
    const refused = await postLogo(await world.shop(), world.outside.url('/silent.png'));
    return { refused, ms: performance.now() - start };
  });
}

/** Sends requests with a key that may send one per second, until one is refused. */
export async function exceedRate(holder: Caller): Promise<Reply> {
  for (let count = 0; count < 100; count++) {
    const reply = await holder.get('/me', { impatient: true });
    if (reply.status === 429) return reply;
  }
  assert.fail('a hundred requests of a key that may send one per second were let through');
}

/** A holder of a key that was in use and is revoked. */
export function revoked(world: World): Promise<Caller> {
  return world.once('revoked', async () => {
    const by = await world.shop();
    const { key, holder } = await makeKey(by, {});
    bodyOf(await holder.get('/me'), 200);
    assert.ok((await by.delete(`/api-keys/${key.keyId}`)).status < 300);
    // All processes of an installation know it within a second.
    await sleep(1_000);
    return holder;
  });
}

/** A published pass with a store that has this many customers. */
export async function connectStore(world: World, customers = 20) {
  // Where no store is expected, there must be none.
  const { by } = await world.once('shop with stores', () => world.newWorkspace('pro', 1_000));
  const store = await world.outside.openStore(customers);
  const { passId } = await makePass(by);
  const connected = await by.post('/stores', {
    platform: 'shopify',
    domain: store.domain,
    credentials: { accessToken: store.accessToken },
    webhookSecret: store.webhookSecret,
    passId,
  });
  bodyOf(connected, 201);
  return { by, store, passId, sweep: `/passes/${passId}/invites/sweep` };
}

/** A sweep that runs for as long as its store takes its time. */
export async function startSlowSweep(world: World) {
  // 20 pages: it does not end between two answers to the test.
  const connected = await connectStore(world, 5_000);
  connected.store.fail({ times: 1_000_000, outcome: { delayMs: 700 } });
  const started = bodyOf(await connected.by.post(connected.sweep, { dryRun: true }), 202);
  return { ...connected, started };
}

/** Lets the store answer at once again, and waits for the end of the sweep. */
export async function finishSweep(by: Caller, store: ShopifyStore, sweep: string) {
  store.recover();
  await until('the sweep has ended', async () => !bodyOf(await by.get(sweep), 200).state.running, 60_000);
  return bodyOf(await by.get(sweep), 200);
}

/** Sends it until the database's answer to its COMMIT gets lost: it was carried out, and the service cannot know. */
export async function loseCommit(world: World, send: () => Promise<Reply>): Promise<Reply> {
  for (let count = 0; count < 50; count++) {
    // The background work that was woken by the one before commits too, and may lose its answer instead.
    await sleep(Math.min(count, 10) * 50);
    world.own.loseNextCommit();
    const reply = await send();
    if (reply.status >= 500) return reply;
  }
  assert.fail('no COMMIT got lost');
}
