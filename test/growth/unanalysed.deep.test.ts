import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Device, takeCard } from '../../src/delivery/apple/device.fixture.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { euros } from '../../src/orders/shop.fixture.ts';
import type { Client, Json, Reply } from '../client.ts';
import { inParallel, makeCard } from '../factories.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../harness.ts';
import { described, plannings, prepareWatched, type Reading, rowsOf, Watch } from './reading.ts';

/*
 * The calls of a till on tables that have never been analysed, from the first card to some thousand entries, next to a
 * second workspace that is small; with plans made for each statement, and with plans kept since the tables were empty.
 * Counted are the rows that each call has read, so that nothing depends on the machine.
 */
const mostRows = 60;
/** A call may ask for the key again, which is known for a moment, and a busy card has some rows more. */
const tolerance = 15;

for (const [title, planning] of Object.entries(plannings)) {
  describe(`without statistics, plans ${title}`, async () => {
    const url = await createTestDatabase();
    await prepareWatched(url, planning);
    const watch = new Watch(url, planning);
    const app = await startTestApp({ DATABASE_URL: url, WORKERS: 'off', REQUEST_LOG: 'off' });
    // One connection has all plans, whatever happens at the same moment.
    app.running.app.database.pool.options.max = 1;
    const large = await openShop(app);
    const small = await openShop(app);
    // Five times a plan is made for the values, then PostgreSQL may keep one that would do for any.
    for (let turn = 0; turn < 7; turn++) for (const shop of [large, small]) await makeCalls(shop);
    await grow(large, { cards: 20, entries: 100 });
    const atFirst = await readingsOf(large, watch);
    const cards = await grow(large, { cards: 400, entries: 1_500 });
    const grown = await readingsOf(large, watch);
    const ofSmall = await readingsOf(small, watch);
    const crowd = cards.slice(0, 20);
    const ofCrowd = await watch.during(() =>
      Promise.all(crowd.map((card) => succeed('one of many', callsOf(large, card)['an award to a barcode']))),
    );
    watch.end();

    it('no table has statistics', async () => {
      // There are enough migrations for PostgreSQL to analyse their list by itself.
      const analysed = await app.sql(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 0 and relname <> 'schema_migrations'",
      );
      assert.deepEqual(analysed, []);
    });

    it('awards to many barcodes at once: read what they are about', async () => {
      assert.ok(rowsOf(ofCrowd) <= crowd.length * mostRows, described(ofCrowd));
    });

    for (const [name, readings] of grown) {
      it(`${name}: reads what it is about`, () => {
        const early = rowsOf(atFirst.get(name) ?? []);
        for (const some of [readings, ofSmall.get(name) ?? []])
          assert.ok(
            rowsOf(some) <= Math.min(mostRows, early + tolerance),
            `${early} rows at first, ${rowsOf(some)} now:\n${described(some)}`,
          );
      });
    }
  });
}

/** A shop with a busy card, to which everything happens. */
interface Shop {
  readonly client: Client;
  readonly passId: string;
  readonly ada: Json;
}

async function openShop(app: TestApp): Promise<Shop> {
  const { client } = await app.newWorkspace('pro', 1_000_000);
  const { pass } = await makeProgram(client, euros, { design: { barcode: { mode: 'unique' } } });
  const holder = { identifier: 'ada', email: 'ada@example.test' };
  const ada = await makeCard(client, pass.passId, { holder });
  await new Device(app).register(await takeCard(app, ada));
  return { client, passId: pass.passId, ada };
}

/** Every call of a till, by its name, in an order in which they succeed. */
function callsOf({ client, passId, ada }: Shop, card = ada) {
  const orderId = randomUUID();
  const total = { amount: '10.00', currency: 'EUR' };
  const award = (named: object) => () =>
    client.post('/loyalty/points', { passId, ...named, points: 12, externalRef: randomUUID() });
  const issue = (holder: object) => () => client.post(`/passes/${passId}/instances`, { holder });
  const get = (path: string) => () => client.get(path);
  return {
    'an award to a card': award({ instanceId: ada.instanceId }),
    'an award to a holder': award({ identifier: 'ada' }),
    'an award to a barcode': award({ barcode: card.barcode }),
    'a redemption': () => client.post('/loyalty/redeem', { passId, instanceId: ada.instanceId }),
    'an order': () => client.post('/orders/process', { passId, orderId, customer: { id: 'ada' }, total }),
    'an order of a guest': () =>
      client.post('/orders/process', {
        passId,
        orderId: randomUUID(),
        customer: { email: `${randomUUID()}@example.test` },
        total,
      }),
    'a refund': () => client.post(`/orders/${orderId}/refunds`, { refundId: '1', amount: total }),
    'a new card': issue({ identifier: randomUUID(), email: `${randomUUID()}@example.test` }),
    'a card of a known holder': issue({ identifier: 'ada' }),
    'a look-up': get(`/instances/lookup?barcode=${ada.barcode}`),
    'a card': get(`/instances/${ada.instanceId}`),
    'a holder': get(`/loyalty/holders/ada?passId=${passId}`),
    'a page of entries': get(`/loyalty/entries?passId=${passId}&limit=5`),
    'a page of cards': get(`/passes/${passId}/instances?limit=5`),
    'the cards of an address': get(`/passes/${passId}/instances?email=ada@example.test`),
    'the card of a reference': get(`/passes/${passId}/instances?externalRef=nobody`),
    'a search for cards': get(`/passes/${passId}/instances?q=ada&limit=2`),
    'a person by an address': get('/holders?email=ada@example.test'),
    'a person by a number': get('/holders?phone=%2B491711234567'),
    'a search for people': get('/holders?q=ada&limit=2'),
    'a field': () =>
      client.patch(`/instances/${ada.instanceId}/fields`, { fields: { tier: randomUUID().slice(0, 8) } }),
    'its page': get(ada.links.add),
    'its file': get(ada.links.apple),
    'its web card': get(`${ada.links.add}/card`),
    'the key': get('/me'),
  };
}

async function makeCalls(shop: Shop): Promise<void> {
  for (const [name, call] of Object.entries(callsOf(shop))) await succeed(name, call);
}

async function readingsOf(shop: Shop, watch: Watch): Promise<Map<string, readonly Reading[]>> {
  const found = new Map<string, readonly Reading[]>();
  for (const [name, call] of Object.entries(callsOf(shop)))
    found.set(name, await watch.during(() => succeed(name, call)));
  return found;
}

async function succeed(name: string, call: () => Promise<Reply>): Promise<void> {
  const { status, text } = await call();
  assert.ok(status < 400, `${name}: ${status} ${text}`);
}

/** More cards, and more entries, a tenth of them of the busy one. */
async function grow(
  { client, passId, ada }: Shop,
  by: { cards: number; entries: number },
): Promise<readonly Json[]> {
  const instances = Array.from({ length: by.cards }, () => ({
    holder: { identifier: randomUUID(), email: `${randomUUID()}@example.test` },
  }));
  const { body } = await client.post(`/passes/${passId}/instances/batch`, { instances });
  const cards: Json[] = body.results.map((one: Json) => one.instance);
  await inParallel(32, async (lane) => {
    for (let turn = lane; turn < by.entries; turn += 32) {
      const card = turn % 10 === 0 ? ada : cards[turn % by.cards];
      const target = { passId, instanceId: card?.instanceId };
      await succeed('growing', () => client.post('/loyalty/points', { ...target, points: 1 }));
    }
  });
  return cards;
}
