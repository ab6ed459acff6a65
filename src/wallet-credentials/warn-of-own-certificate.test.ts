import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { startTestApp } from '../../test/harness.ts';
import { warnOfOwnCertificate } from './warn-of-own-certificate.job.ts';

const app = await startTestApp({ WORKERS: 'off' });
const service = app.running.app;
const { certificate, wwdr, passTypeIdentifier } = service.apple;
const dayMs = 86_400_000;

/** Waits until so many days are left of a certificate. */
function goTo(daysLeft: number, { validToDate } = certificate): void {
  app.advance(validToDate.getTime() - (daysLeft + 0.5) * dayMs - service.now().getTime());
}

/** The service signs with this certificate, which it takes for one of Apple's: only Apple can make such. */
async function warn(given: Partial<typeof service.apple> = {}): Promise<void> {
  const apple = { ...service.apple, development: false, ...given };
  while (await warnOfOwnCertificate({ app: { ...service, apple }, requestId: 'test' }));
}

async function warnings(client: Client): Promise<number[]> {
  const events = await eventsOf(client, 'type=certificate.expiring');
  return events.map(({ data }) => data.daysLeft);
}

describe('the end of a certificate', () => {
  it('is reported to each workspace when a month, two weeks, a week and a day are left, once each', async () => {
    const clients = await Promise.all([1, 2].map(async () => (await app.newWorkspace()).client));
    goTo(40);
    await warn();
    goTo(20);
    await warn({ development: true });
    for (const client of clients) assert.deepEqual(await warnings(client), [], 'the service renews its own');
    await Promise.all([warn(), warn(), warn()]);
    for (const client of clients) assert.deepEqual(await warnings(client), [20]);
    for (const daysLeft of [15, 13, 8, 7, 2, 1, 0]) {
      goTo(daysLeft);
      await warn();
    }
    for (const client of clients) {
      assert.deepEqual(await warnings(client), [20, 13, 7, 1]);
      const [event] = await eventsOf(client, 'type=certificate.expiring');
      const expiresAt = certificate.validToDate.toISOString();
      assert.equal(event?.actor, 'system');
      assert.deepEqual(event?.data, { wallet: 'apple', passTypeIdentifier, expiresAt, daysLeft: 20 });
    }
  });

  it('is reported to a workspace that comes later, and so is that of the next certificate', async () => {
    const { client } = await app.newWorkspace();
    await warn();
    assert.deepEqual(await warnings(client), [0]);
    goTo(10, wwdr);
    await warn({ certificate: wwdr });
    assert.deepEqual(await warnings(client), [0, 10]);
  });
});
