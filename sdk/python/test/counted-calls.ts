import assert from 'node:assert/strict';
import type { Client, Json } from '../../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../../test/factories.ts';

/** A call as it is written down for a client of any language: names as the API spells them. */
export interface ClientCall {
  /** `resource.method` */
  readonly call: string;
  /** What is in the path, in its order. */
  readonly path?: readonly string[];
  /** The properties of the body and the query. */
  readonly named?: Readonly<Record<string, unknown>>;
}

/** Calls that count something, each for a card of its own; and what must be there once, however often they were sent. */
export interface CountedCalls {
  readonly calls: readonly ClientCall[];
  /** Fails unless each was done once. */
  assertDoneOnce(): Promise<void>;
}

interface Shop {
  readonly passId: string;
}

/** A pass whose cards collect points, with a reward for 5. */
export async function openClientShop(client: Client): Promise<Shop> {
  const { passId } = await makePass(client);
  const program = await client.post('/loyalty/programs', {
    passId,
    mode: 'POINTS',
    reward: { title: 'Cake', cost: 5 },
    earn: { perCurrencyUnit: 1, currency: 'EUR' },
  });
  assert.equal(program.status, 201, program.text);
  const launched = await client.patch(`/loyalty/programs/${program.body.programId}`, { status: 'active' });
  assert.equal(launched.status, 200, launched.text);
  return { passId };
}

/** One call of each kind; `ref` distinguishes them from those of other rounds. */
export async function countedCalls(client: Client, { passId }: Shop, ref: string): Promise<CountedCalls> {
  const cards = await inParallel(7, (index) =>
    makeCard(client, passId, { holder: { identifier: `${ref} ${index}` } }),
  );
  const [earned, redeemed, adjusted, batched, reversed, changed, ordered] = cards.map(({ instanceId }) =>
    String(instanceId),
  ) as [string, string, string, string, string, string, string];
  for (const card of cards) {
    const given = await client.post('/loyalty/points', { passId, instanceId: card.instanceId, points: 100 });
    assert.equal(given.status, 200, given.text);
  }
  const entries = async (instanceId: string): Promise<Json[]> =>
    (await client.get(`/loyalty/entries?instanceId=${instanceId}`)).body.data;
  const [first] = await entries(reversed);
  const calls: ClientCall[] = [
    { call: 'loyalty.earn', named: { passId, instanceId: earned, points: 7 } },
    { call: 'loyalty.redeem', named: { passId, instanceId: redeemed } },
    { call: 'loyalty.adjust', named: { passId, instanceId: adjusted, points: -3, reason: 'Counted again' } },
    {
      call: 'loyalty.earnBatch',
      named: {
        awards: [
          { passId, instanceId: batched, points: 2 },
          { passId, instanceId: batched, points: 2 },
        ],
      },
    },
    { call: 'loyalty.reverse', path: [String(first?.entryId)], named: { reason: 'Goods returned' } },
    { call: 'instances.updateFields', path: [changed], named: { fields: { tier: ref } } },
    {
      call: 'orders.process',
      named: {
        passId,
        orderId: ref,
        customer: { id: `${ref} 6` },
        total: { amount: '12.00', currency: 'EUR' },
      },
    },
    { call: 'instances.issue', path: [passId], named: { holder: { name: ref } } },
    { call: 'passes.create', named: { title: ref, type: 'coupon' } },
    { call: 'apiKeys.create', named: { name: ref, access: 'read' } },
  ];
  return {
    calls,
    async assertDoneOnce() {
      const points = async (instanceId: string) => (await entries(instanceId)).map((entry) => entry.points);
      assert.deepEqual(await points(earned), [7, 100]);
      assert.deepEqual(await points(redeemed), [-5, 100]);
      assert.deepEqual(await points(adjusted), [-3, 100]);
      assert.deepEqual(await points(batched), [2, 2, 100]);
      assert.deepEqual(await points(reversed), [-100, 100]);
      assert.deepEqual(await points(ordered), [12, 100]);
      const { body: card } = await client.get(`/instances/${changed}`);
      assert.equal(card.fields.tier, ref);
      const named = (list: Json[], name: string) => list.filter((one) => one[name] === ref).length;
      const { body: issued } = await client.get(
        `/passes/${passId}/instances?q=${encodeURIComponent(ref)}&limit=100`,
      );
      assert.equal(issued.data.filter((one: Json) => one.holder?.name === ref).length, 1, 'issued');
      assert.equal(named((await client.get('/passes?limit=100')).body.data, 'title'), 1, 'passes');
      assert.equal(named((await client.get('/api-keys?limit=100')).body.data, 'name'), 1, 'keys');
    },
  };
}
