import type pg from 'pg';

/** Where the rows of tables live on a Citus cluster. All others with the column `by` are distributed by it. */
export interface Placement {
  /** The tenant's column: rows of one value live on one node, whatever their table. */
  readonly by: string;
  /** Tables of which each node has a copy: small, and foreign keys of distributed tables lead there. */
  readonly everywhere: readonly string[];
  /** Tables with the column that stay on the coordinator, since they map things to tenants. */
  readonly coordinator: readonly string[];
}

/** Whether the database is the coordinator of a Citus cluster. */
export async function isCitus(session: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await session.query("select from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/**
 * Sets what holds until the transaction of `client` ends, and on a cluster for its part on each node, where the account has
 * bounds of its own. Takes no snapshot. Without a cluster the first setting has no effect.
 */
export async function setForTransaction(
  client: pg.ClientBase,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  // Citus sends a setting on with all that it came with: each comes alone.
  for (const [name, value] of Object.entries({ 'citus.propagate_set_commands': 'local', ...settings }))
    await client.query(`set local ${name} = '${value}'`);
}

/** Tables that are not where they belong: new ones, or all of a database that has just become a cluster's. */
export async function listMisplaced(
  session: pg.Pool | pg.ClientBase,
  { by, everywhere, coordinator }: Placement,
): Promise<{ readonly table: string; readonly isEverywhere: boolean }[]> {
  const { rows } = await session.query<{ table: string; isEverywhere: boolean }>(
    `select c.relname as table, c.relname = any($2) as "isEverywhere"
    from pg_class c
    left join citus_tables t on t.table_name = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($3)
      and (c.relname = any($2)
        or exists (select from pg_attribute where attrelid = c.oid and attname = $1 and not attisdropped))
      and t.citus_table_type is distinct from case when c.relname = any($2) then 'reference' else 'distributed' end
    order by c.relname <> all($2), c.relname`,
    [by, everywhere, coordinator],
  );
  return rows;
}

/**
 * Moves tables to where they belong, with their rows, in the transaction of `client`; nothing where there is no cluster.
 * Foreign keys are taken off for that time, since none may lead from a table that is distributed to one that is not. Comments
 * are made again where a key to a table of which each node has a copy makes Citus put another table in the place of its own.
 */
export async function distributeTables(client: pg.ClientBase, placement: Placement): Promise<void> {
  if (!(await isCitus(client))) return;
  await client.query(schemaChanges);
  const misplaced = await listMisplaced(client, placement);
  const keys = await keysInTheWay(
    client,
    misplaced.map(({ table }) => table),
  );
  if (keys.length + misplaced.length === 0) return;
  const comments = await listComments(client);
  for (const { remove } of keys) await client.query(remove);
  for (const { table, isEverywhere } of misplaced) {
    if (isEverywhere) await client.query('select create_reference_table($1)', [table]);
    else
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        table,
        placement.by,
        (await neighbourOf(client)) ?? 'default',
      ]);
    await dropLeftRows(client, table);
  }
  for (const { add } of keys) await client.query(add);
  const kept = new Set(await listComments(client));
  for (const comment of comments) if (!kept.has(comment)) await client.query(comment);
}

/**
 * Changes the schema by statements, in the transaction of `client`. Where tables are distributed already, one that is created
 * is where it belongs before its foreign keys are: a local table may have none that lead to a distributed one. Before that
 * all stays on the coordinator, since what is distributed takes fewer kinds of statements.
 */
export async function changeSchema(
  client: pg.ClientBase,
  statements: readonly string[],
  placement: Placement | undefined,
): Promise<void> {
  const isDistributed = (await isCitus(client)) && (await neighbourOf(client)) !== null;
  if (isDistributed) await client.query(schemaChanges);
  for (const text of statements) {
    const isApart = isDistributed && /^create\s+(?:unlogged\s+)?table\b/i.test(text);
    if (isApart) await client.query(onlyHere);
    await client.query({ text, ...patience });
    if (isApart) await client.query(onNodesAsWell);
    if (isApart && placement !== undefined) await distributeTables(client, placement);
  }
}

/** Rows that were distributed stay on the coordinator as well, where no statement sees, changes or erases them. */
async function dropLeftRows(client: pg.ClientBase, table: string): Promise<void> {
  const name = client.escapeIdentifier(table);
  // Of the coordinator's own table alone; triggers may forbid emptying it.
  await client.query(onlyHere);
  await client.query(`alter table ${name} disable trigger user`);
  await client.query('select truncate_local_data_after_distributing_table($1)', [table]);
  await client.query(`alter table ${name} enable trigger user`);
  await client.query(onNodesAsWell);
}

/**
 * Has the transaction of `client` use one connection to each node of a cluster: there it has one snapshot, and what it has
 * written to tables of which each node has a copy it may use in those that are distributed.
 */
export async function keepToOneConnection(client: pg.ClientBase): Promise<void> {
  await client.query(
    "select set_config('citus.max_adaptive_executor_pool_size', '1', true), set_config('citus.multi_shard_modify_mode', 'sequential', true)",
  );
}

/** Without the time-out that the pool's own connections have for requests. */
export const patience: { readonly query_timeout: number } = { query_timeout: 2 ** 31 - 1 };

/**
 * Statements that change several shards, or read what was changed so, share one connection to a node in a transaction. Of
 * triggers: ours look at the row that they are about, and at nothing else, which is as safe on a shard.
 */
const schemaChanges =
  "select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true)";

/** Whether changes of the schema are those of this node alone. */
const onlyHere = "select set_config('citus.enable_ddl_propagation', 'off', true)";
const onNodesAsWell = "select set_config('citus.enable_ddl_propagation', 'on', true)";

/** The foreign keys of tables and to them, and those that Citus does not know of: how to take them off, and put them back. */
async function keysInTheWay(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<{ remove: string; add: string }[]> {
  const { rows } = await client.query<{ remove: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      and (array[conrelid::regclass::text, confrelid::regclass::text] && $1
        or conrelid not in (select logicalrelid from pg_dist_partition)
          and confrelid in (select logicalrelid from pg_dist_partition))
    order by conrelid::regclass::text, conname`,
    [tables],
  );
  return rows;
}

/** The comments on tables and their columns, as the statements that make them. */
async function listComments(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ comment: string }>(
    `select format('comment on %s is %L',
        case when a.attname is null then format('table %s', c.oid::regclass)
          else format('column %s.%I', c.oid::regclass, a.attname) end,
        d.description) as comment
    from pg_class c
    join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname, d.objsubid`,
  );
  return rows.map(({ comment }) => comment);
}

/** A table that is distributed already: it says in how many shards, and where they are, whatever the settings have become. */
async function neighbourOf(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ table: string }>(
    "select logicalrelid::text as table from pg_dist_partition where partmethod = 'h' order by colocationid limit 1",
  );
  return rows[0]?.table ?? null;
}
