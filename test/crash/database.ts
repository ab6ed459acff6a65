import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres/start.ts';
import { clusterUrl, nodesFolder, nodesIn } from '../citus/nodes.ts';
import type { Random } from '../ledger/random.ts';
import { createDatabase, databaseUrl, serversOf } from '../server.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { until } from '../wallets.ts';
import { ask, type Closers } from './ask.ts';
import type { Sql } from './effects.ts';

/** The database of an installation that is in for trouble: one server, or a Citus cluster. */
export interface TroubledDatabase {
  readonly url: string;
  readonly sql: Sql;
  /** Asks each of its servers. */
  readonly each: readonly Sql[];
  /** Servers that can be stopped at once, by the name of the fault. */
  readonly stops: Partial<Record<StopName, readonly Stop[]>>;
  /** Its disk; null where this account may not mount one. */
  readonly disk: SmallDisk | null;
  /** What can happen to a database of this kind. */
  readonly faults: readonly DatabaseFault[];
  /** Of these, what cannot be brought about here, and why in a few words. */
  readonly impossible: Partial<Record<DatabaseFault, string>>;
  /** Asks several questions, each of which sees all of a workspace as it is at one moment. */
  atMoments<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

export type StopName =
  | 'database stopped at once'
  | 'worker node stopped at once'
  | 'coordinator stopped at once';
export type DatabaseFault = StopName | 'disk of the database full';

/** Stops a server as a crash does; resolves when it takes connections again. */
type Stop = (random: Random) => Promise<void>;

/** What the database may take; memory is taken for what is there only. */
const diskMegabytes = 4_000;
/** How long a node of a cluster is away, at most. */
const mostAwayMs = 4_000;
const notOurs = 'the nodes are not ours to stop';

/** A database of its own below `folder`, or the cluster of the runner where there is one. */
export function startDatabase(folder: string, closers: Closers): Promise<TroubledDatabase> {
  return clusterUrl === undefined
    ? startServer(folder, closers)
    : startOnCluster(clusterUrl, nodesFolder, closers);
}

/** On a small disk where that can be had. */
async function startServer(folder: string, closers: Closers): Promise<TroubledDatabase> {
  const disk = mountSmallDisk(diskMegabytes);
  if (disk !== null) closers.push(() => disk.unmount());
  const database = await startEmbeddedPostgres({ dataDir: join(disk?.path ?? folder, 'database') });
  closers.push(() => database.stop());
  const sql = ask(database.url, closers);
  // Little room for what recovery needs, so that a disk in memory stays small.
  await sql("alter system set max_wal_size = '128MB'");
  await sql('select pg_reload_conf()');
  const stop = async () => {
    const { pid } = database;
    process.kill(pid, 'SIGQUIT');
    await until('the database runs again', () => database.pid !== pid, 120_000);
  };
  return {
    url: database.url,
    sql,
    each: [sql],
    stops: { 'database stopped at once': [stop] },
    disk,
    faults: ['database stopped at once', 'disk of the database full'],
    impossible: disk === null ? { 'disk of the database full': 'needs root' } : {},
    atMoments: (work) => work(sql),
  };
}

/** One whose nodes are stopped where the folder of their data is known. */
async function startOnCluster(
  cluster: string,
  nodes: string | undefined,
  closers: Closers,
): Promise<TroubledDatabase> {
  const servers = await serversOf(cluster);
  const name = `punchcard_crash_${randomBytes(6).toString('hex')}`;
  await createDatabase(servers, name);
  const urls = servers.map((server) => databaseUrl(server, name));
  closers.push(() => dropEverywhere(servers, name));
  const each = urls.map((url) => ask(url, closers));
  const [sql = ask(cluster, closers)] = each;
  const [coordinator, ...workers] = (nodes === undefined ? [] : nodesIn(nodes)).map(
    (node) => async (random: Random) => {
      await node.stopAtOnce();
      await sleep(random() * mostAwayMs);
      await node.start();
    },
  );
  return {
    url: databaseUrl(cluster, name),
    sql,
    each,
    stops: {
      ...(coordinator && { 'coordinator stopped at once': [coordinator] }),
      'worker node stopped at once': workers,
    },
    faults: ['worker node stopped at once', 'coordinator stopped at once'],
    impossible:
      coordinator === undefined
        ? { 'worker node stopped at once': notOurs, 'coordinator stopped at once': notOurs }
        : {},
    disk: null,
    atMoments: (work) => inOneSnapshot(databaseUrl(cluster, name), work),
  };
}

/**
 * The rows of a workspace lie on one node: over one connection to each, which keeps its snapshot, they are seen as they
 * were at one moment.
 */
async function inOneSnapshot<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local citus.max_adaptive_executor_pool_size = 1');
    return await work(
      async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
        (await client.query<Row>(text, values)).rows,
    );
  } finally {
    await client.end();
  }
}

async function dropEverywhere(servers: readonly string[], name: string): Promise<void> {
  for (const url of servers) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`).finally(() => client.end());
  }
}
