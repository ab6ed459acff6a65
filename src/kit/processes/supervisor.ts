import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { allEnded } from '../promises.ts';
import { backOff } from '../time.ts';
import { createLink, type Link } from './process-link.ts';

/** A process that was started here. */
export interface Child<Role> {
  readonly role: Role;
  readonly pid: number | undefined;
  readonly link: Link;
  /** Whether it has said that it is ready. */
  readonly isReady: boolean;
}

/** How a process ended: one of the two is null. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process ended during the first start, before it was ready. */
export class EndedAtStart extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`a process ended before it was ready: ${ending.signal ?? ending.code}`);
    this.ending = ending;
  }
}

interface Options<Role> {
  /** Each has one process. The first is started alone, the others when it is ready. */
  readonly roles: readonly Role[];
  /** Starts a process that asks `ready` when it is. `ready` lists the processes that are ready already. */
  start(role: Role, ready: readonly Child<Role>[]): ChildProcess;
  /** Called for each process before it is asked anything. */
  onStart(child: Child<Role>): void;
  onReady(child: Child<Role>, content: unknown): void;
  onEnd(child: Child<Role>): void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The rest before a process that has ended is started again: twice as long each time that it ends soon. */
  readonly restMs?: { readonly firstMs: number; readonly mostMs: number };
}

/** Keeps one process running for each role. */
export interface Supervisor<Role> {
  /** Resolves when all are ready. Raises EndedAtStart when one ends before; the others are left running. */
  start(): Promise<void>;
  readonly ready: readonly Child<Role>[];
  /** Replaces each process with a new one, one at a time: the new one is ready before the old one is stopped. */
  exchange(): Promise<void>;
  /** Starts no more, passes the signal on, and waits for all to end. False when one did not end with 0. */
  stop(signal: NodeJS.Signals): Promise<boolean>;
}

const usualRestMs = { firstMs: 250, mostMs: 30_000 };

/** Starts nothing by itself. */
export function createSupervisor<Role>(options: Options<Role>): Supervisor<Role> {
  const { roles, log, restMs = usualRestMs } = options;
  const places: Place<Role>[] = roles.map((role) => ({ role, current: null, exchanged: Promise.resolve() }));
  const children = new Set<Running<Role>>();
  const stopping = new AbortController();
  const areReady = () => [...children].filter(({ isReady }) => isReady);

  function launch(role: Role): Running<Role> {
    const child = run(options, role, areReady());
    children.add(child);
    void child.ended.then(() => children.delete(child));
    return child;
  }

  /** Launches the process of a place, and waits until it is ready. */
  async function begin(place: Place<Role>): Promise<void> {
    place.current = launch(place.role);
    const ending = await place.current.settled;
    if (ending !== null) throw new EndedAtStart(ending);
    void keep(place);
  }

  /** Starts the process of a place again whenever it ends. */
  async function keep(place: Place<Role>): Promise<void> {
    for (let soon = 0; !stopping.signal.aborted; ) {
      const child = place.current;
      if (child === null) return;
      const ending = await child.ended;
      await place.exchanged;
      // Another has its place.
      if (place.current !== child || stopping.signal.aborted) continue;
      soon = child.hasRunFor(restMs.mostMs) ? 0 : soon;
      const rest = backOff(restMs, soon++);
      log.error(
        { role: place.role, child: child.pid, ...ending, restMs: rest },
        'a process has ended: another follows',
      );
      await sleep(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
      await place.exchanged;
      if (place.current === child && !stopping.signal.aborted) place.current = launch(place.role);
    }
  }

  async function exchangeOne(place: Place<Role>): Promise<boolean> {
    const next = launch(place.role);
    const ending = await next.settled;
    if (ending !== null) {
      log.error({ role: place.role, child: next.pid, ...ending }, 'the new process ended: the old ones stay');
      return false;
    }
    const old = place.current;
    place.current = next;
    old?.process.kill(endSoon);
    await old?.ended;
    log.info({ role: place.role, child: old?.pid, next: next.pid }, 'a process was exchanged');
    return !stopping.signal.aborted;
  }

  let exchanging: Promise<void> | null = null;
  let isAskedAgain = false;
  async function exchangeAll(): Promise<void> {
    do {
      isAskedAgain = false;
      for (const place of places) {
        if (stopping.signal.aborted) return;
        const one = exchangeOne(place);
        place.exchanged = one.then(() => undefined);
        if (!(await one)) return;
      }
    } while (isAskedAgain);
    log.info({}, 'all processes were exchanged');
  }

  return {
    async start() {
      const [first, ...others] = places;
      if (first !== undefined) await begin(first);
      await allEnded(others.map(begin));
    },
    get ready() {
      return areReady();
    },
    exchange() {
      // What is new since the exchange began reaches all by another.
      isAskedAgain = true;
      exchanging ??= exchangeAll().finally(() => {
        exchanging = null;
      });
      return exchanging;
    },
    async stop(signal) {
      stopping.abort();
      const ended = await Promise.all(
        [...children].map(async (child) => {
          // Before that it would not listen to what the signal means.
          const wasReady = child.isReady;
          child.process.kill(signal);
          const ending = await child.ended;
          return ending.code === 0 || (!wasReady && ending.signal === signal);
        }),
      );
      return ended.every(Boolean);
    },
  };
}

/** Has a process accept no more requests, and end what it has begun. */
const endSoon = 'SIGINT';

interface Place<Role> {
  readonly role: Role;
  current: Running<Role> | null;
  /** Resolves when no exchange of its process is under way. */
  exchanged: Promise<void>;
}

interface Running<Role> extends Child<Role> {
  readonly process: ChildProcess;
  /** Resolves when it is ready, with null, or has ended before. */
  readonly settled: Promise<Ending | null>;
  readonly ended: Promise<Ending>;
  /** Whether it has been ready for so long. */
  hasRunFor(ms: number): boolean;
}

function run<Role>(options: Options<Role>, role: Role, others: readonly Child<Role>[]): Running<Role> {
  const process = options.start(role, others);
  const link = createLink(process);
  const ready = Promise.withResolvers<null>();
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  let readyAt: number | null = null;
  const child: Running<Role> = {
    role,
    pid: process.pid,
    link,
    process,
    get isReady() {
      return readyAt !== null;
    },
    settled: Promise.race([ready.promise, ended]),
    ended,
    hasRunFor: (ms) => readyAt !== null && performance.now() - readyAt >= ms,
  };
  link.answer('ready', (content) => {
    readyAt = performance.now();
    options.onReady(child, content);
    ready.resolve(null);
  });
  options.onStart(child);
  process.once('exit', (code, signal) => end({ code, signal }));
  // It could not be started; one that runs ends otherwise.
  process.on('error', () => process.pid === undefined && end({ code: null, signal: null }));
  void ended.then(() => options.onEnd(child));
  return child;
}
