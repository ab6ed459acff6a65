import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Json } from '../../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { startApp } from '../../app.ts';
import { OpenBrowser } from './browser.fixture.ts';

const app = await startTestApp();
const dayMs = 86_400_000;
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
  pass = await makePass(client);
});

const newCard = () => makeCard(client, pass.passId);
const setTier = (card: Json, tier: string) =>
  client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier } });
const read = async (card: Json) => (await client.get(`/instances/${card.instanceId}`)).body;
const walletsOf = async (card: Json) => (await read(card)).wallets.web;
const installedOf = async () => (await client.get(`/passes/${pass.passId}`)).body.counts.installed;
const creditsOf = async () => (await client.get('/credits')).body.balance;
const kindsOf = async (card: Json): Promise<string[]> =>
  (await client.get(`/instances/${card.instanceId}/timeline?limit=100`)).body.data.map(
    ({ kind }: Json) => kind,
  );
const install = (card: Json, viewer: string, endpoint?: string) =>
  app.anyone.post(`${card.links.card}/installation`, {
    viewer,
    installed: true,
    ...(endpoint !== undefined && { subscription: { endpoint } }),
  });
const uninstall = (card: Json, viewer: string) =>
  app.anyone.delete(`${card.links.card}/installation?viewer=${viewer}`);

describe('an open web card', () => {
  it('counts as a wallet for as long as it is open', async () => {
    const card = await newCard();
    const before = await installedOf();
    assert.deepEqual((await setTier(card, 'Silver')).body.pushSkipReason, 'not_installed');
    const browser = await OpenBrowser.open(app.url, card);
    assert.equal(await walletsOf(card), 1);
    assert.equal(await installedOf(), before + 1);
    const credits = await creditsOf();
    assert.equal((await setTier(card, 'Gold')).body.pushed, true);
    await until('the credit to be spent', async () => (await creditsOf()) === credits - 1);
    browser.close();
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
    assert.equal(await installedOf(), before);
    // Who looks at a card has not added it.
    assert.equal((await read(card)).installedAt, null);
    assert.deepEqual((await kindsOf(card)).toSorted(), [
      'instance.issued',
      'instance.updated',
      'instance.updated',
      'push.delivered',
    ]);
  });

  it('counts once for a browser, in however many tabs, and over a reload', async () => {
    const reload = async () => {
      const card = await newCard();
      const viewer = randomUUID();
      const tabs = await inParallel(3, () => OpenBrowser.open(app.url, card, { viewer }));
      assert.equal(await walletsOf(card), 1);
      const closedAt = performance.now();
      for (const tab of tabs) tab.close();
      await sleep(300);
      const reopened = await OpenBrowser.open(app.url, card, { viewer });
      return { card, reopened, awayMs: performance.now() - closedAt };
    };
    let { card, reopened, awayMs } = await reload();
    // After two seconds it would rightly be taken for gone.
    for (let attempt = 1; awayMs > 1_500 && attempt < 5; attempt++) {
      reopened.close();
      ({ card, reopened, awayMs } = await reload());
    }
    await sleep(3_000);
    assert.equal(await walletsOf(card), 1);
    reopened.close();
  });

  it('counts until its minute is over when its process dies, and no longer', async (test) => {
    const card = await newCard();
    const other = await startApp(app.config, { now: app.running.app.now, works: false });
    (test as TestContext).after(() => other.close());
    const browser = await OpenBrowser.open(other.url, card);
    // A process that is going down leaves counts behind that no process corrects.
    await other.close();
    await until('the connection to break', () => browser.isOver);
    await sleep(2_500);
    assert.equal(await walletsOf(card), 1);
    app.advance(61_000);
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
  });

  it('is kept counted by its process, whatever time passes', async () => {
    const card = await newCard();
    const browser = await OpenBrowser.open(app.url, card);
    for (let minute = 0; minute < 3; minute++) {
      app.advance(25_000);
      await sleep(1_200);
    }
    assert.equal(await walletsOf(card), 1);
    browser.close();
  });

  it('is counted again when its row was lost', async () => {
    const card = await newCard();
    const browser = await OpenBrowser.open(app.url, card);
    // The clock jumps over its end: the job may come before the renewal.
    app.advance(90_000);
    await sleep(3_000);
    app.advance(25_000);
    await until('it to be counted', async () => (await walletsOf(card)) === 1);
    browser.close();
  });

  it('that comes and goes all the time cannot fill the timeline', async () => {
    const card = await newCard();
    for (let visit = 0; visit < 3; visit++) (await OpenBrowser.open(app.url, card)).close();
    await until('the last to be gone', async () => (await walletsOf(card)) === 0, 20_000);
    assert.deepEqual(await kindsOf(card), ['instance.issued']);
  });
});

