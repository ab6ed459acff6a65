import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isCitus } from '../../src/kit/citus/citus.ts';
import { freePort, isFree } from '../service-process.ts';

/** A Citus cluster to run the suites on. */
export interface Cluster {
  /** Of a database on its coordinator. */
  readonly url: string;
  /** The data directories of its nodes; null where they are not ours to stop. */
  readonly folder: string | null;
  stop(): Promise<void>;
}

const workers = 2;

/**
 * The cluster that the URL names, or one of its own; where there can be none, the reason in one sentence. Its own takes
 * the programs `install` and `cluster` of the folder `../shared/citus`, or of the one in CITUS_SCRIPTS.
 */
export async function takeCluster(given: string | undefined): Promise<Cluster | string> {
  if (given !== undefined && (await isCoordinator(given)))
    return { url: given, folder: null, stop: async () => undefined };
  const scripts = resolve(
    process.env.CITUS_SCRIPTS ?? fileURLToPath(new URL('../../../shared/citus', import.meta.url)),
  );
  const install = join(scripts, 'install');
  if (!(existsSync(install) && existsSync(join(scripts, 'cluster'))))
    return `TEST_DATABASE_URL names no Citus cluster, and ${scripts} has no programs to start one.`;
  if ((await run(install)).code !== 0) {
    if (process.geteuid?.() !== 0) return 'Citus is not installed, and to install it takes root.';
    return `${install} has failed: what it has printed says why.`;
  }
  return startCluster(join(scripts, 'cluster'));
}

async function isCoordinator(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return isCitus(client).finally(() => client.end());
}

async function startCluster(program: string): Promise<Cluster> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const cluster = await tryCluster(program);
    // Another process may have been faster at one of the ports.
    if (cluster !== null) return cluster;
  }
  throw new Error(`${program} has failed.`);
}

/** In a folder of its own, which goes with it; null where it does not start. */
async function tryCluster(program: string): Promise<Cluster | null> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-citus-'));
  // Whatever ends this process, no server is left behind.
  const leave = () => execFileSync(program, ['stop', folder], { stdio: 'ignore' });
  process.on('exit', leave);
  const stop = async () => {
    process.off('exit', leave);
    leave();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const port = await freePorts(workers + 1);
  const { code, printed } = await run(program, 'start', folder, String(workers), String(port));
  if (code !== 0) {
    await stop();
    return null;
  }
  const url = printed.trim();
  await lookForPrepared(url);
  return { url, folder, stop };
}

/** Follows docs/SCALING.md: checks every five seconds for transactions that a lost node has left prepared. */
async function lookForPrepared(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("alter system set citus.recover_2pc_interval = '5s'");
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}

/** The first of this many free ports in a row. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const others = Array.from({ length: count - 1 }, (_, place) => isFree(first + place + 1));
    if ((await Promise.all(others)).every(Boolean)) return first;
  }
}

/** Returns the output and the exit code; errors are printed for the user. */
async function run(
  program: string,
  ...args: readonly string[]
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  return { code, printed };
}
