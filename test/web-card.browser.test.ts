import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Page } from 'playwright-core';
import { decodeId } from '../src/kit/ids.ts';
import { readBarcodesIn } from '../src/rendering/read-barcode.fixture.ts';
import { createVapid } from '../src/wallet/web/vapid.ts';
import { AbsentmindedProxy } from '../tools/fakes/absentminded-proxy.ts';
import { PushService } from '../tools/fakes/push-service.ts';
import { type BrowserOptions, findChromium, howToInstall, startChromium } from './chromium.ts';
import type { Json } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { accessibilityProblems } from './page-checks.ts';
import { until } from './wallets.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

describe('the web card in Chromium', { skip: isMissing && howToInstall }, async () => {
  const encryptionKey = Buffer.alloc(32, 7);
  const { publicKey } = createVapid({ encryptionKey, contact: '', now: () => new Date() });
  const pushService = await PushService.start({ publicKey });
  setDefaultCACertificates([...getCACertificates(), pushService.authority.certificate.toString()]);
  const app = await startTestApp({
    ENCRYPTION_KEY: encryptionKey.toString('hex'),
    WEB_PUSH_HOSTS: pushService.host,
  });
  const { client } = await app.newWorkspace('pro', 1_000);
  const pass = await makePass(client, {
    details: 'Ten stamps, one coffee.',
    terms: 'One stamp a drink.',
    colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
    fields: [
      { key: 'tier', label: 'Tier', value: 'Bronze', section: 'primary', changeMessage: 'You are now %@' },
      { key: 'stamps', label: 'Stamps', value: '3', section: 'secondary' },
      { key: 'hours', label: 'Opening hours', value: '7 to 18', section: 'back' },
    ],
  });
  const opened: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of opened) await close();
    await pushService.close();
  });

  const newCard = (body: object = {}) =>
    makeCard(client, pass.passId, { holder: { identifier: randomUUID(), name: 'Ada' }, ...body });
  const setFields = (card: Json, fields: object) =>
    client.patch(`/instances/${card.instanceId}/fields`, { fields });
  const addressOf = (card: Json) => card.links.card.replace(app.config.publicUrl, app.url);
  const textOf = async (page: Page, selector: string) => (await page.textContent(selector))?.trim();

  interface Opened {
    readonly page: Page;
    /** What the page complained about, and where it asked for something that is not ours. */
    readonly complaints: string[];
  }

  /** Opens a card in a browser of its own. */
  async function open(card: Json, options: BrowserOptions = {}): Promise<Opened> {
    const browser = await startChromium({ locale: 'en-GB', ...options });
    opened.push(() => browser.close());
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A network that is gone is no mistake of the page, and nothing can keep the browser from writing it down.
      if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED/.test(message.text()))
        complaints.push(message.text());
    });
    browser.context.on('request', (request) => {
      if (!request.url().startsWith(app.url)) complaints.push(`it asked for ${request.url()}`);
    });
    await page.goto(addressOf(card));
    if (options.javaScriptEnabled !== false) await page.waitForSelector('.status.live');
    return { page, complaints };
  }

  /** Waits until an expression is true in the page, whose own policy lets no text run in it from inside. */
  const untilTrue = (page: Page, expression: string) =>
    until(expression, async () => (await page.evaluate(expression)) === true, 15_000);

  const workerOf = (page: Page) =>
    page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)');

  it('shows the card with a barcode that scans, and complains about nothing', async () => {
    const card = await newCard();
    const { page, complaints } = await open(card);
    assert.equal(await page.title(), 'Blue Bean Club · Blue Bean');
    assert.deepEqual(await readBarcodesIn(await page.screenshot()), [
      { format: 'QRCode', text: card.barcode },
    ]);
    assert.equal(await workerOf(page), `/p/${card.links.add.split('/').at(-1)}/`);
    await page.reload();
    await page.waitForSelector('.status.live');
    assert.deepEqual(complaints, []);
  });

  it('follows changes without a reload, and says what has changed', async () => {
    const card = await newCard();
    const { page, complaints } = await open(card);
    await page.evaluate('globalThis.isSamePage = true');
    for (const tier of ['Silver', 'Platinum', 'Gold']) {
      await setFields(card, { tier, stamps: String(tier.length) });
      await untilTrue(page, `document.querySelector('.primary').textContent.includes('${tier}')`);
    }
    assert.equal(await textOf(page, '#news'), 'You are now Gold. Stamps: 4');
    assert.deepEqual(await page.locator('.changed').allTextContents(), ['Gold', '4']);
    await client.patch(`/passes/${pass.passId}`, { colors: { background: '#7a1f3d' } });
    await untilTrue(
      page,
      "getComputedStyle(document.querySelector('.card')).backgroundColor === 'rgb(122, 31, 61)'",
    );
    await client.patch(`/passes/${pass.passId}`, { colors: { background: '#10324a' } });
    await client.post(`/instances/${card.instanceId}/void`);
    await page.waitForSelector('.banner.alert');
    assert.equal(await page.locator('.code').count(), 0);
    assert.match((await textOf(page, '#news')) ?? '', /no longer valid/);
    await untilTrue(page, "document.querySelector('.changed') === null");
    assert.equal(await page.evaluate('globalThis.isSamePage'), true);
    assert.deepEqual(complaints, []);
  });

  it('shows the last state when there is no network, and comes back by itself', async () => {
    const card = await newCard();
    const { page, complaints } = await open(card);
    await workerOf(page);
    await setFields(card, { tier: 'Silver' });
    await untilTrue(page, "document.querySelector('.primary').textContent.includes('Silver')");
    await page.context().setOffline(true);
    await page.waitForSelector('.status.offline');
    assert.match((await textOf(page, '#status')) ?? '', /^Offline, as of \d+ \w+ \d{4}, \d\d:\d\d$/);
    await setFields(card, { tier: 'Gold' });
    await page.reload();
    await page.waitForSelector('.status.offline');
    // The page was kept when it was opened, the state when it changed.
    await untilTrue(page, "document.querySelector('.primary').textContent.includes('Silver')");
    assert.deepEqual(await readBarcodesIn(await page.screenshot()), [
      { format: 'QRCode', text: card.barcode },
    ]);
    await page.context().setOffline(false);
    await page.waitForSelector('.status.live');
    await untilTrue(page, "document.querySelector('.primary').textContent.includes('Gold')");
    assert.deepEqual(complaints, []);
  });

  it('is forgotten by the browser when the card was erased', async () => {
    const card = await newCard();
    const { page } = await open(card);
    await workerOf(page);
    await client.delete(`/instances/${card.instanceId}`);
    await page.waitForSelector('text=This link does not work');
    await until(
      'the copies to be gone',
      async () => ((await page.evaluate('caches.keys()')) as Json[]).length === 0,
    );
    assert.equal(
      await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one ?? null)'),
      null,
    );
  });

  it('keeps the card while a proxy says 404 in the place of the service', async () => {
    const proxy = await AbsentmindedProxy.start(app.url);
    opened.push(() => proxy.close());
    const card = await newCard();
    const browser = await startChromium({ locale: 'en-GB' });
    opened.push(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(addressOf(card).replace(app.url, proxy.url));
    await page.waitForSelector('.status.live');
    await workerOf(page);
    await page.reload();
    await page.waitForSelector('.status.live');
    proxy.forget();
    await page.waitForSelector('.status.offline');
    await sleep(3_000);
    assert.match((await textOf(page, '.primary')) ?? '', /Bronze/);
    await page.reload();
    await page.waitForSelector('.status.offline');
    assert.match((await textOf(page, '.primary')) ?? '', /Bronze/);
    assert.equal(await workerOf(page), new URL('.', addressOf(card)).pathname);
    proxy.remember();
    await page.waitForSelector('.status.live');
  });

  it('prints: the card and its barcode, on one page, nothing else', async () => {
    const card = await newCard();
    const { page } = await open(card, { colorScheme: 'dark', viewport: { width: 794, height: 1_123 } });
    await page.emulateMedia({ media: 'print' });
    for (const gone of ['.status', '.keep', 'footer'])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone);
    const { width = 0 } = (await page.locator('.code svg').boundingBox()) ?? {};
    assert.ok(width >= 150, `the barcode is ${width} px wide: 40 mm are 151`);
    const style = 'getComputedStyle(document.querySelector(".card"))';
    assert.equal(await page.evaluate(`${style}.printColorAdjust`), 'exact');
    assert.deepEqual(await readBarcodesIn(await page.screenshot()), [
      { format: 'QRCode', text: card.barcode },
    ]);
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1);
  });

  it('can be used with the keyboard alone, and shows where it is', async () => {
    const { page } = await open(await newCard(), { isWhole: true });
    await page.waitForSelector('#install');
    await page.bringToFront();
    const names: string[] = [];
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('Tab');
      const { name, outline } = (await page.evaluate(`(() => {
        const style = getComputedStyle(document.activeElement);
        return { name: document.activeElement.textContent, outline: style.outlineStyle + ' ' + style.outlineWidth };
      })()`)) as { name: string; outline: string };
      names.push(name);
      assert.equal(outline, 'solid 3px', `${name} does not show the focus`);
    }
    assert.deepEqual(names, [
      'Install the card',
      'Allow notifications',
      'Save as picture',
      'Add to Apple\u00a0Wallet',
      'Add it to another wallet',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Your card is ready');
    await page.waitForSelector('text=Keep the web card');
  });

  it('asks for notifications only after a tap, and shows the outcome', async () => {
    const { page } = await open(await newCard(), { isWhole: true });
    await page.waitForSelector('#notify');
    const permission = () => page.evaluate('Notification.permission');
    assert.equal(await permission(), 'default');
    await page.context().grantPermissions(['notifications']);
    await page.focus('#notify');
    await page.keyboard.press('Enter');
    // Without a way to its push service this Chromium can go no further, and says nothing of it to the page.
    await untilTrue(page, "document.querySelector('#notified').textContent !== ''");
    assert.equal(await textOf(page, '#notified'), 'This browser cannot show notifications for the card.');
  });

  it('notifies of a change while it is closed: from the tap to what the push is about', async () => {
    const card = await newCard();
    const { endpoint, keys } = pushService.subscription('ada');
    const { page, complaints } = await open(card, { isWhole: true });
    await page.context().grantPermissions(['notifications']);
    // Chromium would ask Google for a subscription: this one comes from the push service of the test.
    await page.context().addInitScript(`{
      let subscription = null;
      PushManager.prototype.getSubscription = async () => subscription;
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (applicationServerKey !== '${app.running.app.webPush.publicKey}') throw new Error('another key');
        return (subscription = {
          toJSON: () => (${JSON.stringify({ endpoint, keys })}),
          unsubscribe: async () => (subscription = null),
        });
      };
    }`);
    await page.reload();
    await page.click('#notify');
    await untilTrue(page, "document.querySelector('#notify').textContent === 'Stop notifications'");
    assert.equal(await textOf(page, '#notified'), 'You get a notification when the card changes.');
    const { devTools, registrationId } = await workerTools(page);
    await page.goto('about:blank');
    await sleep(3_000);
    await setFields(card, { tier: 'Gold' });
    await until('the push', () => pushService.count(endpoint) === 1);
    assert.deepEqual(pushService.complaints, []);
    const [message] = pushService.messages(endpoint);
    assert.equal(message?.notification.body, 'You are now Gold');
    const data = JSON.stringify({ web_push: 8030, ...message });
    await devTools.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data });
    await page.goto(addressOf(card));
    const notes = `navigator.serviceWorker.ready.then((one) => one.getNotifications())
      .then((all) => JSON.stringify(all.map(({ title, body, tag }) => [title, body, tag])))`;
    const expected = JSON.stringify([['Blue Bean Club · Blue Bean', 'You are now Gold', 'card']]);
    await until('the notification', async () => (await page.evaluate(notes)) === expected);
    assert.deepEqual(complaints, []);
  });

  /** What the developer tools can do with the page's service worker. */
  async function workerTools(page: Page) {
    const devTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
        if (registration !== undefined) resolve(registration.registrationId);
      });
    });
    await devTools.send('ServiceWorker.enable');
    return { devTools, registrationId: await registered };
  }

  it('counts as installed where it runs as an app', async () => {
    const card = await newCard();
    const browser = await startChromium({ installedApp: addressOf(card) });
    opened.push(() => browser.close());
    const lasting = `select 1 from web_cards
      where instance_id = '${decodeId('inst', card.instanceId)}' and expires_at > now() + interval '29 days'`;
    await until('it to count as installed', async () => (await app.sql(lasting)).length === 1);
    const [page] = browser.context.pages();
    assert.equal(await page?.locator('#installing').isVisible(), false);
    await browser.close();
    await sleep(3_500);
    assert.equal((await client.get(`/instances/${card.instanceId}`)).body.wallets.web, 1);
  });

  it('can be installed: Chromium finds nothing missing', async () => {
    const { page } = await open(await newCard(), { isWhole: true });
    await workerOf(page);
    const devTools = await page.context().newCDPSession(page);
    const { errors, data } = await devTools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(JSON.parse(data ?? '').display, 'standalone');
    const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
    await page.waitForSelector('#install');
  });

  it('moves nothing for those who do not want it, and highlights all the same', async () => {
    const card = await newCard();
    const { page } = await open(card, { reducedMotion: 'reduce' });
    const moving = 'document.getAnimations().length';
    assert.equal(await page.evaluate(moving), 0);
    await setFields(card, { tier: 'Gold' });
    await page.waitForSelector('.changed');
    assert.equal(await page.evaluate(moving), 0);
    const outline = await page.evaluate('getComputedStyle(document.querySelector(".changed")).outlineStyle');
    assert.equal(outline, 'solid');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.ok(Number(await page.evaluate(moving)) > 0, 'the highlight does not fade for the others');
  });

  it('works without JavaScript, as the card of that moment', async () => {
    const card = await newCard();
    const { page, complaints } = await open(card, { javaScriptEnabled: false });
    assert.equal(await page.locator('noscript').isVisible(), true);
    for (const hidden of ['#status', '#keep']) assert.equal(await page.locator(hidden).isVisible(), false);
    assert.deepEqual(await readBarcodesIn(await page.screenshot()), [
      { format: 'QRCode', text: card.barcode },
    ]);
    assert.deepEqual(complaints, []);
  });

  it('is held against checks that find what is wrong', async () => {
    const browser = await startChromium({ viewport: { width: 300, height: 300 } });
    opened.push(() => browser.close());
    const page = await browser.context.newPage();
    await page.setContent(`<h3>Up</h3><h3 id="a">And</h3><p id="a" style="color:#888">Grey</p>
      <button style="padding:0;border:0;width:9px;height:9px"></button><div style="width:400px" aria-labelledby="b">Wide</div>`);
    assert.deepEqual(await accessibilityProblems(page), [
      'the page has no language',
      'the page has no title',
      '0 main landmarks',
      '0 headings of the first level',
      '"Up" skips a level of headings',
      'two elements are called a',
      'DIV is labelled by nothing',
      'a BUTTON has no name',
      '"" is too small to hit',
      'the page is wider than its window',
      '"Grey" has a contrast of 3.54',
    ]);
  });

  const looks: Record<string, BrowserOptions> = {
    'on a phone': { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
    'on a desktop in the dark': { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' },
  };
  const palettes = [
    { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
    { background: '#f4b942', foreground: '#ffffff', label: '#ffe0a0' },
    { background: '#808080', foreground: '#7f7f7f', label: '#818181' },
    { background: null, foreground: null, label: null },
  ];
  for (const [where, options] of Object.entries(looks)) {
    it(`is accessible ${where}, in whatever colours`, async () => {
      const card = await newCard({
        fields: { tier: 'A word that is too long to fit next to another'.repeat(3) },
      });
      const { page } = await open(card, { reducedMotion: 'reduce', ...options });
      for (const colors of palettes) {
        await client.patch(`/passes/${pass.passId}`, { colors });
        await page.reload();
        await page.waitForSelector('.status.live');
        assert.deepEqual(await accessibilityProblems(page), [], JSON.stringify(colors));
      }
      await page.context().setOffline(true);
      await page.waitForSelector('.status.offline');
      assert.deepEqual(await accessibilityProblems(page), [], 'offline');
      await page.context().setOffline(false);
      await page.waitForSelector('.status.live');
      await client.post(`/instances/${card.instanceId}/void`);
      await page.waitForSelector('.banner.alert');
      assert.deepEqual(await accessibilityProblems(page), [], 'voided');
    });
  }

  it('keeps its barcode black on white where the system chooses the colours', async () => {
    const card = await newCard();
    const { page } = await open(card, { forcedColors: 'active', colorScheme: 'dark' });
    assert.deepEqual(await readBarcodesIn(await page.screenshot()), [
      { format: 'QRCode', text: card.barcode },
    ]);
  });

  it('reads aloud as a card', async () => {
    const { page } = await open(await newCard({ barcode: 'B-0417' }), { isWhole: true });
    await page.waitForSelector('#install');
    assert.equal(await page.locator('main').ariaSnapshot(), asItIsRead);
  });
});

/** The card as a screen reader gets it. */
const asItIsRead = `- main:
  - heading "Blue Bean Club · Blue Bean" [level=1]
  - article "Blue Bean Club":
    - paragraph: Blue Bean
    - heading "Blue Bean Club" [level=2]
    - term: Tier
    - definition: Bronze
    - term: Stamps
    - definition: "3"
    - figure "B-0417":
      - img "QR code"
      - text: B-0417
  - status: Up to date
  - status
  - region "Keep this card":
    - heading "Keep this card" [level=2]
    - button "Install the card"
    - button "Allow notifications"
    - status
  - paragraph:
    - link "Save as picture":
      - /url: picture.png
  - link "Add to Apple Wallet":
    - /url: apple.pkpass
  - region "About this card":
    - heading "About this card" [level=2]
    - term: Issued to
    - definition: Ada
    - term: Opening hours
    - definition: 7 to 18
    - term: Details
    - definition: Ten stamps, one coffee.
    - term: Terms
    - definition: One stamp a drink.`;
