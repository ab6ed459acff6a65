import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inParallel, tally } from '../../../test/factories.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { until } from '../../../test/wallets.ts';
import { acquirePace } from './acquire-pace.ts';
import { GoogleShop, startGoogleApp } from './google.fixture.ts';

const { app, google } = await startGoogleApp();
const shop = await GoogleShop.open(app, google, 1_000);

describe('the pace of requests to Google', () => {
  it('is at most 20 a second, while two processes send it 100 cards and holders press the button', async () => {
    const twin = await app.twin();
    const pass = await shop.pass();
    const cards = await inParallel(100, () => shop.card(pass));
    // Four at a time: fifty at once would be refused for now, and so would the rounds of the jobs next to them.
    for (let at = 0; at < cards.length; at += 4)
      await Promise.all(cards.slice(at, at + 4).map((card) => shop.save(card)));
    const before = google.requests.length;
    const since = Date.now();
    for (let at = 0; at < cards.length; at += 10)
      await Promise.all(cards.slice(at, at + 10).map((card) => shop.tier(card, 'Gold')));
    const pressed = await shop.card(pass);
    const [link] = await Promise.all([
      twin.as(null).get(pressed.links.google),
      until('all are updated', () => cards.every((card) => shop.shows(card) === 'Gold'), 60_000),
    ]);
    assert.equal(link.status, 302, 'who presses the button is not left behind');
    await shop.settled(30_000);
    const seconds = (Date.now() - since) / 1_000;
    const requests = google.requests.length - before;
    assert.ok(google.peakPerSecond() <= 20, `${google.peakPerSecond()} in a second`);
    assert.ok(requests / seconds > 6, `${requests} requests in ${seconds} s`);
    for (const card of cards) assert.equal(shop.patches(card).length, 1);
    assert.deepEqual(await shop.credits(), { balance: 900, reserved: 0, spent: 100 });
    await assertInvariants(app.sql);
  });

  it('lets no caller wait for ever: a caller beyond the limit of the queue is refused', async () => {
    const { database } = app.running.app;
    const begun = performance.now();
    const turns = await inParallel(120, () =>
      acquirePace(database, '42').then(
        () => 'had its turn',
        ({ name }) => name,
      ),
    );
    const counts = tally(turns);
    assert.deepEqual(Object.keys(counts).sort(), ['GoogleBusy', 'had its turn']);
    assert.ok((counts['had its turn'] ?? 0) >= 70, JSON.stringify(counts));
    assert.ok(performance.now() - begun < 12_000);
  });
});
