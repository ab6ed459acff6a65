import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSecret } from '../../src/kit/crypto/tokens.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Client, Json } from '../client.ts';
import { inParallel, makeCard, makeKey, tally } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { until } from '../wallets.ts';

const app = await startTestApp({ RATE_LIMIT_PER_SECOND: '20', WORKERS: 'off' });

const earn = { mode: 'POINTS', reward: { title: 'Coffee', cost: 1_000_000 } };

/** A till of a workspace of its own, with a card. */
async function openTill(rateLimit: number) {
  const { client: owner } = await app.newWorkspace();
  const { pass } = await makeProgram(owner, earn);
  const card = await makeCard(owner, pass.passId);
  const { client, key } = await makeKey(owner, { rateLimit });
  const award = (n: number): Json => ({
    passId: pass.passId,
    instanceId: card.instanceId,
    points: 1,
    externalRef: `receipt-${n}`,
  });
  const balance = async () =>
    (await owner.get(`/loyalty/entries?instanceId=${card.instanceId}&passId=${pass.passId}&limit=1`)).body
      .data[0]?.balance ?? 0;
  return { owner, client, key, award, balance };
}

/** Sends until stopped, this many at a time. */
function flood(send: () => Promise<number>): { stop(): Promise<Record<string, number>> } {
  let isOver = false;
  const statuses: number[] = [];
  const done = inParallel(60, async () => {
    while (!isOver) statuses.push(await send());
  });
  return {
    async stop() {
      isOver = true;
      await done;
      return tally(statuses);
    },
  };
}

/** Awards one by one, each with its reference, and checks what is answered. */
async function workQuietly(till: Awaited<ReturnType<typeof openTill>>, times: number, while_: () => boolean) {
  let n = 0;
  for (; n < times || while_(); n++) {
    const reply = await till.client.post('/loyalty/points', till.award(n));
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.balance, n + 1);
  }
  assert.equal(await till.balance(), n);
}

describe('a flood', () => {
  it('by one key, at fifty times its limit, leaves a quiet one alone; what was refused had no effect', async () => {
    const limit = 10;
    const noisy = await openTill(limit);
    const quiet = await openTill(100_000);
    const startedAt = performance.now();
    const applied = new Set<number>();
    let sent = 0;
    const storm = flood(async () => {
      const n = sent++;
      const reply = await noisy.client.post('/loyalty/points', noisy.award(n));
      if (reply.status === 200) applied.add(n);
      else assert.equal(reply.headers.get('retry-after'), String(Number(reply.headers.get('retry-after'))));
      return reply.status;
    });
    const seconds = () => (performance.now() - startedAt) / 1_000;
    // Until it has sent fifty times what it may in this time, or so much that the machine can do no more.
    const isFlood = () => sent >= 50 * limit * seconds() && sent > 500;
    await workQuietly(quiet, 20, () => !isFlood() && sent < 2_000);
    const statuses = await storm.stop();
    assert.ok((statuses['429'] ?? 0) > 200, JSON.stringify(statuses));
    assert.ok(applied.size <= 2 * limit + limit * seconds() + 1, `${applied.size} in ${seconds()} s`);
    assert.equal(await noisy.balance(), applied.size);

    // Each reference that was refused is as good as new, and each that was taken is known.
    await noisy.owner.patch(`/api-keys/${noisy.key.keyId}`, { rateLimit: 100_000 });
    const resent = [...applied].slice(0, 10).concat([...Array(60).keys()].filter((n) => !applied.has(n)));
    const fresh = resent.filter((n) => !applied.has(n)).length;
    for (const n of resent) {
      const { status, headers } = await noisy.client.post('/loyalty/points', noisy.award(n));
      assert.equal(status, 200);
      assert.equal(headers.get('idempotent-replayed'), applied.has(n) ? 'true' : null);
    }
    assert.equal(await noisy.balance(), applied.size + fresh);
  });

  for (const [what, secret] of [
    ['made-up keys', () => newSecret('pk_live_')],
    ['keys with a wrong checksum', () => `${newSecret('pk_live_').slice(0, -6)}000000`],
    ['no keys at all', () => null],
  ] as const) {
    it(`of ${what} is stopped by address, and a good key behind the same address works on`, async () => {
      const quiet = await openTill(100_000);
      const ask = async () => (await app.anyone.as(secret()).get('/me')).status;
      await until('the flood before is over', async () => (await ask()) === 401);
      let sent = 0;
      const storm = flood(() => {
        sent++;
        return ask();
      });
      await workQuietly(quiet, 20, () => sent < 500);
      const { 401: _refused, ...statuses } = await storm.stop();
      assert.deepEqual(Object.keys(statuses), ['429']);
      assert.ok((statuses['429'] ?? 0) > 200, JSON.stringify(statuses));
      assert.equal((await app.anyone.get('/healthz')).status, 200);
    });
  }

  it('of unknown web cards is stopped by address, whatever key comes with it', async () => {
    const { client } = await openTill(100_000);
    const token = Buffer.alloc(48).toString('base64url');
    const ask = async () => (await app.anyone.get(`/p/${token}`)).status;
    await until('the flood before is over', async () => (await ask()) === 404);
    const seen: number[] = [];
    await inParallel(40, async () => {
      while (!seen.includes(429)) seen.push(await ask());
    });
    const { 404: _unknown, ...others } = tally(seen);
    assert.deepEqual(Object.keys(others), ['429']);
    assert.equal((await (client satisfies Client).get('/me')).status, 200);
  });
});
