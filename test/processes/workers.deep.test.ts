import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { decodeId } from '../../src/kit/ids.ts';
import { makePass } from '../factories.ts';
import { deviceOf, fillInstalledCards } from '../fill-cards.ts';
import { startDevelopmentApns, until } from '../wallets.ts';
import { Installation } from './installation.ts';

const cards = 3_000;

describe('two workers', async () => {
  // Each calls a push service of its own, which shows who has done what.
  const services = [await startDevelopmentApns(), await startDevelopmentApns()] as const;
  const installation = await Installation.start({
    apis: 1,
    workerSettings: services.map(({ url }) => ({ APNS_URL: url, ROLLOUT_DEVICES_PER_SECOND: '500' })),
  });
  const { client, workspaceId } = await installation.newWorkspace();

  it('share what is due, and when one is killed the other does its part as well', async () => {
    const pass = await makePass(client);
    const pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 1 });
    await fillInstalledCards(pool, {
      workspaceId: decodeId('ws', workspaceId) ?? '',
      passId: decodeId('pass', pass.passId) ?? '',
      passTypeIdentifier: 'pass.dev.punchcard.local',
      cards,
      devices: cards,
    });
    await pool.end();
    // So slow that neither is through before the other begins, nor before it is killed.
    for (const service of services) service.delayMs = 50;
    const fields = [{ key: 'tier', label: 'Level', value: 'Bronze', section: 'secondary' }];
    await client.patch(`/passes/${pass.passId}`, { fields });
    await until('both push', () => services.every(({ delivered }) => delivered > 50), 60_000);
    const [killed] = installation.workers;
    await killed?.end('SIGKILL');
    const before = services[0].delivered;
    for (const service of services) service.delayMs = 0;
    const rollout = async () => (await client.get(`/passes/${pass.passId}`)).body.rollout;
    await until('the rollout is finished', async () => (await rollout()).state === 'finished', 120_000);
    const pushesTo = (n: number) =>
      services.reduce((sum, service) => sum + service.deliveriesTo(deviceOf(n).pushToken), 0);
    const devices = Array.from({ length: cards }, (_, n) => n);
    await until('each device is notified', () => devices.every((n) => pushesTo(n) > 0), 120_000);
    assert.ok(before < cards, 'the killed one had not done all by itself');
    assert.equal(services[0].delivered, before, 'the killed one did no more');
    const notifiedTwice = devices.filter((n) => pushesTo(n) > 1).length;
    assert.ok(notifiedTwice < cards / 2, `${notifiedTwice} devices were notified twice`);
  });
});
