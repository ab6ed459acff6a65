import { type ChildProcess, fork } from 'node:child_process';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { type RunningApp, startApp } from '../app.ts';
import { type Config, environmentWith } from '../config.ts';
import { countFor } from '../kit/limits/rate-limit-shared.ts';
import { createSupervisor, EndedAtStart, type Supervisor } from '../kit/processes/supervisor.ts';
import { createFigureGatherer } from '../kit/telemetry/metrics.ts';
import { checkStart } from '../start/check-start.ts';
import { exitClosed, greet } from './run-service.ts';
import { type Asked, listenToSignals } from './stop-signals.ts';

/** What a process of an `npm start` with several does. */
export type Role = 'serve' | 'work';

/** What a process says of itself when it is ready. */
export interface Ready {
  readonly url: string;
  readonly port: number;
}

/**
 * Runs PROCESSES that serve, and one that does the background work unless WORKERS is off. This process has the embedded
 * database, the migrations, the first start and the limits; it answers no requests itself.
 */
export async function serveMany(config: Config): Promise<void> {
  let supervisor: Supervisor<Role> | null = null;
  const isTerminalGone = watchTerminal();
  const signals = listenToSignals({
    drainMs: config.drainMs,
    onHangUp() {
      if (isTerminalGone()) return false;
      void supervisor?.exchange();
      return true;
    },
  });
  await checkStart(config, true);
  // It counts itself, for processes without Redis.
  const running = await startApp({ ...config, redisUrl: null }, { serves: false, works: false });
  signals.watch(running);
  const family = openFamily(config, running);
  try {
    if (!signals.isAsked) await family.supervisor.start();
  } catch (error) {
    if (!signals.isAsked) await giveUp(error, running, family.supervisor);
  }
  supervisor = family.supervisor;
  const isNew = signals.isAsked;
  if (!isNew) greet(running, config, family.at.url, [howMany(config)]);
  const asked = await signals.asked;
  await shutDown(running, supervisor, isNew ? { ...asked, drainMs: 0 } : asked);
}

function howMany({ processes, workers }: Config): string {
  return `  ${processes} processes serve, ${workers ? 'one works' : 'none works (WORKERS=off)'}`;
}

/** Wires the processes that are to be started with this one. */
function openFamily(config: Config, { app }: RunningApp) {
  const at = { url: '', port: config.port };
  // The embedded one has its address from this start.
  const { connectionString = '' } = app.database.pool.options;
  const figures = createFigureGatherer();
  const roles = [
    ...Array<Role>(config.processes).fill('serve'),
    ...(config.workers ? ['work' as const] : []),
  ];
  const supervisor: Supervisor<Role> = createSupervisor<Role>({
    roles,
    log: app.log,
    start: (role, ready) =>
      startOne(role, {
        joins: ready.some((other) => other.role === 'serve'),
        environment: {
          DATABASE_URL: connectionString,
          DATABASE_POOL: String(poolOf(config, roles.length)),
          PORT: String(at.port),
          PUBLIC_URL: config.publicUrl,
        },
      }),
    onStart({ link }) {
      countFor(link, app.limiter);
      link.answer('gather', () => figures.gather(() => supervisor.ready.map((child) => child.link)));
    },
    onReady: ({ role }, content) => role === 'serve' && Object.assign(at, content as Ready),
    onEnd: ({ link }) => figures.forget(link),
  });
  return { supervisor, at };
}

/** The embedded server lets in a hundred: some are for commands, and for one process more during an exchange. */
const embeddedConnections = 90;

function poolOf({ databaseUrl, databasePool }: Config, processes: number): number {
  if (databaseUrl !== null) return databasePool;
  return Math.min(databasePool, Math.max(2, Math.floor(embeddedConnections / (processes + 1))));
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

interface Plan {
  readonly joins: boolean;
  readonly environment: Parameters<typeof environmentWith>[0];
}

function startOne(role: Role, { joins, environment }: Plan): ChildProcess {
  // As `npm run work` has it.
  const flags = role === 'work' ? ['--max-semi-space-size=8'] : [];
  return fork(main, ['process', role, ...(joins ? ['--joins'] : [])], {
    env: environmentWith(environment),
    execArgv: [...process.execArgv, ...flags],
  });
}

/** Whether the terminal that this process was started at, if any, has been closed: SIGHUP means that, too. */
function watchTerminal(): () => boolean {
  const terminal = [0, 1, 2].find((stream) => isatty(stream));
  return () => terminal !== undefined && !isatty(terminal);
}

/** Ends a start that did not succeed. A process that ends with 1 has said why. */
async function giveUp(error: unknown, running: RunningApp, supervisor: Supervisor<Role>): Promise<never> {
  if (!(error instanceof EndedAtStart && error.ending.code === 1))
    console.error(`punchcard: ${error instanceof Error ? error.message : error}`);
  await supervisor.stop('SIGINT');
  return exitClosed(running, false);
}

async function shutDown(
  running: RunningApp,
  supervisor: Supervisor<Role>,
  { signal, drainMs }: Asked,
): Promise<void> {
  running.app.log.info({ signal, drainMs }, 'ending all processes');
  await exitClosed(running, await supervisor.stop(drainMs > 0 ? 'SIGTERM' : 'SIGINT'));
}
