import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { dumpSchemaSql, dumpSchemaTypes } from '../test/schema-dump.ts';

/** Writes db/schema.sql and db/schema.ts from a migrated database: `node scripts/dump-schema.ts <url>`. */
const url = process.argv[2];
if (url === undefined) throw new Error('usage: node scripts/dump-schema.ts <url of a migrated database>');
const pool = new pg.Pool({ connectionString: url });
writeFileSync(new URL('../db/schema.sql', import.meta.url), await dumpSchemaSql(pool));
writeFileSync(new URL('../db/schema.ts', import.meta.url), await dumpSchemaTypes(pool));
await pool.end();
