import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole, waitForNone } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('why a phone does not show a card', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const newCard = async () =>
    makeCard(client, (await makePass(client, { title: 'Blue Bean Club' })).passId, {
      holder: { name: 'Grace Hopper' },
    });
  const look = 'Why does the phone not show it?';

  it('is shown in plain words, with what to do, and looked at again', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const card = await newCard();
      await open(`/console/cards/${card.instanceId}`, 'Grace Hopper');
      await button(page, 'More for this card').click();
      await button(page, look).click();
      await page.getByText('The link to the card was never opened').waitFor();
      await page.getByText('Send it to the holder.').waitFor();
      // A certificate does not mend itself.
      const finding = page.locator('.findings li', { hasText: /The certificate that .* is not in order/ });
      await finding.locator('.badge', { hasText: 'To check' }).waitFor();
      await page.getByText('What is in order').click();
      await page.getByText('The card is valid').waitFor();
      await assertForEverybody(page);
      await app.anyone.get(card.links.add);
      await button(page, 'Look again').click();
      await page.getByText(/The link was opened on .* and the card was not added/).waitFor();
    }));

  it('is shown in German', () =>
    inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        const card = await newCard();
        await open(`/console/cards/${card.instanceId}`, 'Grace Hopper');
        await button(page, 'Mehr zu dieser Karte').click();
        await button(page, 'Warum zeigt das Handy es nicht?').click();
        await page.getByText('Der Link zur Karte wurde nie geöffnet').waitFor();
      },
      { locale: 'de-DE' },
    ));

  it('is no question where the person was erased, and nothing of the card can be changed then', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { instanceId } = await newCard();
      await client.post(`/instances/${instanceId}/void`);
      await open(`/console/cards/${instanceId}`, 'Grace Hopper');
      await button(page, 'More for this card').click();
      await page.getByRole('button', { name: 'Make valid again' }).waitFor();
      await client.delete(`/instances/${instanceId}`);
      await open(`/console/cards/${instanceId}`, 'Card without a name');
      await page.getByText('The person behind this card was erased').waitFor();
      await waitForNone(button(page, 'More for this card'));
      await waitForNone(button(page, look));
      await assertForEverybody(page);
      // An unknown one is another matter.
      const { passId } = await makePass(client);
      const bare = await makeCard(client, passId);
      await client.post(`/instances/${bare.instanceId}/void`);
      await open(`/console/cards/${bare.instanceId}`, 'Card without a name');
      await button(page, 'More for this card').click();
      await page.getByRole('button', { name: 'Make valid again' }).click();
      await page.locator('.badge', { hasText: 'Valid' }).waitFor();
    }));

  it('is not for staff', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      const { instanceId } = await newCard();
      await open(`/console/cards/${instanceId}`, 'Grace Hopper');
      await page.getByRole('heading', { name: 'About this card' }).waitFor();
      await waitForNone(button(page, look));
    }));
});
