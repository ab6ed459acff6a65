import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { createTestDatabase, dropTestDatabase } from '../harness.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import { until } from '../wallets.ts';
import { reachesLoopback, writeAuthority } from './outside.ts';

/** A service that was started for the suite alone, so that its database may be taken away. */
export class OwnService {
  readonly url: string;
  readonly operatorToken: string;
  /** Where the certificate is that it trusts. */
  readonly folder: string;
  readonly #process: ServiceProcess;
  readonly #proxy: TcpProxy;
  readonly #databaseUrl: string;

  private constructor(started: {
    process: ServiceProcess;
    proxy: TcpProxy;
    databaseUrl: string;
    folder: string;
    operatorToken: string;
  }) {
    this.url = started.process.url;
    this.operatorToken = started.operatorToken;
    this.folder = started.folder;
    this.#process = started.process;
    this.#proxy = started.proxy;
    this.#databaseUrl = started.databaseUrl;
  }

  /** Starts it as its operator would: a process with its settings in the environment. */
  static async start(): Promise<OwnService> {
    const folder = await mkdtemp(join(tmpdir(), 'punchcard-contract-'));
    await writeAuthority(folder);
    const databaseUrl = await createTestDatabase();
    const proxy = await startTcpProxy(databaseUrl);
    const process = new ServiceProcess(await freePort(), {
      ...reachesLoopback,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      DATABASE_URL: proxy.url,
      // Else work goes past the proxy, to the nodes of a cluster.
      DATABASE_NODE_POOL: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'info',
    });
    await process.start();
    const firstRun = JSON.parse(await readFile(join(folder, 'data', 'first-run.json'), 'utf8'));
    return new OwnService({ process, proxy, databaseUrl, folder, operatorToken: firstRun.operatorToken });
  }

  /** The lines of its log that contain these words, once there are this many. */
  async logged(words: string, count: number): Promise<string[]> {
    const found = () => this.#process.printed.split('\n').filter((line) => line.includes(words));
    await until(`the log says ${words}`, () => found().length >= count);
    return found();
  }

  /** Takes the database away for as long as the work lasts. */
  async withoutDatabase<T>(work: () => Promise<T>): Promise<T> {
    this.#proxy.isDown = true;
    try {
      return await work();
    } finally {
      this.#proxy.isDown = false;
      await until('the service is ready again', async () => (await fetch(`${this.url}/readyz`)).ok, 30_000);
    }
  }

  /** The next answer of the database to a COMMIT gets lost, whichever client sent it: the COMMIT was carried out. */
  loseNextCommit(): void {
    this.#proxy.cutOn('commit', 'reply');
  }

  async close(): Promise<void> {
    await this.#process.end('SIGTERM');
    await this.#proxy.close();
    await dropTestDatabase(this.#databaseUrl);
    await rm(this.folder, { recursive: true, force: true });
  }
}
