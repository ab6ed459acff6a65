import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { reachesLoopback, writeAuthority } from '../contract/outside.ts';
import { Installation } from './installation.ts';
import { isLong } from './lengths.ts';
import { type PooledDatabase, startPooledDatabase } from './pooled-database.ts';
import { pgbouncerProgram, redisProgram } from './programs.ts';
import { RedisServer } from './redis-server.ts';

const suite = new URL('../contract/run.ts', import.meta.url).pathname;
const skip = redisProgram.missing || pgbouncerProgram.missing;

describe('the contract, sentence by sentence, of three processes and two workers', { skip }, async () => {
  const redis = await RedisServer.start();
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-contract-'));
  await writeAuthority(folder);
  after(async () => {
    await redis.kill();
    await rm(folder, { recursive: true });
  });

  /** Runs the suite as an operator does, against a load balancer in front of the installation. */
  async function assertHolds(pooled?: PooledDatabase): Promise<void> {
    const installation = await Installation.start({
      ...(pooled && { pooled }),
      settings: {
        ...reachesLoopback,
        REDIS_URL: redis.url,
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
        // The limit that every installation has.
        RATE_LIMIT_PER_SECOND: '',
      },
    });
    const target = ['--url', installation.proxy.url, '--operator-token', installation.operatorToken];
    const { code, said } = await run([suite, ...target, '--fakes', folder]);
    assert.equal(code, 0, said.slice(said.indexOf('failing tests')));
    const [, passed = '0'] = /^ℹ pass (\d+)$/m.exec(said) ?? [];
    assert.ok(Number(passed) > 100, said);
    for (const given of installation.proxy.given) assert.ok(given > 100, 'each process was asked');
    for (const { printed } of installation.processes) assert.ok(!/"level":60/.test(printed), printed);
    await installation.end();
  }

  it('behind a load balancer and PgBouncer', async () => {
    await assertHolds(await startPooledDatabase());
  });

  it('behind a load balancer', { skip: !isLong && 'with npm run test:processes only' }, () => assertHolds());
});

/** What a program says, and its exit code. */
async function run(args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { env: { ...env, FORCE_COLOR: '0' } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}
