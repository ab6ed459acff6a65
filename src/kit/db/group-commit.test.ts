import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import { withoutNodes } from '../citus/tenants.ts';
import { type Db, openDatabase, type Tx } from './database.ts';
import { CommitUnknown, LostRace } from './database-errors.ts';
import { createBatcher, createGroupCommit } from './group-commit.ts';

const url = await createTestDatabase();
const proxy = await startTcpProxy(url);
const database = openDatabase({ url: proxy.url, connections: 4, onError() {} });
await sql`create table notes (lane text, text text not null check (text <> 'bad'), xid xid8 default pg_current_xact_id())`.execute(
  database.db,
);
const groupCommit = createGroupCommit(withoutNodes(database));
after(async () => {
  await database.close();
  await proxy.close();
  await dropTestDatabase(url);
});
beforeEach(async () => {
  await sql`truncate notes`.execute(database.db);
});

/** Set-based: writes all notes in one statement and answers their texts. */
async function writeNotes(tx: Tx, lane: string, texts: readonly string[]): Promise<readonly string[]> {
  await sql`insert into notes (lane, text) select ${lane}, t from unnest(${texts}::text[]) t`.execute(tx);
  if (texts.includes('race')) throw new LostRace();
  if (texts.includes('held'))
    await sql`do $$ begin raise exception 'made up' using errcode = '55P03'; end $$`.execute(tx);
  return texts.map((text) => `${text}!`);
}

async function transactions(): Promise<{ xid: string; texts: string[] }[]> {
  const { rows } = await sql<{ xid: string; texts: string[] }>`
    select xid::text, array_agg(text order by text) as texts from notes group by xid order by 2
  `.execute(database.db);
  return rows;
}

function write(...texts: string[]) {
  return Promise.allSettled(texts.map((text) => groupCommit.write(writeNotes, 'lane', text)));
}

describe('group commit', () => {
  it('commits concurrent writes of one lane in one transaction', async () => {
    const results = await write('a', 'b', 'c');
    assert.deepEqual(
      results.map((one) => one.status === 'fulfilled' && one.value),
      ['a!', 'b!', 'c!'],
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a', 'b', 'c']],
    );
  });

  it('keeps lanes apart', async () => {
    await Promise.all(['x', 'y'].map((lane) => groupCommit.write(writeNotes, lane, 'a')));
    assert.equal((await transactions()).length, 2);
  });

  it('refuses one bad row alone, and writes its neighbours', async () => {
    const results = await write('a', 'bad', 'c');
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a'], ['c']],
    );
  });

  it('does not let an item that keeps losing its race take the others with it', async () => {
    const results = await write('a', 'race', 'c');
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a'], ['c']],
    );
  });

  it('does not let an item whose row another session has locked take the others with it', async () => {
    const results = await write('a', 'held', 'c');
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a'], ['c']],
    );
  });

  it('never writes twice when the commit may or may not have taken place', async () => {
    proxy.cutOn('commit', 'reply');
    const results = await write('a', 'b');
    assert.ok(results.every((one) => one.status === 'rejected' && one.reason instanceof CommitUnknown));
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a', 'b']],
    );
  });

  it('merges concurrent reads into one query', async () => {
    const asked: (readonly number[])[] = [];
    async function double(_db: Db, _lane: string, items: readonly number[]) {
      asked.push(items);
      return items.map((item) => item * 2);
    }
    const results = await Promise.all([1, 2, 3].map((item) => groupCommit.read(double, 'lane', item)));
    assert.deepEqual(results, [2, 4, 6]);
    assert.deepEqual(asked, [[1, 2, 3]]);
  });
});

class Refused extends Error {}

/** By default, no item here waits too long. */
const patient = { maxQueueMs: 60_000, slowMs: 60_000, refusal: () => new Error('too late') };

/** A batcher that doubles numbers, records its runs, and refuses -1 (the fault of one item) and -2 (the fault of none). */
function doubling({ largest = 100, width = 1 } = {}) {
  const runs: number[][] = [];
  const batcher = createBatcher<number, number>({
    ...patient,
    largest,
    width,
    minItemsForSecondRun: 1,
    async run(_lane, items) {
      runs.push([...items]);
      await new Promise((resolve) => setImmediate(resolve));
      if (items.includes(-1)) throw new Refused('a bad item');
      if (items.includes(-2)) throw new Error('the database is gone');
      return items.map((item) => item * 2);
    },
    mayBeOneItem: (error) => error instanceof Refused,
    isStall: () => false,
  });
  return { runs, submit: batcher.submit };
}

