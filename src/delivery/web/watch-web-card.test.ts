import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { startApp } from '../../app.ts';
import { createBulkhead } from '../../kit/limits/bulkhead.ts';
import { eventsOf, OpenBrowser } from './browser.fixture.ts';
import { createLiveCards, streamPlaces } from './live-cards.ts';
import { overloaded } from './live-streams.ts';
import type { OpenRequest } from './open-web-cards.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
  pass = await makePass(client, { details: 'Ten stamps' });
});

const newCard = () => makeCard(client, pass.passId, { holder: { identifier: randomUUID(), name: 'Ada' } });
const setTier = (card: Json, tier: string | null) =>
  client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier } });
const walletsOf = async (card: Json) => (await client.get(`/instances/${card.instanceId}`)).body.wallets.web;

describe('GET /p/{token}/card/events', () => {
  it('sends the card at once, and every change of it within a second', async () => {
    const card = await newCard();
    const browser = await OpenBrowser.open(app.url, card);
    const first = browser.events[0];
    assert.equal(first?.event, 'card');
    assert.equal(first?.id, first?.data.version);
    assert.match(first?.data.face, /Bronze/);
    assert.ok((browser.retryMs ?? 0) >= 1_000 && (browser.retryMs ?? 0) < 5_000);
    const changes: [what: string, () => Promise<unknown>, RegExp][] = [
      ['field', () => setTier(card, 'Gold'), /Gold/],
      ['void', () => client.post(`/instances/${card.instanceId}/void`), /no longer valid/],
      ['reactivate', () => client.post(`/instances/${card.instanceId}/reactivate`), /<svg/],
      ['design', () => client.patch(`/passes/${pass.passId}`, { title: 'Bean Circle' }), /Bean Circle/],
      ['shop', () => client.patch('/workspace', { name: 'Red Bean' }), /Red Bean/],
    ];
    const delays: number[] = [];
    for (const [what, change, shows] of changes) {
      const known = browser.states.length;
      await change();
      const changed = performance.now();
      await until(`the ${what} to show`, () => browser.states.length > known);
      delays.push(performance.now() - changed);
      assert.match(browser.states.at(-1)?.face, shows);
    }
    // One of them may have met a machine that was busy otherwise.
    const [, second = 0] = delays.toSorted((a, b) => b - a);
    assert.ok(second < 1_000, `it took ${delays.map(Math.round)} ms`);
    await client.patch(`/instances/${card.instanceId}`, { holder: { name: 'Ada Lovelace' } });
    await until('the name to show', () => /Ada Lovelace/.test(browser.states.at(-1)?.about));
    const versions = browser.states.map(({ version }) => version);
    assert.ok(
      versions.every((version, at) => version !== versions[at - 1]),
      'nothing new was sent',
    );
    browser.close();
  });

  it('sends a browser that comes back only what it does not have', async () => {
    const card = await newCard();
    const first = await OpenBrowser.open(app.url, card);
    const lastEventId = first.events[0]?.id ?? '';
    first.close();
    const { viewer } = first;
    const second = await OpenBrowser.open(app.url, card, { viewer, lastEventId });
    await sleep(1_200);
    assert.deepEqual(
      second.events.filter(({ event }) => event === 'card'),
      [],
    );
    second.close();
    await setTier(card, 'Gold');
    const third = await OpenBrowser.open(app.url, card, { viewer, lastEventId });
    assert.match(third.states[0]?.face, /Gold/);
    third.close();
  });

  it('reports a change that came between the read of the card and the stream', async () => {
    const card = await newCard();
    const browsers = await inParallel(10, () => OpenBrowser.open(app.url, card));
    await Promise.all([
      setTier(card, 'Gold'),
      ...Array.from({ length: 8 }, async () => browsers.push(await OpenBrowser.open(app.url, card))),
    ]);
    await until('all to show Gold', () => browsers.every(({ states }) => /Gold/.test(states.at(-1)?.face)));
    for (const browser of browsers) browser.close();
  });

  it('reports the cards of several workspaces that change at once, each as its own workspace has it', async () => {
    const others = await app.newWorkspace('pro', 1_000);
    const othersPass = await makePass(others.client, { title: 'Tea Circle' });
    const [own, other] = [await newCard(), await makeCard(others.client, othersPass.passId)];
    const browsers = [await OpenBrowser.open(app.url, own), await OpenBrowser.open(app.url, other)];
    await Promise.all([
      setTier(own, 'Gold'),
      others.client.patch(`/instances/${other.instanceId}/fields`, { fields: { tier: 'Silver' } }),
    ]);
    for (const [place, tier] of [/Gold/, /Silver/].entries())
      await until('the tier to show', () => tier.test(browsers[place]?.states.at(-1)?.face));
    for (const browser of browsers) browser.close();
  });

  it('shows by itself that the card has expired', async () => {
    const expiresAt = new Date(app.running.app.now().getTime() + 3_600_000).toISOString();
    const card = await makeCard(client, pass.passId, { expiresAt });
    const browser = await OpenBrowser.open(app.url, card);
    assert.doesNotMatch(browser.states[0]?.face, /has expired/);
    app.advance(3_600_001);
    await until('the expiry to show', () => /has expired/.test(browser.states.at(-1)?.face));
    browser.close();
  });

  it('says that an erased card is gone, and keeps nothing of the browser', async () => {
    const card = await newCard();
    const browser = await OpenBrowser.open(app.url, card);
    await client.delete(`/instances/${card.instanceId}`);
    await until('the end', () => browser.isOver);
    assert.equal(browser.events.at(-1)?.event, 'gone');
    await until('the viewer to be forgotten', async () => !(await app.dump()).includes(browser.viewer));
  });

  it('beats, so that a browser can distinguish a quiet card from a dead connection', async () => {
    const browser = await OpenBrowser.open(app.url, await newCard());
    await until('a beat', () => browser.events.some(({ event }) => event === 'beat'), 20_000);
    browser.close();
  });

  it('works over several processes that share nothing but the database', async () => {
    const twin = await app.twin();
    const card = await newCard();
    const browsers = await Promise.all([app, twin].map(({ url }) => OpenBrowser.open(url, card)));
    assert.equal(await walletsOf(card), 2);
    await setTier(card, 'Gold');
    await until('both to show it', () => browsers.every(({ states }) => /Gold/.test(states.at(-1)?.face)));
    for (const browser of browsers) browser.close();
    await until('no viewer to be counted', async () => (await walletsOf(card)) === 0);
  });

  it('refuses what is no viewer, a wrong link, and the 21st stream of a card', async () => {
    const card = await newCard();
    assertRefused(await app.anyone.get(eventsOf(card)), 'invalid_request', /viewer/);
    assertRefused(await app.anyone.get(`${eventsOf(card)}?viewer=me`), 'invalid_request', /viewer/);
    const missing = `/p/${Buffer.alloc(48).toString('base64url')}/card/events?viewer=${randomUUID()}`;
    assertRefused(await app.anyone.get(missing), 'instance_not_found');
    const browsers = await inParallel(20, () => OpenBrowser.open(app.url, card));
    const late = await app.anyone.get(`${eventsOf(card)}?viewer=${randomUUID()}`);
    assertRefused(late, 'rate_limited', /too many places/);
    assert.equal(late.headers.get('retry-after'), '60');
    assert.equal(await walletsOf(card), 20);
    for (const browser of browsers) browser.close();
    await until('the places to be free', async () => app.running.app.webCards.size === 0);
    (await OpenBrowser.open(app.url, card)).close();
  });
});

