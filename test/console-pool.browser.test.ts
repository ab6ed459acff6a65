import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
} from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the codes of a pass', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/pool');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const makePool = (title: string) => makePass(client, { title, barcode: { mode: 'pool', format: 'qr' } });
  const poolOf = async (passId: string) => (await client.get(`/passes/${passId}`)).body.pool;
  const choose = async (page: Page, text: string) => {
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await button(page, 'Read the file').click();
  };

  it('are uploaded from a table, what is wrong is left out, and a repeat adds nothing', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePool('Blue Bean Club');
      await client.post(`/passes/${passId}/barcodes`, { barcodes: ['A-1'] });
      await open(`/console/passes/${passId}/pool`, 'Blue Bean Club · Codes');
      await page.locator('tbody tr', { hasText: 'A-1' }).waitFor();
      await button(page, 'Upload codes').click();
      const codes = Array.from({ length: 6_000 }, (_, at) => `Shop ${at};B-${at}`);
      const file = [
        'Filiale;Gutscheincode',
        ...codes,
        'Shop;B-7',
        'Shop;',
        'Shop;A-1',
        `Shop;${'x'.repeat(256)}`,
      ];
      await choose(page, file.join('\r\n'));
      await page.getByText('6,001 codes to upload').waitFor();
      await page.getByText('B-0 · B-1 · B-2').waitFor();
      await page.getByText('3 lines are left out').click();
      await page.getByText('Line 6,002: the code is in the file twice').waitFor();
      await page.getByText('Line 6,005: the code has more than 255 characters').waitFor();
      await assertForEverybody(page);
      await button(page, 'Upload 6,001 codes').click();
      await page.getByText('The upload is done').waitFor();
      await page.getByText('6,000 codes are new').waitFor();
      await page.getByText('1 code was there before').waitFor();
      assert.deepEqual([(await poolOf(passId)).total, (await poolOf(passId)).available], [6_001, 6_001]);
      await page.locator('.counts', { hasText: '6,001' }).waitFor();
      const saved = page.waitForEvent('download');
      await button(page, 'Download what was left out').click();
      const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
      assert.deepEqual(
        lines.map((line) => line.split(',')[0]),
        ['Line', '6002', '6003', '6004', '6005'],
      );
      await button(page, 'Done').click();
      await button(page, 'Upload codes').click();
      await choose(page, file.slice(0, 101).join('\n'));
      await button(page, 'Upload 100 codes').click();
      await page.getByText('0 codes are new').waitFor();
      await page.getByText('100 codes were there before').waitFor();
      assert.equal((await poolOf(passId)).total, 6_001);
    }));

  it('are read from plain lines, and from the column that is chosen', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId } = await makePool('Plain Club');
      await open(`/console/passes/${passId}/pool`, 'Plain Club · Codes');
      await page.getByText('No codes yet').waitFor();
      await button(page, 'Upload codes').click();
      await choose(page, 'C-1\nC-2\n\nC-3\n');
      await page.getByText('3 codes to upload').waitFor();
      await page.getByLabel('The first line is a heading').check();
      await page.getByText('2 codes to upload').waitFor();
      await button(page, 'Another file').click();
      await choose(page, 'one,D-1\ntwo,D-2\n');
      await page.getByLabel('Column with the codes').selectOption('Column 2');
      await page.getByText('D-1 · D-2').waitFor();
      await button(page, 'Upload 2 codes').click();
      await page.getByText('2 codes are new').waitFor();
      const { data } = (await client.get(`/passes/${passId}/barcodes`)).body;
      assert.deepEqual(
        data.map(({ barcode }: { barcode: string }) => barcode),
        ['D-1', 'D-2'],
      );
    }));

  it('are listed by state, deleted while they wait, and their end is announced in time', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePool('Red Bean Club');
      await client.post(`/passes/${passId}/barcodes`, { barcodes: ['E-1', 'E-2', 'E-3'] });
      const card = await makeCard(client, passId);
      assert.equal(card.barcode, 'E-1');
      await open(`/console/passes/${passId}/pool`, 'Red Bean Club · Codes');
      await page.getByText('Only 2 codes are left').waitFor();
      await page.getByLabel('Warn when so many are left').fill('1');
      await button(page, 'Save').click();
      await page.getByText('Only 2 codes are left').waitFor({ state: 'detached' });
      assert.equal((await poolOf(passId)).lowAt, 1);
      await assertForEverybody(page);
      await page.getByLabel('State').selectOption('assigned');
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      assert.equal(
        await page.getByRole('link', { name: 'Open card' }).getAttribute('href'),
        `/console/cards/${card.instanceId}`,
      );
      await button(page, 'Show all').click();
      await button(page, 'Delete: E-3').click();
      await dialog(page).getByText('1 are left then').waitFor();
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('The code is deleted.').waitFor();
      await page.getByText('Only 1 code is left').waitFor();
      // Another call issues a card with it while the page is open.
      await button(page, 'Delete: E-2').click();
      await makeCard(client, passId);
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('This code is on a card already').waitFor();
      await page.getByText('There are no codes left').waitFor();
    }));

  it('are shown to who may only look, and not to passes without any', async () => {
    const { passId } = await makePool('Green Bean Club');
    await client.post(`/passes/${passId}/barcodes`, { barcodes: ['F-1'] });
    const other = await makePass(client, { title: 'Plain Bean Club' });
    await inConsole(app, 'viewer', async ({ page, open }) => {
      await open(`/console/passes/${passId}/pool`, 'Green Bean Club · Codes');
      await page.locator('tbody tr', { hasText: 'F-1' }).waitFor();
      await waitForNone(page.getByRole('button', { name: /Upload|Save|Delete/ }));
      await open(`/console/passes/${other.passId}/pool`, 'Plain Bean Club · Codes');
      await page.getByText('This pass has no list of codes').waitFor();
      await waitForNone(page.getByRole('link', { name: 'Codes' }));
    });
  });
});
