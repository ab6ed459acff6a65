import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { decodeId } from '../src/kit/ids.ts';
import { award, makeProgram } from '../src/loyalty/account.fixture.ts';
import { FaultProxy } from '../tools/fakes/fault-proxy.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole, waitForNone } from './console.ts';
import { makeCard } from './factories.ts';
import { startTestApp } from './harness.ts';
import { atTill, readCode, signInAs, withPin } from './scanner.ts';
import { freePort } from './service-process.ts';

describe('the scanner at a till', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const points = await makeProgram(
    client,
    {
      mode: 'POINTS',
      rewards: [
        { title: 'Cinnamon roll', cost: 60 },
        { title: 'Bag of beans', cost: 150 },
      ],
      earn: { perCurrencyUnit: 2, currency: 'EUR' },
    },
    { design: { title: 'Blue Bean Club', join: { enabled: true } } },
  );
  const stamps = await makeProgram(
    client,
    { mode: 'STAMPS', threshold: 5, reward: { title: 'Free coffee' } },
    { design: { title: 'Coffee card' } },
  );
  const club = (holder: object = { name: 'Grace Hopper' }) =>
    makeCard(client, points.pass.passId, { holder });
  const coffee = (holder: object = { name: 'Alan Turing' }) =>
    makeCard(client, stamps.pass.passId, { holder });
  const balanceOf = async ({ instanceId }: { instanceId?: string }) =>
    (await client.get(`/instances/${instanceId}`)).body.loyalty.balance;
  const entriesOf = async ({ instanceId }: { instanceId?: string }) =>
    (await client.get(`/loyalty/entries?instanceId=${instanceId}&limit=100`)).body.data;

  it('is paired by a code that reaches no log, and opened by a PIN', async () => {
    const colleague = await withPin(client, 'Barbara Liskov');
    await atTill(
      app,
      async ({ page, device, person }) => {
        assert.equal(new URL(page.url()).hash, '');
        await assertForEverybody(page);
        await page.getByRole('button', { name: person.name, exact: true }).click();
        await page.keyboard.type('2581');
        await page.keyboard.press('Enter');
        const left = (text: string) => page.getByRole('alert').getByText(text).waitFor();
        await left('Tries left: 4');
        await assertForEverybody(page);
        for (const text of [3, 2, 1, 0].map((tries) => `Tries left: ${tries}`)) {
          await page.keyboard.type('0000');
          await page.keyboard.press('Enter');
          await left(text);
        }
        await page.keyboard.type('2580');
        await page.keyboard.press('Enter');
        await page.getByText(/Wait five minutes/).waitFor();
        // Others are not shut out by that.
        await page.getByRole('button', { name: 'Back to the names' }).click();
        await signInAs(page, colleague.name);
        await page.locator('h1', { hasText: 'Scanner' }).waitFor();
        await page.locator('.till-who', { hasText: colleague.name }).waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Lock' }).click();
        await page.locator('h1', { hasText: 'Who are you?' }).waitFor();
        await page.reload();
        await page.locator('h1', { hasText: 'Who are you?' }).waitFor();
        assert.ok(!(await app.dump()).includes(String(device.code)));
      },
      { signsIn: false },
    );
  });

  it('finds a card by its code, an address, a number; says when there is none; lets choose', async () => {
    const holder = { name: 'Edsger', email: 'edsger@example.com', phone: '+31201234567', identifier: 'c-17' };
    const [one, other] = [await club(holder), await coffee(holder)];
    await atTill(app, async ({ page, open }) => {
      const look = async (text: string) => {
        await page.goto(`${app.config.publicUrl}/scan`);
        await page.locator('#look-up').fill(text);
        await page.getByRole('button', { name: 'Find' }).click();
      };
      const code = String(one.barcode);
      for (const typed of [code, `${code.slice(0, 8)} ${code.slice(8)}`.toLowerCase()]) {
        await look(typed);
        await page.locator('h1', { hasText: 'Edsger' }).waitFor();
        assert.equal(new URL(page.url()).pathname, `/scan/cards/${one.instanceId}`);
      }
      for (const text of ['edsger@example.com', 'c-17', 'C 17', '+31 20 1234567', 'edsg']) {
        await look(text);
        await page.getByText('2 cards: which one?').waitFor();
      }
      await assertForEverybody(page);
      await page.getByRole('button', { name: /Coffee card/ }).click();
      await page.locator('h1', { hasText: 'Edsger' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/scan/cards/${other.instanceId}`);
      await look('nobody@example.com');
      await page.getByText('No card is found for "nobody@example.com"').waitFor();
      await page.getByRole('link', { name: 'New customer' }).click();
      await page.getByAltText(/QR code/).waitFor();
      await assertForEverybody(page);
      // A country code that the device knows.
      await open('/scan/settings', 'This device');
      // The country is that of the workspace: nothing looks like one of the device.
      assert.equal(await page.getByLabel('Country code').getAttribute('placeholder'), null);
      await page.getByLabel('Country code').fill('+31');
      await page.getByLabel('Country code').press('Tab');
      await assertForEverybody(page);
      await look('020 123 45 67');
      await page.getByText('2 cards: which one?').waitFor();
    });
  });

  it('awards and undoes, and each entry names who and where', async () => {
    const partnerId = (await client.post('/partners', { name: 'Harbour' })).body.partnerId;
    const card = await coffee();
    await atTill(
      app,
      async ({ page, person }) => {
        await readCode(page, card.barcode);
        await page.getByRole('button', { name: 'One more' }).click();
        await page.getByRole('button', { name: 'Add 2 stamps' }).click();
        await page.getByText('2 stamps added. Balance: 2.').waitFor();
        await assertForEverybody(page);
        const [entry] = await entriesOf(card);
        assert.deepEqual([entry.actor, entry.partnerId, entry.points], [person.personId, partnerId, 2]);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
        // With a minus, not with a hyphen.
        await page.locator('.entries li', { hasText: 'Undone' }).getByText('\u22122 stamps').waitFor();
        await page.locator('.entries', { hasText: person.name }).waitFor();
        const [undone] = await entriesOf(card);
        assert.deepEqual(
          [undone.kind, undone.actor, undone.reversalOf],
          ['reversal', person.personId, entry.entryId],
        );
        assert.equal(await balanceOf(card), 0);
      },
      { device: { partnerId } },
    );
  });

  it('awards by the total of a till, says what is missing, and redeems in one large step', async () => {
    const card = await club();
    await award(client, card, 35);
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      await page.getByText('25 points to go').waitFor();
      // Where the program counts money, the amount is asked for at once.
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Type an amount, such as 12.50.').waitFor();
      await page.getByLabel('Amount in EUR').fill('12,50');
      await page.getByText('Earns 25 points').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Add 25' }).click();
      await page.getByText('25 points added. Balance: 60.').waitFor();
      await page.getByText('Cinnamon roll earned!').waitFor();
      await page.getByRole('button', { name: 'Redeem Cinnamon roll' }).click();
      await page.getByRole('button', { name: 'Redeem now' }).click();
      await page.getByText('"Cinnamon roll" redeemed. Balance: 0.').waitFor();
      assert.equal(await balanceOf(card), 0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      assert.equal(await balanceOf(card), 60);
    });
  });

  it('shows what a card has just earned, and redeems it in two taps', async () => {
    const card = await coffee();
    await award(client, card, 3);
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      await page.getByRole('button', { name: 'One more' }).click();
      await page.getByRole('button', { name: 'Add 2 stamps' }).click();
      await page.getByText('Free coffee earned!').waitFor();
      await page.getByText('2 stamps added. Balance: 0.').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Redeem it now' }).click();
      await page.getByRole('button', { name: 'Redeem now' }).click();
      await page.getByText('"Free coffee" redeemed. Balance: 0.').waitFor();
      await waitForNone(page.getByRole('button', { name: 'Redeem it now' }));
    });
  });

  it('remembers at a device what is counted', async () => {
    const [one, other] = [await club(), await club({ name: 'Ada Lovelace' })];
    await atTill(app, async ({ page }) => {
      await readCode(page, one.barcode);
      await page.getByLabel('Amount in EUR').waitFor();
      await page.getByRole('button', { name: 'points', exact: true }).click();
      await page.getByRole('button', { name: 'Add 1 point' }).click();
      await page.getByText('1 point added. Balance: 1.').waitFor();
      await readCode(page, other.barcode);
      await page.getByRole('button', { name: 'Add 1 point' }).waitFor();
      await page.getByRole('button', { name: 'Amount' }).click();
      await page.getByLabel('Amount in EUR').fill('10');
      await page.getByRole('button', { name: 'Add 20' }).click();
      await page.getByText('20 points added. Balance: 20.').waitFor();
    });
  });

  it('counts a double tap once', async () => {
    const card = await coffee();
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      await page.getByRole('button', { name: 'Add 1 stamp' }).dblclick();
      await page.getByText('1 stamp added. Balance: 1.').waitFor();
      await page.locator('.standing').getByText('1 / 5 stamps').waitFor();
      assert.equal((await entriesOf(card)).length, 1);
    });
  });

  it('takes 50 scans in a row, the same code twice at once too, without a double award', async () => {
    const cards = await Promise.all(Array.from({ length: 10 }, () => coffee()));
    await atTill(app, async ({ page }) => {
      for (let scan = 0; scan < 50; scan++) {
        const card = cards[scan % cards.length];
        await readCode(page, String(card?.barcode), String(card?.barcode));
        await page.waitForURL(`**/scan/cards/${card?.instanceId}`);
        await page.getByRole('button', { name: 'Add 1 stamp' }).click();
        await page.getByText(/1 stamp added/).waitFor();
      }
      for (const card of cards) {
        const entries = (await entriesOf(card)).filter(({ kind }: { kind: string }) => kind === 'earn');
        assert.equal(entries.length, 5);
      }
    });
  });

  it('lets two tills redeem the same reward once', async () => {
    const card = await club();
    await award(client, card, 60);
    await atTill(app, ({ page: here }) =>
      atTill(app, async ({ page: there }) => {
        for (const page of [here, there]) {
          await readCode(page, card.barcode);
          await page.getByRole('button', { name: 'Redeem Cinnamon roll' }).click();
        }
        await Promise.all(
          [here, there].map((page) => page.getByRole('button', { name: 'Redeem now' }).click()),
        );
        await Promise.all(
          [here, there].map((page) =>
            page.getByText(/"Cinnamon roll" redeemed|does not have enough points/).waitFor(),
          ),
        );
        const kinds = (await entriesOf(card)).map(({ kind }: { kind: string }) => kind);
        assert.deepEqual(kinds, ['redeem', 'earn']);
        assert.equal(await balanceOf(card), 0);
      }),
    );
  });

  it('asks before it gives five rewards at once, and shows those of one title in one row', async () => {
    const card = await coffee();
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      const count = page.getByLabel('How many');
      await count.fill('500');
      await page.getByRole('button', { name: 'Add 500 stamps' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('That is 100 rewards at once.').waitFor();
      await assertForEverybody(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await waitForNone(dialog);
      assert.equal((await entriesOf(card)).filter(({ kind }: { kind: string }) => kind === 'earn').length, 0);
      await page.getByRole('button', { name: 'Add 500 stamps' }).click();
      await dialog.getByRole('button', { name: 'Add 500 stamps' }).click();
      await page.getByText(/500 stamps added/).waitFor();
      const ready = page.locator('.rewards li.ready');
      await ready.getByText('×100').waitFor();
      assert.equal(await ready.count(), 1);
      await assertForEverybody(page);
      await ready.getByRole('button', { name: 'Redeem' }).click();
      await dialog.getByRole('button', { name: 'Redeem now' }).click();
      await ready.getByText('×99').waitFor();
    });
  });

  it('gives no more than one award may give, and takes a barcode in a field for none', async () => {
    const strict = await makeProgram(client, {
      mode: 'POINTS',
      reward: { title: 'Tea', cost: 100 },
      earn: { perCurrencyUnit: 1, currency: 'EUR' },
      limits: { perAward: 400, perAwardByRole: { staff: 20 } },
    });
    const card = await makeCard(client, strict.pass.passId, { holder: { name: 'Edsger Dijkstra' } });
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      const alert = page.getByRole('alert');
      await page.getByLabel('Amount in EUR').fill('21,00');
      await page.getByRole('button', { name: 'Add 21' }).click();
      await alert.getByText('At most 20 points at once.').waitFor();
      await page.getByLabel('Amount in EUR').fill('4006381333931');
      await page.getByRole('button', { name: /^Add/ }).click();
      await alert.getByText('This looks like a code, not like a number.').waitFor();
      await page.getByRole('button', { name: 'points', exact: true }).click();
      const count = page.getByLabel('How many');
      await count.pressSequentially('96385074');
      await alert.getByText('This looks like a code, not like a number.').waitFor();
      assert.equal(await count.inputValue(), '1');
      assert.deepEqual(await entriesOf(card), []);
      await count.fill('20');
      await page.getByRole('button', { name: 'Add 20 points' }).click();
      await page.getByText(/20 points added/).waitFor();
    });
  });

  it('says why nothing can be done: void, expired, paused, a limit', async () => {
    const lost = await coffee();
    await client.post(`/instances/${lost.instanceId}/void`, { reason: 'Lost by its holder' });
    const old = await makeCard(client, stamps.pass.passId, {
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const limited = await makeProgram(client, {
      mode: 'STAMPS',
      threshold: 5,
      reward: { title: 'Tea' },
      limits: { perDay: 1 },
    });
    const often = await makeCard(client, limited.pass.passId, { holder: { identifier: 'without-a-name' } });
    await atTill(app, async ({ page, open }) => {
      await readCode(page, lost.barcode);
      await page.getByText('Lost by its holder').waitFor();
      await waitForNone(page.getByRole('button', { name: /^Add/ }));
      await assertForEverybody(page);
      // As if the card had come to its end since: the clock of the service decides.
      await app.sql('update instances set expires_at = $1 where instance_id = $2', [
        new Date(Date.now() - 3_600_000),
        decodeId('inst', old.instanceId),
      ]);
      await readCode(page, old.barcode);
      await page.getByText(/This card expired on/).waitFor();
      for (const text of [/1 stamp added/, /has had all it may have today/]) {
        await open(`/scan/cards/${often.instanceId}`, 'without-a-name');
        await page.getByRole('button', { name: 'Add 1 stamp' }).click();
        await page.getByText(text).waitFor();
      }
      await waitForNone(page.getByRole('button', { name: 'Undo' }));
      assert.equal(await balanceOf(often), 1);
      await client.patch(`/loyalty/programs/${limited.program.programId}`, { status: 'paused' });
      await open(`/scan/cards/${often.instanceId}`, 'without-a-name');
      await page.getByText(/The program is paused/).waitFor();
    });
  });

  it('that is revoked says so, and keeps the award that was entered', async () => {
    const card = await coffee();
    await atTill(app, async ({ page, device, person }) => {
      await readCode(page, card.barcode);
      await page.getByRole('button', { name: 'Add 1 stamp' }).waitFor();
      assert.equal((await client.delete(`/devices/${device.deviceId}`)).status, 204);
      await page.getByRole('button', { name: 'Add 1 stamp' }).click();
      await page.getByText('This till was revoked').waitFor();
      await page.getByText('1 award waits').waitFor();
      await assertForEverybody(page);
      assert.equal(await balanceOf(card), 0);
      const { code } = (await client.post('/devices', { name: 'New till' })).body;
      await page.getByRole('link', { name: 'Pair this till' }).click();
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Pair', exact: true }).click();
      await page.locator('h1', { hasText: 'Who are you?' }).waitFor();
      await signInAs(page, person.name);
      await page.getByText('1 award waits').waitFor({ state: 'detached' });
      assert.equal(await balanceOf(card), 1);
    });
  });

  it('locks itself when it is not touched, and keeps what the device is set to', () =>
    atTill(app, async ({ page, open, person }) => {
      await open('/scan/settings', 'This device');
      await page.getByLabel('Buttons').selectOption('left');
      await page.clock.install();
      await open('/scan', 'Scanner');
      await page.locator('html[data-hand="left"]').waitFor();
      await page.clock.fastForward(299_000);
      await page.keyboard.press('Shift');
      await page.clock.fastForward(299_000);
      await page.locator('.till-who', { hasText: person.name }).waitFor();
      await page.clock.fastForward(2_000);
      await page.locator('h1', { hasText: 'Who are you?' }).waitFor();
    }));
});

describe('the scanner on a device of one’s own', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { pass } = await makeProgram(app.client, { mode: 'STAMPS', threshold: 5, reward: { title: 'Tea' } });

  it('leads to the sign-in and back, and offers what the role may do', async () => {
    const card = await makeCard(app.client, pass.passId, { holder: { name: 'Alan Turing' } });
    const look = (role: 'manager' | 'viewer', act: (page: Page) => Promise<void>) =>
      inConsole(app, role, ({ page }) => act(page), { path: '/scan' });
    await look('viewer', async (page) => {
      await page.locator('h1', { hasText: 'Scanner' }).waitFor();
      await readCode(page, String(card.barcode));
      await page.locator('h1', { hasText: 'Alan Turing' }).waitFor();
      await page.getByRole('link', { name: 'Next card' }).waitFor();
      await waitForNone(page.getByRole('button', { name: /^Add/ }));
    });
    await look('manager', async (page) => {
      await page.getByRole('link', { name: 'New customer' }).click();
      await page.getByRole('button', { name: 'New card by hand' }).click();
      await page.getByLabel('Name').fill('Radia Perlman');
      await page.getByRole('button', { name: 'Make the card' }).click();
      await page.locator('h1', { hasText: 'Radia Perlman' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('h1', { hasText: 'Who scans here?' }).waitFor();
      await assertForEverybody(page);
    });
  });
});

describe('the scanner on a bad line', { skip: consoleSkip }, async () => {
  const port = await freePort();
  const proxy = await FaultProxy.start(`http://127.0.0.1:${port}`);
  const publicUrl = proxy.url.replace('127.0.0.1', 'localhost');
  const app = await startTestApp({ PORT: String(port), PUBLIC_URL: publicUrl });
  after(() => proxy.close());
  const { pass } = await makeProgram(app.client, { mode: 'STAMPS', threshold: 5, reward: { title: 'Tea' } });

  it('counts an award once whose answer was lost, however often it is sent, after a reload too', async () => {
    const card = await makeCard(app.client, pass.passId, { holder: { name: 'Alan Turing' } });
    const balance = async () => (await app.client.get(`/instances/${card.instanceId}`)).body.loyalty.balance;
    await atTill(app, async ({ page, open }) => {
      await readCode(page, String(card.barcode));
      await page.getByRole('heading', { name: 'Rewards' }).waitFor();
      await page.getByRole('button', { name: 'Add 1 stamp' }).waitFor();
      proxy.plan = Array.from({ length: 30 }, () => 'dropped after');
      await page.getByRole('button', { name: 'Add 1 stamp' }).click();
      await page.getByText(/kept on this device/).waitFor();
      assert.equal(await balance(), 1);
      proxy.plan = [];
      await open('/scan', 'Scanner');
      await assertForEverybody(page);
      await page.getByText('1 award waits').waitFor({ state: 'detached' });
      assert.equal(await balance(), 1);
    });
  });
});
