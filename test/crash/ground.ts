import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeApns, startFakeApns } from '../../tools/fakes/apns.ts';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import type { Closers } from './ask.ts';
import { startDatabase, type TroubledDatabase } from './database.ts';
import { Target } from './target.ts';

export const publicUrl = 'https://cards.example.test';
const shiftClock = new URL('shift-clock.ts', import.meta.url).href;

/** Everything that runs: processes of the service, their database, and Apple's push service. */
export interface Installation {
  readonly apis: readonly Target[];
  readonly workers: readonly Target[];
  readonly database: TroubledDatabase;
  readonly apns: FakeApns;
  readonly root: X509Certificate;
  readonly dataDir: string;
  close(): Promise<void>;
}

/** What an installation is made of. */
interface Parts {
  readonly folder: string;
  /** Development certificates. */
  readonly apple: string;
  readonly apis: number;
  readonly workers: number;
}

/** Starts all of it below the folder. */
export async function startInstallation(parts: Parts): Promise<Installation> {
  const closers: Closers = [];
  // When it is interrupted, it does not wait for an orderly end.
  const leave = () => {
    for (const closer of closers.splice(0).reverse()) void closer();
  };
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
    process.off('exit', leave);
  };
  process.on('exit', leave);
  try {
    return { ...(await wire(parts, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function wire(
  { folder, apple, apis: apiCount, workers: workerCount }: Parts,
  closers: Closers,
): Promise<Omit<Installation, 'close'>> {
  const database = await startDatabase(folder, closers);
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
  for (let number = 1; number <= apiCount; number++) apis.push(await newTarget('api', number));
  for (let number = 1; number <= workerCount; number++) workers.push(await newTarget('worker', number));
  return {
    apis,
    workers,
    database,
    apns,
    root,
    dataDir,
  };
}
