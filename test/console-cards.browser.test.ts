import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { complete, makeJoinPass, sendForm } from '../src/enrolment/join.fixture.ts';
import type { Json } from './client.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForCount,
  waitForNone,
} from './console.ts';
import { inParallel, makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the pages of cards', { skip: consoleSkip }, async () => {
  checksPages('/console/cards', '/console/cards/:instanceId');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const pass = await makePass(client, { title: 'Blue Bean Club' });
  const program = await client.post('/loyalty/programs', {
    passId: pass.passId,
    mode: 'POINTS',
    reward: { title: 'Free coffee', cost: 5 },
  });
  await client.patch(`/loyalty/programs/${program.body.programId}`, { status: 'active' });
  const dialog = (page: Page) => page.getByRole('dialog');
  const entriesOf = async ({ instanceId }: Json): Promise<Json[]> =>
    (await client.get(`/loyalty/entries?passId=${pass.passId}&instanceId=${instanceId}`)).body.data;

  it('issue one by hand, find it, award, redeem, undo, correct', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open(`/console/cards?passId=${pass.passId}`, 'Customers');
      await page.getByRole('button', { name: 'New card' }).click();
      await dialog(page).getByLabel('Name', { exact: true }).fill('Grace Hopper');
      await dialog(page).getByLabel('E-mail address').fill('grace@example.com');
      await dialog(page).getByRole('button', { name: 'Issue card' }).click();
      await page.locator('h1', { hasText: 'Grace Hopper' }).waitFor();
      const instanceId = new URL(page.url()).pathname.split('/').at(-1) ?? '';

      await page.getByRole('button', { name: 'Award', exact: true }).click();
      // What a field does not take is said at it, in the language of the page.
      await dialog(page).getByLabel('How many').fill('0');
      await dialog(page).getByRole('button', { name: 'Award', exact: true }).click();
      await dialog(page).getByText('At least 1.').waitFor();
      await dialog(page).getByLabel('How many').fill('1.5');
      await dialog(page).getByRole('button', { name: 'Award', exact: true }).click();
      await dialog(page).getByText('Without decimals.').waitFor();
      // Steps go on from what was typed.
      await dialog(page).getByLabel('How many').fill('5');
      for (let more = 0; more < 2; more += 1)
        await dialog(page).getByRole('button', { name: 'One more' }).click();
      // Pressed twice, it counts once.
      await dialog(page).getByRole('button', { name: 'Award', exact: true }).dblclick();
      await page.locator('.figure', { hasText: '7' }).waitFor();
      await page.getByText('A reward is ready').waitFor();
      await page.getByRole('button', { name: 'Redeem' }).click();
      await dialog(page).getByRole('button', { name: 'Redeem' }).click();
      await page.locator('.figure', { hasText: '2' }).waitFor();
      await page.getByRole('button', { name: 'Undo Reward redeemed' }).click();
      await dialog(page).getByRole('button', { name: 'Undo' }).click();
      await page.locator('.figure', { hasText: '7' }).waitFor();
      await page.getByRole('button', { name: 'Set balance' }).click();
      await dialog(page).getByLabel('New balance').fill('-9');
      await dialog(page).getByLabel('Reason').fill('A slip');
      await dialog(page).getByRole('button', { name: 'Set balance' }).click();
      await dialog(page).getByText('At least 0.').waitFor();
      // What it does is said before it is done.
      await dialog(page).getByLabel('New balance').fill('4');
      await dialog(page).getByText('Now 7: 3 are taken away.').waitFor();
      await dialog(page).getByRole('button', { name: 'Set balance' }).click();
      await page.locator('.figure', { hasText: '4' }).waitFor();
      await page.locator('li', { hasText: 'Correction −3 points' }).waitFor();
      await page.getByRole('button', { name: 'Undo Correction' }).click();
      await dialog(page).getByRole('button', { name: 'Undo' }).click();
      await page.locator('.figure', { hasText: '7' }).waitFor();
      // Neither it nor what took it back is undone again.
      await waitForNone(page.getByRole('button', { name: 'Undo Correction' }));
      await waitForCount(page.getByRole('button', { name: 'Undo Award' }), 1);
      assert.deepEqual(
        (await entriesOf({ instanceId })).map(({ kind, points }) => [kind, points]),
        [
          ['adjust', 3],
          ['adjust', -3],
          ['reversal', 5],
          ['redeem', -5],
          ['earn', 7],
        ],
      );
      await assertForEverybody(page);

      // The same person again: said before there are two cards.
      await page.getByRole('link', { name: 'All customers' }).click();
      await page.getByRole('button', { name: 'New card' }).click();
      await dialog(page).getByLabel('E-mail address').fill('Grace@example.com');
      await dialog(page).getByRole('button', { name: 'Issue card' }).click();
      await dialog(page).getByRole('link', { name: 'Grace Hopper' }).waitFor();
      await assertForEverybody(page);
      await dialog(page).getByRole('button', { name: 'Issue another card' }).click();
      await page.locator('h1', { hasText: 'Grace@example.com' }).waitFor();

      await page.getByRole('link', { name: 'All customers' }).click();
      await page.getByRole('searchbox', { name: 'Search' }).fill('grace');
      await page.waitForURL(/q=grace/);
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      await assertForEverybody(page);
      await page.getByRole('searchbox', { name: 'Search' }).fill('no such name');
      await page.getByText('No card found').waitFor();
    }));

  /** A card of a stamp card with a threshold of ten. */
  async function makeStampCard(balance: number): Promise<Json> {
    const { passId } = await makePass(client, { title: 'Stamps' });
    const { body } = await client.post('/loyalty/programs', {
      passId,
      mode: 'STAMPS',
      threshold: 10,
      reward: { title: 'Free coffee' },
    });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    const card = await makeCard(client, passId, { holder: { name: 'Grace Hopper' } });
    await client.post('/loyalty/points', { passId, instanceId: card.instanceId, points: balance });
    return card;
  }

  it('have one history of points and all else, by day, read page by page', () =>
    inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        const { passId, instanceId } = await makeStampCard(1);
        // More of each kind than a page has, of the one kind before the other and at last mixed.
        for (let count = 0; count < 23; count += 1)
          await client.post('/loyalty/points', { passId, instanceId, points: 1, reason: `award ${count}` });
        for (let count = 0; count < 23; count += 1)
          await client.patch(`/instances/${instanceId}`, { fields: { tier: `Tier ${count}` } });
        await client.post('/loyalty/adjust', { passId, instanceId, points: -1, reason: 'A slip' });
        await client.post(`/instances/${instanceId}/void`, { reason: 'Lost' });
        const { data: entries } = (
          await client.get(`/loyalty/entries?passId=${passId}&instanceId=${instanceId}&limit=100`)
        ).body;
        const { data: events } = (await client.get(`/instances/${instanceId}/timeline?limit=100`)).body;
        const all: Json[] = [...entries, ...events].sort((one, other) =>
          other.createdAt.localeCompare(one.createdAt),
        );
        const expected = all.map(({ createdAt }) => createdAt);
        const newest = new Date(all[0]?.createdAt);
        const itsDay = newest.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' });
        await page.clock.setFixedTime(Date.parse(`${itsDay}T12:00:00Z`) + 24 * 3_600_000);
        await open(`/console/cards/${instanceId}`, 'Grace Hopper');
        const history = page.getByRole('region', { name: 'Verlauf' });
        await history.getByRole('heading', { name: 'Gestern' }).waitFor();
        await history.getByText('Berichtigung −1 Stempel').waitFor();
        await history.getByText('Tier · von einem API-Schlüssel').first().waitFor();
        const shown = () =>
          history.locator('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
        for (;;) {
          const now = await shown();
          // What is shown stays where it is: later pages are below it.
          assert.deepEqual(now, expected.slice(0, now.length));
          if (now.length === expected.length) break;
          await history.getByRole('button', { name: 'Mehr anzeigen' }).click();
          await history.locator('time').nth(now.length).waitFor();
        }
        await waitForNone(history.getByRole('button', { name: 'Mehr anzeigen' }));
        await page.clock.setFixedTime(new Date('2031-05-06T10:00:00Z'));
        await page.reload();
        const day = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
        await history
          .getByRole('heading', {
            name: newest.toLocaleDateString('de-DE', { ...day, timeZone: 'Europe/Berlin' }),
          })
          .waitFor();
      },
      { locale: 'de-DE' },
    ));

  it('show stamps as dots with their number, and a reward that waits', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId, instanceId } = await makeStampCard(13);
      await open(`/console/cards?passId=${passId}`, 'Customers');
      const row = page.getByRole('row', { name: 'Grace Hopper' });
      await row.getByRole('cell', { name: '3 of 10 stamps', exact: true }).waitFor();
      await waitForCount(row.locator('.dot'), 10);
      await waitForCount(row.locator('.dot.full'), 3);
      await assertForEverybody(page);
      await open(`/console/cards/${instanceId}`, 'Grace Hopper');
      await page.getByText('1 reward waits').waitFor();
      await page.locator('.notice').getByText('Free coffee').waitFor();
      await page.locator('.balance', { hasText: '3 of 10' }).waitFor();
      await waitForCount(page.locator('.balance .dot.full'), 3);
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Redeem' }).click();
      await dialog(page).getByRole('button', { name: 'Redeem' }).click();
      await waitForNone(page.getByText('1 reward waits'));
      // Of a void card it waits until the card is valid again.
      const lost = await makeStampCard(13);
      await client.post(`/instances/${lost.instanceId}/void`);
      await open(`/console/cards/${lost.instanceId}`, 'Grace Hopper');
      await page.getByText('1 reward waits').waitFor();
      await waitForNone(page.getByRole('button', { name: 'Redeem' }));
    }));

  it('open award and redeem by a letter, unless it is typed, part of a code or turned off', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { instanceId } = await makeStampCard(3);
      await open(`/console/cards/${instanceId}`, 'Grace Hopper');
      const award = page.getByRole('button', { name: 'Award', exact: true });
      const redeem = page.getByRole('heading', { name: 'Redeem a reward' });
      assert.equal(await award.getAttribute('aria-keyshortcuts'), 'A');
      await page.keyboard.press('a');
      await page.getByRole('spinbutton', { name: 'How many' }).waitFor();
      // In a dialog they are letters.
      await dialog(page).getByLabel('Reason').press('r');
      assert.equal(await dialog(page).getByLabel('Reason').inputValue(), 'r');
      await page.keyboard.press('Escape');
      await waitForNone(dialog(page));
      /** What must not open a dialog has opened none when another letter still does. */
      const opensNothing = async () => {
        while (!(await redeem.isVisible())) {
          await waitForNone(page.getByRole('spinbutton', { name: 'How many' }));
          await page.keyboard.press('r');
          await redeem.waitFor({ timeout: 1_000 }).catch(() => undefined);
        }
        await page.keyboard.press('Escape');
        await waitForNone(dialog(page));
      };
      for (const keys of ['Control+a', 'Alt+a', 'Shift+a']) {
        await page.keyboard.press(keys);
        await opensNothing();
      }
      // What a reader of barcodes types.
      await page.evaluate(
        "for (const key of 'cafe') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))",
      );
      await opensNothing();
      await open('/console/settings/account', 'Your account');
      await page.getByLabel('Single letters as shortcuts').uncheck();
      await open(`/console/cards/${instanceId}`, 'Grace Hopper');
      await award.waitFor();
      assert.equal(await award.getAttribute('aria-keyshortcuts'), null);
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Redeem' }).click();
      await redeem.waitFor();
      await waitForCount(dialog(page), 1);
    }));

  it('change, void, make valid, erase', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { instanceId } = await makeCard(client, pass.passId, { holder: { name: 'Alan Turing' } });
      await open(`/console/cards/${instanceId}`, 'Alan Turing');
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog(page).getByLabel('Tier').fill('Gold');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: 'Gold' }).waitFor();
      await page.getByRole('button', { name: 'Link and QR code' }).click();
      await dialog(page).getByLabel('Link to the card').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      const choose = async (name: string) => {
        await page.getByRole('button', { name: 'More for this card' }).click();
        await page.getByRole('button', { name }).click();
      };
      await choose('Void');
      await dialog(page).getByLabel('Reason').fill('Lost');
      await dialog(page).getByRole('button', { name: 'Void' }).click();
      await page.locator('dd', { hasText: 'Lost' }).waitFor();
      await choose('Make valid again');
      await page.locator('.badge', { hasText: 'Valid' }).waitFor();
      await choose('Erase the person');
      await dialog(page).getByLabel('Type ERASE').fill('erase');
      await dialog(page).getByRole('button', { name: 'Erase the person' }).click();
      await dialog(page).getByText('Type ERASE, in capital letters.').waitFor();
      await dialog(page).getByLabel('Type ERASE').fill('ERASE');
      await dialog(page).getByRole('button', { name: 'Erase the person' }).click();
      await page.locator('h1', { hasText: 'Customers' }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('passId'), pass.passId);
      assert.equal((await client.get(`/instances/${instanceId}`)).body.holder, null);
    }));

  it('are saved as a file that no spreadsheet takes for a program', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const own = await makePass(client, { title: 'Exported' });
      await makeCard(client, own.passId, { holder: { name: '=cmd()', identifier: 'a,"b' } });
      await open(`/console/cards?passId=${own.passId}`, 'Customers');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV' }).click();
      const text = await readFile(await (await saved).path(), 'utf8');
      assert.match(text, /^\ufeffcard,state,name/);
      assert.match(text, /,active,'=cmd\(\),,,"a,""b",/);
    }));

  it('say what their holders have agreed to, in the words that they read, on the page and in the file', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const { passId } = await makeJoinPass(client, {}, { title: 'Joined' });
      assert.equal((await sendForm(app.anyone, passId, complete)).status, 303);
      const [{ instanceId, links }] = (await client.get(`/passes/${passId}/instances`)).body.data;
      await open(`/console/cards/${instanceId}`, 'Ada Lovelace');
      const consents = page.getByRole('region', { name: 'Consents' });
      const answer = (text: string) =>
        consents.locator('tr', { hasText: text }).locator('.badge').innerText();
      await consents.getByText('I accept the terms of Blue Bean.').waitFor();
      assert.equal(await answer('I accept the terms of Blue Bean.'), 'agreed');
      assert.equal(await answer('Blue Bean may write to me.'), 'not agreed');
      await assertForEverybody(page);
      await open(`/console/cards?passId=${passId}`, 'Customers');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV' }).click();
      const [heads, line = ''] = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
      assert.match(heads ?? '', /,last award,link,consents,Tier$/);
      const at = '20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
      const agreed = new RegExp(`,"news: not agreed, ${at}; terms: agreed, ${at}",`);
      assert.match(line, agreed);
      assert.ok(line.includes(`,${links.add},`), line);
    }));

  it('staff find a card by its code, award, and see no history', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      const card = await makeCard(client, pass.passId, { holder: { name: 'Edsger Dijkstra' } });
      await open('/console/cards', 'Customers');
      await assertForEverybody(page);
      await page.getByLabel('Code on the card').fill('NO-SUCH-CODE');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('There is no such card.').waitFor();
      await page.getByLabel('Code on the card').fill(card.barcode);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('h1', { hasText: 'Edsger Dijkstra' }).waitFor();
      await waitForNone(page.getByRole('heading', { name: 'History' }));
      await waitForNone(page.getByRole('button', { name: 'Set balance' }));
      await page.getByRole('button', { name: 'Award', exact: true }).click();
      await dialog(page).getByRole('button', { name: 'Award', exact: true }).click();
      await page.locator('.figure', { hasText: '1' }).waitFor();
      // Staff who read no history undo their own last entry.
      await page.getByRole('button', { name: 'Undo' }).click();
      await dialog(page).getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await page.locator('.figure', { hasText: '0' }).waitFor();
      await waitForNone(page.getByRole('button', { name: 'Undo' }));
      assert.equal((await client.get(`/instances/${card.instanceId}`)).body.loyalty.balance, 0);
    }));

  it('name the people who have changed them, and are found in any pass however many there are', async () => {
    const workspace = await app.newWorkspace();
    const own = await makePass(workspace.client, { title: 'The very first' });
    const { instanceId } = await makeCard(workspace.client, own.passId, { holder: { name: 'Alan Turing' } });
    for (let count = 0; count < 100; count += 10)
      await inParallel(10, (at) => makePass(workspace.client, { title: `Another ${count + at}` }));
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/cards', 'Customers');
        await page.getByLabel('Pass', { exact: true }).selectOption('The very first');
        await page.getByRole('link', { name: 'Alan Turing' }).click();
        await page.locator('h1', { hasText: 'Alan Turing' }).waitFor();
        await page.getByRole('button', { name: 'More for this card' }).click();
        await page.getByRole('button', { name: 'Void' }).click();
        await dialog(page).getByRole('button', { name: 'Void' }).click();
        await page.locator('li', { hasText: 'Made void' }).getByText('by Ada Lovelace').waitFor();
        assert.equal((await workspace.client.get(`/instances/${instanceId}`)).body.status, 'voided');
      },
      { client: workspace.client },
    );
  });
});
