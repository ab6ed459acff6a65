import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import {
  fingerprintOf,
  keepAnswers,
  keptAnswers,
  overwriteAnswers,
  releaseClaims,
  takeClaims,
} from './claims.ts';
import { openDatabase, type Tx } from './database.ts';

const url = await createTestDatabase();
const database = openDatabase({ url, connections: 8, onError() {} });
after(async () => {
  await database.close();
  await dropTestDatabase(url);
});
beforeEach(async () => {
  await sql`truncate operation_claims`.execute(database.db);
});

const account = '0190a000-0000-7000-8000-000000000001';
const other = '0190a000-0000-7000-8000-000000000002';

function take(tx: Tx, keys: readonly string[], workspaceId = account, operation = 'op') {
  const claims = keys.map((key) => ({
    operation,
    key,
    fingerprint: fingerprintOf(key),
    requestId: 'request-1',
  }));
  return takeClaims(tx, workspaceId, claims);
}

const kept = async (tx: Tx, keys: readonly string[]) => {
  const answers = await keptAnswers(tx, account, 'op', keys);
  return [...answers].map(([key, { status, body }]) => [key, status, body]);
};

/** Resolves when as many sessions wait for a lock as told. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(database.db);
    if ((rows[0]?.count ?? 0) >= count) return;
    await sleep(5);
  }
}

describe('a claim', () => {
  it('is taken once for each workspace, operation and key', async () => {
    await database.transaction(async (tx) => {
      assert.deepEqual([...(await take(tx, ['a', 'b']))].sort(), ['a', 'b']);
      assert.deepEqual([...(await take(tx, ['b', 'c']))], ['c']);
      assert.deepEqual([...(await take(tx, ['a'], other))], ['a']);
      assert.deepEqual([...(await take(tx, ['a'], account, 'other op'))], ['a']);
      assert.deepEqual([...(await take(tx, []))], []);
    });
  });

  it('makes concurrent duplicates wait, and then see the kept answer', async () => {
    const [held, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = database.transaction(async (tx) => {
      await take(tx, ['a']);
      held.resolve();
      await finish.promise;
      await keepAnswers(tx, account, 'op', [{ key: 'a', status: 201, body: '{"n":1}' }]);
    });
    await held.promise;
    const duplicates = Array.from({ length: 5 }, () =>
      database.transaction(async (tx) => {
        const taken = await take(tx, ['a']);
        return { taken: taken.size, kept: await kept(tx, ['a']) };
      }),
    );
    await waiting(5);
    finish.resolve();
    await first;
    for (const seen of await Promise.all(duplicates)) {
      assert.deepEqual(seen, { taken: 0, kept: [['a', 201, '{"n":1}']] });
    }
  });

  it('passes to one of those who wait when its holder rolls back', async () => {
    const [held, fail] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = database.transaction(async (tx) => {
      await take(tx, ['a']);
      held.resolve();
      await fail.promise;
      throw new Error('refused');
    });
    await held.promise;
    const heirs = Array.from({ length: 3 }, () =>
      database.transaction(async (tx) => {
        const taken = await take(tx, ['a']);
        if (taken.size > 0) await keepAnswers(tx, account, 'op', [{ key: 'a', status: 200, body: 'mine' }]);
        return { taken: taken.size, kept: await kept(tx, ['a']) };
      }),
    );
    await waiting(3);
    fail.resolve();
    await assert.rejects(first, /refused/);
    const seen = await Promise.all(heirs);
    assert.equal(
      seen.reduce((sum, one) => sum + one.taken, 0),
      1,
    );
    for (const one of seen) assert.deepEqual(one.kept, [['a', 200, 'mine']]);
  });

  it('can be given up inside its own transaction', async () => {
    await database.transaction(async (tx) => {
      await take(tx, ['a', 'b']);
      await releaseClaims(tx, account, 'op', ['a']);
    });
    await database.transaction(async (tx) => {
      assert.deepEqual([...(await take(tx, ['a', 'b']))], ['a']);
    });
  });

  it('does not block callers who name the same keys in another order', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const callers = Array.from({ length: 8 }, (_, caller) =>
      database.transaction((tx) => take(tx, caller % 2 === 0 ? keys : [...keys].reverse())),
    );
    const sizes = (await Promise.all(callers)).map((taken) => taken.size);
    assert.deepEqual(
      sizes.sort((a, b) => b - a),
      [50, 0, 0, 0, 0, 0, 0, 0],
    );
  });

  it('keeps its answer in the bytes it was given, and can have it replaced', async () => {
    const body = '{"text":"Zoë  \\u00e9 \'quoted\'"}';
    await database.transaction(async (tx) => {
      await take(tx, ['a', 'b']);
      await keepAnswers(tx, account, 'op', [{ key: 'a', status: 201, body }]);
    });
    await database.transaction(async (tx) => {
      assert.deepEqual(await kept(tx, ['a', 'b', 'c']), [['a', 201, body]]);
      await overwriteAnswers(tx, account, [{ operation: 'op', key: 'a' }], '{}');
      assert.deepEqual(await kept(tx, ['a']), [['a', 201, '{}']]);
    });
  });
});

describe('a fingerprint', () => {
  const same = (one: unknown, two: unknown) => fingerprintOf(one).equals(fingerprintOf(two));

  it('is the same for equal values, whatever the order of their properties', () => {
    assert.ok(same({ a: 1, b: { c: 2, d: [3] } }, { b: { d: [3], c: 2 }, a: 1 }));
    assert.ok(same({ a: 1 }, { a: 1, b: undefined }));
  });

  it('differs for different values', () => {
    const values = [
      null,
      1,
      '1',
      true,
      'true',
      [],
      {},
      [1, 2],
      [2, 1],
      ['1,2'],
      { a: 1 },
      { a: null },
      { b: 1 },
      { a: { b: 1 } },
      '',
      'null',
      [null],
      [[]],
      '\ud83d\ude00',
    ];
    for (const [at, one] of values.entries())
      for (const two of values.slice(at + 1)) assert.ok(!same(one, two), JSON.stringify([one, two]));
  });
});
