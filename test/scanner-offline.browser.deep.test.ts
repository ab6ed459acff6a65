import assert from 'node:assert/strict';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import { findChromium, longestWaitMs } from './chromium.ts';
import type { Client, Json } from './client.ts';
import { assertForEverybody, consoleSkip, waitForNone } from './console.ts';
import { makeCard } from './factories.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startTestApp } from './harness.ts';
import { freePort } from './service-process.ts';
import { until } from './wallets.ts';

const pin = '2580';
const minutes = 60_000;
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

describe('the scanner without a network', { skip: consoleSkip }, async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const proxy = await startFaultProxy(port, () => servicePort);
  after(() => proxy.close());
  const app = await startTestApp({ PORT: String(servicePort), PUBLIC_URL: proxy.url });

  /** A shared till with two people who have a PIN, and cards of a program, in a workspace and a browser of their own. */
  async function atTill(act: (till: Till) => Promise<void>, more: object = {}): Promise<void> {
    Object.assign(proxy, { isDown: false, losesAnswer: () => false });
    const { client } = await app.newWorkspace();
    const { pass } = await makeProgram(client, { ...stamps, ...more });
    const cards: Json[] = [];
    for (const name of ['Grace', 'Hedy', 'Mary'])
      cards.push(await makeCard(client, pass.passId, { holder: { name } }));
    for (const name of ['Ada', 'Bob']) {
      const { personId } = await makePerson(client, 'staff', { name });
      assert.equal((await client.patch(`/people/${personId}`, { pin })).status, 200);
    }
    const { code } = (await client.post('/devices', { name: 'Till by the door' })).body;
    const till = new Till(proxy.url, client, cards, await mkdtemp(join(tmpdir(), 'punchcard-till-')));
    try {
      await till.start();
      await till.page.goto(`${proxy.url}/scan/pair#${code}`);
      await till.page.getByRole('button', { name: 'Pair' }).click();
      await till.signIn('Ada');
      await till.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await till.page.reload();
      await till.waitForHome();
      // Two of the cards are known to the till from now on.
      for (const card of cards.slice(0, 2)) {
        await till.find(card.barcode);
        await till.page.locator('h1', { hasText: card.holder.name }).waitFor();
        await till.page.getByRole('button', { name: /^Add 1/ }).waitFor();
      }
      await act(till);
    } finally {
      await till.close();
    }
  }

  /** The network of the till and all behind it are gone, or there again. */
  async function cutNetwork(till: Till, isDown: boolean): Promise<void> {
    proxy.isDown = isDown;
    await till.setOffline(isDown);
  }

  it('keeps thirty awards for ten minutes, a reload and a killed browser included; all arrive once', () =>
    atTill(async (till) => {
      const [grace, hedy, mary] = till.cards;
      // What a browser has just got it may lose when it is killed: the cookie of the till.
      await till.restart();
      await till.waitForHome();
      await cutNetwork(till, true);
      for (let n = 0; n < 15; n++) {
        await till.enter(till.cards[n % 3]);
        if (n === 7) {
          await till.page.reload();
          await till.page.locator('#app h1').waitFor();
        }
      }
      await till.kill();
      await till.start(10 * minutes);
      proxy.aheadMs = 10 * minutes;
      app.advance(10 * minutes);
      await till.setOffline(true);
      await till.open('/scan');
      await till.page.getByText('15 awards wait').waitFor();
      for (let n = 0; n < 15; n++) await till.enter(till.cards[n % 3]);
      await till.page.getByText('30 awards wait').waitFor();
      await cutNetwork(till, false);
      await till.waitUntilSent();
      for (const card of [grace, hedy, mary]) {
        const entries = await till.entriesOf(card);
        assert.deepEqual(
          entries.map(({ points }) => points),
          Array(10).fill(1),
        );
        assert.equal(new Set(entries.map(({ externalRef }) => externalRef)).size, 10);
        // In the order in which they were entered, and each with its time.
        const times = entries.map(({ occurredAt }) => Date.parse(occurredAt));
        assert.deepEqual(
          times,
          [...times].sort((one, other) => one - other),
        );
        for (const { occurredAt, createdAt, reason } of entries.slice(0, 5)) {
          const lateMs = Date.parse(createdAt) - Date.parse(occurredAt);
          assert.ok(lateMs > 9 * minutes && lateMs < 20 * minutes, `${lateMs} ms`);
          assert.match(reason, /^Entered without a network, .*at Till by the door$/);
        }
      }
      proxy.aheadMs = 0;
    }));

  it('survives that a person signs out: the next one sends it, and the ledger says whose it was', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      await cutNetwork(till, true);
      await till.enter(grace);
      await till.page.getByRole('button', { name: 'Lock' }).click();
      // All see how many wait; none sees whose they are.
      await till.page.getByText('1 award waits').waitFor();
      await waitForNone(till.page.getByText(grace.holder.name));
      await cutNetwork(till, false);
      await till.page.reload();
      await till.page.getByText('1 award waits').waitFor();
      assert.deepEqual(await till.entriesOf(grace), []);
      await till.signIn('Bob');
      await till.waitUntilSent();
      const [entry, ...others] = await till.entriesOf(grace);
      assert.deepEqual(others, []);
      assert.match(entry.reason, /^Entered without a network, .*, by Ada, at Till by the door$/);
      // The cards that Ada has seen are no business of Bob's.
      await cutNetwork(till, true);
      await till.find(grace.barcode);
      await till.page.getByText('this till does not know the card').waitFor();
    }));

  it('sends from one of two tabs', () =>
    atTill(async (till) => {
      const [grace, hedy] = till.cards;
      await cutNetwork(till, true);
      for (const card of [grace, hedy, grace, hedy]) await till.enter(card);
      const other = await till.context.newPage();
      await other.goto(`${proxy.url}/scan`);
      await other.getByText('4 awards wait').waitFor();
      await till.open('/scan');
      await till.page.getByText('4 awards wait').waitFor();
      const before = proxy.seen.length;
      await cutNetwork(till, false);
      for (const tab of [till.page, other])
        await tab.getByText('awards wait').or(tab.getByText('1 award waits')).waitFor({ state: 'detached' });
      const sent = proxy.seen.slice(before).filter((line) => line === 'POST /v1/loyalty/points');
      assert.equal(sent.length, 4);
      assert.equal((await till.entriesOf(grace)).length + (await till.entriesOf(hedy)).length, 4);
    }));

  it('sends again what was done and not answered, and it counts once', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      proxy.losesAnswer = (method, path) => method === 'POST' && path === '/v1/loyalty/points';
      await till.enter(grace);
      assert.equal((await till.entriesOf(grace)).length, 1);
      await till.open('/scan/waiting');
      await till.page.getByText('Was sent; the answer is missing').waitFor();
      const before = proxy.seen.length;
      await till.page.getByRole('button', { name: 'Send now' }).click();
      await until('it is sent again', () => proxy.seen.slice(before).includes('POST /v1/loyalty/points'));
      await till.page.getByText('There is no network').waitFor();
      // From now on it goes by itself.
      proxy.losesAnswer = () => false;
      await till.page.getByText('Nothing waits').waitFor();
      assert.equal((await till.entriesOf(grace)).length, 1);
    }));

  it('undoes what has not left without a trace, and what may have left by a reversal', () =>
    atTill(async (till) => {
      const [grace, hedy] = till.cards;
      await cutNetwork(till, true);
      await till.enter(grace);
      await till.page.getByRole('button', { name: 'Undo' }).click();
      await till.page.getByText('Undone.').waitFor();
      await cutNetwork(till, false);
      proxy.losesAnswer = (method, path) => method === 'POST' && path === '/v1/loyalty/points';
      await till.enter(hedy);
      await till.page.getByRole('button', { name: 'Undo' }).click();
      await till.page.getByText('It is undone as soon as').waitFor();
      proxy.losesAnswer = () => false;
      await till.open('/scan/waiting');
      await till.page.getByText('Nothing waits').waitFor();
      assert.deepEqual(await till.entriesOf(grace), []);
      const kinds = (await till.entriesOf(hedy)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['earn', 'reversal']);
    }));

  it('shows what waits next to the balance, and takes a typed customer number for one', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      const { passId, instanceId } = grace;
      const known = await makeCard(till.client, passId, { holder: { identifier: 'K-10001' } });
      const award = { passId, instanceId, points: 5 };
      assert.equal((await till.client.post('/loyalty/points', award)).status, 200);
      const standing = till.page.locator('.standing p').first();
      await till.find(grace.barcode);
      await standing.getByText('5', { exact: true }).waitFor();
      await cutNetwork(till, true);
      for (const waiting of ['+ 1', '+ 2']) {
        await till.enter(grace);
        await standing.getByText(waiting).waitFor();
      }
      assert.match(await standing.innerText(), /^5 \/ 10 stamps \+ 2$/);
      await till.enter({ barcode: 'k10001' });
      await cutNetwork(till, false);
      await till.waitUntilSent();
      assert.deepEqual(
        (await till.entriesOf(known)).map(({ points }) => points),
        [1],
      );
      assert.equal((await till.client.get(`/instances/${instanceId}`)).body.loyalty.balance, 7);
    }));

  it('lists what the service does not take, with the reason, until a person has decided', () =>
    atTill(async (till) => {
      const [grace, hedy] = till.cards;
      await cutNetwork(till, true);
      await till.enter(grace);
      await till.enter({ barcode: 'NOBODYS', holder: null });
      assert.equal((await till.client.post(`/instances/${grace.instanceId}/void`, {})).status, 200);
      await cutNetwork(till, false);
      await till.open('/scan');
      await till.page.getByText('2 awards need a decision').waitFor();
      await till.open('/scan/waiting');
      const list = till.page.getByRole('region', { name: 'To be decided' }).locator('li');
      const unknown = list.filter({ hasText: 'NOBODYS' });
      await unknown.getByText('No card has this code').waitFor();
      await assertForEverybody(till.page);
      // To the card that was meant.
      await unknown.getByRole('button', { name: 'Another card' }).click();
      await till.page.getByLabel('Code of the other card').fill(hedy.barcode);
      await till.page.getByRole('button', { name: 'Give it' }).click();
      await unknown.waitFor({ state: 'detached' });
      // It is sent again when it is valid again; and otherwise not at all.
      const voided = list.filter({ hasText: grace.holder.name });
      await voided.getByText('The card is void').waitFor();
      await voided.getByRole('button', { name: 'Drop' }).click();
      await till.page.getByLabel('Why').fill('was a test');
      await till.page.getByRole('button', { name: 'Drop it' }).click();
      await till.page.getByText('Nothing waits').waitFor();
      await till.page.getByText(/Ada: was a test$/).waitFor();
      assert.equal((await till.entriesOf(hedy)).length, 1);
      assert.deepEqual(await till.entriesOf(grace), []);
    }));

  it('waits with an award that a pause of the program would make one of nothing', () =>
    atTill(
      async (till) => {
        const [grace] = till.cards;
        await cutNetwork(till, true);
        for (let n = 0; n < 2; n++) await till.enter(grace);
        await till.page.getByRole('button', { name: 'Lock' }).click();
        await cutNetwork(till, false);
        await till.page.reload();
        // Sent by another person, they count as late.
        await till.signIn('Bob');
        await till.waitUntilSent();
        const entries = await till.entriesOf(grace);
        assert.deepEqual(
          entries.map(({ points }) => points),
          [1, 1],
        );
      },
      { limits: { minSecondsBetween: 1 } },
    ));

  it('sends the ledger the right time, whatever the clock of the device says', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      // It is a day ahead all the time.
      await till.restart(1_440 * minutes);
      await till.find(grace.barcode);
      await till.page.getByRole('button', { name: /^Add 1/ }).click();
      await till.page.getByText('Balance: 1').waitFor();
      await cutNetwork(till, true);
      const before = Date.now();
      await till.enter(grace);
      await till.page.getByRole('button', { name: 'Lock' }).click();
      await cutNetwork(till, false);
      await till.page.reload();
      await till.signIn('Bob');
      await till.waitUntilSent();
      const [, entry] = await till.entriesOf(grace);
      assert.ok(Math.abs(Date.parse(entry.occurredAt) - before) < 5 * minutes, entry.occurredAt);
    }));

  it('says that it does not know the time where the clock was set in between', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      await cutNetwork(till, true);
      await till.enter(grace);
      await till.restart(-1_440 * minutes);
      await cutNetwork(till, false);
      await till.open('/scan');
      await till.waitUntilSent();
      const [entry] = await till.entriesOf(grace);
      assert.match(entry.reason, /time unknown: the clock of the device was set since/);
      assert.equal(entry.occurredAt, entry.createdAt);
    }));

  it('works with a network only where the browser keeps nothing, and says so', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      await till.context.addInitScript(
        `Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } })`,
      );
      await till.open('/scan');
      await till.page.getByText('This browser keeps nothing').waitFor();
      await till.find(grace.barcode);
      await till.page.getByRole('button', { name: /^Add 1/ }).click();
      await till.page.getByText('Balance: 1').waitFor();
      assert.equal((await till.entriesOf(grace)).length, 1);
    }));

  it('redeems with a network only', () =>
    atTill(async (till) => {
      const [grace] = till.cards;
      const target = { passId: grace.passId, instanceId: grace.instanceId };
      assert.equal((await till.client.post('/loyalty/points', { ...target, points: 10 })).status, 200);
      await till.find(grace.barcode);
      const redeem = till.page.getByRole('button', { name: /^Redeem/ }).first();
      await redeem.waitFor();
      await cutNetwork(till, true);
      await redeem.click();
      await till.page.getByRole('button', { name: 'Redeem now' }).click();
      await till.page.getByText('Rewards are redeemed with a network only').waitFor();
    }));
});

