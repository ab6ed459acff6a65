import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import type { Client, Json } from './client.ts';
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

const longName =
  'A campaign of the summer whose name is far longer than usual ones, but a member typed it all';

describe('the pages of partners', { skip: consoleSkip }, async () => {
  checksPages('/console/partners', '/console/partners/:partnerId');
  const app = await startTestApp(await consoleSettings());
  const dialog = (page: Page) => page.getByRole('dialog');

  async function makePartner(client: Client, body: object): Promise<Json> {
    const { status, body: made, text } = await client.post('/partners', body);
    assert.equal(status, 201, text);
    return made;
  }

  /** A pass with a program that runs. */
  async function makeProgram(client: Client, title: string): Promise<Json> {
    const pass = await makePass(client, { title });
    const reward = { title: 'Free coffee', cost: 5 };
    const { body } = await client.post('/loyalty/programs', { passId: pass.passId, mode: 'POINTS', reward });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    return pass;
  }

  it('are added, changed and removed, with refusals at their field, also where another person was faster', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/partners', 'Partners');
        await page.getByText('There is no partner yet').waitFor();
        await assertForEverybody(page);
        await makePartner(client, { name: 'Blue Bean Old Town', externalId: 'store-1' });
        await page.getByRole('button', { name: 'New partner' }).click();
        await dialog(page).getByLabel('Name').fill(longName);
        const number = dialog(page).getByLabel('Own number');
        await number.fill('store-1');
        await dialog(page).getByRole('button', { name: 'Add partner' }).click();
        await dialog(page).getByText('Another partner has this number.').waitFor();
        await number.and(page.locator('[aria-invalid="true"]')).waitFor();
        await number.fill('store-2');
        await dialog(page).getByRole('button', { name: 'Add partner' }).click();
        await page.locator('h1', { hasText: longName }).waitFor();
        await page.getByText('Nothing happened here in this month').waitFor();
        await page.getByText('No one is bound to it.').waitFor();
        await assertForEverybody(page);

        await page.getByRole('button', { name: 'Change' }).click();
        await dialog(page).getByLabel('Name').fill('Blue Bean Harbour');
        await dialog(page).getByLabel('Own number').fill('');
        const location = dialog(page).getByLabel('Location');
        for (const wrong of ['Berlin', '52.52', '52.52, 200', '52.52, 13.405, here']) {
          await location.fill(wrong);
          await dialog(page).getByRole('button', { name: 'Save' }).click();
          await dialog(page).getByText('Write latitude and longitude, such as').waitFor();
          await location.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
        }
        await location.fill('52.5200, 13.4050');
        await dialog(page).getByRole('button', { name: 'Save' }).click();
        await page.locator('h1', { hasText: 'Blue Bean Harbour' }).waitFor();
        await page.getByText('52.52, 13.405').waitFor();
        const partnerId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
        const changed = (await client.get(`/partners/${partnerId}`)).body;
        assert.equal(changed.externalId, null);
        assert.deepEqual(changed.location, { latitude: 52.52, longitude: 13.405 });

        const remove = async () => {
          await page.getByRole('button', { name: 'More for this partner' }).click();
          await page.getByRole('button', { name: 'Remove' }).click();
          await dialog(page).getByText('This cannot be taken back.').waitFor();
          await dialog(page).getByRole('button', { name: 'Remove' }).click();
        };
        await remove();
        await page.locator('h1', { hasText: 'Partners' }).waitFor();
        await page.getByRole('link', { name: 'Blue Bean Old Town' }).click();
        await page.locator('h1', { hasText: 'Blue Bean Old Town' }).waitFor();
        const { data } = (await client.get('/partners')).body;
        assert.deepEqual(
          data.map(({ name }: Json) => name),
          ['Blue Bean Old Town'],
        );
        await client.delete(`/partners/${data[0].partnerId}`);
        await remove();
        await dialog(page).getByText('There is no such partner.').waitFor();
        await open(`/console/partners/${partnerId}`, 'Partner');
        await page.getByText('There is no such partner.').waitFor();
      },
      { client },
    );
  });

  it('show the statement of a month, the entries behind it, and who is bound to them', async () => {
    const { client } = await app.newWorkspace();
    const coffee = await makeProgram(client, 'Blue Bean Club');
    const tea = await makeProgram(client, 'Green Leaf Club');
    const { partnerId } = await makePartner(client, { name: '=Harbour', metadata: { city: 'Porto' } });
    await makePerson(client, 'staff', { name: 'Grace Hopper', partnerId });
    await makePerson(client, 'staff', { name: 'Alan Turing' });
    const card = await makeCard(client, coffee.passId, { holder: { name: 'Ada Lovelace' }, partnerId });
    const other = await makeCard(client, tea.passId);
    const award = (of: Json, points: number) =>
      client.post('/loyalty/points', { instanceId: of.instanceId, passId: of.passId, points, partnerId });
    assert.equal((await award(card, 7)).status, 200);
    assert.equal((await award(other, 2)).status, 200);
    // A partner of last year has months to look back to.
    await app.sql(
      `update partners set created_at = created_at - interval '14 months' where name = '=Harbour'`,
    );
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        await open(`/console/partners/${partnerId}`, '=Harbour');
        await page.locator('.figures dd', { hasText: '9' }).waitFor();
        await page.getByRole('row', { name: /^Total.* 1 9 0$/ }).waitFor();
        await page.getByText('Grace Hopper').waitFor();
        await waitForNone(page.getByText('Alan Turing'));
        const entries = page.getByRole('table', { name: 'Its entries in this month' });
        await page.getByLabel('Pass of the entries').selectOption('Blue Bean Club');
        await entries.getByRole('cell', { name: '+7' }).waitFor();
        await page.getByLabel('Pass of the entries').selectOption('Green Leaf Club');
        await entries.getByRole('cell', { name: '+2' }).waitFor();
        await waitForNone(entries.getByRole('cell', { name: '+7' }));
        await waitForNone(page.getByRole('button', { name: 'Change' }));
        await assertForEverybody(page);
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download as CSV' }).click();
        assert.match(await readFile(await (await saved).path(), 'utf8'), /,'=Harbour,.*,Total,1,2,9,/);

        await page.getByRole('button', { name: 'The month before' }).click();
        await page.waitForURL(/month=2/);
        await page.getByText('Nothing happened here in this month').waitFor();
        await page.getByRole('button', { name: 'The month after' }).click();
        await entries.getByRole('link').first().click();
        await page.waitForURL(/\/console\/cards\/inst_/);
      },
      { client },
    );
  });

  it('are many, in German too, found by their own number, and not for staff', async () => {
    const { client } = await app.newWorkspace();
    for (let at = 1; at <= 60; at += 1)
      await makePartner(client, { name: `${longName} ${at}`, externalId: `nummer-${at}` });
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/partners', 'Partner');
        await page.getByRole('button', { name: 'Mehr anzeigen' }).click();
        await page.getByRole('link', { name: `${longName} 1`, exact: true }).waitFor();
        await assertForEverybody(page);
        await page.getByLabel('Eigene Nummer').fill('nummer-17');
        await page.getByRole('button', { name: 'Anwenden' }).click();
        await page.waitForURL(/externalId=nummer-17/);
        const rows = page.getByRole('table').getByRole('link');
        await page.locator('tbody tr:only-child').waitFor();
        assert.equal(await rows.innerText(), `${longName} 17`);
        await rows.click();
        await page.getByRole('heading', { name: 'Abrechnung' }).waitFor();
        await assertForEverybody(page);
      },
      { client, locale: 'de-DE' },
    );
    await inConsole(app, 'staff', ({ open }) => open('/console/partners', 'not for your role'), { client });
  });
});
