import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertForEverybody, checksPages, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the import of cards from a file', { skip: consoleSkip }, async () => {
  checksPages('/console/cards/import');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;

  /** 500 cards, of which two lines are wrong and one code is taken. */
  const lines = Array.from(
    { length: 500 },
    (_, at) => `OLD-${at};Holder ${at};holder${at}@example.com;${at}`,
  );
  lines[10] = 'OLD-10;No Address;nobody;3';
  lines[20] = 'OLD-20;Below Zero;zero@example.com;-4';
  const csv = Buffer.from(['Kartennummer;Name;E-Mail;Punkte', ...lines].join('\r\n'));

  async function choose(page: Page): Promise<void> {
    await page.getByLabel('File').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: csv });
    await page.getByRole('button', { name: 'Read the file' }).click();
    await page.getByText('Cards to import: 498').waitFor();
  }

  it('keeps codes and balances, says what it left out, and imports nothing twice', async () => {
    const { passId } = await makePass(client, { title: 'Blue Bean Club' });
    const program = await client.post('/loyalty/programs', {
      passId,
      mode: 'POINTS',
      reward: { title: 'Free coffee', cost: 1_000 },
    });
    await client.patch(`/loyalty/programs/${program.body.programId}`, { status: 'active' });
    await client.post(`/passes/${passId}/instances`, { barcode: 'OLD-30' });
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open(`/console/cards?passId=${passId}`, 'Cards');
      await page.getByRole('link', { name: 'Import from CSV' }).click();
      await page.locator('h1', { hasText: 'Import cards' }).waitFor();
      await choose(page);
      await page.getByText('Lines with a problem, which are left out: 2').click();
      await page.getByText('Line 12: this is not an e-mail address').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The import is done').waitFor();
      await page.getByText('Imported or known before: 497').waitFor();
      await assertForEverybody(page);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download what was left out' }).click();
      const text = await readFile(await (await saved).path(), 'utf8');
      assert.deepEqual(
        text
          .trim()
          .split('\r\n')
          .map((line) => line.split(',')[0]),
        ['Kartennummer', 'OLD-10', 'OLD-20', 'OLD-30'],
      );
      // The page is loaded anew and the same file read again.
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      await choose(page);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported or known before: 497').waitFor();
    });
    assert.equal((await client.get(`/passes/${passId}`)).body.counts.issued, 498);
    const { body } = await client.get('/instances/lookup?barcode=OLD-499');
    assert.deepEqual([body.holder.name, body.loyalty.balance], ['Holder 499', 499]);
  });

  it('gives new codes where the file has none', async () => {
    const { passId } = await makePass(client, { title: 'Green Bean Club' });
    await inConsole(app, 'owner', async ({ page, open }) => {
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      const buffer = Buffer.from('name,shoe size\nAda,38\nGrace,39\n');
      await page.getByLabel('File').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Read the file' }).click();
      await page.getByText('No column is the code').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported or known before: 2').waitFor();
      await page.getByRole('link', { name: 'See the cards' }).click();
      await page.getByRole('link', { name: 'Grace' }).waitFor();
    });
  });
});
