import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { sql } from '../kit/db/sql.ts';
import { allOf, anyOf, findTrue, isAnyDue } from './due.sql.ts';
import {
  acquirePace,
  changeLeased,
  leaseDue,
  leaseFound,
  lockLeased,
  postponeLeased,
  type Queue,
} from './queue.sql.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { database } = app.running.app;
await app.sql(`
  create table test_rows (
    workspace_id uuid not null, place uuid not null, number bigint not null, kind text not null default 'it',
    due_at timestamptz, attempts smallint not null default 0, primary key (place, number, workspace_id)
  );
  create index test_rows_due on test_rows (due_at) where due_at is not null`);
beforeEach(() => app.sql('delete from test_rows'));

interface Waiting {
  readonly workspaceId: string;
  readonly place: string;
  readonly number: number;
  readonly kind: string;
  readonly dueAt: Date | null;
  readonly attempts: number;
}

const columns = sql`workspace_id, place, number, kind, due_at, attempts`;
const queue: Queue<Waiting> = {
  table: 'testRows',
  part: 'workspaceId',
  key: { place: 'uuid', number: 'bigint' },
  due: 'dueAt',
  where: sql`kind = 'it'`,
  columns,
};
const on = { app: app.running.app, queue };
const [one, other] = [workspace(1), workspace(2)];
const noon = Date.UTC(2027, 0, 31, 12);
/** A moment, in seconds from noon. */
const at = (seconds: number) => new Date(noon + seconds * 1_000);

