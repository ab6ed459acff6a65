import type { DatabaseConnection } from 'kysely';
import {
  type Database,
  type DatabaseOptions,
  type Db,
  openDatabase,
  type TransactionBounds,
  type Tx,
} from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import { isDirect, Session, ShardMoved } from '../db/session.ts';
import { prepared, sendBySession } from '../db/sql.ts';
import { renameIfStale } from '../db/statement.ts';
import { isCitus } from './citus.ts';
import { identifyNodes, identity } from './nodes.ts';
import { readShardMap, type ShardNode, type Shards } from './shard-map.ts';

/**
 * Work on the rows of one tenant. On a cluster it goes to the node that has them, and asks its shards by their own names: there
 * a statement is planned once and a transaction commits as on a single server, where through the coordinator each statement is
 * planned on two servers anew, and taken apart if it writes to several tables. Whatever is in the way of that, the same
 * work goes through the coordinator, which is as right.
 */
export interface Tenants {
  /** Like `Database.transaction`; of no tenant in particular where it is null. */
  transaction<T>(tenant: string | null, work: (tx: Tx) => Promise<T>, bounds?: TransactionBounds): Promise<T>;
  /** Statements that read, and change nothing where they are sent twice. */
  read<T>(tenant: string | null, ask: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Where the rows of a tenant are, and the database of that node. */
interface Place {
  readonly tenant: string;
  readonly shards: Shards;
  readonly database: Database;
}

/** How the databases of nodes are opened: as the coordinator's, which `url` leads to, with so many connections each. */
type Options = DatabaseOptions & { readonly open?: typeof openDatabase };

/** On a single PostgreSQL all work is the database's own, and where nodes have no connections. */
export async function openTenants(database: Database, options: Options): Promise<Tenants> {
  if (options.connections === 0 || !(URL.canParse(options.url) && (await isCluster(database))))
    return withoutNodes(database);
  return withNodes(database, options);
}

/** All work goes to the database. */
export function withoutNodes({ db, transaction }: Pick<Database, 'db' | 'transaction'>): Tenants {
  return {
    transaction: (_tenant, work, bounds) => transaction(work, bounds),
    read: (_tenant, ask) => ask(db),
    close: async () => undefined,
  };
}

/** A node that was not reached is left alone for so long. */
const restMs = 5_000;
/** Where shards are is asked no more often. */
const staleMs = 1_000;

async function withNodes(database: Database, options: Options): Promise<Tenants> {
  let map = await readShardMap(database.pool);
  let askedAt = performance.now();
  const nodes = createNodes();

  return {
    async transaction(tenant, work, bounds) {
      const place = await placeOf(tenant);
      if (place === null) return database.transaction(work, bounds);
      try {
        return await place.database.transaction(async (tx) => {
          await routeToShard(tx, place);
          return work(tx);
        }, bounds);
      } catch (error) {
        if (!isElsewhere(error, place.shards.node)) throw error;
        return database.transaction(work, bounds);
      }
    },
    async read(tenant, ask) {
      const place = await placeOf(tenant);
      if (place === null) return ask(database.db);
      try {
        return await readAt(place, ask);
      } catch (error) {
        if (!isElsewhere(error, place.shards.node)) throw error;
        return ask(database.db);
      }
    },
    close: () => nodes.close(),
  };

  async function placeOf(tenant: string | null): Promise<Place | null> {
    if (tenant === null) return null;
    const shards = await map?.shardsOf(tenant);
    if (shards == null) return null;
    const itsDatabase = await nodes.databaseOf(shards.node);
    return itsDatabase === null ? null : { tenant, shards, database: itsDatabase };
  }

  /** Whether the work is to go through the coordinator: nothing of it was done. */
  function isElsewhere(error: unknown, node: ShardNode): boolean {
    if (isUnreached(error)) {
      nodes.rest(node, error);
      return true;
    }
    if (!(error instanceof ShardMoved || isUnknownTable(error))) return false;
    if (performance.now() - askedAt > staleMs) {
      askedAt = performance.now();
      // Until the new map is here, the former one leads to nodes that forward the statement.
      readShardMap(database.pool).then(
        (read) => {
          map = read;
        },
        () => undefined,
      );
    }
    return true;
  }

  /** The databases of the nodes, opened when they are needed. */
  function createNodes() {
    const opened = new Map<string, Promise<Database>>();
    const resting = new Map<string, number>();
    const nameOf = ({ host, port }: ShardNode) => `${host}:${port}`;

    async function openNode({ group, host, port }: ShardNode): Promise<Database> {
      const { open = openDatabase, url } = options;
      // LOCK TABLE is the node's own then.
      const settings = '-c citus.enable_ddl_propagation=off';
      const node = open({ ...options, url: urlOf(url, host, port), settings });
      try {
        const known = (await identifyNodes(database.pool)).get(group);
        const { rows } = await node.pool.query<{ identity: string }>(identity);
        if (known === undefined || rows[0]?.identity !== known)
          throw new Error('by this name another server answers than the coordinator has');
        return node;
      } catch (error) {
        await node.close();
        throw error;
      }
    }

    return {
      async databaseOf(node: ShardNode): Promise<Database | null> {
        const name = nameOf(node);
        if ((resting.get(name) ?? 0) > performance.now()) return null;
        let its = opened.get(name);
        if (its === undefined) {
          its = openNode(node);
          opened.set(name, its);
        }
        try {
          return await its;
        } catch (error) {
          if (opened.get(name) === its) opened.delete(name);
          this.rest(node, error);
          return null;
        }
      },
      rest(node: ShardNode, error: unknown): void {
        const name = nameOf(node);
        if ((resting.get(name) ?? 0) <= performance.now())
          options.onError(
            new Error(`${name} is not reached: work goes through the coordinator`, { cause: error }),
          );
        resting.set(name, performance.now() + restMs);
      },
      async close(): Promise<void> {
        const all = await Promise.allSettled(opened.values());
        await Promise.all(all.map((its) => (its.status === 'fulfilled' ? its.value.close() : undefined)));
      },
    };
  }
}

/** Whether it is a cluster's, with nothing between that hands sessions out to many: that may know what the nodes can bear. */
async function isCluster({ pool }: Database): Promise<boolean> {
  const client = await pool.connect();
  try {
    return isDirect(client) && (await isCitus(client));
  } finally {
    client.release();
  }
}

/** The same account and database on another server. */
function urlOf(url: string, host: string, port: number): string {
  const its = new URL(url);
  its.searchParams.delete('host');
  its.searchParams.delete('port');
  return Object.assign(its, { hostname: host, port: String(port) }).href;
}

/** Reads on one connection, all in one write as far as `ask` sends it before it awaits anything. */
function readAt<T>(place: Place, ask: (db: Db) => Promise<T>): Promise<T> {
  return place.database.db.connection().execute(async (one) => {
    await routeToShard(one, place);
    await sendBySession(one);
    const answer = async () => {
      const [here, answered] = await Promise.allSettled([isHere(one, place.shards), ask(one)]);
      if (here.status === 'rejected') throw here.reason;
      if (!here.value) throw new ShardMoved();
      if (answered.status === 'fulfilled') return answered.value;
      throw answered.reason;
    };
    return answer().catch((error) => {
      if (!renameIfStale(error)) throw error;
      return answer();
    });
  });
}

/** Whether the node has the shards, as of this statement. */
async function isHere(db: Db, { shardId, node }: Shards): Promise<boolean> {
  const { rows } = await prepared`
    select from pg_dist_placement where shardid = ${shardId}::bigint and groupid = ${node.group}::int
  `.execute(db);
  return rows.length > 0;
}

/** Sends later statements on the connection that `db` keeps to the shards, except those that do not name the tenant. */
async function routeToShard(db: Db, { tenant, shards }: Place): Promise<void> {
  // Alone, or in each place of a list: whose the rows are that come in lists.
  const isOfTenant = (value: unknown) =>
    value === tenant || (Array.isArray(value) && value[0] === tenant && value.every((its) => its === tenant));
  const rename = (text: string, values: readonly unknown[]) =>
    values.some(isOfTenant) ? shards.rename(text) : text;
  await db.getExecutor().provideConnection(async (connection: DatabaseConnection) => {
    if (connection instanceof Session) connection.routeTo({ opening: shards.opening, rename });
  });
}

/** True if the table is unknown there: it is on the coordinator alone, or its shard was moved. */
function isUnknownTable(error: unknown): boolean {
  return sqlState(error) === '42P01';
}

/** True if we never connected: server down, authentication refused, or no free connection. */
function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall))) return true;
  return (
    /due to connection timeout$/.test(error.message) || /^(?:57P03|53300|28|3D)/.test(sqlState(error) ?? '')
  );
}
