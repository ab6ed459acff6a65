import { randomBytes } from 'node:crypto';
import {
  chmod,
  lchown,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, noSpaceFor, WrongMajorVersion } from './errors.ts';
import { type DataPaths, unfinishedPrefix } from './paths.ts';
import type { Programs } from './programs.ts';
import { type Account, directoryArgument, type RunAs, runToEnd } from './run-as.ts';

export const superuser = 'postgres';

/**
 * Looks, without touching anything, whether a cluster of `majorVersion` is there, and who owns it; undefined
 * means that a new one may be made. Raises `WrongMajorVersion`, or `EmbeddedPostgresError` for files that are
 * something else.
 */
export async function inspectCluster(cluster: string, majorVersion: number): Promise<Account | undefined> {
  const content = await readdir(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (content.length === 0) return undefined;
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  const found = Number.parseInt(version, 10);
  if (!found) {
    throw new EmbeddedPostgresError(
      `${cluster} is not empty and holds no PostgreSQL data (no PG_VERSION). Nothing was changed. Move its ` +
        'files away, or set DATA_DIR to another directory.',
    );
  }
  if (found !== majorVersion) throw new WrongMajorVersion(cluster, found, majorVersion);
  const { uid, gid } = await stat(cluster);
  return { uid, gid };
}

/**
 * Makes a cluster: UTF8, the builtin C.UTF-8 locale, passwords by scram-sha-256, page checksums, a little memory
 * and WAL. It is built under another name and renamed when it is complete and on disk, so a start cut short
 * leaves no half cluster.
 */
export async function createCluster(
  paths: DataPaths,
  password: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  const fresh = await mkdtemp(join(paths.dataDir, unfinishedPrefix));
  try {
    if (runAs.strategy === 'setuid') await lchown(fresh, runAs.account.uid, runAs.account.gid);
    await runInitdb(paths, fresh, password, programs, runAs);
    await rename(fresh, paths.cluster).catch((error) => {
      throw new EmbeddedPostgresError(
        `The new database could not be moved to ${paths.cluster} (${error.message}). If that is a mount ` +
          `point, mount the disk at ${paths.dataDir} instead.`,
        { cause: error },
      );
    });
    await syncDirectory(paths.dataDir);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Removes what a start that was cut short left half made. */
export async function removeUnfinished(paths: DataPaths): Promise<void> {
  for (const name of await readdir(paths.dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    // An initdb that outlived its killed starter may still add files; what resists goes at the next start.
    await rm(join(paths.dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/**
 * Gives the files to the account the server runs as (root only) and closes the directory to others, both of
 * which PostgreSQL insists on. Raises `EmbeddedPostgresError` when an ordinary account opens another account's
 * cluster.
 */
export async function claimFiles(cluster: string, runAs: RunAs): Promise<void> {
  const { uid, gid } = runAs.account;
  const found = await stat(cluster);
  if (process.geteuid?.() !== 0) {
    if (found.uid !== uid) {
      throw new EmbeddedPostgresError(
        `${cluster} belongs to user number ${found.uid}, and this program runs as ${uid}. Run it as that ` +
          `account, or give it the files: chown -R ${uid} ${cluster}`,
      );
    }
  } else if (await hasForeignFile(cluster, uid)) {
    for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
      await lchown(join(entry.parentPath, entry.name), uid, gid);
    }
    // Last, so that a start cut short in between begins again.
    await lchown(cluster, uid, gid);
  }
  if ((found.mode & 0o027) !== 0) await chmod(cluster, 0o700);
}

/** The superuser's password; null where none is kept. */
export async function readPassword(paths: DataPaths): Promise<string | null> {
  const stored = await readFile(paths.password, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return stored.trim() || null;
}

/** A random password. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Keeps the superuser's password, for this account alone: later starts take it for the true one. */
export async function keepPassword(paths: DataPaths, password: string): Promise<void> {
  const draft = join(paths.dataDir, `${unfinishedPrefix}password`);
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, paths.password);
}

/** Gives the superuser a password without knowing the old one: for data whose password file was lost. */
export async function resetPassword(
  paths: DataPaths,
  password: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  const directory = paths.cluster;
  const args = ['--single', '-D', directoryArgument(runAs, directory), 'postgres'];
  const statement = `ALTER ROLE ${superuser} PASSWORD '${password}'\n`;
  const { code, output } = await runToEnd(runAs, programs.postgres, args, { directory, stdin: statement });
  if (code === 0 && !/ERROR|FATAL/.test(output)) return;
  throw new EmbeddedPostgresError(
    `The password file ${paths.password} is missing, and no new password could be set: ${lastLines(output)}`,
  );
}

async function runInitdb(
  paths: DataPaths,
  fresh: string,
  password: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  const passwordFile = await openNameless(fresh, `${password}\n`, runAs.account);
  const args = [
    ['-D', directoryArgument(runAs, fresh), '--username', superuser, '--pwfile=/dev/stdin'],
    ['--auth=scram-sha-256', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // One call for the whole file system; on a busy disk a thousand fsyncs take seconds longer.
    process.platform === 'linux' ? ['--sync-method=syncfs'] : [],
    ['--locale=C', '--no-instructions', ...newClusterSettings.flatMap((setting) => ['--set', setting])],
  ].flat();
  const { code, output } = await runToEnd(runAs, programs.initdb, args, {
    directory: fresh,
    stdin: passwordFile.fd,
  }).finally(() => passwordFile.close());
  if (code === 0) return;
  if (/No space left|quota exceeded/i.test(output)) {
    throw new EmbeddedPostgresError(noSpaceFor(paths.dataDir));
  }
  throw new EmbeddedPostgresError(
    `A new database could not be created in ${paths.dataDir}: ${lastLines(output)}`,
  );
}

const mebibyte = 1024 * 1024;

/**
 * What the server keeps of its tables, in MB: a sixteenth of the memory that this machine or container has, from 64 MB to
 * 512 MB. It is taken as pages are read, and never given back.
 */
export function sharedBuffersMb(memory = memoryHere()): number {
  return Math.min(512, Math.max(64, Math.floor(memory / 16 / mebibyte)));
}

/** In bytes. Where there is no limit Node says 0, or more than there is. */
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Written once, to postgresql.conf, where an operator may change them. */
const newClusterSettings = [
  `shared_buffers=${sharedBuffersMb()}MB`,
  // It is taken at the start, and would grow with the other.
  'wal_buffers=2MB',
  'min_wal_size=48MB',
  'max_wal_size=512MB',
  'max_connections=100',
  // Three processes fewer than with I/O workers, which small databases do not need.
  'io_method=sync',
  'max_logical_replication_workers=0',
  'log_checkpoints=off',
  'log_line_prefix=%m [%p] ',
];

/**
 * A file without a name that holds `text` and that `owner` may open again: initdb reads its password by file
 * name, here /dev/stdin, and may not be able to walk down to a file with a path.
 */
async function openNameless(directory: string, text: string, owner: Account) {
  const path = `${directory}.password`;
  const file = await open(path, 'wx+', 0o600);
  try {
    await file.write(text, 0);
    if (process.geteuid?.() === 0) await file.chown(owner.uid, owner.gid);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await unlink(path);
  }
}

/** Looks at the directory and what lies directly in it, such as a configuration file that root edited. */
async function hasForeignFile(cluster: string, uid: number): Promise<boolean> {
  const names = await readdir(cluster);
  const owners = await Promise.all(
    ['', ...names].map(async (name) => (await lstat(join(cluster, name))).uid),
  );
  return owners.some((owner) => owner !== uid);
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' ').trim() || 'no reason given';
}
