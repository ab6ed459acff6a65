import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/kit/embedded-postgres/start.ts';
import { type FakeApns, startFakeApns } from '../fakes/apns.ts';
import { startTcpProxy } from '../fakes/tcp-proxy.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import type { Sql } from './effects.ts';
import { Target } from './target.ts';

export const publicUrl = 'https://cards.example.test';
const shiftClock = new URL('shift-clock.ts', import.meta.url).href;
/** What the database may take; memory is taken for what is there only. */
const diskMegabytes = 4_000;

/** Everything that runs: processes of the service, their database, and Apple's push service. */
export interface Installation {
  readonly apis: readonly Target[];
  readonly workers: readonly Target[];
  readonly database: EmbeddedPostgres;
  /** The disk of the database; null where this account may not mount one. */
  readonly disk: SmallDisk | null;
  readonly apns: FakeApns;
  readonly root: X509Certificate;
  readonly dataDir: string;
  readonly sql: Sql;
  close(): Promise<void>;
}

/** Starts so many of them below `folder`, with the development certificates of `apple`. */
export async function startInstallation(
  folder: string,
  apple: string,
  counts: { readonly apis: number; readonly workers: number },
): Promise<Installation> {
  const closers: (() => unknown)[] = [];
  // Interrupted, nobody waits for an orderly end.
  const leave = () => {
    for (const closer of closers.splice(0).reverse()) void closer();
  };
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
    process.off('exit', leave);
  };
  process.on('exit', leave);
  try {
    return { ...(await wire(folder, apple, counts, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function wire(
  folder: string,
  apple: string,
  counts: { readonly apis: number; readonly workers: number },
  closers: (() => unknown)[],
): Promise<Omit<Installation, 'close'>> {
  const disk = mountSmallDisk(diskMegabytes);
  if (disk !== null) closers.push(() => disk.unmount());
  const database = await startEmbeddedPostgres({ dataDir: join(disk?.path ?? folder, 'database') });
  closers.push(() => database.stop());
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  // Its server is stopped under it.
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  // Little room for what recovery needs, so that a disk in memory stays small.
  await pool.query("alter system set max_wal_size = '128MB'");
  await pool.query('select pg_reload_conf()');

  const authority = {
    certificate: new X509Certificate(await readFile(join(apple, 'wwdr.pem'))),
    privateKey: createPrivateKey(await readFile(join(apple, 'wwdr.key'))),
  };
  const root = new X509Certificate(await readFile(join(apple, 'root.pem')));
  const apns = await startFakeApns({ authority, clientAuthorities: [root, authority.certificate] });
  closers.push(() => apns.close());

  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await cp(apple, join(dataDir, 'apple-development'), { recursive: true });
  const environment = {
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    APNS_URL: apns.url,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_MS: '0',
    WORKERS: 'off',
    NODE_OPTIONS: `--import=${shiftClock}`,
  };
  const newTarget = async (role: 'api' | 'worker', number: number) => {
    const name = `${role} ${number}`;
    const proxy = await startTcpProxy(database.url);
    closers.push(() => proxy.close());
    const clockFile = join(folder, `${role}-${number}.clock`);
    await writeFile(clockFile, '0');
    const process = new ServiceProcess(
      role === 'api' ? await freePort() : 0,
      { ...environment, DATABASE_URL: proxy.url, CRASH_CLOCK: clockFile },
      role === 'api' ? [] : ['work'],
    );
    closers.push(() => process.end('SIGKILL'));
    const target = new Target(name, role, { process, proxy, clockFile });
    // One after the other: the first makes the workspace.
    await target.start();
    return target;
  };
  const [apis, workers]: [Target[], Target[]] = [[], []];
  for (let number = 1; number <= counts.apis; number++) apis.push(await newTarget('api', number));
  for (let number = 1; number <= counts.workers; number++) workers.push(await newTarget('worker', number));
  return {
    apis,
    workers,
    database,
    disk,
    apns,
    root,
    dataDir,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
  };
}
