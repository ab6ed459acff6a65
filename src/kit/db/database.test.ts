import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import { openDatabase, type Tx } from './database.ts';
import {
  CommitUnknown,
  isHeldUp,
  isTransient,
  LostRace,
  sqlState,
  type Violation,
} from './database-errors.ts';
import { sql as ownSql } from './sql.ts';
import type { DeferredWrite } from './unit.ts';

const url = await createTestDatabase();
const proxy = await startTcpProxy(url);
const losses: Error[] = [];
const database = openDatabase({ url: proxy.url, connections: 4, onError: (error) => losses.push(error) });
const observer = new pg.Pool({ connectionString: url, max: 2 });
await observer.query('create table notes (id int primary key, text text not null)');
await observer.query('create table remarks (note int references notes)');
after(async () => {
  await database.close();
  await observer.end();
  await proxy.close();
  await dropTestDatabase(url);
});
beforeEach(() => observer.query('truncate notes, remarks'));

async function note(tx: Tx, id: number, text = 'x'): Promise<void> {
  await sql`insert into notes values (${id}, ${text}) on conflict (id) do update set text = excluded.text`.execute(
    tx,
  );
}

async function notes(): Promise<number[]> {
  return (await observer.query('select id from notes order by id')).rows.map(({ id }) => id);
}

async function fail(tx: Tx, state: string): Promise<void> {
  await sql.raw(`do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`).execute(tx);
}

/** Holds back the first `count` callers until all of them have come. */
function meeting(count: number): () => Promise<void> {
  const complete = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    if (++here >= count) complete.resolve();
    return complete.promise;
  };
}

describe('transaction', () => {
  it('commits what the work wrote and returns its result', async () => {
    const result = await database.transaction(async (tx) => {
      await note(tx, 1);
      return 'done';
    });
    assert.equal(result, 'done');
    assert.deepEqual(await notes(), [1]);
  });

  it('rolls everything back when the work raises, and raises the same error', async () => {
    const mine = new Error('mine');
    const failing = database.transaction(async (tx) => {
      await note(tx, 1);
      throw mine;
    });
    await assert.rejects(failing, (error) => error === mine);
    assert.deepEqual(await notes(), []);
  });

  for (const state of ['40001', '40P01']) {
    it(`starts again from the beginning after SQLSTATE ${state}`, async () => {
      let tries = 0;
      await database.transaction(async (tx) => {
        tries++;
        await note(tx, tries);
        if (tries < 3) await fail(tx, state);
      });
      assert.equal(tries, 3);
      assert.deepEqual(await notes(), [3]);
    });
  }

  it('starts again after a lost race', async () => {
    let tries = 0;
    await database.transaction(async (tx) => {
      await note(tx, ++tries);
      if (tries === 1) throw new LostRace();
    });
    assert.deepEqual(await notes(), [2]);
  });

  for (const [constraint, violating] of [
    ['notes_pkey', "insert into notes values (7, 'Ada')"],
    ['remarks_note_fkey', 'insert into remarks values (8)'],
  ] as const) {
    it(`starts again after a violation of ${constraint}, and reports it without the values`, async () => {
      await observer.query("insert into notes values (7, '')");
      const reported: Violation[] = [];
      const onViolation = (violated: Violation) => reported.push(violated);
      const watched = openDatabase({ url, connections: 1, onError() {}, onViolation });
      let tries = 0;
      await watched.transaction(async (tx) => {
        if (++tries === 1) await sql.raw(violating).execute(tx);
        await note(tx, tries);
      });
      await watched.close();
      assert.deepEqual(await notes(), [2, 7]);
      assert.deepEqual(reported, [{ table: constraint.split('_')[0], constraint }]);
    });
  }

  it('gives up after five violations of a key, which a client need not repeat', async () => {
    let tries = 0;
    const failing = database.transaction(async (tx) => {
      tries++;
      await fail(tx, '23505');
    });
    await assert.rejects(failing, (error) => sqlState(error) === '23505' && !isTransient(error));
    assert.equal(tries, 5);
  });

  it('resolves a real deadlock: both transactions commit', async () => {
    await observer.query("insert into notes values (1, ''), (2, '')");
    const bothHoldOne = meeting(2);
    const lock = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await sql`update notes set text = text || 'a' where id = ${first}`.execute(tx);
        await bothHoldOne();
        await sql`update notes set text = text || 'b' where id = ${second}`.execute(tx);
      });
    await Promise.all([lock(1, 2), lock(2, 1)]);
    const { rows } = await observer.query('select text from notes');
    assert.deepEqual(
      rows.map(({ text }) => [...text].sort().join('')),
      ['ab', 'ab'],
    );
  });

  it('gives up after five tries and raises the cause, which a client may retry', async () => {
    let tries = 0;
    const failing = database.transaction(async (tx) => {
      tries++;
      await fail(tx, '40001');
    });
    await assert.rejects(failing, (error) => sqlState(error) === '40001' && isTransient(error));
    assert.equal(tries, 5);
  });

  for (const [state, transient] of [['55P03', true] as const, ['23514', false] as const]) {
    it(`does not repeat work that fails with SQLSTATE ${state}`, async () => {
      let tries = 0;
      const failing = database.transaction(async (tx) => {
        tries++;
        await fail(tx, state);
      });
      await assert.rejects(failing, (error) => sqlState(error) === state && isTransient(error) === transient);
      assert.equal(tries, 1);
    });
  }

  it('is a failure when the server answers COMMIT with ROLLBACK', async () => {
    const swallowing = database.transaction(async (tx) => {
      await note(tx, 1);
      await fail(tx, '23514').catch(() => undefined);
    });
    await assert.rejects(swallowing, (error) => !(error instanceof CommitUnknown));
    assert.deepEqual(await notes(), []);
  });
});

