import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import { withoutNodes } from '../citus/tenants.ts';
import { type Db, openDatabase, type Tx } from './database.ts';
import { CommitUnknown, LostRace } from './database-errors.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import type { DeferredWrite } from './unit.ts';

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

describe('a transaction that tenants share', () => {
  const [one, other] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];
  const shareable = Object.assign(writeNotes.bind(null), { isShareable: true });
  /** A new one for each test: a lane by which a transaction has failed shares none for a while. */
  let sharing: GroupCommit;
  beforeEach(() => {
    sharing = createGroupCommit(withoutNodes(database), 16);
  });

  function writeFor(...items: (readonly [lane: string, text: string])[]) {
    return Promise.allSettled(items.map(([lane, text]) => sharing.write(shareable, lane, text)));
  }

  it('has the writes of several of them, and answers each its own', async () => {
    const results = await writeFor([one, 'a'], [other, 'b'], [one, 'c']);
    assert.deepEqual(
      results.map((result) => result.status === 'fulfilled' && result.value),
      ['a!', 'b!', 'c!'],
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a', 'b', 'c']],
    );
  });

  it('has those of a single one where the function does not allow it', async () => {
    await Promise.all([one, other].map((lane) => sharing.write(writeNotes, lane, 'a')));
    assert.equal((await transactions()).length, 2);
  });

  it('is given up for one each where it fails by one of them', async () => {
    for (const bad of ['bad', 'race', 'held']) {
      await sql`truncate notes`.execute(database.db);
      sharing = createGroupCommit(withoutNodes(database), 16);
      const results = await writeFor([one, 'a'], [other, bad], [other, 'c']);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
        bad,
      );
      assert.deepEqual(
        (await transactions()).map(({ texts }) => texts),
        [['a'], ['c']],
      );
    }
  });

  it('is given up where one of them waits for a lock, so that the others go on', async () => {
    await sql`insert into notes (lane, text) values (${other}, 'locked')`.execute(database.db);
    const lockAndWrite = Object.assign(
      async (tx: Tx, lane: string, texts: readonly string[]) => {
        await sql`select from notes where lane = ${lane} and text = 'locked' for update`.execute(tx);
        return writeNotes(tx, lane, texts);
      },
      { isShareable: true },
    );
    const { promise: isWritten, resolve: release } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const holder = database.transaction(async (tx) => {
      await sql`select from notes where lane = ${other} for update`.execute(tx);
      locked();
      await isWritten;
    });
    await isLocked;
    const held = sharing.write(lockAndWrite, other, 'b');
    assert.equal(await sharing.write(lockAndWrite, one, 'a'), 'a!');
    release();
    await holder;
    assert.equal(await held, 'b!');
  });

  it('never writes twice when the commit may or may not have taken place', async () => {
    proxy.cutOn('commit', 'reply');
    const results = await writeFor([one, 'a'], [other, 'b']);
    assert.ok(
      results.every((result) => result.status === 'rejected' && result.reason instanceof CommitUnknown),
    );
    assert.deepEqual(
      (await transactions()).map(({ texts }) => texts),
      [['a', 'b']],
    );
  });

  it('writes at its end what all have left to it, in one order, and calls what is to follow the commit', async () => {
    const written: string[] = [];
    const leaving = (name: string, lockRank: number): DeferredWrite<string[]> => ({
      lockRank,
      empty: () => [],
      async write(_tx, state) {
        written.push(`${name} ${state.join()}`);
      },
    });
    const [first, last] = [leaving('first', 1), leaving('last', 2)];
    const leave = Object.assign(
      async (tx: Tx, lane: string, texts: readonly string[]) => {
        for (const text of texts) {
          tx.unit.of(last).push(text);
          tx.unit.of(first).push(text);
        }
        tx.unit.afterCommit('committed', () => written.push(`after ${texts.join()}`));
        return writeNotes(tx, lane, texts);
      },
      { isShareable: true },
    );
    await Promise.all([sharing.write(leave, one, 'a'), sharing.write(leave, other, 'b')]);
    assert.deepEqual(written, ['first a', 'first b', 'last a', 'last b', 'after a', 'after b']);
  });
});

describe('a query that tenants share', () => {
  const lanes = ['a', 'b', 'c'].map((last) => `01890000-0000-7000-8000-00000000000${last}`);

  it('answers each its own, and fails for the one alone by which it fails', async () => {
    const sharing = createGroupCommit(withoutNodes(database), 16);
    const connections = new Set<Db>();
    async function divide(db: Db, lane: string, by: readonly number[]) {
      connections.add(db);
      const { rows } = await sql<{ text: string }>`
        select ${lane}::text || ' ' || 12 / divisor as text from unnest(${by}::int[]) as divisor
      `.execute(db);
      return rows.map(({ text }) => text);
    }
    const ask = (...by: number[]) =>
      Promise.allSettled(by.map((divisor, at) => sharing.read(divide, lanes[at] ?? '', divisor)));
    const texts = (results: readonly PromiseSettledResult<string>[]) =>
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code));
    assert.deepEqual(texts(await ask(1, 2, 3)), [`${lanes[0]} 12`, `${lanes[1]} 6`, `${lanes[2]} 4`]);
    assert.equal(connections.size, 1);
    assert.deepEqual(texts(await ask(1, 0, 3)), [`${lanes[0]} 12`, '22012', `${lanes[2]} 4`]);
  });
});
