import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { fingerprintOf, keptAnswers, overwriteAnswers, saveAnswers } from './claims.ts';
import { openDatabase, type Tx, transactOnce } from './database.ts';
import { LostRace } from './database-errors.ts';
import { sql } from './sql.ts';

const url = await createTestDatabase();
const database = openDatabase({ url, connections: 10, onError() {} });
after(async () => {
  await database.close();
  await dropTestDatabase(url);
});
beforeEach(async () => {
  await sql`truncate operation_claims`.execute(database.db);
});

const account = '0190a000-0000-7000-8000-000000000001';
const other = '0190a000-0000-7000-8000-000000000002';

const claimOf = (key: string, operation = 'op') => ({
  operation,
  key,
  fingerprint: fingerprintOf(key),
  requestId: 'request-1',
});

/** Keeps the same answer for each key. */
function keep(tx: Tx, keys: readonly string[], body = 'mine', workspaceId = account, operation = 'op') {
  const answered = keys.map((key) => ({ ...claimOf(key, operation), status: 201, body }));
  return saveAnswers(tx, workspaceId, answered, []);
}

/** What others have kept of calls that were refused. */
async function refuse(tx: Tx, keys: readonly string[]) {
  const claims = keys.map((key) => claimOf(key));
  return [...(await saveAnswers(tx, account, [], claims))].map(([key, { body }]) => [key, body]);
}

async function kept(keys: readonly string[], workspaceId = account, operation = 'op') {
  const answers = await keptAnswers(database.db, workspaceId, operation, keys);
  return [...answers].map(([key, { status, body }]) => [key, status, body]);
}

/** A transaction that keeps an answer for a key and is held open. */
async function holder(key: string, body: string) {
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = transactOnce(database.db, async (tx) => {
    await keep(tx, [key], body);
    held.resolve();
    await end.promise;
  });
  await held.promise;
  return {
    commit: () => {
      end.resolve();
      return done;
    },
    rollBack: () => {
      end.reject(new Error('refused'));
      return assert.rejects(done, /refused/);
    },
  };
}

/** Resolves when `count` sessions wait for a lock. */
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

describe('an answer', () => {
  it('is kept once for each workspace, operation and key', async () => {
    const write = (...args: [keys: string[], body?: string, workspaceId?: string, operation?: string]) =>
      transactOnce(database.db, (tx) => keep(tx, ...args));
    await write(['a', 'b']);
    await assert.rejects(write(['b', 'c'], 'late'), LostRace);
    await write(['a'], 'of the other', other);
    await write(['a'], 'of the other operation', account, 'other op');
    await write([]);
    assert.deepEqual((await kept(['a', 'b', 'c'])).sort(), [
      ['a', 201, 'mine'],
      ['b', 201, 'mine'],
    ]);
    assert.deepEqual(await kept(['a'], other), [['a', 201, 'of the other']]);
    assert.deepEqual(await kept(['a'], account, 'other op'), [['a', 201, 'of the other operation']]);
  });

  it('makes concurrent duplicates wait, start again and then see it', async () => {
    const first = await holder('a', '{"n":1}');
    const tries: number[] = [];
    const duplicates = Array.from({ length: 5 }, (_, index) =>
      database.transaction(async (tx) => {
        tries[index] = (tries[index] ?? 0) + 1;
        const answer = (await keptAnswers(tx, account, 'op', ['a'])).get('a');
        if (answer === undefined) await keep(tx, ['a'], 'twice');
        return answer?.body;
      }),
    );
    await waiting(5);
    await first.commit();
    assert.deepEqual(await Promise.all(duplicates), Array(5).fill('{"n":1}'));
    assert.deepEqual(tries, Array(5).fill(2));
    assert.deepEqual(await kept(['a']), [['a', 201, '{"n":1}']]);
  });

  it('is that of one of those who wait when the first of them rolls back', async () => {
    const first = await holder('a', 'unknown');
    const heirs = Array.from({ length: 3 }, (_, index) =>
      database.transaction(async (tx) => {
        const answer = (await keptAnswers(tx, account, 'op', ['a'])).get('a');
        if (answer !== undefined) return answer.body;
        await keep(tx, ['a'], `of ${index}`);
        return `of ${index}`;
      }),
    );
    await waiting(3);
    await first.rollBack();
    const seen = new Set(await Promise.all(heirs));
    assert.equal(seen.size, 1);
    assert.deepEqual(await kept(['a']), [['a', 201, [...seen][0]]]);
    assert.match([...seen].join(), /^of [012]$/);
  });

  it('keeps no two callers from each other who name the same keys in another order', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const callers = Array.from({ length: 8 }, (_, caller) =>
      transactOnce(database.db, (tx) => keep(tx, caller % 2 === 0 ? keys : [...keys].reverse())),
    );
    const results = await Promise.allSettled(callers);
    const lost = results.filter(({ status }) => status === 'rejected');
    assert.equal(lost.length, 7);
    for (const result of lost) assert.ok('reason' in result && result.reason instanceof LostRace);
    assert.equal((await kept(keys)).length, 50);
  });

  it('is part of the bytes it was given, and can be replaced', async () => {
    const body = '{"text":"Zoë  \\u00e9 \'quoted\'"}';
    await transactOnce(database.db, (tx) => keep(tx, ['a'], body));
    assert.deepEqual(await kept(['a', 'b']), [['a', 201, body]]);
    await transactOnce(database.db, (tx) =>
      overwriteAnswers(tx, account, [{ operation: 'op', key: 'a' }], '{}'),
    );
    assert.deepEqual(await kept(['a']), [['a', 201, '{}']]);
    await assert.rejects(
      transactOnce(database.db, (tx) => keep(tx, ['a'])),
      LostRace,
    );
  });
});

describe('a refusal', () => {
  it('keeps nothing: the key is free for another try', async () => {
    await transactOnce(database.db, async (tx) => assert.deepEqual(await refuse(tx, ['a', 'b']), []));
    assert.deepEqual(await kept(['a', 'b']), []);
    await transactOnce(database.db, (tx) => keep(tx, ['a']));
    assert.deepEqual(await kept(['a', 'b']), [['a', 201, 'mine']]);
  });

  it('sees the answers that others have kept, and leaves them', async () => {
    await transactOnce(database.db, (tx) => keep(tx, ['a']));
    await transactOnce(database.db, async (tx) =>
      assert.deepEqual(await refuse(tx, ['a', 'b']), [['a', 'mine']]),
    );
    assert.deepEqual(await kept(['a', 'b']), [['a', 201, 'mine']]);
  });

  it('waits for a call that is about to save an answer, and then sees it', async () => {
    const first = await holder('b', 'of the first');
    const refused = transactOnce(database.db, (tx) => refuse(tx, ['c', 'b', 'a']));
    await waiting(1);
    await first.commit();
    assert.deepEqual(await refused, [['b', 'of the first']]);
  });

  it('stands where the other rolls back', async () => {
    const first = await holder('a', 'unknown');
    const refused = transactOnce(database.db, (tx) => refuse(tx, ['a']));
    await waiting(1);
    await first.rollBack();
    assert.deepEqual(await refused, []);
  });

  it('goes with the answers of others in its transaction', async () => {
    await transactOnce(database.db, (tx) =>
      saveAnswers(
        tx,
        account,
        [{ ...claimOf('b'), status: 200, body: 'kept' }],
        [claimOf('a'), claimOf('c')],
      ),
    );
    assert.deepEqual(await kept(['a', 'b', 'c']), [['b', 200, 'kept']]);
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