describe('a batcher', () => {
  it('merges the calls of one turn into one run, and answers each its own result', async () => {
    const { runs, submit } = doubling();
    assert.deepEqual(await Promise.all([1, 2, 3].map((item) => submit('lane', item))), [2, 4, 6]);
    assert.deepEqual(runs, [[1, 2, 3]]);
  });

  it('merges what arrives during a run into the next one', async () => {
    const { runs, submit } = doubling();
    const first = submit('lane', 1);
    await Promise.resolve();
    const others = [2, 3, 4].map((item) => submit('lane', item));
    await Promise.all([first, ...others]);
    assert.deepEqual(runs, [[1], [2, 3, 4]]);
  });

  it('takes no more than the largest number of items into one run', async () => {
    const { runs, submit } = doubling({ largest: 2 });
    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => submit('lane', item)));
    assert.deepEqual(results, [2, 4, 6, 8, 10]);
    assert.deepEqual(runs, [[1, 2], [3, 4], [5]]);
  });

  it('starts up to `width` runs of a lane at a time, and as many in every other lane', async () => {
    const inside: Record<string, number> = {};
    const most: Record<string, number> = {};
    const batcher = createBatcher<number, string>({
      ...patient,
      largest: 1,
      width: 2,
      minItemsForSecondRun: 1,
      async run(lane, items) {
        inside[lane] = (inside[lane] ?? 0) + 1;
        most[lane] = Math.max(most[lane] ?? 0, inside[lane]);
        await new Promise((resolve) => setImmediate(resolve));
        inside[lane]--;
        return items.map((item) => `${lane}${item}`);
      },
      mayBeOneItem: () => true,
      isStall: () => false,
    });
    const calls = ['a', 'a', 'a', 'b', 'b', 'b'].map((lane, at) => batcher.submit(lane, at));
    assert.deepEqual(await Promise.all(calls), ['a0', 'a1', 'a2', 'b3', 'b4', 'b5']);
    assert.deepEqual(most, { a: 2, b: 2 });
  });

  it('starts a second run next to the first only for items enough', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...patient,
      largest: 100,
      width: 2,
      minItemsForSecondRun: 3,
      async run(_lane, items) {
        runs.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        return items;
      },
      mayBeOneItem: () => false,
      isStall: () => false,
    });
    const submit = (item: number) => batcher.submit('lane', item);
    const first = submit(1);
    await Promise.resolve();
    const few = [submit(2), submit(3)];
    await Promise.resolve();
    assert.deepEqual(runs, [[1]]);
    const enough = submit(4);
    await Promise.resolve();
    assert.deepEqual(runs, [[1], [2, 3, 4]]);
    await Promise.all([first, ...few, enough, submit(5)]);
    assert.deepEqual(runs, [[1], [2, 3, 4], [5]]);
  });

  it('refuses one bad item alone; its neighbours get their results', async () => {
    const { runs, submit } = doubling();
    const settled = await Promise.allSettled([1, -1, 3].map((item) => submit('lane', item)));
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
      [2, 'a bad item', 6],
    );
    assert.deepEqual(runs, [[1, -1, 3], [1], [-1], [3]]);
  });

  it('gives an error that is the fault of no item to all of them, without a second try', async () => {
    const { runs, submit } = doubling();
    const settled = await Promise.allSettled([1, -2].map((item) => submit('lane', item)));
    assert.deepEqual(
      settled.map((one) => one.status === 'rejected' && one.reason.message),
      ['the database is gone', 'the database is gone'],
    );
    assert.equal(runs.length, 1);
  });

  it('does not let every item wait for what stalls one', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...patient,
      largest: 100,
      width: 1,
      minItemsForSecondRun: 1,
      async run(_lane, items) {
        runs.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        if (items.some((item) => item < 0)) throw new Refused('held');
        return [...items];
      },
      mayBeOneItem: () => true,
      isStall: () => true,
    });
    const held = Array.from({ length: 30 }, (_, at) => (at === 0 ? 1 : -at));
    const settled = await Promise.allSettled(held.map((item) => batcher.submit('lane', item)));
    assert.equal(settled[0]?.status, 'fulfilled', 'the item of the other run is served');
    assert.equal(settled.filter((one) => one.status === 'rejected').length, 29);
    assert.ok(runs.length < 8, `${runs.length} runs for 30 items`);
  });

  it('goes on after a failed run', async () => {
    const { submit } = doubling();
    const failed = submit('lane', -2);
    await assert.rejects(failed, /gone/);
    assert.equal(await submit('lane', 5), 10);
  });

  /** Whose run of 1 stays until it is released. */
  function stuck(options: { width: number; maxQueueMs: number }) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...options,
      largest: 100,
      minItemsForSecondRun: 100,
      slowMs: 10,
      refusal: () => new Refused('too late'),
      async run(_lane, items) {
        runs.push([...items]);
        if (items.includes(1)) await held;
        return items;
      },
      mayBeOneItem: () => false,
      isStall: () => false,
    });
    return { runs, release, submit: (item: number) => batcher.submit('lane', item) };
  }

  it('lets no item wait for a run that is stuck, as long as there may be another', async () => {
    const { runs, release, submit } = stuck({ width: 2, maxQueueMs: 60_000 });
    const first = submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await Promise.all([submit(2), submit(3)]), [2, 3]);
    assert.equal(await submit(4), 4);
    assert.deepEqual(runs, [[1], [2, 3], [4]]);
    release();
    assert.equal(await first, 1);
  });

  it('refuses what has waited too long for its turn, and goes on with the rest', {
    timeout: 20_000,
  }, async () => {
    const { release, submit } = stuck({ width: 1, maxQueueMs: 20 });
    const first = submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(submit(2), /too late/);
    release();
    assert.equal(await first, 1);
    assert.equal(await submit(3), 3);
  });
});
