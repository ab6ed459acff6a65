import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { inOneWrite, openDatabase } from './database.ts';
import { sqlState } from './database-errors.ts';
import { prepared, sql } from './sql.ts';

const url = await createTestDatabase();
const database = openDatabase({ url, connections: 4, onError: () => undefined });
after(async () => {
  await database.close();
  await dropTestDatabase(url);
});
const { db, pool } = database;

describe('statements in one write', () => {
  it('are answered in their order, on one connection, which is free again afterwards', async () => {
    const answers = await inOneWrite(db, (one) =>
      Promise.all(
        [1, 2, 3].map(async (place) => {
          const { rows } = await sql<{
            place: number;
            pid: number;
          }>`select ${place}::int as place, pg_backend_pid() as pid`.execute(one);
          return rows[0];
        }),
      ),
    );
    assert.deepEqual(
      answers.map((answer) => answer?.place),
      [1, 2, 3],
    );
    assert.equal(new Set(answers.map((answer) => answer?.pid)).size, 1);
    assert.equal(pool.idleCount, pool.totalCount);
  });

  it('fail with what the database says, and keep no connection', async () => {
    const division = inOneWrite(db, (one) => sql`select 1 / ${0}::int`.execute(one));
    await assert.rejects(division, (error) => sqlState(error) === '22012');
    assert.equal(pool.idleCount, pool.totalCount);
  });

  it('are sent again where a prepared one is of columns that have changed since', async () => {
    await sql`create table test_notes (id int)`.execute(db);
    const read = async () =>
      (
        await inOneWrite(db, (one) =>
          prepared<Record<string, unknown>>`select * from test_notes`.execute(one),
        )
      ).rows;
    await sql`insert into test_notes values (1)`.execute(db);
    assert.deepEqual(await read(), [{ id: 1 }]);
    await sql`alter table test_notes add text text`.execute(db);
    assert.deepEqual(await read(), [{ id: 1, text: null }]);
  });
});
