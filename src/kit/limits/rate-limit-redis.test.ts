import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

const binary = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const skip = binary === undefined ? 'neither redis-server nor valkey-server is installed' : false;

/** A real server on a port of its own, without persistence; `pause` freezes it with its sockets open. */
async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const server = spawn(binary ?? '', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of server.stdout ?? []) {
    output += String(chunk);
    if (/ready to accept connections/i.test(output)) break;
  }
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('limits shared through Redis', { skip, timeout: 120_000 }, () => {
  let port: number;
  let folder: string;
  let server: ChildProcess;
  const limiters: RateLimiter[] = [];

  before(async () => {
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'rate-limit-'));
    server = await startRedis(port, folder);
  });
  afterEach(() => {
    for (const limiter of limiters.splice(0)) limiter.close();
  });
  after(async () => {
    await stopRedis();
    rmSync(folder, { recursive: true });
  });

  async function stopRedis(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  /** Patient unless a test is about slowness: a loaded machine must not look like a slow Redis. */
  async function limiterWithLog(timeoutMs = 30_000) {
    const lines: string[] = [];
    const log = {
      info: (_fields: object, message: string) => lines.push(`info ${message}`),
      warn: (_fields: object, message: string) => lines.push(`warn ${message}`),
    };
    const redisUrl = `redis://127.0.0.1:${port}`;
    const limiter = await createRateLimiter({ redisUrl, clock: Date.now, log, prefix: 'test:', timeoutMs });
    limiters.push(limiter);
    return { limiter, lines };
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await sleep(10);
  }

  async function countAllowed(limiter: RateLimiter, key: string, tries: number, rate: number, burst: number) {
    const verdicts = await Promise.all(Array.from({ length: tries }, () => limiter.take(key, rate, burst)));
    return verdicts.filter((verdict) => verdict.allowed).length;
  }

  test('verdicts are those of the memory', async () => {
    const { limiter } = await limiterWithLog();
    await until(() => !limiter.degraded());
    const verdicts = [];
    for (let index = 0; index < 4; index++) verdicts.push(await limiter.take('verdicts', 0.001, 3));
    assert.deepEqual(
      verdicts.map(({ allowed, limit, remaining }) => ({ allowed, limit, remaining })),
      [
        { allowed: true, limit: 3, remaining: 2 },
        { allowed: true, limit: 3, remaining: 1 },
        { allowed: true, limit: 3, remaining: 0 },
        { allowed: false, limit: 3, remaining: 0 },
      ],
    );
    const { retryAfterSeconds = 0, resetSeconds } = verdicts[3] ?? {};
    assert.ok(retryAfterSeconds > 900 && retryAfterSeconds <= 1000, String(retryAfterSeconds));
    assert.equal(resetSeconds, retryAfterSeconds);
  });

  test('waiting exactly retryAfterSeconds succeeds', async () => {
    const { limiter } = await limiterWithLog();
    await until(() => !limiter.degraded());
    let verdict = await limiter.take('waiting', 1, 2);
    while (verdict.allowed) verdict = await limiter.take('waiting', 1, 2);
    // Node's timers may fire up to 1 ms early.
    await sleep(verdict.retryAfterSeconds * 1000 + 1);
    assert.equal((await limiter.take('waiting', 1, 2)).allowed, true);
  });

  test('two limiters that flood one key allow exactly the burst', async () => {
    const one = (await limiterWithLog()).limiter;
    const two = (await limiterWithLog()).limiter;
    await until(() => !one.degraded() && !two.degraded());
    const slow = 0.001;
    const allowed = await Promise.all([
      countAllowed(one, 'flood', 300, slow, 100),
      countAllowed(two, 'flood', 300, slow, 100),
    ]);
    assert.equal((allowed[0] ?? 0) + (allowed[1] ?? 0), 100);
  });

  test('four processes that flood one key stay within burst + rate × T', async () => {
    const flood = `
      import { createRateLimiter } from ${JSON.stringify(join(import.meta.dirname, 'rate-limit.ts'))};
      const log = { info() {}, warn(fields) { console.error(fields); } };
      const redisUrl = 'redis://127.0.0.1:${port}';
      const limiter = await createRateLimiter({ redisUrl, clock: Date.now, log, prefix: 'test:', timeoutMs: 30_000 });
      while (limiter.degraded()) await new Promise((resolve) => setTimeout(resolve, 5));
      const began = Date.now();
      let allowed = 0;
      while (Date.now() < began + 700) {
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.take('processes', 200, 50)));
        allowed += verdicts.filter((verdict) => verdict.allowed).length;
      }
      console.log(JSON.stringify({ allowed, began, ended: Date.now() }));
      limiter.close();`;
    const outputs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', flood]);
        let output = '';
        child.stdout.on('data', (chunk) => {
          output += chunk;
        });
        await once(child, 'close');
        return JSON.parse(output) as { allowed: number; began: number; ended: number };
      }),
    );
    const seconds =
      (Math.max(...outputs.map((o) => o.ended)) - Math.min(...outputs.map((o) => o.began))) / 1000;
    const allowed = outputs.reduce((sum, output) => sum + output.allowed, 0);
    assert.ok(allowed >= 50 && allowed <= 50 + 200 * seconds, `${allowed} allowed in ${seconds} s`);
  });

  test('when Redis dies, memory decides, with one warning; when it is back, counts are shared again', async () => {
    const { limiter, lines } = await limiterWithLog();
    await until(() => !limiter.degraded());
    await stopRedis();
    await until(() => limiter.degraded());
    const verdict = limiter.take('outage', 0.001, 5);
    assert.equal(verdict instanceof Promise, false, 'decided at once');
    assert.equal(await countAllowed(limiter, 'outage', 20, 0.001, 5), 4);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^warn Redis does not answer/);

    server = await startRedis(port, folder);
    const other = (await limiterWithLog()).limiter;
    await until(() => !limiter.degraded() && !other.degraded());
    assert.deepEqual(lines.slice(1), ['info rate limits are shared through Redis again']);
    const allowed = await countAllowed(limiter, 'outage', 20, 0.001, 5);
    assert.equal(allowed + (await countAllowed(other, 'outage', 20, 0.001, 5)), 5);
  });

  test('when Redis hangs with its connection open, memory decides; when it goes on, counts are shared again', async () => {
    const { limiter, lines } = await limiterWithLog(50);
    await until(() => !limiter.degraded());
    server.kill('SIGSTOP');
    try {
      assert.equal(await countAllowed(limiter, 'hang', 20, 0.001, 5), 5, 'the first are decided after 50 ms');
      assert.equal(limiter.degraded(), true);
      assert.equal(limiter.take('hang', 0.001, 5) instanceof Promise, false, 'from then on at once');
      await sleep(1500);
      assert.equal(limiter.degraded(), true);
    } finally {
      server.kill('SIGCONT');
    }
    await until(() => !limiter.degraded());
    assert.match(lines.join('\n'), /^(warn Redis does not answer.*\ninfo .*shared through Redis again\n?)+$/);
  });

  test('a script cache that was emptied and a Redis that cannot write are no error for the caller', async () => {
    const { limiter, lines } = await limiterWithLog();
    await until(() => !limiter.degraded());
    await command('SCRIPT', 'FLUSH');
    assert.equal(await countAllowed(limiter, 'flushed', 10, 0.001, 5), 5);
    assert.deepEqual(lines, []);
    await command('CONFIG', 'SET', 'maxmemory', '1');
    try {
      assert.equal(await countAllowed(limiter, 'out of memory', 10, 0.001, 5), 5);
      assert.equal(limiter.degraded(), true);
    } finally {
      await command('CONFIG', 'SET', 'maxmemory', '0');
    }
    await until(() => !limiter.degraded());
  });

  async function command(...words: string[]): Promise<void> {
    const { Redis } = await import('ioredis');
    const redis = new Redis(port, '127.0.0.1');
    await redis.call(words[0] ?? '', ...words.slice(1));
    redis.disconnect();
  }

  test('nothing is kept for longer than it matters', async () => {
    const { limiter } = await limiterWithLog();
    await until(() => !limiter.degraded());
    await limiter.take('short-lived', 1000, 10);
    const { Redis } = await import('ioredis');
    const redis = new Redis(port, '127.0.0.1');
    await limiter.take('long-lived', 0.01, 10);
    const left = await redis.pttl('test:long-lived');
    assert.ok(left > 60_000 && left <= 100_001, `${left} ms`);
    while ((await redis.exists('test:short-lived')) === 1) await sleep(5);
    redis.disconnect();
  });
});

test('a Redis that was never there leaves the limiter in memory', async () => {
  const lines: string[] = [];
  const log = { info() {}, warn: (_fields: object, message: string) => lines.push(message) };
  const redisUrl = `redis://127.0.0.1:${await freePort()}`;
  const limiter = await createRateLimiter({ redisUrl, clock: () => 0, log, prefix: '' });
  try {
    assert.deepEqual(limiter.take('a', 1, 1), {
      allowed: true,
      limit: 1,
      remaining: 0,
      resetSeconds: 1,
      retryAfterSeconds: 0,
    });
    while (lines.length === 0) await sleep(5);
    assert.equal((await limiter.take('a', 1, 1)).allowed, false);
    assert.equal(limiter.degraded(), true);
  } finally {
    limiter.close();
  }
  assert.equal(lines.length, 1);
});