function workspace(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** Rows of a workspace, due at these seconds; their numbers are their places in the list. */
async function wait(workspaceId: string, seconds: readonly (number | null)[], kind = 'it'): Promise<void> {
  for (const [number, second] of seconds.entries())
    await app.sql(
      'insert into test_rows (workspace_id, place, number, kind, due_at) values ($1, $1, $2, $3, $4)',
      [workspaceId, number, kind, second === null ? null : at(second)],
    );
}

const numbersOf = (rows: readonly Waiting[]) => rows.map(({ number }) => number).sort((a, b) => a - b);
const lease = (now: number, most = 10, seconds = 60) => ({ now: at(now), until: at(now + seconds), most });
const waitsForLock = async () =>
  (
    await app.sql(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length > 0;
const rowsLeft = (condition: string) =>
  app.sql(`select number from test_rows where ${condition} order by number`);

describe('a lease', () => {
  it('has what is due, the longest due first, and nothing else', async () => {
    await wait(one, [30, 10, 20, 90, null]);
    await wait(other, [5], 'something else');
    assert.deepEqual(numbersOf(await leaseDue(on, lease(40, 2))), [1, 2]);
    assert.deepEqual(numbersOf(await leaseDue(on, lease(40, 2))), [0]);
    assert.deepEqual(await leaseDue(on, lease(40, 2)), []);
  });

  it('ends: the next worker leases the row, and the one before has lost it', async () => {
    await wait(one, [0]);
    const [lost] = await leaseDue(on, lease(1));
    assert.ok(lost);
    assert.deepEqual(lost.dueAt, at(61));
    assert.deepEqual(await leaseDue(on, lease(60)), []);
    const [taken] = await leaseDue(on, lease(61));
    assert.ok(taken);
    await database.transaction(async (tx) => {
      assert.equal(await lockLeased(tx, queue, lost), undefined);
      assert.equal(await changeLeased(tx, queue, lost, { dueAt: null }), false);
      assert.deepEqual(await lockLeased(tx, queue, taken), taken);
      assert.equal(await changeLeased(tx, queue, taken, { dueAt: null, attempts: 3 }), true);
    });
    assert.deepEqual(await leaseDue(on, lease(9_000)), []);
    assert.equal((await rowsLeft('attempts = 3 and due_at is null')).length, 1);
  });

  it('is kept where another worker, that came too late, holds the row for a moment', async () => {
    await wait(one, [0]);
    const [taken] = await leaseDue(on, lease(1));
    assert.ok(taken);
    const held = await database.transaction(async (tx) => {
      await sql`select from test_rows for no key update`.execute(tx);
      const holding = database.transaction((another) => lockLeased(another, queue, taken));
      let isSettled = false;
      const settled = holding.finally(() => {
        isSettled = true;
      });
      await until('it waits, or gives up', async () => isSettled || (await waitsForLock()));
      return { settled };
    });
    assert.deepEqual(await held.settled, taken);
  });

  it('is had by one worker, however many look for it', async () => {
    await wait(
      one,
      Array.from({ length: 40 }, () => 0),
    );
    await wait(
      other,
      Array.from({ length: 40 }, () => 0),
    );
    const taken = await inParallel(8, async () => {
      const mine: string[] = [];
      for (let empty = 0; empty < 3; ) {
        const rows = await leaseDue(on, lease(1, 7));
        mine.push(...rows.map(({ place, number }) => `${place} ${number}`));
        empty = rows.length === 0 ? empty + 1 : 0;
      }
      return mine;
    });
    const counts = tally(taken.flat());
    assert.deepEqual([Object.keys(counts).length, Math.max(...Object.values(counts))], [80, 1]);
  });

  it('passes over what another worker holds, and takes what is behind it', async () => {
    await wait(one, [0, 1, 2, 3]);
    await database.transaction(async (tx) => {
      await sql`select from test_rows where number < 2 for update`.execute(tx);
      assert.deepEqual(numbersOf(await leaseDue(on, lease(10, 2))), [2, 3]);
    });
    assert.deepEqual(numbersOf(await leaseDue(on, lease(10, 2))), [0, 1]);
  });

  it('is another for two workers that look at the same moment, as long as there is enough for both', async () => {
    await wait(
      one,
      Array.from({ length: 40 }, (_, n) => n),
    );
    const both = await inParallel(2, () => leaseDue(on, lease(100, 20)));
    assert.deepEqual(
      both.map((rows) => rows.length),
      [20, 20],
    );
  });

  it('reaches no further than the turn: the rows of a crowd are not taken before those who have waited longer', async () => {
    await wait(one, [1, 2, 6, 7, 8, 9]);
    await wait(other, [3, 4]);
    const taken = await leaseDue(on, lease(10, 4));
    assert.deepEqual(tally(taken.map(({ workspaceId }) => workspaceId)), { [one]: 2, [other]: 2 });
  });

  it('locks rows of one workspace in a transaction, and is not taken where what goes with it fails', async () => {
    await wait(one, [0]);
    await wait(other, [1]);
    const seen: string[][] = [];
    const also = async (_: unknown, rows: Waiting[]) => {
      seen.push(rows.map(({ workspaceId }) => workspaceId));
      if (rows[0]?.workspaceId === other) throw new Error('made up');
    };
    assert.deepEqual(numbersOf(await leaseDue(on, { ...lease(10), also })), [0]);
    assert.deepEqual(seen, [[one], [other]]);
    await assert.rejects(leaseDue(on, { ...lease(10), also }), /made up/);
    assert.deepEqual(numbersOf(await leaseDue(on, lease(10))), [0]);
  });

  it('may be another for each row, sets the given columns, and can be for good', async () => {
    await wait(one, [0, 1, 2]);
    const found = [0, 1].map((number) => ({ workspaceId: one, place: one, number }));
    const until = ({ number }: { number: number }) => at(100 + number);
    const set = sql`attempts = attempts + 1`;
    const taken = await leaseFound(on, found, { now: at(10), until, most: 5, set });
    assert.deepEqual(
      taken.map(({ number, dueAt, attempts }) => [number, dueAt, attempts]),
      [
        [0, at(100), 1],
        [1, at(101), 1],
      ],
    );
    assert.deepEqual(numbersOf(await leaseDue(on, { now: at(10), until: null, most: 5 })), [2]);
    assert.deepEqual(await rowsLeft('due_at is null'), [{ number: '2' }]);
  });

  it('is given back for later, row by row', async () => {
    await wait(one, [0, 1, 2]);
    const taken = await leaseDue(on, lease(10));
    const later = taken.map((row) => ({ row, dueAt: at(20 + row.number), attempts: 40_000 * row.number }));
    await database.transaction((tx) => postponeLeased(tx, queue, later));
    assert.deepEqual(numbersOf(await leaseDue(on, lease(21))), [0, 1]);
    assert.equal((await rowsLeft('attempts = 30000')).length, 2);
    await database.transaction((tx) => postponeLeased(tx, queue, []));
  });
});

describe('a turn', () => {
  const rows: Queue<Waiting> = { table: 'testRows', part: 'workspaceId', key: {}, due: 'dueAt', columns };
  const turns = { app: app.running.app, queue: rows };

  it('goes round: who has had one is behind all others', async () => {
    await wait(one, [0]);
    await wait(other, [1]);
    const had: (string | undefined)[] = [];
    for (const second of [10, 11, 12, 13]) had.push((await acquirePace(turns, at(second)))?.workspaceId);
    assert.deepEqual(had, [one, other, one, other]);
  });

  it('belongs to one process while a step of it is done', async () => {
    await wait(one, [0]);
    const first = await acquirePace(turns, at(10));
    assert.ok(first);
    await database.transaction(async (tx) => {
      assert.ok(await lockLeased(tx, rows, first));
      assert.equal(await acquirePace(turns, at(11)), undefined);
    });
    assert.ok(await acquirePace(turns, at(12)));
    assert.equal(await database.transaction((tx) => lockLeased(tx, rows, first)), undefined);
  });
});

describe('a question', () => {
  it('is asked together with others', async () => {
    await wait(one, [10, null]);
    const due = isAnyDue(queue, at(10));
    const notYet = isAnyDue(queue, at(9));
    assert.deepEqual(
      await findTrue(database.db, [
        ['due', due],
        ['not yet', notYet],
        ['both', allOf(due, notYet)],
        ['either', anyOf(notYet, due)],
      ]),
      ['due', 'either'],
    );
  });
});
