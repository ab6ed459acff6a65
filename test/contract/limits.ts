import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertRefused, bodyOf } from './caller.ts';
import { slots } from './image-urls.ts';
import { makeDraft, makePass, postPass } from './makings.ts';
import { finishSweep, fullOfDrafts, neverComes, postLogo, startSlowSweep } from './provocations.ts';
import { needing, part } from './sentence.ts';

const full = { limit: 10, drafts: 10 };

export const limits = part(import.meta.url, '8. Limits', {
  'Drafts per entry-plan workspace: 10: POST /passes': async (world) => {
    const { by } = await world.newWorkspace('entry');
    for (let count = 1; count <= 10; count++) await makeDraft(by);
    assertRefused(await postPass(by), 409, 'draft_limit_reached', full);
  },
  'Drafts per entry-plan workspace: 10: clone': async (world) => {
    const { by } = await world.newWorkspace('entry');
    const { passId } = await makePass(by);
    const clone = () => by.post(`/passes/${passId}/clone`, {});
    for (let count = 1; count <= 10; count++) bodyOf(await clone(), 201);
    assertRefused(await clone(), 409, 'draft_limit_reached', full);
  },
  'Drafts per entry-plan workspace: 10: PATCH status draft': async (world) => {
    const { by, path } = await fullOfDrafts(world);
    assertRefused(await by.patch(path, { status: 'draft' }), 409, 'draft_limit_reached', full);
  },
  'Drafts per entry-plan workspace: higher plans unlimited': async (world) => {
    const { by } = await world.newWorkspace('pro');
    for (let count = 1; count <= 12; count++) await makeDraft(by);
    assert.equal(bodyOf(await by.get('/me'), 200).workspace.drafts, 12);
  },
  'Image file size: 20 MB maximum (payload_too_large)': needing('image host', async (world) => {
    const by = await world.shop();
    bodyOf(await postLogo(by, world.outside.url('/heavy.png')), 201);
    assertRefused(await postLogo(by, world.outside.url('/too-heavy.png')), 413, 'payload_too_large');
  }),
  'Image file size: any image URL parameter': needing('image host', async (world) => {
    const by = await world.shop();
    for (const slot of slots) {
      const refused = await postPass(by, {
        type: 'generic',
        [slot]: world.outside.url('/says-too-heavy.png'),
      });
      assertRefused(refused, 413, 'payload_too_large');
    }
  }),
  'Image fetch time-out: 10 seconds': needing('image host', async (world) => {
    const { refused, ms } = await neverComes(world);
    assert.equal(refused.body.reason, 'timeout');
    assert.ok(ms > 9_900, `given up after ${ms} ms`);
    assert.ok(ms < 20_000, `given up after ${ms} ms`);
  }),
  'Redirects followed: 3 maximum': needing('image host', async (world) => {
    const by = await world.shop();
    bodyOf(await postLogo(by, world.outside.url('/hops/3')), 201);
    const refused = await postLogo(by, world.outside.url('/hops/4'));
    assert.equal(refused.body.reason, 'too_many_redirects');
  }),
  'Image types: PNG, JPEG, WebP': needing('image host', async (world) => {
    const by = await world.shop();
    for (const type of ['png', 'jpg', 'webp'])
      bodyOf(await postLogo(by, world.outside.url(`/logo.${type}`)), 201);
    const refused = await postLogo(by, world.outside.url('/logo.gif'));
    assert.equal(refused.body.reason, 'unsupported_type');
  }),
  'Image URL scheme: https only': async (world) => {
    const refused = await postLogo(await world.shop(), 'http://example.com/logo.png');
    assert.equal(refused.body.reason, 'invalid_url');
  },
  'Image URL scheme: https only, where a redirect leads too': needing('image host', async (world) => {
    const refused = await postLogo(await world.shop(), world.outside.url('/to-http'));
    assert.equal(refused.body.reason, 'invalid_url');
  }),
  "Client-supplied X-Request-Id: up to 64 characters; letters, digits, '.', '_', '-'; every request": async (
    world,
  ) => {
    const by = await world.shop();
    const longest = `${randomUUID()}.${randomUUID()}`.replaceAll('-', '_').slice(0, 64);
    const tooLong = `${longest}a`;
    for (const path of ['/me', '/passes', '/no/such/path']) {
      const echoed = await by.get(path, { headers: { 'x-request-id': longest } });
      assert.equal(echoed.headers.get('x-request-id'), longest);
      const replaced = await by.get(path, { headers: { 'x-request-id': tooLong } });
      assert.notEqual(replaced.headers.get('x-request-id'), tooLong);
    }
  },
  'Invite sweeps: one running per pass': needing('store', async (world) => {
    const [one, other] = [await startSlowSweep(world), await startSlowSweep(world)];
    for (const { by, sweep } of [one, other]) {
      assert.equal(bodyOf(await by.get(sweep), 200).state.running, true);
      assert.equal((await by.post(sweep, {})).body.code, 'sweep_running');
    }
    for (const { by, store, sweep } of [one, other]) await finishSweep(by, store, sweep);
  }),
});
