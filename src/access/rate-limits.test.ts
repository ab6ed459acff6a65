import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Reply } from '../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { newSecret } from '../kit/crypto/tokens.ts';

const app = await startTestApp({ RATE_LIMIT_PER_SECOND: '1000' });

const statuses = (replies: readonly Reply[]) => tally(replies.map(({ status }) => status));

/** Sends until the key's allowance is used up; the refusal. */
async function useUp(client: Client, path = '/me'): Promise<Reply> {
  for (;;) {
    const replies = await inParallel(20, () => client.get(path));
    const refused = replies.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
}

describe('the rate limit of a key', () => {
  it('allows bursts of twice its rate, and then its rate', async () => {
    const { client } = await makeKey(app.client, { rateLimit: 1 });
    const startedAt = performance.now();
    const replies = await inParallel(20, () => client.get('/me'));
    const seconds = (performance.now() - startedAt) / 1_000;
    const allowed = replies.filter(({ status }) => status === 200).length;
    assert.ok(allowed >= 2 && allowed <= 2 + Math.ceil(seconds), `${allowed} in ${seconds} s`);
    assert.equal(allowed + (statuses(replies)['429'] ?? 0), 20);
  });

  it('says in Retry-After when the next request succeeds, and it does', async () => {
    const { client } = await makeKey(app.client, { rateLimit: 2 });
    const refused = await useUp(client);
    assertRefused(refused, 'rate_limited', /Retry in 1 s/);
    assert.equal(refused.headers.get('retry-after'), '1');
    await sleep(1_000);
    assert.equal((await client.get('/me')).status, 200);
  });

  it('is shown on every answer', async () => {
    const { client } = await makeKey(app.client, { rateLimit: 5 });
    const { headers } = await client.get('/me');
    assert.equal(headers.get('ratelimit-policy'), '"default";q=10;w=2');
    assert.equal(headers.get('ratelimit'), '"default";r=9;t=1');
    const refused = await useUp(client);
    assert.equal(refused.headers.get('ratelimit-policy'), '"default";q=10;w=2');
    assert.match(String(refused.headers.get('ratelimit')), /^"default";r=0;t=\d+$/);
    assert.ok(app.client.secret);
    const standard = await app.client.get('/me');
    assert.equal(standard.headers.get('ratelimit-policy'), '"default";q=2000;w=2');
  });

  it('is not shared: one key at its limit leaves the others alone', async () => {
    const { client: busy } = await makeKey(app.client, { rateLimit: 1 });
    const { client: calm } = await makeKey(app.client, { rateLimit: 1 });
    await useUp(busy);
    assert.equal((await calm.get('/me')).status, 200);
  });

  it('is shared by the secrets of a key that is rotated', async () => {
    const till = await makeKey(app.client, { rateLimit: 1 });
    const path = `/api-keys/${till.key.keyId}/rotate`;
    const { secret } = (await app.client.post(path, { overlapSeconds: 60 })).body;
    const rotated = till.client.as(secret);
    const startedAt = performance.now();
    const replies = await inParallel(20, (index) => (index % 2 === 0 ? till.client : rotated).get('/me'));
    const seconds = (performance.now() - startedAt) / 1_000;
    const allowed = statuses(replies)['200'] ?? 0;
    // With an allowance each there would be four at once.
    assert.ok(allowed >= 2 && allowed <= 2 + Math.ceil(seconds), `${allowed} in ${seconds} s`);
    assert.equal(allowed + (statuses(replies)['429'] ?? 0), 20);
  });

  it('counts refused requests of every kind', async () => {
    const { client } = await makeKey(app.client, { rateLimit: 1 });
    assertRefused(await useUp(client, '/passes/pass_unknown'), 'rate_limited');
    const reader = await makeKey(app.client, { rateLimit: 1, access: 'read' });
    const writes = await inParallel(10, () => reader.client.post('/passes', {}));
    assert.ok(statuses(writes)['429']);
  });

  it('follows a change of the key at once', async () => {
    const till = await makeKey(app.client, { rateLimit: 1 });
    await useUp(till.client);
    await app.client.patch(`/api-keys/${till.key.keyId}`, { rateLimit: 100_000 });
    assert.deepEqual(statuses(await inParallel(20, () => till.client.get('/me'))), { 200: 20 });
  });
});

describe('a request that is refused with 429', () => {
  it('has no effect: the same externalRef is applied once, later', async () => {
    const { client: owner } = await app.newWorkspace();
    const pass = await makePass(owner);
    const { client } = await makeKey(owner, { rateLimit: 1 });
    await useUp(client);
    let issued = 0;
    const issue = () => client.post(`/passes/${pass.passId}/instances`, { externalRef: `signup-${issued}` });
    // Where a second has gone by, one more is allowed.
    let refused = await issue();
    for (; refused.status === 201 && issued < 10; refused = await issue()) issued += 1;
    assertRefused(refused, 'rate_limited');
    assert.equal((await owner.get(`/passes/${pass.passId}`)).body.counts.issued, issued);
    await sleep(Number(refused.headers.get('retry-after')) * 1_000);
    const applied = await issue();
    assert.equal(applied.status, 201);
    assert.equal(applied.headers.get('idempotent-replayed'), null);
    assert.equal((await owner.get(`/passes/${pass.passId}`)).body.counts.issued, issued + 1);
  });
});

describe('the rate limit of an address', async () => {
  const small = await startTestApp({ RATE_LIMIT_PER_SECOND: '1' });
  const flood = async (client: Client, path: string) =>
    statuses(await inParallel(60, () => client.get(path)));

  it('bounds requests without a valid key, guesses and unknown paths among them', async () => {
    const noKey = await flood(small.anyone, '/me');
    assert.ok((noKey['429'] ?? 0) >= 30 && (noKey['401'] ?? 0) >= 1, JSON.stringify(noKey));
    for (const secret of ['x', newSecret('pk_live_')]) {
      const guesses = await flood(small.anyone.as(secret), '/me');
      assert.ok((guesses['429'] ?? 0) >= 30, JSON.stringify(guesses));
    }
    assert.ok(((await flood(small.anyone, '/nowhere'))['429'] ?? 0) >= 30);
    assert.ok(((await flood(small.anyone, '/p/nothing'))['429'] ?? 0) >= 30);
  });

  it('does not touch a valid key behind the same address, nor the probes', async () => {
    await flood(small.anyone, '/me');
    assert.equal((await small.client.get('/me')).status, 200);
    assert.deepEqual(await flood(small.anyone, '/healthz'), { 200: 60 });
  });

  it('cannot be dodged with X-Forwarded-For', async () => {
    const replies = await inParallel(60, (index) =>
      small.anyone.get('/me', { headers: { 'x-forwarded-for': `203.0.113.${index}` } }),
    );
    assert.ok((statuses(replies)['429'] ?? 0) >= 30);
  });
});