/** A browser with a profile that outlives it, at a till. */
class Till {
  readonly #base: string;
  readonly client: Client;
  readonly cards: readonly Json[];
  readonly #profile: string;
  #context: BrowserContext | null = null;
  #page: Page | null = null;

  constructor(base: string, client: Client, cards: readonly Json[], profile: string) {
    this.#base = base;
    this.client = client;
    this.cards = cards;
    this.#profile = profile;
  }

  get page(): Page {
    assert.ok(this.#page);
    return this.#page;
  }

  get context(): BrowserContext {
    assert.ok(this.#context);
    return this.#context;
  }

  /** Starts the browser, whose clock is so far ahead. */
  async start(aheadMs = 0): Promise<void> {
    this.#context = await chromium.launchPersistentContext(this.#profile, {
      executablePath: findChromium() ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 390, height: 844 },
    });
    if (aheadMs !== 0)
      await this.#context.addInitScript(`{
        const RealDate = Date;
        globalThis.Date = class extends RealDate {
          constructor(...given) { super(...(given.length === 0 ? [RealDate.now() + ${aheadMs}] : given)); }
          static now() { return RealDate.now() + ${aheadMs}; }
        };
      }`);
    this.#context.setDefaultTimeout(longestWaitMs);
    this.#page = await this.#context.newPage();
  }

  async restart(aheadMs = 0): Promise<void> {
    await this.context.close();
    await this.start(aheadMs);
    await this.page.goto(`${this.#base}/scan`);
  }

  /** As when the battery is taken out. */
  async kill(): Promise<void> {
    const closed = this.context.waitForEvent('close');
    const [, pid = ''] = /-(\d+)$/.exec(await readlink(join(this.#profile, 'SingletonLock'))) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    await closed;
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => undefined);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  setOffline(isOffline: boolean): Promise<void> {
    return this.context.setOffline(isOffline);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#base}${path}`);
    await this.page.locator('#app h1').waitFor();
  }

  waitForHome(): Promise<void> {
    return this.page.locator('h1', { hasText: 'Scanner' }).waitFor();
  }

  async signIn(name: string): Promise<void> {
    await this.page.getByRole('button', { name }).click();
    await this.page.getByLabel('PIN').fill(pin);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.waitForHome();
  }

  /** Finds a card by its code, as a person types it. */
  async find(code: string): Promise<void> {
    if (new URL(this.page.url()).pathname !== '/scan')
      await this.page.getByRole('link', { name: 'Find a card' }).first().click();
    await this.page.getByLabel('Name, code, phone, e-mail or customer number').fill(code);
    await this.page.getByRole('button', { name: 'Find' }).click();
  }

  /** Enters an award of one for a card, which is then kept. */
  async enter(card: Json | undefined): Promise<void> {
    await this.find(String(card?.barcode));
    await this.page.getByRole('button', { name: /^(?:Add 1|Keep the award)/ }).click();
    await this.page.getByText('kept on this device').last().waitFor();
    // Such a line goes by itself.
    await this.page.getByRole('button', { name: 'Close' }).evaluateAll((buttons) => {
      for (const button of buttons as unknown as { click(): void }[]) button.click();
    });
  }

  async waitUntilSent(): Promise<void> {
    await this.open('/scan/waiting');
    await this.page.getByText('Nothing waits').waitFor();
  }

  /** What was entered for a card by the ledger, the oldest first; what it has unlocked is left out. */
  async entriesOf(card: Json | undefined): Promise<Json[]> {
    const { body } = await this.client.get(`/loyalty/entries?instanceId=${card?.instanceId}&limit=100`);
    return body.data.filter(({ kind }: Json) => kind !== 'unlock').reverse();
  }
}
