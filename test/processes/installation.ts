import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client } from '../client.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../harness.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import type { PooledDatabase } from './pooled-database.ts';
import { RoundRobinProxy } from './round-robin-proxy.ts';

/** What the processes of an installation share, as its operator sets it. */
const secrets = {
  OPERATOR_TOKEN: 'op_of-an-installation-of-several-processes',
  ENCRYPTION_KEY: '5e'.repeat(32),
};

interface Options {
  /** A migrated database of its own by default; it is dropped after the file's tests, too. */
  readonly databaseUrl?: string;
  /** In its place: one behind PgBouncer. */
  readonly pooled?: PooledDatabase;
  /** Three and two by default. */
  readonly apis?: number;
  readonly workers?: number;
  readonly settings?: Record<string, string>;
  /** Each worker's own. */
  readonly workerSettings?: readonly Record<string, string>[];
}

/** Processes that serve behind a load balancer, and processes that do the background work, on one database. */
export class Installation {
  readonly apis: readonly ServiceProcess[];
  readonly workers: readonly ServiceProcess[];
  readonly proxy: RoundRobinProxy;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly operatorToken = secrets.OPERATOR_TOKEN;
  /** By way of the load balancer. */
  readonly operator: Client;
  readonly #pool: pg.Pool;
  readonly #pooled: PooledDatabase | undefined;
  #isOver = false;

  /** Starts all processes; all are gone after the file's tests. */
  static async start(options: Options = {}): Promise<Installation> {
    const installation = await Installation.prepare(options);
    await installation.startAll();
    return installation;
  }

  /** The same, without starting them. */
  static async prepare(options: Options = {}): Promise<Installation> {
    const ending: { installation?: Installation } = {};
    after(() => ending.installation?.end());
    // Registered later, it is removed later.
    const dataDir = await temporaryDataDir();
    const databaseUrl = options.pooled?.databaseUrl ?? options.databaseUrl ?? (await createTestDatabase());
    const ports = await distinctPorts(options.apis ?? 3);
    const proxy = await RoundRobinProxy.start(ports.map((port) => `http://127.0.0.1:${port}`));
    ending.installation = new Installation({ ...options, databaseUrl }, dataDir, ports, proxy);
    return ending.installation;
  }

  private constructor(
    options: Options & { readonly databaseUrl: string },
    dataDir: string,
    ports: readonly number[],
    proxy: RoundRobinProxy,
  ) {
    const environment = {
      DATABASE_URL: options.pooled?.pooler.url ?? options.databaseUrl,
      DATA_DIR: dataDir,
      PUBLIC_URL: proxy.url,
      TRUST_PROXY: '127.0.0.1/32',
      WORKERS: 'off',
      RATE_LIMIT_PER_SECOND: '100000',
      ...secrets,
      ...options.settings,
    };
    this.databaseUrl = options.databaseUrl;
    this.#pooled = options.pooled;
    this.dataDir = dataDir;
    this.proxy = proxy;
    this.apis = ports.map((port) => new ServiceProcess(port, environment));
    this.workers = Array.from(
      { length: options.workers ?? 2 },
      (_, at) => new ServiceProcess(0, { ...environment, ...options.workerSettings?.[at] }, ['work']),
    );
    this.operator = new Client(proxy.url, proxy.url, secrets.OPERATOR_TOKEN);
    this.#pool = new pg.Pool({ connectionString: options.databaseUrl, max: 2 });
    // A test may cut the connections to its database.
    this.#pool.on('error', () => undefined);
  }

  get processes(): readonly ServiceProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Starts one after the other, or all at once. */
  async startAll(how: 'in turn' | 'at once' = 'in turn'): Promise<void> {
    const starting = this.processes.map((one) => async () => {
      await (this.workers.includes(one) ? startWorker(one) : one.start());
    });
    if (how === 'at once') await Promise.all(starting.map((start) => start()));
    else for (const start of starting) await start();
    while (this.proxy.ready < this.apis.length) await sleep(20);
  }

  /** A fresh workspace with a client of its full-access key, by way of the load balancer; by default with the token of the settings. */
  async newWorkspace(operatorToken?: string): Promise<{ workspaceId: string; client: Client }> {
    const operator = operatorToken === undefined ? this.operator : this.operator.as(operatorToken);
    const { body } = await operator.post('/operator/workspaces', {
      name: 'Blue Bean',
      plan: 'pro',
      credits: 10_000,
    });
    return { workspaceId: String(body.workspaceId), client: this.operator.as(String(body.apiKey)) };
  }

  /** The client's key at each process, past the load balancer. */
  atEach(client: Client): Client[] {
    return this.apis.map(({ url }) => new Client(url, this.proxy.url, client.secret));
  }

  /** Asks the database behind the processes' backs. */
  sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.#pool.query<Row>(text, values)).rows;

  /** Ends all processes at once, and drops the database. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await Promise.all(this.processes.map((one) => one.end('SIGKILL')));
    await this.proxy.close();
    await this.#pool.end();
    // PgBouncer's connections would keep it from being dropped.
    await (this.#pooled?.close() ?? dropTestDatabase(this.databaseUrl));
  }
}

/** Starts it and waits until it says that it works. */
export async function startWorker(worker: ServiceProcess): Promise<void> {
  worker.launch();
  while (!worker.isWorking) {
    if (!worker.isRunning) throw new Error(`the worker ended while it started:\n${worker.said}`);
    await sleep(20);
  }
}

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
