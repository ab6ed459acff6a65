import assert from 'node:assert/strict';
import { assertRefused, bodyOf } from './caller.ts';
import { makePass } from './makings.ts';
import { neverComes, postLogo } from './provocations.ts';
import { needing, part } from './sentence.ts';
import type { World } from './world.ts';

/** Every parameter that takes the URL of an image. */
export const slots = [
  'iconUrl',
  'logoUrl',
  'stripUrl',
  'thumbnailUrl',
  'backgroundUrl',
  'heroUrl',
  'posterUrl',
];

const badUrl = 'http://example.com/logo.png';

export const errorsOfImages = part(import.meta.url, '7. Errors: image URLs', {
  'asset_fetch_failed, 422: An image URL is unusable': async (world) => {
    const refused = await postLogo(await world.shop(), badUrl);
    assertRefused(refused, 422, 'asset_fetch_failed', { slot: 'logoUrl', reason: 'invalid_url' });
  },
  'asset_fetch_failed: slot names the parameter': async (world) => {
    const by = await world.shop();
    for (const slot of slots) {
      const refused = await by.post('/passes', { title: 'Tea', type: 'generic', [slot]: badUrl });
      assertRefused(refused, 422, 'asset_fetch_failed', { slot, reason: 'invalid_url' });
    }
  },
  'asset_fetch_failed: nothing is created': async (world) => {
    const { by } = await world.newWorkspace();
    assertRefused(await postLogo(by, badUrl), 422, 'asset_fetch_failed', {
      slot: 'logoUrl',
      reason: 'invalid_url',
    });
    assert.deepEqual(bodyOf(await by.get('/passes'), 200).data, []);
  },
  'asset_fetch_failed: nothing is changed': async (world) => {
    const by = await world.shop();
    const pass = await makePass(by);
    const change = { title: 'Another', stripUrl: badUrl };
    assert.equal((await by.patch(`/passes/${pass.passId}`, change)).body.code, 'asset_fetch_failed');
    assert.deepEqual(bodyOf(await by.get(`/passes/${pass.passId}`), 200), pass);
  },
  'payload_too_large, 413: An image URL points to a file over 20 MB': needing('image host', async (world) => {
    const refused = await postLogo(await world.shop(), world.outside.url('/too-heavy.png'));
    assertRefused(refused, 413, 'payload_too_large');
  }),
  'payload_too_large: nothing is created': needing('image host', async (world) => {
    const { by } = await world.newWorkspace();
    const refused = await postLogo(by, world.outside.url('/too-heavy.png'));
    assert.equal(refused.body.code, 'payload_too_large');
    assert.deepEqual(bodyOf(await by.get('/passes'), 200).data, []);
  }),
  'payload_too_large: nothing is changed': needing('image host', async (world) => {
    const by = await world.shop();
    const pass = await makePass(by, { logoUrl: world.outside.url('/logo.png') });
    const change = { title: 'Another', logoUrl: world.outside.url('/too-heavy.png') };
    assert.equal((await by.patch(`/passes/${pass.passId}`, change)).body.code, 'payload_too_large');
    assert.deepEqual(bodyOf(await by.get(`/passes/${pass.passId}`), 200), pass);
  }),
});

export const imageReasons = part(import.meta.url, '7. Errors: reasons of asset_fetch_failed', {
  'invalid_url: URL is not https': async (world) => {
    for (const url of [badUrl, 'ftp://example.com/logo.png', 'data:image/png;base64,AAAA', 'logo.png'])
      await assertUnusable(world, url, 'invalid_url');
  },
  'blocked_host: private network': async (world) => {
    for (const host of ['10.0.0.1', '172.16.0.1', '192.168.0.1', '[fd00::1]'])
      await assertUnusable(world, `https://${host}/logo.png`, 'blocked_host');
  },
  'blocked_host: localhost': async (world) => {
    for (const host of ['localhost', '127.0.0.2', '[::1]', '0.0.0.0'])
      await assertUnusable(world, `https://${host}/logo.png`, 'blocked_host');
  },
  'blocked_host: cloud metadata address': async (world) => {
    for (const host of ['169.254.169.254', 'metadata.google.internal', '[fd00:ec2::254]'])
      await assertUnusable(world, `https://${host}/logo.png`, 'blocked_host');
  },
  'blocked_host: by way of a redirect, too': needing('image host', async (world) => {
    await assertUnusable(world, world.outside.url('/to-private'), 'blocked_host');
  }),
  'unreachable: host cannot be reached': async (world) => {
    await assertUnusable(world, world.deadUrl, 'unreachable');
  },
  'timeout: fetch exceeded 10 seconds': needing('image host', async (world) => {
    const { refused } = await neverComes(world);
    assertRefused(refused, 422, 'asset_fetch_failed', { slot: 'logoUrl', reason: 'timeout' });
  }),
  'too_many_redirects: more than 3 redirects': needing('image host', async (world) => {
    await assertUnusable(world, world.outside.url('/hops/4'), 'too_many_redirects');
  }),
  'not_an_image: content is not an image': needing('image host', async (world) => {
    await assertUnusable(world, world.outside.url('/page.html'), 'not_an_image');
  }),
  'unsupported_type: type other than PNG, JPEG, WebP': needing('image host', async (world) => {
    await assertUnusable(world, world.outside.url('/logo.gif'), 'unsupported_type');
  }),
  'too_small: below the minimum size of the slot': needing('image host', async (world) => {
    await assertUnusable(world, world.outside.url('/small.png'), 'too_small');
    // Large enough for a logo, and too small for a strip.
    const stripUrl = world.outside.url('/logo.png');
    const by = await world.shop();
    const refused = await by.post('/passes', { title: 'Tea', type: 'loyalty', stripUrl });
    assertRefused(refused, 422, 'asset_fetch_failed', { slot: 'stripUrl', reason: 'too_small' });
  }),
});

async function assertUnusable(world: World, logoUrl: string, reason: string): Promise<void> {
  const refused = await postLogo(await world.shop(), logoUrl);
  assertRefused(refused, 422, 'asset_fetch_failed', { slot: 'logoUrl', reason });
}
