import { mkdir } from 'node:fs/promises';
import {
  claimFiles,
  createCluster,
  inspectCluster,
  keepPassword,
  newPassword,
  readPassword,
  removeUnfinished,
  resetPassword,
} from './cluster.ts';
import { connectionUrl, endpoints } from './endpoint.ts';
import { EmbeddedPostgresError, explainFileErrors } from './errors.ts';
import { type Log, silentLog } from './log.ts';
import { lockDataDirectory } from './owner-lock.ts';
import { type DataPaths, dataPaths } from './paths.ts';
import { isPostmasterOf, readPostmasterFile, stopAbandonedServer } from './postmaster.ts';
import { locatePrograms, type Programs } from './programs.ts';
import { chooseRunAs } from './run-as.ts';
import { EndpointUnavailable, type Server, type ServerPlan, startServer } from './server.ts';

export type EmbeddedPostgresOptions = {
  /** made when missing; the cluster lies in `<dataDir>/postgres` */
  dataDir: string;
  log?: Log;
  /** listen on 127.0.0.1, at this port if it is free, instead of a socket file */
  port?: number;
};

export type EmbeddedPostgres = {
  /** superuser connection string for pg and libpq; stays valid until `stop` */
  url: string;
  majorVersion: number;
  /** process id of the server; another one after it had to be started again */
  readonly pid: number;
  /** Ends the server: a fast shutdown, after 10 s an immediate one. Sessions are cut, commits are kept. */
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL on a directory that belongs to this process alone, making the database on the first
 * start, and answers when it accepts connections. A server left running by a killed process is stopped first,
 * and one that dies is started again. Raises `DataDirectoryInUse`, `WrongMajorVersion`, or
 * `EmbeddedPostgresError` with what to change.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const paths = dataPaths(options.dataDir);
  return explainFileErrors(paths.dataDir, async () => {
    const programs = await locatePrograms();
    const { majorVersion } = programs;
    // A directory that is not ours to use is refused before anything is written.
    await inspectCluster(paths.cluster, majorVersion);
    await mkdir(paths.dataDir, { recursive: true, mode: 0o700 });
    const lock = lockDataDirectory(paths);
    try {
      const { server, url } = await open(paths, programs, options);
      return {
        url,
        majorVersion,
        get pid() {
          return server.pid;
        },
        stop: () => server.stop().finally(() => lock.release()),
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/** Everything that needs the lock, in order. */
async function open(
  paths: DataPaths,
  programs: Programs,
  options: EmbeddedPostgresOptions,
): Promise<{ server: Server; url: string }> {
  const log = options.log ?? silentLog;
  await removeUnfinished(paths);
  const clusterOwner = await inspectCluster(paths.cluster, programs.majorVersion);
  const runAs = await chooseRunAs({ programs, clusterOwner });
  const kept = await readPassword(paths);
  const password = kept ?? newPassword();

  if (clusterOwner) {
    await stopAbandonedServer(paths.cluster, log);
    await claimFiles(paths.cluster, runAs);
    if (kept === null) await resetPassword(paths, password, programs, runAs);
  } else {
    log.info(`Creating the database in ${paths.cluster}.`);
    await createCluster(paths, password, programs, runAs);
  }
  // Last: a start that was cut short before leaves no file, and the next one sets a password again.
  if (kept === null) await keepPassword(paths, password);
  return listen({ paths, programs, runAs, log }, password, options.port);
}

async function listen(
  plan: Omit<ServerPlan, 'endpoint'>,
  password: string,
  port?: number,
): Promise<{ server: Server; url: string }> {
  let refusal: unknown;
  for await (const endpoint of endpoints(plan.paths.cluster, port)) {
    try {
      return { server: await startServer({ ...plan, endpoint }), url: connectionUrl(endpoint, password) };
    } catch (error) {
      if (!(error instanceof EndpointUnavailable)) throw error;
      refusal = error;
      plan.log.warn(`${error.message} Trying another address.`);
    }
  }
  throw new EmbeddedPostgresError('The database server found no address to listen on.', { cause: refusal });
}

/**
 * A connection string for the server that another process runs on a data directory; null when none runs that is
 * ready. It is valid for as long as that process runs.
 */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  const paths = dataPaths(dataDir);
  const secret = await readPassword(paths);
  const named = await readPostmasterFile(paths.cluster);
  // While it starts it has not yet published where it listens.
  if (secret === null || named?.status !== 'ready') return null;
  if (!(await isPostmasterOf(named.pid, paths.cluster))) return null;
  return connectionUrl(
    named.sockets === ''
      ? { kind: 'loopback', port: named.port }
      : { kind: 'socket', directory: paths.cluster },
    secret,
  );
}
