import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { Till } from './till.fixture.ts';

const app = await startTestApp();
const club = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perOrder: 5 } };

let till: Till;
/** The same workspace at another process, which has read the pass and its program before. */
let elsewhere: Client;
before(async () => {
  till = await Till.open(app, club);
  const { body } = await till.client.post('/api-keys', { name: 'Till 2', access: 'full' });
  elsewhere = (await app.twin()).as(body.secret);
  assert.equal((await till.earn(1, {}, elsewhere)).status, 200);
});

const change = async (path: string, body: object): Promise<Json> => {
  const changed = await till.client.patch(path, body);
  assert.equal(changed.status, 200, changed.text);
  return changed.body;
};
const changeProgram = (body: object) => change(`/loyalty/programs/${till.program.programId}`, body);
const changePass = (body: object) => change(`/passes/${till.passId}`, body);

describe('a change of one process is seen by the next call at another', () => {
  it('of what an account may get, each time', async () => {
    for (const most of [3, 2, 1]) {
      await changeProgram({ limits: { perDay: most } });
      const refused = await till.earn(most + 1, {}, elsewhere);
      assert.deepEqual([refused.status, refused.body.limitedBy], [200, 'per_day'], refused.text);
    }
    await changeProgram({ limits: { perDay: null } });
    assert.equal((await till.earn(7, {}, elsewhere)).body.points, 7);
  });

  it('of the tiers', async () => {
    const { balance } = await till.holder();
    await changeProgram({ tiers: [{ key: 'gold', title: 'Gold', from: 1, multiplier: 3 }] });
    assert.equal((await till.earn(4, {}, elsewhere)).body.balance, balance + 12);
    await changeProgram({ tiers: [] });
  });

  it('of a program that pauses and goes on', async () => {
    for (const status of ['paused', 'active', 'paused', 'active']) {
      await changeProgram({ status });
      const earned = await till.earn(1, {}, elsewhere);
      if (status === 'active') assert.equal(earned.status, 200, earned.text);
      else assertRefused(earned, 'program_inactive');
    }
  });

  it('of the day on which all cards of the pass end', async () => {
    const expiredAt = new Date(Date.now() - 86_400_000).toISOString();
    await changePass({ expiry: { kind: 'fixed', at: expiredAt } });
    assertRefused(await till.earn(1, {}, elsewhere), 'instance_expired', /expired/, { expiredAt });
    await changePass({ expiry: { kind: 'none' } });
    assert.equal((await till.earn(1, {}, elsewhere)).status, 200);
  });

  it('of the time zone, in which points expire at the end of a day', async () => {
    await changeProgram({ expiry: { months: 1 } });
    const endIn = async (timezone: string) => {
      await change('/workspace', { timezone });
      await till.card(timezone);
      await till.earn(1, { identifier: timezone }, elsewhere);
      return (await till.holder(timezone)).nextExpiry.at;
    };
    const utc = Date.parse(await endIn('UTC'));
    assert.equal(utc % 86_400_000, 0);
    // Of two zones on the two sides of the date line one is far from midnight in London, whatever the time is.
    const eastern = Date.parse(await endIn('Pacific/Kiritimati'));
    assert.equal(eastern % 86_400_000, 10 * 3_600_000);
  });

  it('of credits: a push is paid once there are some', async () => {
    const poor = await Till.open(app, club, { credits: 0 });
    const { body } = await poor.client.post('/api-keys', { name: 'Till 2', access: 'full' });
    const other = elsewhere.as(body.secret);
    assert.equal((await poor.earn(1, {}, other)).body.pushSkipReason, 'insufficient_credits');
    await app.operator.post(`/operator/workspaces/${poor.workspaceId}/credits`, {
      amount: 10,
      externalRef: 'top-up',
    });
    assert.equal((await poor.earn(1, {}, other)).body.pushSkipReason, 'not_installed');
  });
});
