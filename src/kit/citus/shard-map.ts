import type pg from 'pg';
import type { ShardTarget } from '../db/session.ts';

/** A node of a cluster that has shards. */
export interface ShardNode {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

/** One shard of each distributed table, on one node: the rows of some tenants, whatever their table. */
export interface Shards extends Pick<ShardTarget, 'opening'> {
  readonly node: ShardNode;
  /** The shard of one table, which represents the shards of all. */
  readonly shardId: string;
  /** A statement as it asks these shards. */
  rename(text: string): string;
}

/** Where the rows of tenants are. */
interface ShardMap {
  /** Null where it is not known. */
  shardsOf(tenant: string): Promise<Shards | null>;
}

/** More tenants than these are asked for again. */
const mostTenants = 100_000;

/** Reads the map from the metadata of the cluster; null where there is none, or a shard has several copies. */
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

/** What tables are called on a node, by their names. */
interface Names {
  /** The shards of distributed tables that hold the rows of some tenants. */
  readonly shards: ReadonlyMap<string, string>;
  /** The node's copies of tables that are everywhere: right to read, and neither to lock nor to write. */
  readonly copies: ReadonlyMap<string, string>;
  /** Tables of the coordinator that nodes ask it for. */
  readonly others: ReadonlySet<string>;
  /** The column that says whose a row is. A statement about the rows of all others has another sign than = behind it. */
  readonly by: string;
}

/**
 * A statement as it asks one shard of each table: the names of tables are replaced, and the tables are called in it as before.
 * A name that is not seen to be a table's stays, and leads to the whole table, which is as right.
 */
export function withShardNames(text: string, { shards, copies, others, by }: Names): string {
  if (new RegExp(`\\b${by}\\b"?\\s*(?:<>|!=)`).test(text)) return text;
  const tokens = [...text.matchAll(token)].map(([word]) => word);
  const isSpace = (word: string) => /^(?:\s|--|\/\*)/.test(word);
  const step = (from: number, by: 1 | -1) => {
    let at = from + by;
    while (tokens[at] !== undefined && isSpace(tokens[at] as string)) at += by;
    return at;
  };
  const wordAt = (at: number) => (tokens[at] ?? '').toLowerCase();
  const parts = new Set(partsOf(tokens, step));
  const locks = /\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b/i.test(text);
  let said = '';
  for (const [at, word] of tokens.entries()) {
    const name = nameOf(word);
    const before = wordAt(step(at, -1));
    const after = step(at, 1);
    const isTarget = before === 'into' || before === 'update' || (before === 'from' && isDelete(at));
    const isOther = others.has(name ?? '') || ((locks || isTarget) && copies.has(name ?? ''));
    const shard = shards.get(name ?? '') ?? copies.get(name ?? '');
    const isTable = beforeTables.has(before) && (isTarget || !parts.has(name ?? ''));
    // One statement asks either shards or the cluster.
    if (isOther && isTable) return text;
    if (shard === undefined || !isTable || wordAt(after) === '.') said += word;
    else if (isAlias(tokens[after])) said += shard;
    else said += `${shard} as ${word}`;
  }
  return said;

  function isDelete(at: number): boolean {
    return wordAt(step(step(at, -1), -1)) === 'delete';
  }
}

/** Comments, texts, names in quotes, words, spaces, and any other sign by itself. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|[a-z_][a-z0-9_$]*|\s+|[\s\S]/gi;

/** What a statement calls by names of its own: `name as (…)`, or `name (columns) as (…)`. */
function* partsOf(tokens: readonly string[], step: (from: number, by: 1 | -1) => number): Generator<string> {
  for (const [at, word] of tokens.entries()) {
    if (word.toLowerCase() !== 'as') continue;
    let next = step(at, 1);
    while (['not', 'materialized'].includes(tokens[next]?.toLowerCase() ?? '')) next = step(next, 1);
    if (tokens[next] !== '(') continue;
    let before = step(at, -1);
    if (tokens[before] === ')') {
      while (before >= 0 && tokens[before] !== '(') before--;
      before = step(before, -1);
    }
    const name = nameOf(tokens[before] ?? '');
    if (name !== null) yield name;
  }
}

function nameOf(word: string): string | null {
  if (/^[a-z_]/i.test(word)) return word.toLowerCase();
  return word.startsWith('"') ? word.slice(1, -1) : null;
}

function isAlias(word: string | undefined): boolean {
  const name = nameOf(word ?? '');
  return name !== null && !behindTables.has(name);
}

const beforeTables = new Set(['from', 'join', 'into', 'update', 'using', 'only']);

/** Words that follow a table which has no other name. */
const behindTables = new Set(
  `cross default except fetch for full group having inner intersect join left limit natural offset on order overriding
  returning right select set tablesample union using values where window with`.split(/\s+/),
);
