import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  type OpenConsole,
  waitForNone,
  waitForValue,
} from './console.ts';
import { inParallel, makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { Phones, startDevelopmentApns } from './wallets.ts';

/** Whether the bar that saves is at the lower edge of the window, and what is said appears above it. */
const barAndToasts = `{
  const bar = document.querySelector('.save-bar').getBoundingClientRect();
  const toasts = document.querySelector('.toasts').getBoundingClientRect();
  ({ isPinned: Math.abs(bar.bottom - innerHeight) < 1, isFree: toasts.bottom <= bar.top });
}`;

describe('the designer of the console in Chromium', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/design');
  const apns = await startDevelopmentApns();
  const settings = { APNS_URL: apns.url, ROLLOUT_DEVICES_PER_SECOND: '100000' };
  const app = await startTestApp({ ...(await consoleSettings()), ...settings });
  const phones = new Phones(app, apns);

  it('draws the card while a member types, says at the field what is wrong, saves and publishes', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/passes/new', 'New pass');
        await page.getByRole('button', { name: 'Use this template Coffee bar' }).click();
        await page.getByRole('img', { name: 'Coffee Club in Apple Wallet' }).waitFor();
        await assertForEverybody(page);

        await page.getByLabel('Title').fill('Bean Circle');
        await page.getByRole('img', { name: 'Bean Circle in Apple Wallet' }).waitFor();
        await page.getByRole('button', { name: 'Web', exact: true }).click();
        await page.getByRole('region', { name: 'Bean Circle in Web card' }).waitFor();
        const web = page.locator('.web-card');
        await web.getByText('Bean Circle').waitFor();
        await web.getByText('Every tenth coffee is on us').waitFor();
        await assertForEverybody(page);

        await page.getByLabel('Title').fill('');
        await page.locator('[name="title"][aria-invalid="true"]').waitFor();
        await page.getByText('This is needed.').waitFor();
        await web.getByText('Bean Circle').waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.locator('[name="title"]:focus').waitFor();
        await page.getByLabel('Title').fill('Bean Circle');
        await page.locator('[name="title"][aria-invalid="true"]').waitFor({ state: 'detached' });

        const labels = page.locator('[name="colors.label"]');
        await labels.fill('#3a2b20');
        await page.getByText('Hard to read on this background').waitFor();
        await page.getByText(/^Contrast 1(\.\d)?, below 4\.5$/).waitFor();
        await page.getByRole('button', { name: 'Choose automatically: Labels' }).click();
        await page.getByText('Hard to read on this background').waitFor({ state: 'detached' });

        await page.getByRole('button', { name: 'Add a field' }).click();
        await page.locator('[name="fields[2].label"]:focus').fill('Since');
        await page.locator('[name="fields[2].value"]').fill('2026');
        const developers = page.locator('li').filter({ hasText: 'Since' }).getByText('For developers');
        await developers.click();
        await page.locator('[name="fields[2].key"]').fill('treat');
        await page.locator('[name="fields[2].key"][aria-invalid="true"]').waitFor();
        await page.getByText('This is used already. Choose another one.').waitFor();
        await page.locator('[name="fields[2].key"]').fill('since');
        await web.getByText('2026').waitFor();
        await page.getByRole('button', { name: 'Move up: Since' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('Since is now 2 of 3.').waitFor();
        await page.locator('button[aria-label="Move up: Since"]:focus').waitFor();
        await page.keyboard.press('Enter');
        await page.locator('button[aria-label="Move down: Since"]:focus').waitFor();
        await page.locator('.grip').nth(2).hover();
        await page.mouse.down();
        await page.locator('.grip').nth(0).hover();
        await page.mouse.up();
        await page.getByText('Open daily is now 1 of 3.').waitFor();
        await page.getByRole('button', { name: 'Remove: Open daily' }).click();

        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const [draft] = (await client.get('/passes')).body.data;
        assert.deepEqual([draft.title, draft.status, draft.colors.label], ['Bean Circle', 'draft', null]);
        assert.deepEqual(
          draft.fields.map(({ key }: { key: string }) => key),
          ['since', 'treat'],
        );
        await page.getByLabel('Details').fill('Show it with every order.');
        // What was done is said above the buttons that come next, not over them.
        for (const width of [390, 1_280]) {
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(
            await page.evaluate(barAndToasts),
            { isPinned: true, isFree: true },
            `${width} px`,
          );
        }
        await page.getByRole('button', { name: 'Save and publish' }).click();
        await page.getByText('Bean Circle is published.').waitFor();
        const published = (await client.get(`/passes/${draft.passId}`)).body;
        assert.deepEqual([published.status, published.details], ['published', 'Show it with every order.']);
      },
      { client },
    );
  });

  it('chooses with the keyboard what is on a stamp, and shows the picture behind the stamps', async () => {
    const { client } = await app.newWorkspace();
    const { pass } = await makeProgram(client, {
      mode: 'STAMPS',
      reward: { title: 'Free coffee' },
      threshold: 10,
    });
    const stampsNow = async () => (await client.get(`/passes/${pass.passId}`)).body.stamps;
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${pass.passId}/design`, `${pass.title} · Design`);
        await page.getByText('Upload a strip or a wide image').waitFor();
        await page.locator('input[name="stripUrl"]').setInputFiles({
          name: 'picture.png',
          mimeType: 'image/png',
          buffer: await photo(900, 300).png().toBuffer(),
        });
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page.getByText('Not shown', { exact: true }).waitFor();
        await page.getByLabel('Show my picture behind the stamps').check();
        await page.getByText('Not shown', { exact: true }).waitFor({ state: 'detached' });
        await page.getByRole('radio', { name: 'Check' }).focus();
        for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
        await page.locator('input[aria-label="Coffee cup"]:checked').waitFor();
        await page.locator('[name="stamps.color"]').fill('#f2c14e');
        await page.locator('[name="stamps.markColor"]').fill('#f0c050');
        await page.getByText('Hard to see on what is behind it.').waitFor();
        await page.getByRole('button', { name: 'Choose automatically: Icon on them' }).click();
        await page.getByText('Hard to see on what is behind it.').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Web', exact: true }).click();
        await page.locator('.web-card svg.stamps.across image').waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const chosen = { over: 'image', icon: 'cup', color: '#f2c14e', markColor: null };
        assert.deepEqual(await stampsNow(), chosen);
        await page.getByRole('radio', { name: 'Check' }).check({ force: true });
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        assert.deepEqual(await stampsNow(), { ...chosen, icon: null });
        await page.getByLabel('Draw the stamps on the card').uncheck();
        await page.getByText('Saved. The cards follow.').waitFor();
        await page.getByRole('radio', { name: 'Coffee cup' }).waitFor({ state: 'detached' });
      },
      { client },
    );
  });

  it('says below the preview what is cut off, shows a logo on the colour of the card, and keeps a full front', async () => {
    const { client } = await app.newWorkspace();
    const fields = ['one', 'two', 'three', 'four'].map((key) => ({
      ...{ key, label: `The ${key}`, value: 'A long text for a narrow place', section: 'secondary' },
    }));
    const { passId } = await makePass(client, { fields, colors: { background: '#123456' } }, 'draft');
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        await page.getByText('Cut off on an iPhone: The one, The two, The three, The four.').waitFor();
        await page.getByRole('button', { name: 'Add a field' }).click();
        await waitForValue(page.locator('[name="fields[4].section"]'), 'back');
        await page.getByRole('button', { name: 'Remove: New field' }).click();
        for (const name of ['two', 'three', 'four'])
          await page.getByRole('button', { name: `Remove: The ${name}` }).click();
        await page.getByText('Cut off on an iPhone').waitFor({ state: 'detached' });

        const buffer = await photo(900, 200).png().toBuffer();
        const logo = page.locator('input[name="logoUrl"]');
        await logo.setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer });
        await page.getByText('in a circle, with a margin').waitFor();
        const ground = page.locator('.crop-window');
        assert.match(String(await ground.getAttribute('style')), /rgb\(18, 52, 86\)/);
        await page.getByRole('button', { name: 'Use this image' }).click();
        await page
          .locator('.faults')
          .getByText('This wide logo is tiny in the circle of Google Wallet.')
          .waitFor();
        await assertForEverybody(page);
      },
      { client },
    );
  });

  it('chooses a format of bars, says what that holds and, at the field, which check digit is right', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { barcode: { mode: 'simple', value: '400638133393' } });
    const act =
      (wrong: string, hint: string) =>
      async ({ page, open }: OpenConsole) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club');
        await page.locator('[name="barcode.format"]').selectOption('ean13');
        await page.getByText(hint).waitFor();
        await page.locator('[name="barcode.value"][aria-invalid="true"]').waitFor();
        await page.getByText(wrong).waitFor();
        await assertForEverybody(page);
        await page.locator('[name="barcode.value"]').fill('4006381333931');
        await page.locator('[name="barcode.value"][aria-invalid="true"]').waitFor({ state: 'detached' });
      };
    const english = act('The last of the 13 digits checks the others: here it is 1.', 'Holds 13 digits');
    await inConsole(app, 'manager', english, { client });
    const german = act('Hier ist es die 1.', 'Fasst 13 Ziffern');
    await inConsole(app, 'manager', german, { client, locale: 'de-DE' });
  });

  it('says how many cards a change reaches and what it costs, and then how far it has come', async () => {
    const { client } = await app.newWorkspace('pro', 100);
    const { passId } = await makePass(client);
    const cards = await inParallel(3, () => makeCard(client, passId));
    await phones.add(cards.slice(0, 2));
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        await waitForNone(page.locator('[name="type"]'));
        await page.locator('.field-list .of-field').click();
        await page.locator('[name="fields[0].label"]').fill('Level');
        await page.getByText('3 cards will change, 2 credits').waitFor();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: '3 cards will change' });
        await dialog.getByText('costs 2 credits').waitFor();
        await assertForEverybody(page);
        assert.equal((await client.get(`/passes/${passId}`)).body.fields[0].label, 'Tier');
        await dialog.getByRole('button', { name: 'Update the cards' }).click();
        await page.getByText('2 cards have been updated').waitFor();
        await assertForEverybody(page);
        const { fields, rollout } = (await client.get(`/passes/${passId}`)).body;
        assert.deepEqual([fields[0].label, rollout.done], ['Level', 2]);
        // Credits are set aside and then spent, which takes no others.
        await open('/console/settings/credits', 'Credits');
        const entry = (what: string) => page.locator('tr', { hasText: what });
        await entry('Update delivered').getByText('set aside before').waitFor();
        await entry('Set aside for an update').getByText('\u22122', { exact: true }).waitFor();
      },
      { client },
    );
  });

  it('translates a card, says what is missing, and draws it in the language that is open', async () => {
    const { client } = await app.newWorkspace();
    const pass = await makePass(client, {
      fields: [
        { key: 'tier', label: 'Level', value: 'Bronze', section: 'secondary' },
        { key: 'note', label: 'Note', value: 'Ask us', section: 'back' },
      ],
    });
    const program = { passId: pass.passId, mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${pass.passId}/design`, 'Blue Bean Club · Design');
        await page.getByRole('button', { name: 'Web', exact: true }).click();
        const web = page.locator('.web-card');
        await web.getByText('4 of 10').waitFor();
        await page.getByLabel('Add a language').selectOption('de');
        await page.getByText('6 texts are missing').waitFor();
        const texts = { title: 'Blaue Bohne', 'fields.tier.label': 'Stufe', 'fields.tier.value': 'Bronze' };
        for (const [name, text] of Object.entries(texts))
          await page.locator(`[name="translations.de.${name}"]`).fill(text);
        await page.getByText('3 texts are missing').waitFor();
        await web.getByText('Blue Bean Club').waitFor();
        await assertForEverybody(page);
        await page.getByLabel('Note', { exact: true }).fill('Notiz');
        await page.getByLabel('Ask us', { exact: true }).fill('Fragen Sie uns');
        await page.getByLabel('Free coffee', { exact: true }).fill('Kaffee gratis');
        await page.getByText('Complete', { exact: true }).waitFor();
        await web.getByText('Blaue Bohne').waitFor();
        await web.getByText('4 von 10').waitFor();
        await page.locator('.language > summary', { hasText: 'German' }).click();
        await web.getByText('4 of 10').waitFor();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const saved = (await client.get(`/passes/${pass.passId}`)).body;
        assert.deepEqual([saved.translations.de.title, saved.warnings], ['Blaue Bohne', undefined]);
        assert.deepEqual(saved.translations.de.program, { rewardTitle: 'Kaffee gratis' });

        // A text that the design has no longer takes its translation with it.
        await page.getByRole('button', { name: 'Remove: Note' }).click();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const fewer = (await client.get(`/passes/${pass.passId}`)).body;
        assert.deepEqual(Object.keys(fewer.translations.de.fields), ['tier']);
        await page.locator('.language > summary', { hasText: 'German' }).click();
        await page.getByRole('button', { name: 'Remove German' }).click();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        assert.deepEqual((await client.get(`/passes/${pass.passId}`)).body.translations, {});
      },
      { client },
    );
  });

  it('gives a card buttons, dates, beacons and what wallets are to do, and takes them away', async () => {
    const { client } = await app.newWorkspace();
    const visit = { key: 'visit', label: 'Next visit', section: 'secondary', format: 'dateTime' };
    const { passId } = await makePass(client, { type: 'generic', fields: [visit] });
    const passNow = async () => (await client.get(`/passes/${passId}`)).body;
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        const fill = (name: string, text: string) => page.locator(`[name="${name}"]`).fill(text);
        const choose = (name: string, value: string) => page.locator(`[name="${name}"]`).selectOption(value);
        const save = async () => {
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await page.getByText('Everything is saved').waitFor();
        };
        await open(`/console/passes/${passId}/design`, 'Blue Bean Club · Design');
        await page.getByRole('button', { name: 'Add a button' }).click();
        await choose('actions[0].kind', 'call');
        await fill('actions[0].title', 'Call us');
        await fill('actions[0].to', 'https://a.example');
        await page.getByText('Must be a telephone number').waitFor();
        await fill('actions[0].to', '+49 30 1234567');
        for (const at of [0, 1]) {
          await page.getByRole('button', { name: 'Add an offer or a link' }).click();
          await fill(`modules[${at}].header`, `Offer number ${at}`);
          await fill(`modules[${at}].url`, at === 0 ? 'http://a.example' : 'https://b.example');
        }
        await page.getByText('Must be an https address').waitFor();
        await fill('modules[0].url', 'https://a.example');
        await fill('modules[0].body', 'For a week');
        await page.getByRole('button', { name: 'Add a date' }).click();
        await choose('dates[0].field', 'visit');
        await page.getByRole('button', { name: 'Add a date' }).click();
        await fill('dates[1].start', '2027-03-01T19:30');
        await fill('dates[1].end', '2027-03-01T22:00');
        await choose('walletOptions.purpose', 'gym');
        await page.getByLabel('Customers may hand the card on').uncheck();
        await page.getByText('Groups, own app, readers, beacons').click();
        await fill('walletOptions.appStoreIds', '123456789');
        await page.getByRole('button', { name: 'Add a beacon' }).click();
        await fill('beacons[0].uuid', '5A4BCFCE-174E-4BAC-A814-092E77F6B7E5');
        await assertForEverybody(page);
        await save();
        const { actions, modules, dates, walletOptions, beacons } = await passNow();
        assert.deepEqual(modules, [
          { header: 'Offer number 0', url: 'https://a.example', body: 'For a week' },
          { header: 'Offer number 1', url: 'https://b.example' },
        ]);
        assert.deepEqual(actions, [{ kind: 'call', title: 'Call us', to: '+49 30 1234567' }]);
        assert.deepEqual(dates[0], { field: 'visit' });
        assert.equal(Date.parse(dates[1].end) - Date.parse(dates[1].start), 2.5 * 3_600_000);
        assert.deepEqual(walletOptions, { purpose: 'gym', sharing: false, appStoreIds: [123456789] });
        assert.equal(beacons.length, 1);

        await page.getByRole('button', { name: 'Remove button 1' }).click();
        await page.getByRole('button', { name: 'Remove date 1' }).click();
        await page.getByRole('button', { name: 'Remove offer 1' }).click();
        await page.getByLabel('Customers may hand the card on').check();
        await save();
        const fewer = await passNow();
        assert.deepEqual([fewer.actions, fewer.modules, fewer.dates], [[], [modules[1]], [dates[1]]]);
        assert.deepEqual(fewer.walletOptions, { purpose: 'gym', appStoreIds: [123456789] });
      },
      { client },
    );
  });

  it('takes the places of a chain as a list, names a wrong line, shows the first ten and removes all', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { title: 'Chain', fields: [] });
    const placesNow = async () => (await client.get(`/passes/${passId}`)).body.locations;
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        const list = page.locator('[name="list"]');
        const add = async (lines: string[]) => {
          await page.getByRole('button', { name: 'Add from a list' }).click();
          await list.fill(lines.join('\n'));
          await page.getByRole('button', { name: 'Add places' }).click();
        };
        const save = async () => {
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await page.getByText('Everything is saved').waitFor();
        };
        await open(`/console/passes/${passId}/design`, 'Chain · Design');
        const forms = [
          '52.5200, 13.4050',
          '48.1, 11.5, Coffee, and cake',
          '-33,925;18,424;Cape Town',
          '50.1\t8.6\t"A ""good"" one"',
        ];
        await add([...forms, '', 'Lat, Long', '1, 2']);
        await page.getByText('Line 6 is not a latitude and a longitude').waitFor();
        await list.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
        await assertForEverybody(page);
        for (const [line, said] of [
          ['91, 0', 'Line 1 is not'],
          ['0, 181', 'Line 1 is not'],
          [`1, 2, ${'x'.repeat(201)}`, 'The text in line 1 is longer than 200 characters.'],
          ['1, 2\n'.repeat(1_001), 'These are 1001 places, and the pass has room for 1000.'],
        ] as const) {
          await list.fill(line);
          await page.getByRole('button', { name: 'Add places' }).click();
          await page.getByText(said).waitFor();
        }
        await list.fill(forms.join('\r\n'));
        await page.getByRole('button', { name: 'Add places' }).click();
        await waitForNone(page.getByRole('dialog'));
        await save();
        assert.deepEqual(await placesNow(), [
          { latitude: 52.52, longitude: 13.405, relevantText: null },
          { latitude: 48.1, longitude: 11.5, relevantText: 'Coffee, and cake' },
          { latitude: -33.925, longitude: 18.424, relevantText: 'Cape Town' },
          { latitude: 50.1, longitude: 8.6, relevantText: 'A "good" one' },
        ]);
        await add(Array.from({ length: 318 }, (_, at) => `${at / 10}, 13, Shop ${at}`));
        await page.getByText('And 312 more.').waitFor();
        assert.equal(await page.locator('[name^="locations["][name$=".latitude"]').count(), 10);
        await page.locator('[name="locations[0].relevantText"]').fill('The first');
        await assertForEverybody(page);
        await save();
        const saved = await placesNow();
        assert.deepEqual(
          [saved.length, saved[0].relevantText, saved[321].latitude],
          [322, 'The first', 31.7],
        );
        await page.getByRole('button', { name: 'Remove all' }).click();
        await waitForNone(page.getByText('more.'));
        await save();
        assert.deepEqual(await placesNow(), []);
      },
      { client },
    );
  });

  it('keeps what is not saved in the tab, and takes a design along as a file', async () => {
    const { client } = await app.newWorkspace();
    const pass = await makePass(client, {}, 'draft');
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${pass.passId}/design`, 'Blue Bean Club · Design');
        await page.getByLabel('Title').fill('Green Bean Club');
        await page.getByText('Unsaved changes').waitFor();
        await page.locator('.back').click();
        await page.getByRole('link', { name: 'Blue Bean Club' }).click();
        await page.getByText('Here is what you had not saved.').waitFor();
        await waitForValue(page.getByLabel('Title'), 'Green Bean Club');
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Export' }).click(),
        ]);
        assert.equal(file.suggestedFilename(), 'green-bean-club.design.json');
        await page.getByRole('button', { name: 'Discard' }).first().click();
        await page.getByText('Everything is saved').waitFor();
        await waitForValue(page.getByLabel('Title'), 'Blue Bean Club');

        const chooser = page.locator('input[accept*="json"]');
        await chooser.setInputFiles({
          name: 'a.json',
          mimeType: 'application/json',
          buffer: Buffer.from('{}'),
        });
        await page.getByText('This file holds no design.').waitFor();
        await chooser.setInputFiles(await file.path());
        await page.getByText('The design is taken over.').waitFor();
        await waitForValue(page.getByLabel('Title'), 'Green Bean Club');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Everything is saved').waitFor();
        const after = (await client.get(`/passes/${pass.passId}`)).body;
        assert.deepEqual([after.title, after.fields], ['Green Bean Club', pass.fields]);
      },
      { client },
    );
  });
});
