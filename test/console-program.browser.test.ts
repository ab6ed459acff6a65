import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { award, makeProgram } from '../src/loyalty/account.fixture.ts';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import type { Json } from './client.ts';
import { assertForEverybody, checksPages, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { until } from './wallets.ts';

describe('the program of a pass and its messages', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/program', '/console/passes/:passId/messages');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');

  const programOf = async (passId: string) => {
    const { data } = (await client.get('/loyalty/programs?limit=100')).body;
    return data.find((one: { passId: string }) => one.passId === passId);
  };
  const fold = (page: Page, title: string) => page.locator('summary', { hasText: title }).click();
  const drawing = (page: Page) => page.locator('.live-card .web-card');
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The program is changed.').waitFor();
  };

  it('make a program of stamps as a sentence next to the card, launch it, change a rule, pause it', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Blue Bean Club' });
      await open(`/console/passes/${passId}/program`, 'Blue Bean Club · Program');
      await page.getByRole('button', { name: 'Set up a program' }).click();
      await page
        .getByLabel('Web', { exact: true })
        .or(page.getByRole('button', { name: 'Web' }))
        .first()
        .click();
      await page.getByLabel('Reward', { exact: true }).fill('Hot chocolate');
      await page.getByLabel('Stamps for a reward').fill('8');
      await drawing(page).getByText('Hot chocolate: 8 stamps').waitFor();
      await drawing(page).getByText('3 of 8').waitFor();
      await page.getByRole('button', { name: 'Make program' }).click();
      await page.getByRole('button', { name: 'Launch' }).click();
      await dialog(page).getByRole('button', { name: 'Launch' }).click();
      await page.locator('.badge', { hasText: 'Running' }).waitFor();
      await fold(page, 'Limits');
      await page.getByLabel('Most stamps per card and day').fill('3');
      await page.getByLabel('Most stamps per award').fill('2');
      await page.getByLabel('The same for staff').fill('1');
      await page.getByLabel('Minutes between two awards of a card').fill('1.5');
      await save(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.locator('.badge', { hasText: 'Paused' }).waitFor();
      await assertForEverybody(page);
      const made = await programOf(passId);
      assert.deepEqual([made.mode, made.threshold, made.status], ['STAMPS', 8, 'paused']);
      assert.deepEqual(made.limits, {
        perDay: 3,
        minSecondsBetween: 90,
        perAward: 2,
        perAwardByRole: { staff: 1 },
      });
    }));

  it('read that a reward that is renamed keeps its translations', async () => {
    const { passId } = await makePass(client, { title: 'Bean Club' });
    const program = { passId, mode: 'STAMPS', threshold: 10, reward: { title: 'Free coffee' } };
    assert.equal((await client.post('/loyalty/programs', program)).status, 201);
    const translations = { de: { program: { rewardTitle: 'Gratis-Kaffee' } } };
    assert.equal((await client.patch(`/passes/${passId}`, { translations })).status, 200);
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open(`/console/passes/${passId}/program`, 'Bean Club · Program');
      const hint = page.getByText('keeps the name that it has');
      await page.getByLabel('Stamps for a reward').fill('8');
      assert.equal(await hint.count(), 0);
      await page.getByLabel('Reward', { exact: true }).fill('Free cake');
      await hint.waitFor();
      await assertForEverybody(page);
      await page.getByRole('link', { name: 'Change it in the design' }).click();
      await page.locator('h1', { hasText: 'Bean Club · Design' }).waitFor();
    });
  });

  it('see whom a lower threshold gives a reward, before it is saved', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { pass, program } = await makeProgram(client, {
        mode: 'STAMPS',
        reward: { title: 'Free coffee' },
        threshold: 10,
      });
      for (const points of [6, 5, 4]) await award(client, await makeCard(client, pass.passId), points);
      await open(`/console/passes/${pass.passId}/program`, 'Program');
      await page.getByLabel('Stamps for a reward').fill('5');
      await page.getByRole('button', { name: 'Save' }).click();
      await dialog(page).getByText('2 people have a reward by this. Rewards that are unlocked: 2.').waitFor();
      await dialog(page).getByText('3 cards change.').waitFor();
      await assertForEverybody(page);
      assert.equal((await programOf(pass.passId)).threshold, 10, 'nothing is saved yet');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.getByText('The program is changed.').waitFor();
      const { body } = await client.get(`/loyalty/programs/${program.programId}`);
      assert.equal(body.threshold, 5);
    }));

  it('ask before stamps take the place of a picture, and leave the choice in the design', async () => {
    const { client } = await app.newWorkspace();
    const png = await photo(750, 288).png().toBuffer();
    const upload = await client.post('/images', png, { headers: { 'content-type': 'image/png' } });
    const { passId } = await makePass(client, { title: 'Bean Club', stripUrl: upload.body.url });
    const program = { passId, mode: 'STAMPS', threshold: 5, reward: { title: 'Free coffee' } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    const draws = async () => (await client.get(`/loyalty/programs/${programId}`)).body.drawsStamps;
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/program`, 'Bean Club · Program');
        await page.getByRole('button', { name: 'Launch' }).click();
        await dialog(page).getByText('Your picture makes way for the stamps').waitFor();
        await assertForEverybody(page);
        await dialog(page).getByLabel('Draw the stamps on the card').uncheck();
        await dialog(page).getByRole('button', { name: 'Launch' }).click();
        await page.locator('.badge', { hasText: 'Running' }).waitFor();
        assert.equal(await draws(), false);
        await open(`/console/passes/${passId}/design`, 'Bean Club · Design');
        await page.locator('.thumb.stripUrl img').waitFor();
        assert.equal(await page.getByText('Not shown', { exact: true }).count(), 0);
        await page.getByLabel('Draw the stamps on the card').check();
        await page.getByText('Not shown', { exact: true }).waitFor();
        assert.equal(await draws(), true);
        await assertForEverybody(page);
      },
      { client },
    );
  });

  it('make one of points with a ladder of rewards, tiers, currencies and names of its own', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Green Bean Club' });
      await open(`/console/passes/${passId}/program`, 'Green Bean Club · Program');
      await page.getByRole('button', { name: 'Set up a program' }).click();
      await page.getByRole('button', { name: 'Points', exact: true }).click();
      await page.getByLabel('Reward', { exact: true }).fill('A cake');
      await page.getByLabel('Amount of money').fill('10');
      await page.getByRole('button', { name: 'Make program' }).click();
      await fold(page, 'Rewards');
      await page.getByRole('button', { name: 'Add a reward' }).click();
      await page.getByLabel('Reward', { exact: true }).nth(1).fill('A coffee');
      await page.getByLabel('Costs').fill('30');
      await page.getByRole('button', { name: 'Move "A coffee" up' }).click();
      await fold(page, 'Tiers');
      await page.getByRole('button', { name: 'Add a tier' }).click();
      await page.getByLabel('Tier', { exact: true }).fill('Gold');
      await page.getByLabel('From, in points').fill('500');
      await page.getByLabel('Counts times').fill('1.5');
      await fold(page, 'Money and currencies');
      await page.getByLabel('Smallest order, in EUR').fill('2,50');
      await page.getByRole('button', { name: 'Add a currency' }).click();
      await page.getByLabel('Other currency').fill('CHF');
      await page.getByLabel('One CHF is worth, in EUR').fill('1,04');
      await fold(page, 'Name, expiry and refunds');
      await page.getByLabel('One is called').fill('bean');
      await page.getByLabel('Several are called').fill('beans');
      await page.getByLabel('When an order is refunded').selectOption('within_balance');
      await save(page);
      const made = await programOf(passId);
      assert.deepEqual(
        made.rewards.map(({ title, cost, status }: Json) => [title, cost, status]),
        [
          ['A coffee', 30, 'active'],
          ['A cake', 100, 'active'],
        ],
      );
      assert.deepEqual(made.tiers, [{ key: 'tier_1', title: 'Gold', from: 500, multiplier: 1.5 }]);
      assert.deepEqual(made.earn, {
        perCurrencyUnit: 0.1,
        currency: 'EUR',
        rates: { CHF: '1.04' },
        perOrder: 0,
        minOrder: { amount: '2.50', currency: 'EUR' },
      });
      assert.deepEqual([made.pointName.other, made.refundPolicy], ['beans', 'within_balance']);
      // The page begins anew with what was saved, all parts folded.
      const isFolded = () => page.locator('.rare:not(:has(details[open]))').waitFor();
      await isFolded();
      // What was typed is what is shown: one for ten. A reward is retired, and keeps its place.
      assert.equal(await page.getByLabel('Amount of money').inputValue(), '10');
      for (const title of ['Rewards', 'Tiers', 'Limits', 'Money and currencies', 'Name, expiry and refunds'])
        await fold(page, title);
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Retire A cake' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await until(
        'the reward is hidden',
        async () => (await programOf(passId)).rewards[1].status === 'hidden',
      );
      await isFolded();
      // A fault in a folded part opens it.
      await fold(page, 'Name, expiry and refunds');
      await page.getByLabel('Several are called').fill('');
      await fold(page, 'Name, expiry and refunds');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('details[open] input[aria-invalid="true"]:focus').waitFor();
    }));

  it('write a message as phones show it, see for how many, send it, and take it back', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const consents = [{ key: 'news', text: 'News by message', required: false }];
      const { passId } = await makePass(client, {
        title: 'Red Bean Club',
        join: { enabled: true, consents },
      });
      const card = await makeCard(client, passId);
      await open(`/console/passes/${passId}/messages`, 'Red Bean Club · Messages');
      await page.getByText('No messages yet').waitFor();
      const write = () => page.getByRole('link', { name: 'New message' }).click();
      await write();
      await page.getByText('No card in a wallet matches this.').waitFor();
      await page.getByRole('link', { name: 'Cancel' }).click();
      const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
      const token = new URL(card.links.add).pathname;
      const installed = await app.anyone.post(`${token}/card/installation`, { viewer, installed: true });
      assert.equal(installed.status, 204, installed.text);
      await write();
      await page.getByText('Goes to 1 card for 1 credit.').waitFor();
      await page.getByLabel('Message', { exact: true }).fill('Double points on Friday');
      await page.locator('.lock', { hasText: 'Double points on Friday' }).waitFor();
      await page.getByLabel('Agreed to: News by message').check();
      await page.getByText('No card in a wallet matches this.').waitFor();
      await page.getByLabel('Everyone with the card in a wallet').check();
      await page.getByText('Goes to 1 card for 1 credit.').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Send' }).click();
      const row = page.locator('tr', { hasText: 'Double points on Friday' });
      await row.getByText('1 of 1 delivered').waitFor();
      await assertForEverybody(page);
      await row.getByRole('button', { name: 'Take back: Double points on Friday' }).click();
      await dialog(page).getByText('Notifications that phones have shown already stay.').waitFor();
      await dialog(page).getByRole('button', { name: 'Take back' }).click();
      await row.getByText('Off the cards').waitFor();
      await write();
      await page.getByLabel('Message', { exact: true }).fill('Later');
      await page.getByLabel('Goes out').fill('2030-07-01T09:30');
      await page.getByRole('button', { name: 'Schedule' }).click();
      const later = page.locator('tr', { hasText: 'Later' });
      await later.getByText('Scheduled').waitFor();
      const planned = async () => (await client.get(`/passes/${passId}/messages`)).body.data[0];
      // The clocks of the workspace count, those of UTC here.
      assert.equal((await planned()).sendAt, '2030-07-01T09:30:00.000Z');
      await client.patch('/workspace', { timezone: 'Europe/Berlin' });
      await page.reload();
      await later.getByRole('link', { name: 'Change' }).click();
      assert.equal(await page.getByLabel('Goes out').inputValue(), '2030-07-01T11:30');
      await page.getByLabel('Goes out').fill('2030-12-01T09:30');
      await page.getByRole('button', { name: 'Save' }).click();
      await later.waitFor();
      assert.equal((await planned()).sendAt, '2030-12-01T08:30:00.000Z');
    }));
});
