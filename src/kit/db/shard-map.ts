import type pg from 'pg';
import type { Part } from './session.ts';
import { type Names, withShardNames } from './shard-names.ts';

/** A node of a cluster that has shards. */
export interface ShardNode {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

/** One shard of each distributed table, on one node: the rows of some tenants, whatever their table. */
export interface Shards extends Pick<Part, 'opening'> {
  readonly node: ShardNode;
  /** The shard of a table that stands for those of all. */
  readonly shardId: string;
  /** A statement as it asks these shards. */
  rename(text: string): string;
}

/** Where the rows of tenants are. */
export interface ShardMap {
  /** Null where it is not known. */
  shardsOf(tenant: string): Promise<Shards | null>;
}

/** More tenants than these are asked for again. */
const mostTenants = 100_000;

/** As the metadata of the cluster have it now; null where there is none, or a shard has several copies. */
export async function readShardMap(pool: pg.Pool): Promise<ShardMap | null> {
  const { rows: shards } = await pool.query<ShardRow>(
    `select t.logicalrelid::text as table, column_to_column_name(t.logicalrelid, t.partkey) as by, s.shardid as id, s.shardminvalue::text as first,
      shard_name(s.logicalrelid, s.shardid) as name, n.groupid as group, n.nodename as host, n.nodeport as port
    from pg_dist_partition t
    join pg_dist_shard s using (logicalrelid)
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
    where t.partmethod = 'h' and t.colocationid = (select min(colocationid) from pg_dist_partition where partmethod = 'h')
    order by t.logicalrelid::text, s.shardid`,
  );
  const { rows: others } = await pool.query<Named & { readonly isEverywhere: boolean }>(
    `select t.logicalrelid::text as table, shard_name(s.logicalrelid, s.shardid) as name, t.repmodel = 't' as "isEverywhere"
    from pg_dist_partition t join pg_dist_shard s using (logicalrelid) where t.partmethod = 'n'`,
  );
  const copies = others.filter(({ isEverywhere }) => isEverywhere);
  const alone = others.filter(({ isEverywhere }) => !isEverywhere);
  const [first] = shards;
  if (first === undefined || new Set(shards.map(({ id }) => id)).size < shards.length) return null;
  const namesOf = (rows: readonly Named[]) => new Map(rows.map(({ table, name }) => [table, name]));
  const byShard = new Map<string, Shards>();
  for (const together of Map.groupBy(shards, (row) => row.first).values()) {
    const { group, host, port, table, id } = together[0] as ShardRow;
    byShard.set(id, {
      node: { group, host, port },
      shardId: id,
      opening: openingOf(table, id, group),
      rename: renamer({
        shards: namesOf(together),
        copies: namesOf(copies),
        others: new Set(alone.map((row) => row.table)),
        by: first.by,
      }),
    });
  }
  return createShardMap(pool, first.table, byShard);
}

/** A table, and what it is called on a node. */
interface Named {
  readonly table: string;
  readonly name: string;
}

interface ShardRow extends Named {
  readonly by: string;
  readonly id: string;
  /** The first of the hashes of its tenants. */
  readonly first: string;
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

/**
 * As Citus does for a write: the table is locked as all are by who wants no writers, and the shard as by who moves it, which
 * moves those of all tables. Only then is it known whether they are here.
 */
function openingOf(table: string, shardId: string, group: number): string {
  return [
    `lock table ${table} in row exclusive mode`,
    `select lock_shard_metadata(${shareLock}, array[${shardId}])`,
    `select from pg_dist_placement where shardid = ${shardId} and groupid = ${group}`,
  ].join('; ');
}

/** PostgreSQL's number of the mode. */
const shareLock = 5;

function createShardMap(pool: pg.Pool, table: string, byShard: ReadonlyMap<string, Shards>): ShardMap {
  const tenants = new Map<string, Promise<Shards | null>>();

  async function ask(tenant: string): Promise<Shards | null> {
    const { rows } = await pool.query<{ id: string }>(
      'select get_shard_id_for_distribution_column($1::text::regclass, $2::uuid) as id',
      [table, tenant],
    );
    return byShard.get(rows[0]?.id ?? '') ?? null;
  }

  return {
    shardsOf(tenant) {
      const known = tenants.get(tenant);
      if (known !== undefined) return known;
      if (tenants.size >= mostTenants) tenants.clear();
      const asked = ask(tenant);
      tenants.set(tenant, asked);
      asked.catch(() => tenants.delete(tenant));
      return asked;
    },
  };
}

/** Statements are few, and each is read once. */
function renamer(names: Names): (text: string) => string {
  const renamed = new Map<string, string>();
  return (text) => {
    let its = renamed.get(text);
    if (its === undefined) {
      its = withShardNames(text, names);
      if (renamed.size < mostTexts) renamed.set(text, its);
    }
    return its;
  };
}

const mostTexts = 1_000;
