import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenBrowser } from '../../src/delivery/web/browser.fixture.ts';
import type { Client } from '../client.ts';
import { makeCard, makeKey, makePass } from '../factories.ts';
import { until } from '../wallets.ts';
import { flood, judge } from './flood.ts';
import { Installation } from './installation.ts';
import { redisProgram } from './programs.ts';
import { RedisServer } from './redis-server.ts';

const rate = 20;
const burst = 2 * rate;

describe('three processes that serve', { skip: redisProgram.missing }, async () => {
  const redis = await RedisServer.start();
  after(() => redis.kill());
  const installation = await Installation.start({ workers: 0, settings: { REDIS_URL: redis.url } });
  const { client } = await installation.newWorkspace();

  /** A key with a limit of its own, by way of the load balancer. */
  const limitedKey = async () => (await makeKey(client, { rateLimit: rate })).client;
  /** How often all processes together have said that each counts for itself. */
  const complaints = () =>
    installation.apis.reduce(
      (sum, { printed }) => sum + printed.split('Redis does not answer').length - 1,
      0,
    );
  /** Whether each process says in its figures that it counts for itself. */
  const degraded = (process: { readonly url: string }) =>
    fetch(`${process.url}/metrics`)
      .then((reply) => reply.text())
      .then((text) => /^rate_limits_degraded\{store="redis"\} 1$/m.test(text));
  const allDegraded = async (wanted: boolean) =>
    (await Promise.all(installation.apis.map(degraded))).every((one) => one === wanted);

  /** Floods a fresh key until that has happened while Redis answered all the time, as far as the processes noticed. */
  async function floodShared(work: () => Promise<void> = async () => undefined) {
    for (;;) {
      await until('the limits are shared', () => allDegraded(false), 60_000);
      const before = complaints();
      const [found] = await Promise.all([flood([await limitedKey()], 2_500), work()]);
      if (complaints() === before) return found;
    }
  }

  it('share the requests that come through the load balancer', async () => {
    const before = installation.proxy.given;
    for (let turn = 0; turn < 30; turn++) await client.get('/me');
    for (const [at, given] of installation.proxy.given.entries()) assert.equal(given - (before[at] ?? 0), 10);
  });

  it('hold a key exactly to its limit, all together, and leave a quiet one alone', async () => {
    const quiet = await limitedKey();
    const statuses: number[] = [];
    const found = await floodShared(async () => {
      for (let turn = 0; turn < 20; turn++) {
        statuses.push((await quiet.get('/me')).status);
        await sleep(100);
      }
    });
    assert.equal(judge(found, rate, burst), null);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  /**
   * Resolves when all processes refuse the key; fails when one takes a request that left a second after `end`. The first
   * is asked all the time, the others not before.
   */
  async function assertEnds(key: Client, end: () => Promise<unknown>) {
    const taken: number[] = [];
    let endedAt = Number.POSITIVE_INFINITY;
    const asking = installation.atEach(key).map(async (one, place) => {
      for (let refused = 0; refused < 10 || endedAt > performance.now(); ) {
        const due = place > 0 && endedAt < performance.now() ? endedAt + 1_001 : 0;
        await sleep(Math.max(20, due - performance.now()));
        const sentAt = performance.now();
        const { status } = await one.get('/me');
        if (status === 200) taken.push(sentAt);
        else assert.equal(status, 401);
        refused = status === 401 ? refused + 1 : 0;
      }
    });
    // Every process knows it.
    await until('all take it', () => taken.length > 30);
    await end();
    endedAt = performance.now();
    await Promise.all(asking);
    const late = Math.max(...taken) - endedAt;
    assert.ok(late <= 1_000, `a request that left ${Math.round(late)} ms afterwards was served`);
  }

  const endings: [string, () => Promise<void>][] = [
    [
      'a revoked key',
      async () => {
        const { key, client: revoked } = await makeKey(client);
        await assertEnds(revoked, () => client.delete(`/api-keys/${key.keyId}`));
      },
    ],
    [
      'the old secret of a key that is rotated without an overlap',
      async () => {
        const { key, client: old } = await makeKey(client);
        let fresh = client;
        await assertEnds(old, async () => {
          const { body } = await client.post(`/api-keys/${key.keyId}/rotate`, {});
          fresh = client.as(body.secret);
        });
        for (const one of installation.atEach(fresh)) assert.equal((await one.get('/me')).status, 200);
      },
    ],
  ];
  for (const [what, refuses] of endings) it(`refuse ${what} within a second, each of them`, refuses);

  it('show a card that another process has changed, in a browser that is connected to any', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { holder: { identifier: randomUUID() } });
    const [first] = installation.atEach(client);
    const browsers = await Promise.all(installation.apis.map(({ url }) => OpenBrowser.open(url, card)));
    await first?.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Gold' } });
    for (const browser of browsers) {
      await until('the change to show', () => /Gold/.test(browser.states.at(-1)?.face));
      browser.close();
    }
  });

  describe('while Redis is away', () => {
    it('go on, say so within a second, and each holds a key to its limit', async () => {
      const statuses: number[] = [];
      let over = false;
      const asking = Array.from({ length: 4 }, async () => {
        while (!over) statuses.push((await client.get('/me')).status);
      });
      await until('requests are served', () => statuses.length > 100);
      await redis.kill();
      const killedAt = performance.now();
      let askedAt = killedAt;
      for (; !(await allDegraded(true)); askedAt = performance.now())
        assert.ok(askedAt - killedAt <= 1_000, 'a process does not say that it counts for itself');
      const count = statuses.length;
      await until('requests are served', () => statuses.length > count + 100, 60_000);
      over = true;
      await Promise.all(asking);
      assert.deepEqual([...new Set(statuses)], [200]);
      assert.ok(complaints() >= installation.apis.length, 'the log of each process says so');

      const key = await limitedKey();
      const floods = await Promise.all(installation.atEach(key).map((one) => flood([one], 1_500)));
      for (const found of floods) assert.equal(judge(found, rate, burst), null);
    });

    for (const [what, refuses] of endings) it(`refuse ${what} within a second`, refuses);

    it('are exact again within five seconds when it is back', async () => {
      await redis.start();
      const backAt = performance.now();
      let askedAt = backAt;
      for (; !(await allDegraded(false)); askedAt = performance.now())
        assert.ok(askedAt - backAt <= 5_000, 'a process counts for itself');
      assert.equal(judge(await floodShared(), rate, burst), null);
    });
  });

  it('serve every request while Redis hangs', async () => {
    redis.freeze();
    const replies = [];
    for (let turn = 0; turn < 60; turn++) replies.push(await client.get('/me'));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    await until('each counts for itself', () => allDegraded(true));
    redis.thaw();
    await until('the limits are shared', () => allDegraded(false), 30_000);
  });
});
