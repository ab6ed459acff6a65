import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backOff } from '../time.ts';

/** Background work that is done in turns. */
export interface Job<Ctx, Name extends string = string> {
  /** The one name of the work, from the contents page to the log line. */
  readonly name: Name;
  /** How many turns run side by side, at most. */
  readonly lanes: number;
  /**
   * How long a periodic job rests when there was nothing to do, in milliseconds. One without waits until it
   * is woken: by a commit of this process, or by the look at all of them.
   */
  readonly everyMs?: number;
  /**
   * The shortest time between the starts of two rounds of a job that is woken repeatedly, in milliseconds: a later round
   * finds more rows. 10 by default.
   */
  readonly restMs?: number;
  /** One turn. True when there may be more to do at once. */
  run(ctx: Ctx): Promise<boolean>;
}

/** Runs jobs until it is stopped. */
export interface Worker<Name extends string> {
  /** Has these jobs take a turn: there is something for them to do. Those that go by the clock are left alone. */
  wake(...names: readonly Name[]): void;
  /** Waits for running rounds, up to 10 s by default; then returns the names of the jobs that are still running. */
  stop(limitMs?: number): Promise<readonly string[]>;
}

interface Options<Ctx, Name extends string> {
  readonly jobs: readonly Job<Ctx, Name>[];
  readonly ctxOf: (job: Job<Ctx, Name>) => Ctx;
  readonly log: Pick<Logger, 'error'>;
  /** Asks once for all jobs that do not go by the clock: those that have something to do. */
  look(): Promise<readonly Name[]>;
  /** The rest between two looks; 250 ms by default. */
  readonly lookMs?: number;
  /** The first rest after a failure of a job that does not go by the clock; 500 ms by default. */
  readonly firstRestMs?: number;
  /** The longest rest after failures, unless the job rests longer anyway; 30 s by default. */
  readonly mostRestMs?: number;
}

const usualStopMs = 10_000;
/** How often it is asked what is due, by the clock and by other processes. */
export const usualLookMs = 250;
const usualRestMs = 10;

/**
 * Starts all lanes of all jobs. A turn that fails is logged and tried again, after longer and longer rests. Of a job that
 * is woken one lane takes a turn, and another where the first is still at it.
 */
export function createWorker<Ctx, Name extends string>(options: Options<Ctx, Name>): Worker<Name> {
  const { jobs, ctxOf, log, look, lookMs = usualLookMs, firstRestMs = 500, mostRestMs = 30_000 } = options;
  const stopping = new AbortController();
  const signals = new Map(jobs.map((job) => [job.name, createSignal()]));
  const turns = new Set<{ readonly job: string }>();

  /** Resolves after `ms`, or when the worker is stopped. */
  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function acquirePace(job: Job<Ctx, Name>): Promise<boolean> {
    const turn = { job: job.name };
    turns.add(turn);
    try {
      return await job.run(ctxOf(job));
    } finally {
      turns.delete(turn);
    }
  }

  async function lane(job: Job<Ctx, Name>, signal: Signal): Promise<void> {
    const restMs = job.everyMs ?? firstRestMs;
    let failures = 0;
    let isMore = job.everyMs !== undefined;
    while (!stopping.signal.aborted) {
      if (!isMore) await signal.given();
      if (stopping.signal.aborted) return;
      signal.clear();
      try {
        isMore = await acquirePace(job);
        failures = 0;
        if (!isMore) await pause(job.everyMs ?? job.restMs ?? usualRestMs);
        isMore ||= job.everyMs !== undefined;
      } catch (error) {
        failures += 1;
        log.error({ err: error, job: job.name, failures }, 'a turn of background work failed');
        // Not to be woken: what fails at once would fail as often as there is something to do.
        await pause(backOff({ firstMs: restMs, mostMs: Math.max(restMs, mostRestMs) }, failures - 1));
        isMore = true;
      }
    }
  }

  /** Finds what other processes have left to do, and what has become due by the clock. */
  async function watch(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        for (const name of await look()) signals.get(name)?.give();
        failures = 0;
      } catch (error) {
        failures += 1;
        log.error({ err: error, failures }, 'the look for background work failed');
      }
      await pause(backOff({ firstMs: lookMs, mostMs: mostRestMs }, failures));
    }
  }

  const lanes = jobs.flatMap((job) => {
    const signal = signals.get(job.name) ?? createSignal();
    return Array.from({ length: job.lanes }, () => lane(job, signal));
  });
  const watching = jobs.some(({ everyMs }) => everyMs === undefined) ? watch() : undefined;
  return {
    wake(...names) {
      for (const name of names) signals.get(name)?.give();
    },
    async stop(limitMs = usualStopMs) {
      stopping.abort();
      for (const signal of signals.values()) signal.release();
      const ended = new AbortController();
      const limit = sleep(limitMs, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([Promise.all([...lanes, watching]), limit]);
      ended.abort();
      return [...new Set([...turns].map(({ job }) => job))];
    },
  };
}

/** That a job has something to do. */
interface Signal {
  /** Has a lane that waits begin, or else the next that comes. */
  give(): void;
  /** Has all lanes that wait go on, without a signal. */
  release(): void;
  /** Resolves when it was given since it was cleared last. */
  given(): Promise<void>;
  /** A turn begins: what is given from now on is another. */
  clear(): void;
}

function createSignal(): Signal {
  let isGiven = false;
  const waiting: (() => void)[] = [];
  return {
    give() {
      // Given twice before a turn has begun: that turn does both.
      if (isGiven) return;
      isGiven = true;
      waiting.shift()?.();
    },
    release() {
      for (const resolve of waiting.splice(0)) resolve();
    },
    async given() {
      if (!isGiven) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    clear() {
      isGiven = false;
    },
  };
}