describe('what a transaction has left to its end', () => {
  const leaving = (write: (tx: Tx) => Promise<void>, more: Partial<DeferredWrite<number[]>> = {}) => ({
    lockRank: 1,
    isFinal: () => true,
    empty: (): number[] => [],
    write,
    ...more,
  });
  const write = async (tx: Tx, id: number) => {
    await ownSql`insert into notes values (${id}, 'x')`.execute(tx);
  };
  const leave = (tx: Tx, ...writes: readonly DeferredWrite<number[]>[]) => {
    for (const write of writes) tx.unit.of(write).push(1);
  };

  it('leaves with COMMIT, which waits for no answer', async () => {
    const seen: number[][] = [];
    proxy.holdOn('into notes values ($1', 'reply', async () => {
      // The client has none of the answers yet.
      while ((await notes()).length === 0) await sleep(5);
      seen.push(await notes());
      return 'goes on';
    });
    await database.transaction(async (tx) => {
      await ownSql`select 1`.execute(tx);
      leave(
        tx,
        leaving((end) => write(end, 1)),
        leaving((end) => write(end, 2), { lockRank: 0 }),
      );
    });
    assert.deepEqual(seen, [[1, 2]]);
  });

  it('waits for the answers of what may add to it; what is last comes behind', async () => {
    const order: string[] = [];
    const last = leaving(async () => void order.push('last'), { lockRank: 2, isLast: true });
    const later = leaving(async () => void order.push('later'), { lockRank: 1 });
    const first = leaving(
      async (tx) => {
        await note(tx, 1);
        order.push('first');
        leave(tx, later);
      },
      { lockRank: 0, isFinal: () => false },
    );
    await database.transaction(async (tx) => leave(tx, last, first));
    assert.deepEqual(order, ['first', 'later', 'last']);
    assert.deepEqual(await notes(), [1]);
  });

  it('commits nothing where one of them fails, in the database or before it was sent', async () => {
    const mine = new Error('mine');
    const failing = [leaving((tx) => fail(tx, '22000')), leaving(() => Promise.reject(mine))];
    const thrown = leaving(() => {
      throw mine;
    });
    for (const one of [...failing, thrown]) {
      const both = [
        leaving((tx) => write(tx, 1), { lockRank: 0 }),
        one,
        leaving((tx) => write(tx, 2), { lockRank: 2 }),
      ];
      const failed = database.transaction(async (tx) => {
        await note(tx, 3);
        leave(tx, ...both);
      });
      await assert.rejects(failed, (error) => error === mine || sqlState(error) === '22000');
      assert.deepEqual(await notes(), []);
    }
  });

  it('is no statement behind COMMIT', async () => {
    const late = leaving(async (tx) => {
      await write(tx, 1);
      await write(tx, 2);
    });
    const work = database.transaction(async (tx) => {
      await note(tx, 3);
      leave(tx, late);
    });
    await assert.rejects(work, /behind COMMIT/);
    assert.deepEqual(await notes(), [1, 3]);
  });

  it('is tried again after a lost race, from the start', async () => {
    let tries = 0;
    await database.transaction(async (tx) => {
      tries += 1;
      await note(tx, tries);
      leave(
        tx,
        leaving((end) => (tries < 3 ? fail(end, '40001') : note(end, 10))),
      );
    });
    assert.deepEqual([tries, await notes()], [3, [3, 10]]);
  });

  it('is of unknown outcome where its connection is lost', async () => {
    for (const moment of ['request', 'reply'] as const) {
      proxy.cutOn('commit', moment);
      const lost = database.transaction(async (tx) => {
        await note(tx, 1);
        leave(
          tx,
          leaving((end) => write(end, 2)),
        );
      });
      await assert.rejects(lost, CommitUnknown);
      assert.deepEqual(await notes(), moment === 'request' ? [] : [1, 2]);
    }
  });
});