describe('a process', () => {
  const request = async (): Promise<OpenRequest> => {
    const card = await newCard();
    const state = (await app.anyone.get(`${card.links.card}/state`)).body;
    const { rows } = { rows: await app.sql<{ w: string; i: string }>(lastCard) };
    return {
      workspaceId: rows[0]?.w ?? '',
      instanceId: rows[0]?.i ?? '',
      viewerId: randomUUID(),
      version: null,
      state,
      shares: [rows[0]?.w ?? ''],
      signal: undefined,
    };
  };
  /** Streams of a process of their own, which end with the test. */
  const liveCards = (test: object, options: Partial<Parameters<typeof createLiveCards>[0]> = {}) => {
    const ctx = () => ({ app: app.running.app, requestId: 'test' });
    const cards = createLiveCards({ ctx, places: createBulkhead(streamPlaces), ...options });
    (test as TestContext).after(() => cards.close());
    return cards;
  };
  const lastCard =
    'select workspace_id as w, instance_id as i from instances order by instance_id desc limit 1';

  it('has a limit to its streams: beyond it browsers go to another', async (test) => {
    const places = createBulkhead({
      places: { perKey: 2, total: 2 },
      waiting: { perKey: 0, total: 0 },
      maxQueueMs: 0,
      refusal: () => overloaded('Too many cards are open.'),
    });
    const cards = liveCards(test, { places });
    const streams = [await cards.open(await request()), await cards.open(await request())];
    for (const stream of streams) stream.resume();
    await assert.rejects(
      async () => cards.open(await request()),
      ({ code, status }) => code === 'overloaded' && status === 503,
    );
    assert.equal(cards.size, 2);
    streams[0]?.destroy();
    await until('the place to be free', () => cards.size === 1);
    streams.push(await cards.open(await request()));
    await cards.close();
    await until('all streams to be cut', () => cards.size === 0);
  });

  it('cuts off who does not read instead of buffering', async (test) => {
    const cards = liveCards(test);
    const opened = await request();
    const stream = await cards.open(opened);
    // The browser does not read the stream: the first event waits in it, and the second is one too many.
    assert.ok(stream.readableLength > 0);
    await app.sql(
      'update instances set fields = \'{"tier":"Gold"}\', revision = revision + 1 where instance_id = $1',
      [opened.instanceId],
    );
    await until('the stream to be cut', () => stream.destroyed, 3_000);
    assert.equal(cards.size, 0);
    await cards.close();
  });

  it('asks the database for nothing while no card is open', async (test) => {
    const queries: string[] = [];
    const { app: real } = app.running;
    const database = {
      ...real.database,
      get db() {
        queries.push('read');
        return real.database.db;
      },
    };
    const cards = liveCards(test, { ctx: () => ({ app: { ...real, database }, requestId: 'test' }) });
    await sleep(1_200);
    assert.deepEqual(queries, []);
    const stream = await cards.open(await request());
    stream.resume();
    await until('a poll', () => queries.length > 0);
    stream.destroy();
    await sleep(4_000);
    const before = queries.length;
    await sleep(1_200);
    assert.equal(queries.length, before);
    await cards.close();
  });

  it('that drains sends its browsers to another, which still count', async (test) => {
    const card = await newCard();
    const { app: first } = app.running;
    const other = await startApp(app.config, { now: first.now, works: false });
    (test as TestContext).after(() => other.close());
    const browser = await OpenBrowser.open(other.url, card);
    other.drain();
    await until('the stream to end', () => browser.isOver);
    const refused = await fetch(`${other.url}${eventsOf(card)}?viewer=${browser.viewer}`);
    assert.equal(refused.status, 503);
    const closing = performance.now();
    await other.close();
    // A stream that is still open would keep it for ten seconds.
    assert.ok(performance.now() - closing < 8_000, 'streams kept the process from closing');
    assert.equal(await walletsOf(card), 1);
    const reopened = await OpenBrowser.open(app.url, card, { viewer: browser.viewer });
    assert.equal(await walletsOf(card), 1);
    reopened.close();
  });
});