describe('an installed web card', () => {
  it('counts for 30 days from when it was opened last', async () => {
    const card = await newCard();
    const viewer = randomUUID();
    assert.equal((await install(card, viewer)).status, 204);
    assert.equal(await walletsOf(card), 1);
    app.advance(29 * dayMs);
    await install(card, viewer);
    app.advance(29 * dayMs);
    await sleep(2_500);
    assert.equal(await walletsOf(card), 1);
    app.advance(dayMs + 1_000);
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
  });

  it('stays counted when its page is closed, and was added when it was installed, once', async () => {
    const card = await newCard();
    const browser = await OpenBrowser.open(app.url, card);
    assert.deepEqual(await kindsOf(card), ['instance.issued']);
    await install(card, browser.viewer);
    assert.equal(await walletsOf(card), 1);
    assert.notEqual((await read(card)).installedAt, null);
    browser.close();
    await sleep(3_500);
    assert.equal(await walletsOf(card), 1);
    const again = await OpenBrowser.open(app.url, card, { viewer: browser.viewer });
    await install(card, browser.viewer);
    again.close();
    assert.deepEqual(await kindsOf(card), ['instance.installed', 'instance.issued']);
    assert.equal((await setTier(card, 'Gold')).body.pushed, true);
  });

  it('with a subscription counts for ever, and once for each subscription', async () => {
    const card = await newCard();
    const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
    await install(card, randomUUID(), endpoint);
    // The browser forgot how it had called itself.
    await install(card, randomUUID(), endpoint);
    assert.equal(await walletsOf(card), 1);
    app.advance(400 * dayMs);
    await sleep(2_500);
    assert.equal(await walletsOf(card), 1);
  });

  it('that says nothing of a subscription has none afterwards', async () => {
    const card = await newCard();
    const viewer = randomUUID();
    const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
    await install(card, viewer, endpoint);
    await install(card, viewer);
    assert.ok(!(await app.dump()).includes(endpoint));
    app.advance(31 * dayMs);
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
  });

  it('that is taken back counts for a minute more', async () => {
    const [card, viewer] = [await newCard(), randomUUID()];
    assert.equal((await uninstall(card, viewer)).status, 204, 'nothing to take back is fine');
    await install(card, viewer, 'https://fcm.googleapis.com/fcm/send/x');
    assert.equal((await uninstall(card, viewer)).status, 204);
    assert.equal(await walletsOf(card), 1);
    app.advance(61_000);
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
  });

  it('is one of twenty at most: a new one takes the place of the one that ends first', async () => {
    const card = await newCard();
    const first = randomUUID();
    await install(card, first);
    app.advance(1_000);
    const others = Array.from({ length: 19 }, () => randomUUID());
    for (const viewer of others) await install(card, viewer);
    assert.equal(await walletsOf(card), 20);
    await install(card, randomUUID());
    assert.equal(await walletsOf(card), 20);
    assert.ok(!(await app.dump()).includes(first));
    // One that is only open would end before all of them: it is shown, and not counted.
    const browser = await OpenBrowser.open(app.url, card);
    assert.equal(browser.states.length, 1);
    assert.equal(await walletsOf(card), 20);
    assert.ok(!(await app.dump()).includes(browser.viewer));
    browser.close();
  });

  it('keeps its counts right when many come and go at once', async () => {
    const card = await newCard();
    const viewers = Array.from({ length: 12 }, () => randomUUID());
    await Promise.all([
      ...viewers.flatMap((viewer) => [install(card, viewer), install(card, viewer)]),
      ...viewers.map(async (viewer) => (await OpenBrowser.open(app.url, card, { viewer })).close()),
      setTier(card, 'Gold'),
      setTier(card, 'Silver'),
    ]);
    await sleep(3_000);
    assert.equal(await walletsOf(card), 12);
    const rows = await app.sql<{ n: number }>(
      'select count(*)::int as n from web_cards where viewer_id = any($1::uuid[])',
      [viewers],
    );
    assert.equal(rows[0]?.n, 12);
  });
});
