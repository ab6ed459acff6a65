import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, endpointSettings } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { keepLogBounded, type Log, openServerLog, readLogSince } from './log.ts';
import type { DataPaths } from './paths.ts';
import { readPostmasterFile, stopAbandonedServer, stopPostmaster } from './postmaster.ts';
import type { Programs } from './programs.ts';
import { directoryArgument, type RunAs, spawnAs } from './run-as.ts';

export type ServerPlan = {
  paths: DataPaths;
  programs: Programs;
  runAs: RunAs;
  endpoint: Endpoint;
  log: Log;
};

/** A server that is kept running until it is stopped. */
export type Server = { readonly pid: number; stop(): Promise<void> };

/** The endpoint is taken, or the file system has no sockets: another one may do. */
export class EndpointUnavailable extends EmbeddedPostgresError {}

/** While processes of a killed server still end. */
const releaseMs = 15_000;
const longestPauseMs = 10_000;
const logCheckMs = 60_000;

/**
 * Starts the server and answers when it accepts connections. When it dies later (killed, or no space to
 * recover with), it is started again at the same endpoint, for ever, with growing pauses. Raises
 * `EndpointUnavailable`, or `EmbeddedPostgresError` with the server's own reason.
 */
export async function startServer(plan: ServerPlan): Promise<Server> {
  const { log, paths } = plan;
  const ending = new AbortController();
  let postmaster: Postmaster | undefined;
  let restarting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  const launchAndWatch = async () => {
    await launch(plan, ending.signal, (spawned) => {
      postmaster = spawned;
    });
    postmaster?.ended.then(({ reason }) => {
      if (!ending.signal.aborted) restarting = restart(reason);
    });
  };
  const restart = async (reason: string) => {
    log.warn(`The database server ended unexpectedly (${reason}); see ${paths.log}. Starting it again.`);
    for (let pauseMs = 100; !ending.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await launchAndWatch();
      } catch (error) {
        if (ending.signal.aborted) return;
        log.warn(`The database server is down: ${error instanceof Error ? error.message : error}`);
        await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      }
    }
  };

  // However this process ends, short of a kill: no other process would stop the server.
  const leave = () => {
    ending.abort();
    postmaster?.interrupt();
  };
  process.on('exit', leave);
  try {
    await launchAndWatch();
  } catch (error) {
    process.off('exit', leave);
    throw error;
  }
  const logCheck = setInterval(() => keepLogBounded(paths.log), logCheckMs).unref();
  return {
    get pid() {
      return postmaster?.pid ?? 0;
    },
    stop() {
      stopped ??= (async () => {
        ending.abort();
        clearInterval(logCheck);
        if (postmaster) await postmaster.stop();
        await restarting;
        process.off('exit', leave);
      })();
      return stopped;
    },
  };
}

/** A postmaster process that was spawned by this process. */
type Postmaster = {
  pid: number;
  isRunning(): boolean;
  ended: Promise<{ reason: string }>;
  stop(): Promise<void>;
  /** Asks for a fast shutdown, without waiting for it. */
  interrupt(): void;
};

async function launch(
  plan: ServerPlan,
  ending: AbortSignal,
  onSpawn: (spawned: Postmaster) => void,
): Promise<void> {
  const { paths, log } = plan;
  const deadline = performance.now() + releaseMs;
  for (;;) {
    await stopAbandonedServer(paths.cluster, log);
    const { file, length } = await openServerLog(paths.log);
    const left = await readPostmasterFile(paths.cluster);
    let postmaster: Postmaster;
    try {
      ending.throwIfAborted();
      postmaster = spawnPostmaster(plan, file.fd);
      onSpawn(postmaster);
    } finally {
      await file.close();
    }
    if (await becomesReady(paths.cluster, postmaster, left?.writtenMs)) return;

    const output = await readLogSince(paths.log, length);
    const { reason } = await postmaster.ended;
    if (!isBeingReleased(output) || performance.now() > deadline) throw startFailure(output, reason, plan);
    await sleep(50);
  }
}

function spawnPostmaster(plan: ServerPlan, logDescriptor: number): Postmaster {
  const { runAs, programs, paths } = plan;
  const settings = [
    'fsync=on',
    'full_page_writes=on',
    'synchronous_commit=on',
    'logging_collector=off',
    // The details of an error quote the rows that it is about, which are nothing for a log.
    'log_error_verbosity=terse',
  ];
  const child = spawnAs(
    runAs,
    programs.postgres,
    [
      '-D',
      directoryArgument(runAs, paths.cluster),
      ...[...settings, ...endpointSettings(plan.endpoint)].flatMap((setting) => ['-c', setting]),
    ],
    {
      directory: paths.cluster,
      stdio: ['ignore', logDescriptor, logDescriptor],
      // A session of its own: the terminal's Ctrl-C reaches us alone, and we end it when our work is done.
      detached: true,
    },
  );
  child.unref();
  const ended = whenEnded(child);
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning,
    stop: () => stopPostmaster(child.pid ?? 0, () => !isRunning()),
    interrupt: () => void child.kill('SIGINT'),
  };
}

function whenEnded(child: ChildProcess): Promise<{ reason: string }> {
  const { promise, resolve } = Promise.withResolvers<{ reason: string }>();
  child.once('error', (error) => resolve({ reason: error.message }));
  child.once('exit', (code, signal) => resolve({ reason: signal ?? `exit code ${code}` }));
  return promise;
}

/**
 * Reads its status file rather than connecting: that costs nothing and needs no password. False when it ends
 * first. A file unchanged since `leftMs` is a dead server's, even with the same process number, as containers
 * hand them out.
 */
async function becomesReady(cluster: string, postmaster: Postmaster, leftMs?: number): Promise<boolean> {
  const start = performance.now();
  while (postmaster.isRunning()) {
    const state = await readPostmasterFile(cluster);
    const isIts = state?.pid === postmaster.pid && state.writtenMs !== leftMs;
    if (isIts && state.status === 'ready') return true;
    // Recovery after a crash can take long; a normal start takes about 30 ms.
    await sleep(performance.now() - start < 1_000 ? 5 : 100);
  }
  return false;
}

/** Another server is starting or stopping here: that of a process that was killed a moment ago. */
function isBeingReleased(output: string): boolean {
  return /lock file "postmaster\.pid" (already exists|is empty)|pre-existing shared memory block/.test(
    output,
  );
}

function startFailure(output: string, reason: string, plan: ServerPlan): EmbeddedPostgresError {
  const said = output
    .split('\n')
    .filter((line) => /FATAL|PANIC|DETAIL|HINT|error while loading/.test(line))
    .map((line) => line.replace(/^.*?\[\d+\] /, '').trim())
    .slice(-4)
    .join(' ');
  const message = `The database server did not start: ${said || reason} (log: ${plan.paths.log}).`;
  if (/could not create any (TCP\/IP|Unix-domain) sockets/.test(output)) {
    return new EndpointUnavailable(message);
  }
  const advice = /No space left/.test(output) ? ' Free some space on that disk and start again.' : '';
  return new EmbeddedPostgresError(message + advice);
}
