import assert from 'node:assert/strict';
import { it } from 'node:test';
import { routes } from '../../src/routes.ts';
import { inParallel } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { pick } from '../ledger/random.ts';
import { bodySchemaOf } from '../text-places.ts';
import { generateBody } from './generate-body.ts';
import { randomFor, seed } from './seed.ts';
import { makeTenant, pathWith } from './tenant.ts';

/**
 * Calls of any operation with bodies of any kind, in any order, on the things of one workspace: each is taken or refused
 * as its operation declares, none fails, and the books agree afterwards.
 */
const app = await startTestApp({ WORKERS: 'off', DATABASE_POOL: '20' });
const { client, names, otherPassId } = await makeTenant(app);
const twin = await app.twin();

/** What asks stores, has no end, or would end the workspace. */
const leftOut = new Set([
  'testStore',
  'startSweep',
  'watchWebCard',
  'watchPass',
  'watchMessage',
  'watchSweep',
  'updateAnyWorkspace',
]);
const chosen = routes.filter(({ access, endpoint }) => access !== 'probe' && !leftOut.has(endpoint.op));
const calls = 1_000;

it(`${calls} calls that chance has made, 16 at a time, fail in nothing`, async () => {
  const random = randomFor('generated');
  const failures: string[] = [];
  await inParallel(16, async () => {
    for (let call = 0; call < calls / 16; call++) {
      const { method, path, access, endpoint } = pick(random, chosen);
      const there = random() < 0.2 ? { ...names, passId: otherPassId } : names;
      const schema = bodySchemaOf(endpoint);
      const body = schema === undefined ? undefined : generateBody(random, schema, there);
      const headers: Record<string, string> =
        random() < 0.3 ? { 'idempotency-key': `key-${Math.floor(random() * 30)}` } : {};
      const key = access === 'operator' ? app.operator : access === 'public' ? app.anyone : client;
      const by = random() < 0.5 ? key : twin.as(key.secret);
      const reply = await by.send(method, pathWith(path, there), body, { headers });
      const items: { status: number }[] = reply.body?.results ?? [];
      if (reply.status >= 500 || items.some(({ status }) => status >= 500))
        failures.push(`${method} ${path} ${JSON.stringify(body)}: ${reply.text}`);
    }
  });
  assert.deepEqual(failures, [], `seed ${seed}`);
});

it('and leave the books in agreement', () => assertInvariants(app.sql));
