import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { inParallel } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import { formerVersion } from './former-version.ts';

/** The last migration of the version before. */
const before = '0011';

describe('the migrations that give tables new keys', async () => {
  const { url, sql, migrate } = await formerVersion(before);

  it('leave every row as it is, while the version before goes on writing', async () => {
    const columns = await columnsOf(sql);
    const wasThere = await contentsOf(sql, columns);
    assert.ok(wasThere.every(({ rows }) => Number(rows) > 0));
    let isOver = false;
    const written = inParallel(4, async () => {
      let count = 0;
      for (; !isOver; count++) await writeAsBefore(url);
      return count;
    });
    const applied = await migrate();
    isOver = true;
    assert.ok(applied.length > 0);
    assert.ok((await written).every((count) => count > 0));
    assert.deepEqual(await contentsOf(sql, columns), wasThere);
    await writeAsBefore(url);
  });

  it('leave every foreign key in force', async () => {
    assert.deepEqual(await sql('select conname from pg_constraint where not convalidated'), []);
  });
});

type Sql = TestApp['sql'];

/** The columns of each table. */
function columnsOf(sql: Sql): Promise<{ table: string; columns: string }[]> {
  return sql(
    `select table_name as table, string_agg(column_name, ', ' order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migrations'
       -- These are gone since 0072 and 0073.
       and table_name not like 'ledger_seal%' and table_name <> 'events'
       -- These are written anew by 0020.
       and table_name not in ('apple_devices', 'apple_registrations')
       -- These are gone, or have another name, since 0024.
       and (table_name, column_name) not in (('sweeps', 'lease_owner'), ('sweeps', 'lease_until'), ('sweeps', 'fence'))
       -- Rules have a currency since 0029.
       and (table_name, column_name) <> ('programs', 'earn')
     group by table_name order by table_name`,
  );
}

/** How many rows each table has, and a hash over these columns of them. */
function contentsOf(
  sql: Sql,
  tables: readonly { table: string; columns: string }[],
): Promise<{ table: string; rows: string; hash: string }[]> {
  const each = tables.map(
    ({ table, columns }) =>
      `select '${table}' as table, count(*) as rows, md5(string_agg(t::text, '' order by t::text)) as hash
       from (select ${columns} from ${table}) as t`,
  );
  return sql(`${each.join(' union all ')} order by 1`);
}

/** A change of a card, as the version before makes it, that leaves everything as it was. */
async function writeAsBefore(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      `select i.workspace_id, i.instance_id, i.pass_id
       from pushes p join instances i using (workspace_id, instance_id) order by random() limit 1 for no key update of i`,
    );
    const { workspace_id, instance_id, pass_id } = rows[0];
    const card = [workspace_id, instance_id];
    await client.query(
      'update instances set revision = revision where workspace_id = $1 and instance_id = $2',
      card,
    );
    await client.query(
      'update loyalty_accounts set balance = balance where workspace_id = $1 and instance_id = $2',
      card,
    );
    await client.query(
      `insert into pass_counters as c (workspace_id, pass_id, shard)
       select workspace_id, pass_id, shard from pass_counters where workspace_id = $1 and pass_id = $2 limit 1
       on conflict (workspace_id, pass_id, shard) do update set issued = c.issued`,
      [workspace_id, pass_id],
    );
    await client.query(
      `insert into pushes as p (workspace_id, instance_id, credits, rolled_out, apple, google, web, created_at)
       values ($1, $2, 0, false, false, false, false, now())
       on conflict (workspace_id, instance_id) do update set credits = p.credits`,
      card,
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
}
