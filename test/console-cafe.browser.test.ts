import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { linksOf } from '../tools/fakes/received-mail.ts';
import { longestWaitMs } from './chromium.ts';
import type { Json } from './client.ts';
import { assertForEverybody, checksPages, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { startTestApp } from './harness.ts';
import { readCode, signInAs } from './scanner.ts';
import type { Day } from './walk/first-day.ts';
import { mouseWalker } from './walk/mouse.ts';
import { withDay } from './walk/open-day.ts';
import { until } from './wallets.ts';

/** A round sign and a name, cut out. */
const wordMark = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160">
  <circle cx="80" cy="80" r="60" fill="#c2410c"/><rect x="170" y="50" width="200" height="60" fill="#7c2d12"/></svg>`;
const logo = { name: 'logo.png', mimeType: 'image/png' } as const;
const customers = 10;

describe('a café in Chromium', { skip: consoleSkip }, () => {
  it('opens by its pages alone: from the first link to a poster, a till, and ten customers with their cards', () =>
    withDay(mouseWalker, async (day) => {
      const passId = await open(day);
      await invite(day);
      await pairTill(day);
      await bring(day);
      const { body: pass } = await day.app.client.get(`/passes/${passId}`);
      assert.deepEqual([pass.status, pass.join.enabled, pass.counts.issued], ['published', true, customers]);
    }));
});

/** From the link that the first start prints to a card that customers can get, and its poster. */
async function open({ app, owner }: Day): Promise<string> {
  await owner.open(app.running.firstRun?.consoleUrl ?? '');
  await owner.press('button', 'Sign in');
  await owner.arrive('So that you get back in');
  await owner.write('textbox', 'Your name', 'Ada Lovelace');
  await owner.write('textbox', 'Your e-mail address', 'ada@example.com');
  // The address is none of a name, for which there are no passkeys.
  await owner.page.getByLabel('New password').fill('correct horse battery');
  await owner.press('button', 'Save and go on');
  await owner.arrive('Home');
  await owner.press('link', 'Set up your first card');
  await owner.arrive('Set up your first card');
  await owner.write('textbox', 'Name of your business', 'Blue Bean');
  await owner.choose('Country', 'Germany');
  await owner.press('button', 'Go on');
  await owner.arrive('What your card looks like');
  const buffer = await sharp(Buffer.from(wordMark)).png().toBuffer();
  await owner.attach('Logo Choose a logo', { ...logo, buffer });
  await owner.page
    .getByRole('radio', { name: 'From your logo 1' })
    .and(owner.page.locator(':checked'))
    .waitFor();
  await owner.press('button', 'Go on');
  await owner.arrive('What customers come back for');
  await owner.write('textbox', 'Reward', 'Free coffee');
  await owner.press('button', 'Go on');
  await owner.arrive('Open for customers');
  await owner.press('button', 'Open');
  await owner.arrive('Coffee Club is open');
  const download = owner.page.waitForEvent('download');
  await owner.press('link', 'Poster to print (PDF)');
  assert.equal((await download).suggestedFilename(), 'poster.pdf');
  const workspace = (await app.client.get('/workspace')).body;
  assert.deepEqual(
    [workspace.name, workspace.country, workspace.currency, workspace.timezone],
    ['Blue Bean', 'DE', 'EUR', 'Europe/Berlin'],
  );
  const [pass, ...others] = (await app.client.get('/passes')).body.data;
  assert.deepEqual([pass.colors.background, others.length], ['#ffffff', 0]);
  assert.match(pass.logoUrl, /^upload:/);
  return pass.passId;
}

/** A colleague who works at the till. */
async function invite({ owner }: Day): Promise<void> {
  await owner.press('link', 'Invite people');
  await owner.arrive('People');
  await owner.press('button', 'Invite someone');
  await owner.write('textbox', 'Name', 'Grace Hopper');
  await owner.write('textbox', 'E-mail address', 'grace@example.com');
  await owner.page.getByRole('dialog').getByLabel('PIN').fill('2580');
  await owner.press('button', 'Send the invitation');
  await owner.page.getByRole('row', { name: 'Grace Hopper' }).waitFor();
  await owner.page.goBack();
  await owner.arrive('Coffee Club is open');
}

/** The colleague's browser is the tablet at the counter. */
async function pairTill({ app, owner, colleague }: Day): Promise<void> {
  await owner.press('link', 'Pair a till');
  await owner.write('textbox', 'Name', 'Counter');
  await owner.press('button', 'Make it');
  const code = await owner.page.locator('.typed-code').innerText();
  await colleague.open(`${app.config.publicUrl}/scan/pair`);
  await colleague.write('textbox', 'Code', code);
  await colleague.press('button', 'Pair');
  await owner.hear('"Counter" is paired.');
  await signInAs(colleague.page, 'Grace Hopper');
  await owner.page.goBack();
  await owner.arrive('Coffee Club is open');
}

/** The customers of a paper list get their cards by mail, and the first is scanned. */
async function bring({ app, owner, colleague, mailbox }: Day): Promise<void> {
  await owner.press('link', 'Import customers');
  await owner.arrive('Import cards');
  const lines = Array.from({ length: customers }, (_, at) => `Guest ${at},guest${at}@example.com,${at}`);
  const buffer = Buffer.from(['name,email,stamps', ...lines].join('\n'));
  await owner.attach('File', { name: 'list.csv', mimeType: 'text/csv', buffer });
  await owner.press('button', 'Read the file');
  await owner.press('button', 'Import');
  await owner.hear(`Imported or known before: ${customers}`);
  await owner.press('link', 'Send people their card');
  await owner.arrive('Coffee Club · Invites');
  await owner.press('button', 'Count the people');
  await owner.press('button', `Send ${customers} people their card`);
  await owner.hear(`Mails on their way: ${customers}.`);
  const mailOf = (address: string) => mailbox.mails.find(({ recipients }) => recipients.includes(address));
  await until(
    'all have their mail',
    () => Array.from({ length: customers }, (_, at) => `guest${at}@example.com`).every(mailOf),
    longestWaitMs,
  );
  const mail = mailOf('guest9@example.com');
  assert.ok(mail !== undefined && linksOf(mail).some((link) => link.startsWith(app.config.publicUrl)));
  const { data } = (await app.client.get('/holders?email=guest9@example.com')).body;
  const [{ cards }] = data;
  await readCode(colleague.page, cards[0].barcode);
  await colleague.press('button', 'Add 1 stamp');
  await colleague.hear('Free coffee');
}

describe('the pages that set up the first card', { skip: consoleSkip }, async () => {
  checksPages('/console/start', '/console/start/:passId');
  const app = await startTestApp(await consoleSettings());

  it('can be used by everyone, refuse what is no logo, and go on where opening has failed', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page }) => {
        const goOn = () => page.getByRole('button', { name: 'Weiter' }).click();
        await assertForEverybody(page);
        await page.getByLabel('Name Ihres Geschäfts').fill('');
        await goOn();
        await page.locator('input[name=name][aria-invalid]').waitFor();
        await page.getByLabel('Name Ihres Geschäfts').fill('Salon Ada');
        await goOn();
        await page.locator('h1', { hasText: 'Wie Ihre Karte aussieht' }).waitFor();
        await page.getByRole('button', { name: 'Salon', exact: true }).click();
        await refuseLogos(page);
        await page.getByRole('radio', { name: 'Wald' }).check();
        await assertForEverybody(page);
        await page.getByLabel('Name der Karte').fill('Stammkarte');
        await goOn();
        await page.getByRole('button', { name: 'Punkte', exact: true }).click();
        await goOn();
        await page.locator('input[name="reward.title"][aria-invalid]').waitFor();
        await page.getByLabel('Prämie', { exact: true }).fill('Haarschnitt');
        await assertForEverybody(page);
        await goOn();
        await page.locator('h1', { hasText: 'Für die Kundschaft öffnen' }).waitFor();
        await page.getByLabel('Dort fragen, ob Sie Neuigkeiten senden dürfen').check();
        await assertForEverybody(page);
        await page.route('**/v1/loyalty/programs', (route) => route.abort());
        await page.getByRole('button', { name: 'Öffnen' }).click();
        await page.getByRole('main').getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
        await page.unroute('**/v1/loyalty/programs');
        await page.getByRole('button', { name: 'Öffnen' }).click();
        await page.locator('h1', { hasText: 'Stammkarte ist geöffnet' }).waitFor();
        await assertForEverybody(page);
      },
      { client, path: '/console/start', locale: 'de-DE', expected: /ERR_FAILED/ },
    );
    await assertOpened(client.get('/passes'), client.get('/loyalty/programs'));
  });
});

async function refuseLogos(page: Page): Promise<void> {
  const choose = (buffer: Buffer) => page.setInputFiles('input[type=file]', { ...logo, buffer });
  await choose(Buffer.from('no picture'));
  await page.getByText('Diese Datei ist kein Bild').waitFor();
  await choose(
    await sharp({ create: { width: 40, height: 40, channels: 3, background: '#800000' } })
      .png()
      .toBuffer(),
  );
  await page.getByText('mindestens 50 × 50 Pixel').waitFor();
}

async function assertOpened(passes: Promise<Json>, programs: Promise<Json>): Promise<void> {
  const [pass, ...others] = (await passes).body.data;
  const [program] = (await programs).body.data;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [pass.title, pass.status, pass.colors.background, pass.join.consents.length],
    ['Stammkarte', 'published', '#14532d', 1],
  );
  assert.deepEqual(
    [program.passId, program.status, program.mode, program.reward.title],
    [pass.passId, 'active', 'POINTS', 'Haarschnitt'],
  );
}