describe('a connection lost during COMMIT', () => {
  it('raises CommitUnknown when the request is lost, and nothing was written', async () => {
    proxy.cutOn('commit', 'request');
    await assert.rejects(
      database.transaction((tx) => note(tx, 1)),
      CommitUnknown,
    );
    assert.deepEqual(await notes(), []);
  });

  it('raises CommitUnknown when the reply is lost, and everything was written', async () => {
    proxy.cutOn('commit', 'reply');
    await assert.rejects(
      database.transaction((tx) => note(tx, 1)),
      CommitUnknown,
    );
    assert.deepEqual(await notes(), [1]);
  });

  it('is never retried by itself', async () => {
    let tries = 0;
    proxy.cutOn('commit', 'reply');
    const failing = database.transaction(async (tx) => note(tx, ++tries));
    await assert.rejects(failing, (error) => !isTransient(error));
    assert.equal(tries, 1);
  });

  it('gives its place in the pool back, however often it happens', async () => {
    proxy.cutOn('commit', 'request', 10);
    for (let lost = 0; lost < 10; lost++) {
      await assert.rejects(
        database.transaction((tx) => note(tx, 1)),
        CommitUnknown,
      );
    }
    await database.transaction((tx) => note(tx, 2));
    assert.deepEqual(await notes(), [2]);
  });
});

describe('a connection lost at another moment', () => {
  it('rolls back and is transient', async () => {
    const failing = database.transaction(async (tx) => {
      await note(tx, 1);
      proxy.isDown = true;
      await note(tx, 2);
    });
    await assert.rejects(failing, isTransient);
    proxy.isDown = false;
    assert.deepEqual(await notes(), []);
  });

  it('is transient before the transaction begins, too', async () => {
    proxy.isDown = true;
    await assert.rejects(
      database.transaction((tx) => note(tx, 1)),
      isTransient,
    );
    proxy.isDown = false;
    await database.transaction((tx) => note(tx, 1));
    assert.deepEqual(await notes(), [1]);
  });

  it('gives up connections whose server has fallen silent', async () => {
    const impatient = openDatabase({ url: proxy.url, connections: 1, silenceMs: 3_000, onError() {} });
    try {
      await impatient.transaction((tx) => note(tx, 1));
      proxy.isSilent = true;
      await assert.rejects(
        impatient.transaction((tx) => note(tx, 2)),
        isTransient,
      );
      // The connection that was open in the silence leads nowhere for ever; a new one works again.
      proxy.isSilent = false;
      await impatient.transaction((tx) => note(tx, 3));
      assert.deepEqual(await notes(), [1, 3]);
    } finally {
      proxy.isSilent = false;
      await impatient.close();
    }
  });

  it('is held up, rather than lost, where a new one is not made', async () => {
    const unheard = openDatabase({ url: proxy.url, connections: 1, onError() {} });
    proxy.isSilent = true;
    try {
      await assert.rejects(
        unheard.transaction((tx) => note(tx, 1)),
        isHeldUp,
      );
    } finally {
      proxy.isSilent = false;
      await unheard.close();
    }
  });

  it('does not end the process when the server closes a checked-out client that is idle', async () => {
    const before = losses.length;
    const failing = database.transaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await observer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      while (losses.length === before) await sleep(5);
      await note(tx, 1);
    });
    await assert.rejects(failing, isTransient);
    await database.transaction((tx) => note(tx, 2));
    assert.deepEqual(await notes(), [2]);
  });

  it('reports a connection once that is lost while idle, and none that it closes', async () => {
    const reported: unknown[] = [];
    const resting = openDatabase({ url, connections: 1, onError: (error) => reported.push(error) });
    const pids = async () => {
      const { rows } = await resting.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows.map(({ pid }) => pid);
    };
    const [lost] = await pids();
    await observer.query('select pg_terminate_backend($1)', [lost]);
    while (resting.pool.totalCount > 0) await sleep(5);
    const [closed] = await pids();
    assert.notEqual(closed, lost);
    // Both at once: the server may end the session before it hears the good-bye.
    await Promise.all([resting.close(), observer.query('select pg_terminate_backend($1)', [closed])]);
    await sleep(50);
    assert.deepEqual(reported.map(sqlState), ['57P01']);
  });
});

