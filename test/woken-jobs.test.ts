import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { findDueJobs, jobs } from '../src/jobs.ts';
import { decodeId } from '../src/kit/ids.ts';
import { createWorker, usualLookMs } from '../src/kit/processes/worker.ts';
import { coffee, Till } from '../src/loyalty/till.fixture.ts';
import { connectShop, connectStore, newOrder, send } from '../src/stores/stores.fixture.ts';
import type { Json } from './client.ts';
import { startTestApp } from './harness.ts';

const app = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'test' };
/** A service of its own in which no job runs. */
const resting = await startTestApp({ WORKERS: 'off' });
const idle = { app: resting.running.app, requestId: 'test' };
const woken: string[] = [];
app.running.app.wake = (job) => void woken.push(job);
let till: Till;

type Wallet = 'apple' | 'google' | 'web';

/** The card is held by these wallets. */
async function hold(card: Json, ...wallets: readonly Wallet[]): Promise<void> {
  const instanceId = decodeId('inst', card.instanceId);
  const workspaceId = decodeId('ws', till.workspaceId);
  for (const wallet of wallets) {
    await app.sql(`update instances set installed = true, ${wallet}_wallets = 1 where instance_id = $1`, [
      instanceId,
    ]);
    if (wallet === 'apple')
      await app.sql(
        `with device as (
           insert into apple_devices
             (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag, push_from)
           values ($1, gen_random_uuid(), $2::text, $3, $2::text, now(), 1, now() - interval '1 day') returning device_id
         )
         insert into apple_registrations (workspace_id, instance_id, device_id, tag, created_at)
         select $1, $2::uuid, device_id, 0, now() from device`,
        [workspaceId, instanceId, app.running.app.apple.passTypeIdentifier],
      );
    if (wallet === 'google')
      await app.sql('insert into google_objects (workspace_id, instance_id, saved) values ($1, $2, true)', [
        workspaceId,
        instanceId,
      ]);
    if (wallet === 'web')
      await app.sql(
        `insert into web_cards (workspace_id, instance_id, viewer_id, push_endpoint, expires_at)
         values ($1, $2, gen_random_uuid(), 'https://push.example.test/1', 'infinity')`,
        [workspaceId, instanceId],
      );
  }
  await app.sql('update pass_counters set installed = 1 where pass_id = $1', [decodeId('pass', till.passId)]);
}

/** The jobs that a call wakes, each once, except the one that numbers events, which almost every change has. */
async function wokenBy(call: () => Promise<Json>, status = 200): Promise<string[]> {
  woken.length = 0;
  const reply = await call();
  assert.equal(reply.status, status, reply.text);
  return [...new Set(woken)].filter((job) => job !== 'followLogs').sort();
}

beforeEach(async () => {
  till = await Till.open(app, coffee, { credits: 20 });
});

describe('an award', () => {
  it('on a card that no wallet holds wakes no job', async () => {
    assert.deepEqual(await wokenBy(() => till.earn(5)), []);
  });

  for (const [wallet, job] of [
    ['apple', 'pushDevices'],
    ['google', 'patchObjects'],
    ['web', 'pushWebCards'],
  ] as const) {
    it(`on a card in ${wallet} wakes ${job}, and no other job`, async () => {
      await hold(till.ada, wallet);
      assert.deepEqual(await wokenBy(() => till.earn(5)), [job]);
      assert.ok((await findDueJobs(ctx)).includes(job) || wallet === 'google');
    });
  }

  it('on a card in all wallets wakes the jobs of all of them', async () => {
    await hold(till.ada, 'apple', 'google', 'web');
    assert.deepEqual(await wokenBy(() => till.earn(5)), ['patchObjects', 'pushDevices', 'pushWebCards']);
  });

  it('wakes no job for a device that has to wait for its next push', async () => {
    await hold(till.ada, 'apple');
    await app.sql("update apple_devices set push_from = now() + interval '1 hour'");
    assert.deepEqual(await wokenBy(() => till.earn(5)), []);
  });

  it('wakes no job where no credit is left, or where it is refused', async () => {
    await hold(till.ada, 'apple');
    await app.sql('update credit_accounts set balance = 0 where workspace_id = $1', [
      decodeId('ws', till.workspaceId),
    ]);
    assert.deepEqual(await wokenBy(() => till.earn(5), 202), []);
    assert.deepEqual(await wokenBy(() => till.earn(5, { identifier: 'nobody' }), 404), []);
  });
});

