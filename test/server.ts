import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrationsFolder } from '../src/app.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { placement } from '../src/start/placement.ts';
import { loadOrCreateDevelopmentIdentity } from '../src/wallet/apple/certificates/development-ca.ts';
import { bundleApps } from '../src/web-apps/app-bundle.ts';

/** What every test file shares: a migrated template database, on a cluster one on each of its servers, and signing certificates. */
export interface TestServer {
  /** Variables with its address, for the test files. */
  readonly environment: Record<string, string>;
  /** Whether it is a Citus cluster. */
  readonly isCluster: boolean;
  stop(): Promise<void>;
}

const template = 'punchcard_test_template';

/** Prepares it below `folder`, on the given server or on an embedded one. */
export async function prepareTestServer(folder: string, given: string | undefined): Promise<TestServer> {
  const embedded = given === undefined ? await startRoomy(join(folder, 'data')) : null;
  const url = given ?? embedded?.url ?? '';
  const servers = await serversOf(url);
  await createDatabase(servers, template);
  const pool = new pg.Pool({ connectionString: databaseUrl(url, template), max: 1 });
  await migrate(pool, migrationsFolder, placement);
  await pool.end();
  // Citus keeps a session of its own in each of its databases, and what is in use is no template.
  if (servers.length > 1) for (const server of servers) await run(server, closeTemplate);
  const apple = join(folder, 'apple-development');
  await makeDevelopmentIdentity(apple);
  // Once for all services that are started; where `npm ci` has bundled these very sources, nothing is made here.
  await mkdir(join(folder, 'web'), { recursive: true });
  await bundleApps(folder, console)();
  return {
    environment: {
      PUNCHCARD_TEST_SERVERS: servers.join(' '),
      PUNCHCARD_TEST_TEMPLATE: template,
      PUNCHCARD_TEST_APPLE: apple,
      PUNCHCARD_TEST_WEB: join(folder, 'web'),
    },
    isCluster: servers.length > 1,
    stop: async () => embedded?.stop(),
  };
}

/** An embedded server with more connections than a service needs: files run side by side, some with many processes. */
async function startRoomy(dataDir: string) {
  const first = await startEmbeddedPostgres({ dataDir });
  await run(first.url, ['alter system set max_connections = 250']);
  await first.stop();
  return startEmbeddedPostgres({ dataDir });
}

/** The servers of which a database is made: the one that the program connects to, and the workers of a Citus cluster. */
export async function serversOf(url: string): Promise<string[]> {
  const [{ isCitus } = { isCitus: false }] = await run<{ isCitus: boolean }>(url, [
    `select exists (select from pg_extension where extname = 'citus') as "isCitus"`,
  ]);
  if (!isCitus) return [url];
  const workers = await run<{ host: string; port: number }>(url, [
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid',
  ]);
  return [
    url,
    ...workers.map(
      (worker) => Object.assign(new URL(url), { hostname: worker.host, port: worker.port }).href,
    ),
  ];
}

/** Makes an empty database anew; on the servers of a cluster one on each, which are a cluster themselves. */
export async function createDatabase(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers)
    await run(server, [`drop database if exists ${name}`, `create database ${name}`]);
  const [coordinator = '', ...workers] = servers;
  if (workers.length === 0) return;
  await makeCluster(servers.map((server) => databaseUrl(server, name)));
  // Each is a table more to copy for every test.
  await run(coordinator, [`alter database ${name} set citus.shard_count = 4`]);
}

/** Makes a cluster of databases, the coordinator's first. */
export async function makeCluster([coordinator = '', ...workers]: readonly string[]): Promise<void> {
  for (const url of [coordinator, ...workers]) await run(url, ['create extension citus']);
  const { hostname, port } = new URL(coordinator);
  await run(coordinator, [`select citus_set_coordinator_host('${hostname}', ${port})`]);
  for (const worker of workers) await addNode(coordinator, new URL(worker));
}

/** While Citus introduces the nodes to one another, adding one may lose a connection: nothing has happened then. */
async function addNode(coordinator: string, { hostname, port }: URL): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await run(coordinator, [`select citus_add_node('${hostname}', ${port})`]);
      return;
    } catch (error) {
      if (tries === 5 || !/connection marked as essential/.test(String(error))) throw error;
    }
}

const closeTemplate = [
  `alter database ${template} with allow_connections false`,
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
];

/** Runs statements one after the other; the rows of the last. */
export async function run<Row extends pg.QueryResultRow>(
  url: string,
  statements: readonly string[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** Signing certificates in `folder`. */
export async function makeDevelopmentIdentity(folder: string): Promise<void> {
  await loadOrCreateDevelopmentIdentity(folder, {
    passTypeIdentifier: 'pass.dev.punchcard.local',
    teamIdentifier: 'PUNCHCARD0',
    organizationName: 'Punchcard development',
    now: new Date(),
  });
}

/** The URL of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
