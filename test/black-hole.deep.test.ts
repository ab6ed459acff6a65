import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GoogleShop, googleSettings } from '../src/delivery/google/google.fixture.ts';
import { startGoogle } from '../tools/fakes/google.ts';
import type { Json } from './client.ts';
import { inParallel } from './factories.ts';
import { startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { Phones, startDevelopmentApns, until } from './wallets.ts';

const cardsPerWallet = 15;
/** A wallet that says nothing for 10 s has failed once. */
const failures = 2;

test('Apple and Google black-holed under load until each card has failed twice: the API is unaffected, what waits is bounded and seen, and it drains afterwards', async () => {
  let now = () => new Date();
  const google = await startGoogle({ now: () => now() });
  after(() => google.close());
  const apns = await startDevelopmentApns();
  const app = await startTestApp({ APNS_URL: apns.url, ...googleSettings(google) });
  now = app.running.app.now;
  const shop = await GoogleShop.open(app, google, 1_000_000);
  const pass = await shop.pass();
  const onPhones = await inParallel(cardsPerWallet, () => shop.card(pass));
  const phones = new Phones(app, apns);
  const holders = await Promise.all(onPhones.map((card) => phones.add([card])));
  const atGoogle: Json[] = [];
  for (let index = 0; index < cardsPerWallet; index++) atGoogle.push(await shop.savedCard(pass));
  const gauge = async (wallet: string): Promise<number> => {
    const { text } = await app.anyone.get('/metrics');
    return Number(new RegExp(`^pushes_waiting\\{wallet="${wallet}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };

  const fewestFailures = async () => {
    const [row] = await app.sql<{ least: number }>(
      'select least((select min(attempts) from apple_devices), (select min(attempts) from google_objects)) as least',
    );
    return Number(row?.least);
  };

  apns.isSilent = true;
  google.isBlackHole = true;
  let changes = 0;
  for (let round = 0, failed = 0; failed < failures; round++) {
    const replies = await Promise.all(
      [...onPhones, ...atGoogle].map((card) => shop.tier(card, `Level ${round}`)),
    );
    for (const { status, body } of replies) {
      assert.equal(status, 200);
      assert.equal(body.pushed, true);
    }
    changes += replies.length;
    // One row a card, however many changes there are.
    assert.ok((await gauge('apple')) <= cardsPerWallet);
    assert.ok((await gauge('google')) <= cardsPerWallet);
    const before = failed;
    failed = await fewestFailures();
    // Past the rest before the next one.
    if (failed > before) app.advance(600_000);
  }
  assert.equal((await app.sql('select from pushes')).length, 2 * cardsPerWallet);
  assert.equal(await gauge('apple'), cardsPerWallet);
  assert.equal(await gauge('google'), cardsPerWallet);
  assert.equal((await shop.credits()).reserved, changes);

  apns.isSilent = false;
  apns.dropConnections();
  google.isBlackHole = false;
  // Past all back-offs but the connection's own, which knows no other clock.
  app.advance(3_600_000);
  const newest = (await shop.client.get(`/instances/${onPhones[0]?.instanceId}`)).body.fields.tier;
  await until(
    'all phones show the newest',
    () => holders.every((phone) => phone.shows('tier') === newest),
    90_000,
  );
  await until('Google shows the newest', () => atGoogle.every((card) => shop.shows(card) === newest), 90_000);
  await shop.settled(60_000);
  assert.deepEqual([await gauge('apple'), await gauge('google')], [0, 0]);
  assert.equal((await shop.credits()).spent, changes);
  assert.deepEqual(
    holders.flatMap((phone) => phone.complaints),
    [],
  );
  await assertInvariants(app.sql);
});
