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
    assert.match(await dumpSchemaSql(pool), /create table stray/);
    assert.match(
      await dumpSchemaTypes(pool),
      /interface StrayTable \{\n {2}strayId: string;\n {2}at: Date \| null;\n\}/,
    );
    await pool.query('drop table stray');
  });
});

function file(name: string): string {
  return readFileSync(new URL(`../db/${name}`, import.meta.url), 'utf8');
}
