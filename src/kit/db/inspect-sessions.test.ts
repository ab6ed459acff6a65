import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { openDatabase } from './database.ts';
import { inspectSessions } from './inspect-sessions.ts';

const url = await createTestDatabase();
const name = new URL(url).pathname.slice(1);
after(() => dropTestDatabase(url));

/** What is found in a session that asks for nothing, as behind a pooler that drops what is asked for. */
async function inspect(): Promise<{ unbounded: string | null; forgetful: string | null }> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return inspectSessions(pool).finally(() => pool.end());
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe('what sessions lack', () => {
  it('is nothing where they got what the pool asks for', async () => {
    const database = openDatabase({ url, connections: 1, onError() {} });
    after(() => database.close());
    assert.deepEqual(await inspectSessions(database.pool), { unbounded: null, forgetful: null });
  });

  it('are bounds, with the statements that put it right', async () => {
    const { unbounded } = await inspect();
    assert.match(unbounded ?? '', /idle_in_transaction_session_timeout is 0, lock_timeout is 0, statement/);
    const [, remedy = ''] = /connect anew: (.*)$/.exec(unbounded ?? '') ?? [];
    assert.match(remedy, new RegExp(`in database ${name} set statement_timeout = 5000;`));
    await administer(remedy);
    assert.equal((await inspect()).unbounded, null);
  });

  it('is a bound that is longer than it may be', async () => {
    await administer(`alter role current_user in database ${name} set statement_timeout = '1min'`);
    assert.match((await inspect()).unbounded ?? '', /not bounded: statement_timeout is 60000\. /);
    await administer(`alter role current_user in database ${name} set statement_timeout = '4s'`);
    assert.equal((await inspect()).unbounded, null);
  });

  it('is the wait for the disk', async () => {
    assert.equal((await inspect()).forgetful, null);
    await administer(`alter database ${name} set synchronous_commit = off`);
    assert.equal((await inspect()).forgetful, 'synchronous_commit=off');
  });
});
