import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import { CommitUnknown, type Db, LostRace, openDatabase, type Tx } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { withoutNodes } from './tenants.ts';

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

  it('does not let an item whose row is held by somebody else take the others with it', async () => {
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

  it('never writes twice when nobody knows whether the commit took place', async () => {
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
