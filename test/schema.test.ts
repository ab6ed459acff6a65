import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from './harness.ts';
import { dumpSchemaSql, dumpSchemaTypes } from './schema-dump.ts';

const advice = 'run `node scripts/dump-schema.ts <url of a migrated database>` and look at what changed';

describe('the golden schema', async () => {
  const url = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Its end is not awaited to the last byte.
  pool.on('error', () => undefined);
  after(async () => {
    await pool.end();
    await dropTestDatabase(url);
  });

  test('db/schema.sql is what the migrations make', async () => {
    assert.equal(file('schema.sql'), await dumpSchemaSql(pool), advice);
  });

  test('db/schema.ts is what the migrations make', async () => {
    assert.equal(file('schema.ts'), await dumpSchemaTypes(pool), advice);
  });

  test('a table that no migration made is noticed', async () => {
    await pool.query('create table stray (stray_id uuid primary key, at timestamptz)');
    assert.match(await dumpSchemaSql(pool), /;\n\ncreate table stray/);
    assert.match(
      await dumpSchemaTypes(pool),
      /interface StrayTable \{\n {2}strayId: string;\n {2}at: Date \| null;\n\}/,
    );
    await pool.query('drop table stray');
  });

  test('a comment that no migration made, or that is gone, is noticed', async () => {
    const client = await pool.connect();
    try {
      const before = await dumpSchemaSql(client);
      for (const change of [
        "comment on table passes is 'Another design.'",
        'comment on table passes is null',
        "comment on column passes.title is 'in capitals'",
        'comment on column passes.pool_low_at is null',
      ]) {
        await client.query(`begin; ${change}`);
        assert.notEqual(await dumpSchemaSql(client), before, change);
        await client.query('rollback');
      }
    } finally {
      client.release();
    }
  });

  test('comments stand above what they are on, in lines that can be read', async () => {
    await pool.query(`create table stray (stray_id uuid primary key, at timestamptz);
      comment on table stray is '${'so many words '.repeat(10).trim()}';
      comment on column stray.at is 'null: never'`);
    const lines = `-- ${'so many words '.repeat(8)}so\n-- many words so many words\n`;
    const body = '  stray_id uuid not null,\n  -- null: never\n  at timestamp with time zone,\n';
    assert.ok((await dumpSchemaSql(pool)).includes(`\n\n${lines}create table stray (\n${body}`));
    await pool.query('drop table stray');
  });
});

function file(name: string): string {
  return readFileSync(new URL(`../db/${name}`, import.meta.url), 'utf8');
}