describe('every other change', () => {
  it('of a card wakes those who look after its wallets', async () => {
    await hold(till.ada, 'apple');
    const path = `/instances/${till.ada.instanceId}`;
    assert.deepEqual(await wokenBy(() => till.client.post(`${path}/push`)), ['pushDevices']);
    assert.deepEqual(await wokenBy(() => till.client.post(`${path}/void`)), ['pushDevices']);
  });

  it('of a pass, or a message to its cards, wakes the rollouts where there are cards', async () => {
    const path = `/passes/${till.passId}`;
    const design = (title: string) => () => till.client.patch(path, { title });
    assert.deepEqual(await wokenBy(design('Blue Bean')), []);
    await hold(till.ada, 'apple');
    assert.deepEqual(await wokenBy(design('Red Bean')), ['walkRollouts']);
    const message = () => till.client.post(`${path}/messages`, { text: 'Double stamps' });
    assert.deepEqual(await wokenBy(message, 202), ['walkRollouts']);
  });

  it('with an event wakes the job that follows the log; where nothing has changed there is none', async () => {
    const path = `/passes/${till.passId}`;
    await wokenBy(() => till.client.patch(path, { metadata: { season: 'autumn' } }));
    assert.deepEqual(woken, ['followLogs']);
    await wokenBy(() => till.client.patch(path, { metadata: { season: 'autumn' } }));
    assert.deepEqual(woken, []);
  });

  it('of the credits wakes who pays for skipped pushes', async () => {
    const path = `/operator/workspaces/${till.workspaceId}/credits`;
    const topUp = () => app.operator.post(path, { amount: 5, externalRef: `invoice-${Math.random()}` });
    assert.deepEqual(await wokenBy(topUp), ['flushSkipped']);
  });

  it('that is an invitation wakes who sends it; again there is nothing to send', async () => {
    const invite = () => till.client.post(`/passes/${till.passId}/invites`, { email: 'eve@example.com' });
    assert.deepEqual(await wokenBy(invite, 202), ['sendInvites']);
    assert.deepEqual(await wokenBy(invite, 202), []);
  });

  it('that is an order wakes who looks after the wallets of its card', async () => {
    const order = (orderId: string) => () =>
      till.client.post('/orders/process', {
        passId: till.passId,
        orderId,
        customer: { id: 'ada' },
        total: { amount: '10.00', currency: 'EUR' },
      });
    await till.client.patch(`/programs/${till.program.programId}`, { earn: { perOrder: 5 } });
    assert.deepEqual(await wokenBy(order('1')), []);
    await hold(till.ada, 'web');
    assert.deepEqual(await wokenBy(order('2')), ['pushWebCards']);
  });
});

describe('the look at what is due', () => {
  it('finds work for which no job was woken, in the queue where it is, and once the app has come to its time', async () => {
    const others = await findDueJobs(ctx);
    const { storeId } = await connectShop(till.client);
    assert.equal((await send(till.client, storeId, newOrder('1'))).status, 200);
    assert.deepEqual(new Set(await findDueJobs(ctx)), new Set([...others, 'workOffWebhooks']));
    await connectStore(till.client);
    assert.ok(!(await findDueJobs(ctx)).includes('reconcileStores'));
    app.advance(61_000);
    assert.ok((await findDueJobs(ctx)).includes('reconcileStores'));
  });

  it('costs one statement, whatever there is to look for', async () => {
    assert.equal(await connectionsTaken(() => findDueJobs(idle)), 1);
  });
});

describe('a process at rest', () => {
  it('asks for nothing but what is due, however long', async () => {
    const turns: string[] = [];
    const looks = 40;
    let looked = 0;
    const enough = Promise.withResolvers<void>();
    const rest = createWorker({
      jobs: jobs.map((job) => ({
        ...job,
        run: async () => {
          turns.push(job.name);
          return job.run(idle);
        },
      })),
      ctxOf: () => idle,
      log: { error: (fields: object) => assert.fail(JSON.stringify(fields)) },
      look: async () => {
        const found = await findDueJobs(idle);
        if (++looked === looks) enough.resolve();
        return found;
      },
      lookMs: 5,
    });
    await enough.promise;
    await rest.stop();
    const timed = new Set(jobs.filter(({ everyMs }) => everyMs !== undefined).map(({ name }) => name));
    assert.deepEqual(
      turns.filter((name) => !timed.has(name)),
      [],
    );
  });

  it('comes to no more than five transactions a second', async () => {
    let perSecond = 1_000 / usualLookMs;
    for (const { everyMs, run } of jobs) {
      if (everyMs === undefined) continue;
      const each = await connectionsTaken(() => run(idle));
      perSecond += (each * 1_000) / everyMs;
    }
    assert.ok(perSecond <= 5, `${perSecond} a second`);
  });
});

/** How often work in the resting service takes a connection: for a transaction, or for a statement without one. */
async function connectionsTaken(work: () => Promise<unknown>): Promise<number> {
  const of = resting.running.app.database.pool;
  let count = 0;
  const taken = () => {
    count += 1;
  };
  of.on('acquire', taken);
  await work();
  of.off('acquire', taken);
  return count;
}