describe('a session', () => {
  it('bounds every wait', async () => {
    const { rows } = await database.pool.query(
      "select name, setting || coalesce(unit, '') as value from pg_settings where name = any($1) order by name",
      [['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit']],
    );
    assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), {
      idle_in_transaction_session_timeout: '10000ms',
      lock_timeout: '2000ms',
      statement_timeout: '5000ms',
      synchronous_commit: 'on',
    });
  });

  it('reads bigint as a number, and fails where that would round', async () => {
    const { rows } = await database.pool.query('select 9007199254740991::bigint as n');
    assert.equal(rows[0].n, Number.MAX_SAFE_INTEGER);
    await assert.rejects(database.pool.query('select 9007199254740992::bigint as n'), /beyond 2\^53/);
  });

  it('reads names in camel case and leaves JSON alone', async () => {
    const { rows } = await sql`select 1 as some_name, '{"in_json":1}'::jsonb as a_doc`.execute(database.db);
    assert.deepEqual(rows, [{ someName: 1, aDoc: { in_json: 1 } }]);
  });
});

describe('the name of the sessions', () => {
  const named = async (address: string) => {
    const one = openDatabase({ url: address, name: 'test run', connections: 1, onError() {} });
    const { rows } = await one.pool.query('show application_name');
    await one.close();
    return rows[0]?.application_name;
  };

  it('is what the program calls them, unless the URL has a name', async () => {
    assert.equal(await named(url), 'test run');
    const address = new URL(url);
    address.searchParams.set('application_name', 'shop 2');
    assert.equal(await named(address.href), 'shop 2');
  });
});

describe('close', () => {
  for (const isBuilderUsed of [false, true]) {
    it(`ends the connections${isBuilderUsed ? '' : ', of a pool that was only asked directly, too'}`, async () => {
      const short = openDatabase({ url, connections: 2, onError() {} });
      await short.pool.query('select');
      if (isBuilderUsed) await sql`select`.execute(short.db);
      await short.close();
      assert.equal(short.pool.totalCount, 0);
    });
  }
});

describe('isTransient', () => {
  const cases: [string, boolean][] = [
    ['40001', true],
    ['40P01', true],
    ['53100', true],
    ['53300', true],
    ['08006', true],
    ['57P01', true],
    ['57014', true],
    ['58030', true],
    ['55P03', true],
    ['25P03', true],
    ['23505', false],
    ['23514', false],
    ['22P02', false],
    ['42601', false],
    ['25P02', false],
  ];
  for (const [state, expected] of cases) {
    it(`is ${expected} for SQLSTATE ${state}`, () => {
      const error = new pg.DatabaseError('made up', 1, 'error');
      error.code = state;
      assert.equal(isTransient(error), expected);
    });
  }
  it('is true for a lost race, false for an unknown commit and for anything of our own', () => {
    assert.equal(isTransient(new LostRace()), true);
    assert.equal(isTransient(new CommitUnknown(new Error('Connection terminated'))), false);
    assert.equal(isTransient(new TypeError('not a function')), false);
    assert.equal(isTransient(undefined), false);
  });
  it('is true for a name that is not known for the moment, false for a file that is not there', async () => {
    const elsewhere = openDatabase({ url: 'postgresql://nobody@db.invalid/x', connections: 1, onError() {} });
    await assert.rejects(elsewhere.pool.query('select'), isTransient);
    await elsewhere.close();
    await assert.rejects(readFile(join(import.meta.dirname, 'nowhere')), (error) => !isTransient(error));
  });
});
