import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  allowed,
  connectShop,
  ended,
  openShop,
  slowDown,
  start,
} from '../src/invitations/sweeps/sweeps.fixture.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForCount,
  waitForNone,
} from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { until } from './wallets.ts';

describe('the invitations of a pass', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/invites');
  const app = await startTestApp({ ...(await consoleSettings()), ...allowed });
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const rowOf = (page: Page, email: string) => page.locator('tbody tr', { hasText: email });
  const shopWith = async (title: string, customers: Parameters<typeof openShop>[0]) => {
    const shop = await openShop(customers);
    const made = await connectShop(client, shop);
    await client.patch(`/passes/${made.passId}`, { title });
    return { shop, ...made };
  };

  it('invite a person, who has agreed, once', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Blue Bean Club' });
      await open(`/console/passes/${passId}/invites`, 'Blue Bean Club · Invites');
      await page.getByText('No one is invited yet').waitFor();
      await page.getByText('No store is connected').waitFor();
      await assertForEverybody(page);
      const fill = async (email: string) => {
        await button(page, 'Invite someone').click();
        await dialog(page).getByLabel('E-mail address').fill(email);
      };
      await fill('ada@example.com');
      await dialog(page).getByLabel('Name').fill('Ada Lovelace');
      await button(page, 'Send invitation').click();
      // The browser asks for the consent, and nothing was sent.
      await waitForCount(page.locator('input[name=consent]:invalid'), 1);
      assert.equal((await client.get(`/passes/${passId}/invites`)).body.data.length, 0);
      await dialog(page).getByLabel('They have agreed').check();
      await button(page, 'Send invitation').click();
      await page.getByText('The invitation is on its way.').waitFor();
      await rowOf(page, 'ada@example.com').getByText('Sent', { exact: true }).first().waitFor();
      await fill('ADA@example.com');
      await dialog(page).getByLabel('They have agreed').check();
      await button(page, 'Send invitation').click();
      await page.getByText('this address was invited before').waitFor();
      await fill('ada@exam ple.com');
      await dialog(page).getByLabel('They have agreed').check();
      // What a browser takes for an address and the service does not.
      await dialog(page)
        .getByLabel('E-mail address')
        .evaluate((input) => input.setAttribute('type', 'text'));
      await button(page, 'Send invitation').click();
      await dialog(page).locator('input[name=email][aria-invalid=true]').waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('State').selectOption('failed');
      await page.getByText('No invitations match').waitFor();
      await button(page, 'Show all').click();
      await rowOf(page, 'ada@example.com').waitFor();
      await assertForEverybody(page);
    }));

  it('send everyone whose card was in no wallet theirs after an import, counted first, and save the links', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Paper Bean Club' });
      const held = await makeCard(client, passId, { holder: { name: 'Cy', email: 'cy@example.com' } });
      const installed = { viewer: '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a12', installed: true };
      await app.anyone.post(`${held.links.card}/installation`, installed);
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      const buffer = Buffer.from('name,e-mail,phone\nAda,ada@bean.example,\nBo,,+4915110000001\n');
      const file = { name: 'paper.csv', mimeType: 'text/csv', buffer };
      await page.locator('input[type="file"]').setInputFiles(file);
      await button(page, 'Read the file').click();
      await button(page, 'Import').click();
      await page.getByRole('link', { name: 'Send people their card' }).click();
      await page.locator('h1', { hasText: 'Paper Bean Club · Invites' }).waitFor();
      const panel = page.getByRole('region', { name: 'Send people their card' });
      await panel.getByText('mails go nowhere').waitFor();
      await panel.getByRole('button', { name: 'Count the people' }).click();
      await panel.getByText('1 person can be mailed.').waitFor();
      await panel.getByText('Without an e-mail address: 1').waitFor();
      await assertForEverybody(page);
      const invited = async () => (await client.get(`/passes/${passId}/invites`)).body.data;
      assert.deepEqual(await invited(), []);
      await panel.getByRole('button', { name: 'Send 1 person their card' }).click();
      await panel.getByText('Mails on their way: 1.').waitFor();
      await rowOf(page, 'ada@bean.example').getByText('Sent', { exact: true }).first().waitFor();
      assert.equal((await invited()).length, 1);
      const saved = page.waitForEvent('download');
      await panel.getByRole('button', { name: 'Save links as CSV' }).click();
      const text = await readFile(await (await saved).path(), 'utf8');
      const { data } = (await client.get(`/passes/${passId}/instances`)).body;
      const linkOf = (name: string) =>
        data.find(({ holder }: { holder: { name: string } }) => holder.name === name).links.add;
      const [heads, ...lines] = text.trim().split('\r\n');
      assert.equal(heads, 'name,email,phone,customerNumber,link');
      assert.deepEqual(lines.sort(), [
        `Ada,ada@bean.example,,,${linkOf('Ada')}`,
        `Bo,,'+4915110000001,,${linkOf('Bo')}`,
      ]);
    }));

  it('count the customers of a store, invite them, and see the outcome of each', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId } = await shopWith('Red Bean Club', {
        customers: { count: 60, consentEvery: 2, noEmailEvery: 7 },
      });
      await open(`/console/passes/${passId}/invites`, 'Red Bean Club · Invites');
      await button(page, 'Count first').click();
      await page.getByText(/^\d+ customers would be invited/).waitFor();
      const { state } = (await client.get(`/passes/${passId}/invites/sweep`)).body;
      assert.deepEqual(
        [state.found, (await client.get(`/passes/${passId}/invites`)).body.data.length],
        [60, 0],
      );
      await assertForEverybody(page);
      await button(page, `Invite ${state.invited} customers`).click();
      await dialog(page).getByText('cost no credits').waitFor();
      await dialog(page)
        .getByRole('button', { name: `Invite ${state.invited} customers` })
        .click();
      await page.getByText(`${state.invited} customers were invited.`).waitFor();
      await button(page, 'Show the outcome for each customer').click();
      await page.locator('tbody tr', { hasText: 'Has not agreed to mail' }).first().waitFor();
      await assertForEverybody(page);
      const saved = page.waitForEvent('download');
      await button(page, 'Download as CSV').click();
      const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
      assert.match(lines[0] ?? '', /^customerId,outcome,/);
      assert.equal(lines.length, 61);
    }));

  it('see one that runs after the page was loaded anew, and stop it', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { shop, passId, sweep } = await shopWith('Slow Bean Club', { customers: 10_000 });
      await open(`/console/passes/${passId}/invites`, 'Slow Bean Club · Invites');
      await button(page, 'Count first').waitFor();
      // Another member begins one, which this page does not know.
      slowDown(shop, 300);
      await start(client, sweep);
      const found = async () => (await client.get(sweep)).body.state.found > 0;
      await until('it has read a page', found);
      shop.isBlackHole = true;
      await button(page, 'Count first').click();
      await page.getByText('Someone has started one already').waitFor();
      await page.getByText(/Reading the customers: [1-9]/).waitFor();
      await page.reload();
      await page.getByText(/Reading the customers: [1-9]/).waitFor();
      await assertForEverybody(page);
      await button(page, 'Stop').click();
      await dialog(page).getByRole('button', { name: 'Stop' }).click();
      await page.getByText('It was stopped').waitFor();
      assert.equal((await ended(client, sweep)).state.status, 'cancelled');
    }));

  it('say why a store cannot be read, and offer nothing that a role or a draft may not do', async () => {
    const { shop, passId } = await shopWith('Closed Bean Club', { customers: 3 });
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open(`/console/passes/${passId}/invites`, 'Closed Bean Club · Invites');
      shop.fail({ outcome: { status: 401 } });
      await button(page, 'Count first').click();
      await page.getByText('The store does not let us in').waitFor();
      const draft = await makePass(client, { title: 'Draft Club' }, 'draft');
      await open(`/console/passes/${draft.passId}/invites`, 'Draft Club · Invites');
      await page.getByText('Publish this pass first').waitFor();
      await waitForNone(button(page, 'Invite someone'));
      await waitForNone(button(page, 'Count first'));
    });
    await inConsole(app, 'viewer', async ({ page, open }) => {
      await open(`/console/passes/${passId}/invites`, 'Closed Bean Club · Invites');
      await page.getByText('No one is invited yet').waitFor();
      await waitForNone(button(page, 'Invite someone'));
      await waitForNone(button(page, 'Count first'));
    });
  });
});
