import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Shop } from '../orders/shop.fixture.ts';
import { copyCard, writeEntries } from './statement.fixture.ts';

const app = await startTestApp();
let client: Client;
let partner: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  await client.patch('/workspace', { timezone: 'America/New_York' });
});
beforeEach(async () => {
  partner = await makePartner();
});

const zeros = {
  cardsIssued: 0,
  awards: 0,
  pointsIssued: 0,
  redemptions: 0,
  pointsRedeemed: 0,
  rewardsRedeemed: 0,
  reversals: 0,
  pointsReversed: 0,
  pointsReturned: 0,
  pointsAdjusted: 0,
};

async function makePartner(name = 'Harbour', by = client): Promise<Json> {
  return (await by.post('/partners', { name })).body;
}

async function makeProgram(passId: string, settings: object = {}): Promise<Json> {
  const terms = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 30 }, ...settings };
  const reply = await client.post('/loyalty/programs', { passId, ...terms });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function cardWithProgram(settings: object = {}) {
  const pass = await makePass(client);
  const program = await makeProgram(pass.passId, settings);
  return { pass, program, card: await makeCard(client, pass.passId) };
}

async function statement(month: string, of = partner): Promise<Json> {
  const reply = await client.get(`/partners/${of.partnerId}/statement?month=${month}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

async function csv(month: string) {
  const reply = await client.get(`/partners/${partner.partnerId}/statement.csv?month=${month}`);
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

const thisMonth = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' }).slice(0, 7);

describe('GET /partners/{partnerId}/statement', () => {
  it('is all noughts for a month in which nothing happened, past or future', async () => {
    for (const month of ['2020-02', '2099-12']) {
      const { from: _, to: __, ...rest } = await statement(month);
      assert.deepEqual(rest, {
        partnerId: partner.partnerId,
        name: 'Harbour',
        month,
        timezone: 'America/New_York',
        programs: [],
        totals: zeros,
      });
    }
  });

  it('counts the cards of each pass, the oldest pass first, with or without a program', async () => {
    const plain = await makePass(client, { title: 'Plain' });
    const { pass, program } = await cardWithProgram();
    for (let count = 0; count < 2; count++)
      await makeCard(client, pass.passId, { partnerId: partner.partnerId });
    await makeCard(client, plain.passId, { partnerId: partner.partnerId });
    await makeCard(client, plain.passId, { partnerId: (await makePartner()).partnerId });
    await makeCard(client, plain.passId);
    const { programs, totals } = await statement(thisMonth());
    assert.deepEqual(programs, [
      { ...zeros, programId: null, passId: plain.passId, title: 'Plain', cardsIssued: 1 },
      {
        ...zeros,
        programId: program.programId,
        passId: pass.passId,
        title: 'Blue Bean Club',
        cardsIssued: 2,
      },
    ]);
    assert.deepEqual(totals, { ...zeros, cardsIssued: 3 });
  });

  it('adds up what was earned, redeemed, adjusted and undone at the partner', async () => {
    const { pass, program, card } = await cardWithProgram();
    const other = await makePartner('Airport');
    const at = '2026-03-10T12:00:00Z';
    await writeEntries(app, card, program, [
      { kind: 'earn', points: 50, at, partner },
      { kind: 'earn', points: 40, at, partner },
      { kind: 'earn', points: 0, at, partner },
      { kind: 'earn', points: 70, at, partner: other },
      { kind: 'earn', points: 90, at },
      { kind: 'redeem', points: -30, at, partner },
      { kind: 'redeem', points: -30, at, partner },
      { kind: 'redeem', points: -30, at, partner: other },
      { kind: 'reversal', points: -40, at, partner, reversalOf: 2 },
      { kind: 'reversal', points: 30, at, partner, reversalOf: 6 },
      { kind: 'reversal', points: -70, at, partner: other, reversalOf: 4 },
      { kind: 'adjust', points: -7, at, partner },
      { kind: 'adjust', points: 2, at, partner },
    ]);
    const { programs, totals } = await statement('2026-03');
    const expected = {
      cardsIssued: 0,
      awards: 2,
      pointsIssued: 90,
      redemptions: 2,
      pointsRedeemed: 60,
      rewardsRedeemed: 1,
      reversals: 2,
      pointsReversed: 40,
      pointsReturned: 30,
      pointsAdjusted: -5,
    };
    const { programId } = program;
    assert.deepEqual(programs, [{ programId, passId: pass.passId, title: pass.title, ...expected }]);
    assert.deepEqual(totals, expected);
    const others = (await statement('2026-03', other)).totals;
    assert.deepEqual([others.pointsIssued, others.pointsRedeemed, others.pointsReversed], [70, 30, 70]);
  });

  it('counts rewards of stamps, whose redemptions and their undoing move no points', async () => {
    const { program, card } = await cardWithProgram({
      mode: 'STAMPS',
      reward: { title: 'Free coffee' },
      threshold: 3,
    });
    const at = '2026-03-10T12:00:00Z';
    await writeEntries(app, card, program, [
      { kind: 'earn', points: 6, at, partner },
      { kind: 'unlock', points: -3, at, partner },
      { kind: 'unlock', points: -3, at, partner },
      { kind: 'redeem', points: 0, at, partner },
      { kind: 'redeem', points: 0, at, partner },
      { kind: 'reversal', points: 0, at, partner, reversalOf: 4 },
      { kind: 'reversal', points: 0, at: '2026-04-10T12:00:00Z', partner, reversalOf: 5 },
    ]);
    assert.deepEqual((await statement('2026-03')).totals, {
      ...zeros,
      awards: 1,
      pointsIssued: 6,
      redemptions: 2,
      rewardsRedeemed: 1,
      reversals: 1,
    });
    // Undone in a later month: that month's statement takes it back.
    assert.deepEqual((await statement('2026-04')).totals, { ...zeros, rewardsRedeemed: -1, reversals: 1 });
  });

  it('takes back what refunds and cancellations of orders take', async () => {
    const shop = await Shop.open(app);
    const { partnerId } = await makePartner('Harbour', shop.client);
    for (const orderId of ['refunded', 'cancelled']) await shop.process(orderId, { partnerId });
    await shop.refund('refunded', 'a', '2.00');
    await shop.refund('refunded', 'b', '3.00');
    await shop.cancel('cancelled');
    await shop.process('unknown');
    await shop.cancel('unknown');
    const month = new Date().toISOString().slice(0, 7);
    const { totals } = (await shop.client.get(`/partners/${partnerId}/statement?month=${month}`)).body;
    const { awards, pointsIssued, reversals, pointsReversed, pointsReturned, rewardsRedeemed } = totals;
    assert.deepEqual([awards, pointsIssued, reversals, pointsReversed], [2, 50, 3, 35]);
    assert.deepEqual([pointsReturned, rewardsRedeemed], [0, 0]);
    assert.equal(await shop.balance(), pointsIssued - pointsReversed);
  });

  it('adds up several programs', async () => {
    const at = '2026-03-10T12:00:00Z';
    const made = [await cardWithProgram(), await cardWithProgram()];
    for (const [index, { card, program }] of made.entries())
      await writeEntries(app, card, program, [{ kind: 'earn', points: 10 ** index, at, partner }]);
    const { programs, totals } = await statement('2026-03');
    assert.deepEqual(
      programs.map(({ programId, pointsIssued }: Json) => [programId, pointsIssued]),
      made.map(({ program }, index) => [program.programId, 10 ** index]),
    );
    assert.deepEqual(totals, { ...zeros, awards: 2, pointsIssued: 11 });
  });

  it('does not fail where cards together hold more than a number holds exactly', async () => {
    const at = '2026-03-10T12:00:00Z';
    for (const { card, program } of [await cardWithProgram(), await cardWithProgram()])
      await writeEntries(app, card, program, [{ kind: 'earn', points: 2 ** 53 - 1, at, partner }]);
    assert.equal((await statement('2026-03')).totals.pointsIssued, 2 ** 54 - 2);
  });

  it("begins and ends with the month of the workspace's time zone, whose clocks change in November", async () => {
    const { program, card } = await cardWithProgram();
    const points: Record<string, number> = {
      '2026-11-01T03:20:00.000Z': 1,
      '2026-11-01T03:59:59.999Z': 1,
      '2026-11-01T04:00:00.000Z': 10,
      '2026-12-01T04:59:59.999Z': 100,
      '2026-12-01T05:00:00.000Z': 1_000,
      '2026-12-01T05:40:00.000Z': 1_000,
    };
    const entries = Object.entries(points).map(([at, points]) => ({
      kind: 'earn' as const,
      points,
      at,
      partner,
    }));
    await writeEntries(app, card, program, entries);
    for (const at of Object.keys(points)) await copyCard(app, card, partner, at);
    const november = await statement('2026-11');
    assert.deepEqual([november.from, november.to], ['2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z']);
    const figures = async (month: string) => {
      const { awards, pointsIssued, cardsIssued } = (await statement(month)).totals;
      return [awards, pointsIssued, cardsIssued];
    };
    assert.deepEqual(await figures('2026-10'), [2, 2, 2]);
    assert.deepEqual(await figures('2026-11'), [2, 110, 2]);
    assert.deepEqual(await figures('2026-12'), [2, 2_000, 2]);
  });

  it('follows the time zone when the workspace changes it', async () => {
    const { client: own } = await app.newWorkspace();
    const { partnerId } = await makePartner('Harbour', own);
    const bounds = async (timezone: string) => {
      await own.patch('/workspace', { timezone });
      const { body } = await own.get(`/partners/${partnerId}/statement?month=2026-12`);
      assert.equal(body.timezone, timezone);
      return [body.from, body.to];
    };
    assert.deepEqual(await bounds('UTC'), ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
    assert.deepEqual(await bounds('Asia/Tokyo'), ['2026-11-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z']);
  });

  for (const query of [
    '',
    '?month=',
    '?month=2026-13',
    '?month=2026-00',
    '?month=2026-1',
    '?month=26-11',
    '?month=2026-11-01',
    '?month=1999-12',
    '?month=2026-11%0A',
    '?month=2026-11&month=2026-12',
    '?month=2026-11&format=csv',
  ]) {
    it(`refuses "${query}"`, async () => {
      for (const path of ['statement', 'statement.csv'])
        assertRefused(await client.get(`/partners/${partner.partnerId}/${path}${query}`), 'invalid_request');
    });
  }

  it('is closed to keys that are restricted to passes, and open to those that only read', async () => {
    const { passId } = await makePass(client);
    for (const path of ['statement', 'statement.csv']) {
      const url = `/partners/${partner.partnerId}/${path}?month=2026-11`;
      const restricted = (await makeKey(client, { passIds: [passId] })).client;
      assertRefused(await restricted.get(url), 'insufficient_scope');
      assert.equal((await (await makeKey(client, { access: 'read' })).client.get(url)).status, 200);
    }
  });
});

describe('GET /partners/{partnerId}/statement.csv', () => {
  const header =
    'partnerId,name,month,programId,passId,title,cardsIssued,awards,pointsIssued,redemptions,pointsRedeemed,rewardsRedeemed,reversals,pointsReversed,pointsReturned,pointsAdjusted';

  it('has a header and the totals of a month in which nothing happened', async () => {
    const { headers, text } = await csv('2020-02');
    const name = `statement-${partner.partnerId}-2020-02.csv`;
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
    const total = `${partner.partnerId},Harbour,2020-02,,,Total,0,0,0,0,0,0,0,0,0,0`;
    assert.equal(text, `${header}\r\n${total}\r\n`);
  });

  it('has a line per pass; no name becomes a formula, and numbers below zero stay numbers', async () => {
    partner = await makePartner('=HYPERLINK("https://example.test","Harbour")');
    const pass = await makePass(client, { title: '+1, please' });
    const program = await makeProgram(pass.passId);
    const card = await makeCard(client, pass.passId);
    const at = '2026-03-10T12:00:00Z';
    await writeEntries(app, card, program, [
      { kind: 'earn', points: 50, at, partner },
      { kind: 'adjust', points: -7, at, partner },
    ]);
    const who = `${partner.partnerId},"'=HYPERLINK(""https://example.test"",""Harbour"")",2026-03`;
    const figures = '0,1,50,0,0,0,0,0,0,-7';
    assert.deepEqual((await csv('2026-03')).text.split('\r\n'), [
      header,
      `${who},${program.programId},${pass.passId},"'+1, please",${figures}`,
      `${who},,,Total,${figures}`,
      '',
    ]);
  });
});
