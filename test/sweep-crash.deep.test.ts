import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  allowed,
  assertSum,
  connectShop,
  countsOf,
  ended,
  invitable,
  invitedTo,
  openShop,
  slowDown,
  start,
} from '../src/invitations/sweeps/sweeps.fixture.ts';
import { decodeId } from '../src/kit/ids.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { eventsOf } from './events.ts';
import { tally } from './factories.ts';
import { startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const customers = 10_000;

describe('a sweep whose worker is taken away', async () => {
  const mailbox = await Mailbox.start();
  after(() => mailbox.close());
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'cards@example.test', MAIL_PER_MINUTE: '60000' };
  const app = await startTestApp({ ...allowed, ...mail, WORKERS: 'off' });
  const { client } = await app.newWorkspace();

  async function prepare() {
    const shop = await openShop({ customers });
    // A page every 60 ms, so that there is time to kill a worker.
    slowDown(shop, 60);
    const connected = await connectShop(client, shop);
    const trusted = join(app.config.dataDir, 'shop.pem');
    await writeFile(trusted, shop.authority.certificate.toString());
    const found = async () => {
      const { state } = (await client.get(connected.sweep)).body;
      assertSum(state);
      return state.found;
    };
    const worker = () => {
      const settings = {
        ...allowed,
        ...mail,
        DATABASE_URL: app.databaseUrl,
        DATA_DIR: app.config.dataDir,
        PUBLIC_URL: app.config.publicUrl,
        NODE_EXTRA_CA_CERTS: trusted,
      };
      const process = new ServiceProcess(0, settings, ['work']);
      after(() => process.end('SIGKILL'));
      return process;
    };
    return { shop, found, worker, ...connected };
  }

  /** Each customer of the shop was decided on once, and those who have agreed are invited once. */
  async function assertExact({ shop, passId, sweep }: Awaited<ReturnType<typeof prepare>>) {
    const done = await ended(client, sweep, 90_000);
    const expected = invitable(shop);
    assert.equal(done.state.status, 'completed');
    assert.deepEqual(countsOf(done), {
      found: customers,
      invited: expected.size,
      noConsent: customers - expected.size,
    });
    const items = await app.sql<{ outcome: string }>('select outcome from sweep_items where sweep_id = $1', [
      decodeId('sweep', done.sweepId),
    ]);
    assert.deepEqual(tally(items.map(({ outcome }) => outcome)), {
      invited: expected.size,
      no_consent: customers - expected.size,
    });
    assert.deepEqual((await invitedTo(app, passId)).sort(), [...expected].sort());
    return done;
  }

  /** One test waits for half a minute; to the others it has passed. */
  async function endLease() {
    await app.sql("update sweeps set due_at = now() where status = 'running'");
  }

  test('killed twice in the middle: it goes on within a minute, and no customer is mailed twice', async () => {
    const prepared = await prepare();
    const { found, worker, sweep, shop } = prepared;
    const killed = worker();
    await start(client, sweep);
    killed.launch();
    for (const part of [0.2, 0.6]) {
      await until('a part is done', async () => (await found()) > customers * part, 60_000);
      await killed.end('SIGKILL');
      const left = await found();
      assert.ok(left < customers, 'in the middle');
      killed.launch();
      // No other sweep may begin until then, and this one is not stuck.
      assert.equal((await client.post(sweep)).body.code, 'sweep_running');
      if (part > 0.5) await endLease();
      await until('it goes on', async () => (await found()) > left, 60_000);
    }
    await assertExact(prepared);
    assert.equal((await client.post(sweep, { dryRun: true })).status, 202);
    await ended(client, sweep, 60_000);
    const rows = () => app.sql<{ status: string }>("select status from invites where status = 'sent'");
    // The items that a killed worker had leased are leased again after some minutes.
    const half = invitable(shop).size / 2;
    await until('half of the mails are sent', async () => (await rows()).length > half, 120_000);
    await killed.end('SIGTERM');
    const addresses = mailbox.mails.flatMap(({ recipients }) => recipients);
    assert.equal(new Set(addresses).size, addresses.length, 'no customer was mailed twice');
    await assertInvariants(app.sql);
  });

  test('suspended while another takes over: when it wakes it writes nothing', async () => {
    const prepared = await prepare();
    const { found, worker, sweep, passId } = prepared;
    const suspended = worker();
    const other = worker();
    const { sweepId } = await start(client, sweep);
    suspended.launch();
    await until('a part is done', async () => (await found()) > customers / 5, 60_000);
    suspended.signal('SIGSTOP');
    const left = await found();
    await endLease();
    other.launch();
    await until('the other takes over', async () => (await found()) > left + 500, 60_000);
    // In the middle of the other's work, with a page in its hands.
    suspended.signal('SIGCONT');
    await assertExact(prepared);
    await sleep(1_000);
    const [row] = await app.sql<{ status: string }>('select status from sweeps where sweep_id = $1', [
      decodeId('sweep', sweepId),
    ]);
    assert.equal(row?.status, 'completed');
    assert.equal((await eventsOf(client, `type=sweep.finished&passId=${passId}`)).length, 1);
    for (const one of [suspended, other]) {
      assert.equal(one.complained, '');
      await one.end('SIGTERM');
    }
  });
});
