import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const makePartner = async (by = client): Promise<string> =>
  (await by.post('/partners', { name: 'Harbour' })).body.partnerId;

/** A pass with a program that runs. */
async function launched(terms: object): Promise<Json> {
  const pass = await makePass(client);
  const made = await client.post('/loyalty/programs', { passId: pass.passId, ...terms });
  assert.equal(made.status, 201, made.text);
  const running = await client.patch(`/loyalty/programs/${made.body.programId}`, { status: 'active' });
  assert.equal(running.status, 200, running.text);
  return pass;
}

/** What the ledger does to a card, by default at a partner. */
function ledgerOf({ passId, instanceId }: Json, partnerId?: string, by = client) {
  const target = { passId, instanceId, ...(partnerId !== undefined && { partnerId }) };
  return {
    earn: (points: number, more = {}) => by.post('/loyalty/points', { ...target, points, ...more }),
    redeem: (more = {}) => by.post('/loyalty/redeem', { ...target, ...more }),
    adjust: (points: number) => by.post('/loyalty/adjust', { ...target, points, reason: 'a slip' }),
    reverse: ({ body }: Reply) => by.post(`/loyalty/entries/${body.entryId}/reverse`, {}),
  };
}

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 30 } };
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 3 };

/** Statement of the month that is now; the workspace counts in UTC. */
async function totals(partnerId: string): Promise<Json> {
  const month = new Date().toISOString().slice(0, 7);
  return (await client.get(`/partners/${partnerId}/statement?month=${month}`)).body.totals;
}

function assertDone(...replies: readonly Reply[]): void {
  for (const { status, text } of replies) assert.equal(status, 200, text);
}

describe('what the ledger does at a partner is in its statement', () => {
  it('in points', async () => {
    const partnerId = await makePartner();
    const card = await makeCard(client, (await launched(points)).passId, { partnerId });
    const { earn, redeem, adjust, reverse } = ledgerOf(card, partnerId);
    const [first, second] = [await earn(50), await earn(40)];
    const [taken, kept] = [await redeem(), await redeem()];
    assertDone(first, second, taken, kept, await adjust(-7));
    assertDone(await reverse(second), await reverse(taken));
    assertDone(await ledgerOf(card).earn(1_000));
    assert.deepEqual(await totals(partnerId), {
      cardsIssued: 1,
      awards: 2,
      pointsIssued: 90,
      redemptions: 2,
      pointsRedeemed: 60,
      rewardsRedeemed: 1,
      reversals: 2,
      pointsReversed: 40,
      pointsReturned: 30,
      pointsAdjusted: -7,
    });
  });

  it('in stamps', async () => {
    const partnerId = await makePartner();
    const card = await makeCard(client, (await launched(stamps)).passId);
    const { earn, redeem, reverse } = ledgerOf(card, partnerId);
    assertDone(await earn(7));
    const [taken, kept] = [await redeem(), await redeem()];
    assertDone(taken, kept, await reverse(taken));
    assert.deepEqual(await totals(partnerId), {
      cardsIssued: 0,
      awards: 1,
      pointsIssued: 7,
      redemptions: 2,
      pointsRedeemed: 0,
      rewardsRedeemed: 1,
      reversals: 1,
      pointsReversed: 0,
      pointsReturned: 0,
      pointsAdjusted: 0,
    });
  });

  it('also when a key that cannot see partners did it', async () => {
    const partnerId = await makePartner();
    const pass = await launched(points);
    const { client: till } = await makeKey(client, { passIds: [pass.passId] });
    const { earn } = ledgerOf(await makeCard(client, pass.passId), partnerId, till);
    assertDone(await earn(5));
    assert.equal((await totals(partnerId)).pointsIssued, 5);
  });

  it('once, however often the call is repeated, also after the partner was deleted', async () => {
    const partnerId = await makePartner();
    const { earn, reverse } = ledgerOf(await makeCard(client, (await launched(points)).passId), partnerId);
    const first = await earn(5, { externalRef: 'visit-1' });
    assert.equal((await earn(5, { externalRef: 'visit-1' })).text, first.text);
    assert.equal((await totals(partnerId)).awards, 1);
    assert.equal((await client.delete(`/partners/${partnerId}`)).status, 204);
    assert.equal((await earn(5, { externalRef: 'visit-1' })).text, first.text);
    assertRefused(await earn(5, { externalRef: 'visit-2' }), 'partner_not_found');
    assertDone(await reverse(first));
  });
});

describe('the ledger refuses with partner_not_found, and writes nothing,', () => {
  const ids: readonly (readonly [what: string, id: () => Promise<string>])[] = [
    ['an unknown id', async () => encodeId('part', newUuidV7())],
    ['a partner of another account', async () => makePartner((await app.newWorkspace()).client)],
    ['a malformed id', async () => 'part_O0l'],
    [
      'a partner that is deleted',
      async () => {
        const partnerId = await makePartner();
        await client.delete(`/partners/${partnerId}`);
        return partnerId;
      },
    ],
  ];
  for (const [what, id] of ids) {
    it(what, async () => {
      const card = await makeCard(client, (await launched(points)).passId);
      assertDone(await ledgerOf(card).earn(100));
      const { earn, redeem, adjust } = ledgerOf(card, await id());
      for (const reply of [await earn(5), await redeem(), await adjust(-5)])
        assertRefused(reply, 'partner_not_found');
      const entries = await client.get(`/loyalty/entries?instanceId=${card.instanceId}`);
      assert.equal(entries.body.data.length, 1);
    });
  }
});

it('and leaves ledgers that agree', () => assertInvariants(app.sql));
