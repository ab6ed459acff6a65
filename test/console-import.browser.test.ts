import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Json } from './client.ts';
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
      await open(`/console/cards?passId=${passId}`, 'Customers');
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

  /** A line with a cell for each of three columns. */
  const padded = (line: string) => (line.split(',').length === 3 ? line : `${line},`);

  /** A pass that counts points. */
  async function makeClub(title: string, more: object = {}): Promise<string> {
    const { passId } = await makePass(client, { title, ...more });
    const reward = { title: 'Free coffee', cost: 1_000 };
    const { body } = await client.post('/loyalty/programs', { passId, mode: 'POINTS', reward });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    return passId;
  }

  async function read(page: Page, name: string, buffer: Buffer): Promise<void> {
    await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: /^(Read the file|Datei lesen)$/ }).click();
  }

  async function cardsOf(passId: string): Promise<Json[]> {
    const { body } = await client.get(`/passes/${passId}/instances?limit=100`);
    return body.data.toSorted((a: Json, b: Json) => (a.holder.name < b.holder.name ? -1 : 1));
  }

  it("takes a German Excel's table: its numbers, two columns of a name, lost zeros, a field of the pass", async () => {
    const fields = [{ key: 'drink', label: 'Lieblingskaffee', section: 'back', value: 'Filter' }];
    const passId = await makeClub('Schwarze Bohne', { fields });
    await client.patch('/workspace', { country: 'DE' });
    const text = [
      'Vorname;Nachname;E-Mail;Telefon;Kundennummer;Punkte;Lieblingskaffee',
      'Ada;Lovelace;ada@example.com;15110000000;K1;3,00;Espresso',
      'Bo;Übel;bo@example.com;15110000001;K2;1.200,00;',
      'Cy;Krumm;cy@example.com;15110000002;K3;2,50;',
      'Di;Doppelt;ada@example.com;15110000003;K4;4,00;',
      'Ed;Zweimal;;15110000004;K1;5,00;',
      'Flo;Rund;;4,91511E+12;K5;6,00;',
    ].join('\r\n');
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open(`/console/cards/import?passId=${passId}`, 'Karten übernehmen');
        await read(page, 'Kunden.txt', Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le'));
        await page.getByText('Karten, die übernommen werden: 3').waitFor();
        await page.getByRole('button', { name: 'Andere Datei' }).click();
        await read(page, 'Kunden.csv', Buffer.from(text, 'latin1'));
        await page.getByText('Karten, die übernommen werden: 3').waitFor();
        await page.getByText('Davon mit einem Stand: 3').waitFor();
        await page.getByText('Zeile 5 wie Zeile 2: ada@example.com').waitFor();
        await page.getByText('Zeilen mit einem Fehler, die ausgelassen werden: 3').click();
        await page.getByText('Zeile 4: der Stand hat Nachkommastellen').waitFor();
        await page
          .getByText('Zeile 6: derselbe Code oder dieselbe Kundennummer wie in Zeile 2: „K1“')
          .waitFor();
        await page.getByText('„4,91511E+12“').waitFor();
        await page
          .getByLabel('5 Telefonnummern haben keine führende Null: 0 ergänzen?')
          .selectOption('015110000000 (0 ergänzen)');
        await page.getByRole('cell', { name: '015110000001' }).waitFor();
        await assertForEverybody(page);
        await page.getByLabel('Diese Zeilen auslassen').check();
        await page.getByText('Karten, die übernommen werden: 2').waitFor();
        await page.getByLabel('Diese Zeilen auslassen').uncheck();
        await page.getByRole('button', { name: 'Übernehmen', exact: true }).click();
        await page.getByText('Übernommen oder schon bekannt: 3').waitFor();
        // Cards that keep their codes have the field too.
        await page.getByRole('button', { name: 'Andere Datei' }).click();
        const coded = 'Kartennummer;Name;Punkte;Lieblingskaffee\nX-1;Gil;7,0;Mokka\n';
        await read(page, 'Codes.csv', Buffer.from(coded));
        await page.getByRole('button', { name: 'Übernehmen', exact: true }).click();
        await page.getByText('Übernommen oder schon bekannt: 1').waitFor();
      },
      { locale: 'de-DE' },
    );
    const found = await cardsOf(passId);
    assert.deepEqual(
      found.map(({ holder, loyalty, fields: own }) => [
        holder.name,
        holder.phone,
        loyalty.balance,
        own.drink,
      ]),
      [
        ['Ada Lovelace', '+4915110000000', 3, 'Espresso'],
        ['Bo Übel', '+4915110000001', 1_200, 'Filter'],
        ['Di Doppelt', '+4915110000003', 4, 'Filter'],
        ['Gil', null, 7, 'Mokka'],
      ],
    );
  });

  it('gives cards with new codes their balances, once, however it is broken off', async () => {
    const passId = await makeClub('Red Bean Club');
    const lines = Array.from({ length: 250 }, (_, at) => `Holder ${String(at).padStart(3, '0')},${at}`);
    lines[7] = 'Half,7.5';
    for (const at of [3, 4]) lines[at] = `${lines[at]},family@example.com`;
    const file = Buffer.from(['name,points,e-mail', ...lines.map(padded)].join('\n'));
    const balanceOf = async (name: string) => {
      const { body } = await client.get(`/passes/${passId}/instances?q=${encodeURIComponent(name)}`);
      return body.data.map(({ loyalty }: Json) => loyalty.balance);
    };
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      await page.route('**/balances', (route) => route.abort(), { times: 10 });
      await read(page, 'new.csv', file);
      await page.getByText('Of these with a balance: 248').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Stopped.').waitFor();
      assert.deepEqual(await balanceOf('Holder 009'), [0]);
      // It earns before the import goes on.
      const { body } = await client.get(`/passes/${passId}/instances?q=${encodeURIComponent('Holder 009')}`);
      await client.post('/loyalty/points', { passId, instanceId: body.data[0].instanceId, points: 2 });
      await page.unroute('**/balances');
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByText('Imported or known before: 249').waitFor();
      const { body: other } = await client.get(
        `/passes/${passId}/instances?q=${encodeURIComponent('Holder 020')}`,
      );
      await client.post('/loyalty/points', { passId, instanceId: other.data[0].instanceId, points: 3 });
      // The same file again, of which another line is left out: the others keep their keys.
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      await read(page, 'new.csv', file);
      await page.getByLabel('Leave these lines out').check();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported or known before: 248').waitFor();
      assert.equal(await page.getByText('Refused').count(), 0);
      // And with a column that is something else.
      await page.getByRole('button', { name: 'Another file' }).click();
      await read(page, 'new.csv', file);
      await page.getByLabel('name', { exact: true }).selectOption('Customer number');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Refused: 249').waitFor();
      await page.getByText('Line 2: this line was imported before, with other values').waitFor();
    });
    assert.equal((await client.get(`/passes/${passId}`)).body.counts.issued, 249);
    const balances = await Promise.all(
      ['Holder 009', 'Holder 020', 'Holder 000', 'Holder 249', 'Holder 199', 'Holder 200'].map(balanceOf),
    );
    assert.deepEqual(balances, [[11], [23], [0], [249], [199], [200]]);
  });

  it('says why a file cannot be imported, and gives one that can', async () => {
    const { passId } = await makePass(client, { title: 'Plain Bean Club' });
    await inConsole(app, 'owner', async ({ page, open }) => {
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      await page.getByRole('button', { name: 'Read the file' }).click();
      await page.getByText('Choose a file first.').waitFor();
      await read(page, 'customers.xlsx', Buffer.from('PK\x03\x04'));
      await page.getByText('“customers.xlsx” cannot be imported as it is').waitFor();
      await page.getByText('choose File → Save As, and as type “CSV UTF-8').waitFor();
      await assertForEverybody(page);
      await read(page, 'shoes.csv', Buffer.from('shoe size\n38\n'));
      await page.getByText('Nothing can be imported yet').waitFor();
      await page.getByRole('button', { name: 'Another file' }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download a sample file' }).click();
      await read(page, 'customers.csv', await readFile(await (await saved).path()));
      await page.getByText('Cards to import: 2').waitFor();
      await page.getByText('This pass has no program that counts').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported or known before: 2').waitFor();
    });
  });

  it('takes what the list of cards exports', async () => {
    const [from, to] = [await makeClub('Old Bean Club'), await makeClub('New Bean Club')];
    const holders = ["'Søren; “S” O’Neil", '=Ada', 'Grace, "Hopper"'];
    const instances = holders.map((name, at) => ({
      barcode: `-00${at}`,
      holder: { name, identifier: `@${at}` },
      balance: 1_000 * at,
    }));
    await client.post(`/passes/${from}/instances/import`, { instances });
    await inConsole(app, 'owner', async ({ page, open }) => {
      await open(`/console/cards?passId=${from}`, 'Customers');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV' }).click();
      const file = await readFile(await (await saved).path());
      await open(`/console/cards/import?passId=${to}`, 'Import cards');
      await read(page, 'cards.csv', file);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported or known before: 3').waitFor();
    });
    const shown = ({ barcode, holder: { name, identifier }, loyalty }: Json) => [
      barcode,
      name,
      identifier,
      loyalty.balance,
    ];
    const [before, after] = [await cardsOf(from), await cardsOf(to)];
    assert.equal(after.length, 3);
    assert.deepEqual(after.map(shown), before.map(shown));
  });
});
