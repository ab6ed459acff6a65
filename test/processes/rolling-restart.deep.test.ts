import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertInvariants } from '../invariants.ts';
import { Installation, startWorker } from './installation.ts';
import { isLong } from './lengths.ts';
import { redisProgram } from './programs.ts';
import { RedisServer } from './redis-server.ts';
import { Traffic } from './traffic.ts';

const rounds = isLong ? 5 : 1;
const perSecond = 200;

describe('a rolling restart', { skip: redisProgram.missing }, async () => {
  const redis = await RedisServer.start();
  after(() => redis.kill());
  const installation = await Installation.start({
    // Much longer than the load balancer takes to see that a process leaves, on a slow machine too.
    settings: { REDIS_URL: redis.url, DRAIN_MS: '6000' },
  });
  const { client } = await installation.newWorkspace();

  it(`of every process, ${rounds === 1 ? 'once' : `${rounds} times`}, under ${perSecond} requests per second: none fails, and each counts once`, async () => {
    const traffic = await Traffic.start(client, perSecond);
    for (let round = 0; round < rounds; round++) {
      for (const process of installation.processes) {
        if (traffic.failures.length > 0) break;
        const { pid } = process;
        assert.equal(await process.end('SIGTERM'), 0, process.said);
        if (installation.workers.includes(process)) await startWorker(process);
        else await process.start();
        assert.notEqual(process.pid, pid);
        // As a recipe does: the next one leaves when the load balancer has this one back.
        while (installation.proxy.ready < installation.apis.length) await sleep(20);
      }
    }
    await traffic.finish();
    console.log(
      `${rounds} rounds of ${installation.processes.length} processes: ${traffic.answered} requests at ${traffic.pace} a second, ${traffic.failures.length} failed`,
    );
    assert.equal(traffic.failures.length, 0, traffic.failures.slice(0, 5).join('\n'));
    await assertOnce(traffic);
    for (const given of installation.proxy.given)
      assert.ok(given > traffic.answered / 10, 'each process served');
  });

  /** What was acknowledged happened once, and nothing else did. */
  async function assertOnce({ done }: Traffic): Promise<void> {
    const refsOf = (kind: string) =>
      done.filter((one) => one.kind === kind).map(({ externalRef }) => externalRef);
    assert.ok(done.length > 100, `only ${done.length} changes`);
    const entries = await installation.sql<{ ref: string }>(
      'select external_ref as ref from loyalty_entries where external_ref is not null',
    );
    const issued = await installation.sql<{ ref: string }>(
      "select detail->>'key' as ref from instance_events where kind = 'instance.issued' and detail->>'key' is not null",
    );
    for (const [kind, found] of [
      ['award', entries],
      ['issue', issued],
    ] as const)
      assert.deepEqual(found.map(({ ref }) => ref).toSorted(), refsOf(kind).toSorted(), kind);
    // Sent again, each gets the answer that it got, from whatever process.
    for (const { path, asked, body } of done.slice(-20))
      assert.deepEqual((await client.post(path, asked)).body, body);
    await assertInvariants(installation.sql);
  }
});
