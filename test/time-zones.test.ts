import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeId } from '../src/kit/ids.ts';
import { Till } from '../src/loyalty/till.fixture.ts';
import { assertRefused } from './client.ts';
import { makeKey } from './factories.ts';
import { startTestApp } from './harness.ts';
import { until } from './wallets.ts';

const app = await startTestApp({ WORKERS: 'off' });
const program = {
  mode: 'POINTS',
  reward: { title: 'Free coffee', cost: 2 },
  earn: { perOrder: 1 },
  limits: { perDay: 10 },
  expiry: { months: 1 },
};

/** What asks for days of the workspace answers, and says which it has used; when points of now expire. */
async function useDays(till: Till, timezone: string): Promise<string> {
  const { client, passId, ada } = till;
  const { partnerId } = (await client.post('/partners', { name: 'Harbour' })).body;
  const order = {
    passId,
    orderId: 'A-1',
    customer: { id: 'bob' },
    total: { amount: '1.00', currency: 'EUR' },
  };
  const replies = [
    await client.get('/workspace'),
    await client.get('/statistics'),
    await client.get(`/partners/${partnerId}/statement?month=2027-03`),
    await till.earn(5, { partnerId }),
    await till.earn(1, { occurredAt: '2027-03-14T12:00:00Z' }),
    await till.redeem(),
    await till.adjust(1),
    await till.preview({ points: 1 }),
    await client.post('/orders/process', order),
    await client.get(ada.links.card),
    await app.anyone.get(ada.links.apple),
  ];
  for (const { status, text } of replies) assert.ok([200, 201].includes(status), text.slice(0, 300));
  const named = replies.slice(0, 3).map(({ body }) => body.timezone);
  assert.deepEqual(named, [timezone, timezone, timezone]);
  return (await till.holder()).nextExpiry.at;
}

describe('the time zone of a workspace', () => {
  const known: [sent: string, kept: string, expires: string][] = [
    ['America/Edmonton', 'America/Edmonton', '2027-04-16T06:00:00.000Z'],
    ['Canada/East-Saskatchewan', 'Canada/East-Saskatchewan', '2027-04-16T06:00:00.000Z'],
    ['US/Pacific-New', 'US/Pacific-New', '2027-04-16T07:00:00.000Z'],
    ['SystemV/EST5', 'SystemV/EST5', '2027-04-16T05:00:00.000Z'],
    ['Asia/Kolkata', 'Asia/Kolkata', '2027-04-15T18:30:00.000Z'],
    ['europe/berlin', 'Europe/Berlin', '2027-04-15T22:00:00.000Z'],
    ['Etc/GMT+5', 'Etc/GMT+5', '2027-04-16T05:00:00.000Z'],
    ['utc', 'UTC', '2027-04-16T00:00:00.000Z'],
  ];
  for (const [sent, kept, expires] of known) {
    it(`may be ${sent}, and everything works in it`, async () => {
      app.stopClock(Date.parse('2027-03-15T12:00:00Z'));
      const till = await Till.open(app, program);
      assert.equal((await till.client.patch('/workspace', { timezone: sent })).status, 200);
      assert.equal(await useDays(till, kept), expires);
    });
  }

  for (const timezone of [
    '+05:00',
    '+0530',
    'IST',
    'EST5EDT',
    'Factory',
    'posix/Europe/Berlin',
    'Mars/Olympus',
  ])
    it(`may not be ${timezone}`, async () => {
      assertRefused(
        await app.client.patch('/workspace', { timezone }),
        'invalid_request',
        /^timezone.* IANA .*Europe\/Berlin/,
      );
    });

  it('is UTC where what is kept is no longer known, as all answers say', async () => {
    for (const timezone of ['Mars/Olympus', 'posix/Europe/Berlin', '']) {
      app.stopClock(Date.parse('2027-03-15T12:00:00Z'));
      const till = await Till.open(app, program);
      const workspaceId = decodeId('ws', till.workspaceId);
      await app.sql('update workspaces set timezone = $2 where workspace_id = $1', [workspaceId, timezone]);
      assert.equal(await useDays(till, 'UTC'), '2027-04-16T00:00:00.000Z');
      const { body } = await till.client.patch('/workspace', { timezone: 'Asia/Tokyo' });
      assert.equal(body.timezone, 'Asia/Tokyo');
    }
  });

  it('is not asked of the clock of the database', async () => {
    app.stopClock(Date.parse('2027-03-15T12:00:00Z'));
    const till = await makeKey((await app.newWorkspace()).client);
    await till.client.get('/me');
    const lastUsedAt = async () => (await till.client.get(`/api-keys/${till.key.keyId}`)).body.lastUsedAt;
    await until('the use to be noted', async () => (await lastUsedAt()) !== null);
    assert.equal(await lastUsedAt(), '2027-03-15T12:00:00.000Z');
  });

  it('counts an award of the first hour after midnight for the new day where the hour comes twice', async () => {
    const till = await Till.open(app, program);
    await till.client.patch('/workspace', { timezone: 'Atlantic/Azores' });
    const earnAt = async (moment: string) => {
      app.stopClock(Date.parse(moment));
      return (await till.earn(10)).body.points;
    };
    assert.equal(await earnAt('2027-10-30T23:59:59Z'), 10);
    assert.equal(await earnAt('2027-10-31T00:00:00Z'), 10);
    assert.equal(await earnAt('2027-10-31T01:00:00Z'), 0);
    assert.equal(await earnAt('2027-11-01T00:59:59Z'), 0);
    assert.equal(await earnAt('2027-11-01T01:00:00Z'), 10);
  });
});
