import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the images of a design in the console in Chromium', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());

  it('cuts an image with the keyboard, uploads it and draws it', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { type: 'coupon' }, 'draft');
    const picture = (width: number, height: number) => async () => ({
      name: 'picture.png',
      mimeType: 'image/png',
      buffer: await photo(width, height).png().toBuffer(),
    });
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        const strip = page.locator('input[name="stripUrl"]');
        await strip.setInputFiles(await picture(300, 90)());
        await page.getByText('it needs at least 375 × 98 pixels').waitFor();
        await page.keyboard.press('Escape');
        await strip.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('none') });
        await page.getByText('This file is not an image').waitFor();
        await page.keyboard.press('Escape');
        await strip.setInputFiles(await picture(900, 600)());
        // A dialog moves the focus when it opens.
        await page.getByLabel('Zoom').waitFor();
        await page.getByLabel('Zoom').focus();
        for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
        await page.getByLabel('Left or right').focus();
        await page.keyboard.press('Home');
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page.locator('.thumb.stripUrl img').waitFor();
        await page.getByRole('button', { name: 'Web', exact: true }).click();
        await page.locator('.web-card img.across').waitFor();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const { stripUrl, images } = (await client.get(`/passes/${passId}`)).body;
        assert.match(stripUrl, /^upload:/);
        assert.ok(images.stripUrl.width < 900);

        await page.locator('input[name="thumbnailUrl"]').setInputFiles(await picture(300, 300)());
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page.getByText('Cards like this one do not show it').waitFor();
        await page.getByText('Not shown', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Remove: Picture' }).click();
        await page.getByText('Everything is saved').waitFor();
      },
      { client },
    );
  });

  it('has a place for the poster of a membership alone', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { type: 'generic' }, 'draft');
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        await page.getByText('Fills the whole card on iPhones from iOS 27 on').waitFor();
        const poster = page.locator('input[name="posterUrl"]');
        const buffer = await photo(900, 900).png().toBuffer();
        await poster.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page.locator('.thumb.posterUrl img').waitFor();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const { images } = (await client.get(`/passes/${passId}`)).body;
        assert.deepEqual([images.posterUrl.width, images.posterUrl.height], [716, 896]);

        await page.locator('[name="type"]').selectOption('coupon');
        await poster.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const { type, posterUrl } = (await client.get(`/passes/${passId}`)).body;
        assert.deepEqual([type, posterUrl], ['coupon', null]);
      },
      { client },
    );
  });

  it('has images of a language in the place of those that the card has', async () => {
    const { client } = await app.newWorkspace();
    const bytes = await photo(900, 400).png().toBuffer();
    const headers = { 'content-type': 'image/png' };
    const stripUrl = (await client.post('/images', bytes, { headers })).body.url;
    const design = {
      type: 'coupon',
      stripUrl,
      language: 'en',
      translations: { de: { title: 'Blaue Bohne' } },
    };
    const { passId } = await makePass(client, design, 'draft');
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        await page.locator('details.language > summary').click();
        const image = page.locator('input[name="translations.de.images.stripUrl"]');
        await image.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: bytes });
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page.locator('details.language .thumb.stripUrl img').waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const saved = (await client.get(`/passes/${passId}`)).body;
        assert.match(saved.translations.de.images.stripUrl, /^upload:/);
        await page
          .locator('details.language')
          .getByRole('button', { name: /^Remove: Strip/ })
          .click();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        assert.deepEqual((await client.get(`/passes/${passId}`)).body.translations, {
          de: { title: 'Blaue Bohne' },
        });
      },
      { client },
    );
  });
});
