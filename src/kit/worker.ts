import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backOff } from './back-off.ts';

/** Background work that is done in turns. */
export interface Job<Ctx> {
  /** The one name of the work, from the contents page to the log line. */
  readonly name: string;
  /** How long a lane rests when there was nothing to do, in milliseconds, unless it is woken. */
  readonly restMs: number;
  /** How many turns run side by side. */
  readonly lanes: number;
  /** Whether it goes by the clock alone, and is not woken. */
  readonly isTimed?: boolean;
  /** One turn. True when there may be more to do at once. */
  run(ctx: Ctx): Promise<boolean>;
}

/** Runs jobs until it is stopped. */
export interface Worker {
  /** Ends the rest of every lane that is not timed: there is something to do. */
  wake(): void;
  /** Lets each turn come to its end. */
  stop(): Promise<void>;
}

interface Options<Ctx> {
  readonly jobs: readonly Job<Ctx>[];
  readonly ctxOf: (job: Job<Ctx>) => Ctx;
  readonly log: Pick<Logger, 'error'>;
  /** The longest rest after failures, unless the job rests longer anyway; 30 s unless told. */
  readonly mostRestMs?: number;
}

const usualMostRestMs = 30_000;
/** Whoever is woken again and again looks no more often than this: what it finds then is more. */
const leastRestMs = 10;

/** Starts all lanes of all jobs. A turn that fails is logged and tried again, after longer and longer rests. */
export function createWorker<Ctx>(options: Options<Ctx>): Worker {
  const { jobs, ctxOf, log, mostRestMs = usualMostRestMs } = options;
  const stopping = new AbortController();
  const resting = new Set<() => void>();

  let wakes = 0;

  /** Resolves after `ms`, or when somebody wakes the worker. */
  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      resting.add(end);
    });
  }

  /** Resolves after `ms`, or when somebody stops the worker. */
  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function restAfter(job: Job<Ctx>, turn: number): Promise<void> {
    if (job.isTimed === true) return pause(job.restMs);
    await pause(leastRestMs);
    // Woken in the middle of a turn: what there is to do may have come too late for it.
    if (turn === wakes && !stopping.signal.aborted) await rest(job.restMs);
  }

  async function lane(job: Job<Ctx>): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const turn = wakes;
      try {
        const more = await job.run(ctxOf(job));
        failures = 0;
        if (!more) await restAfter(job, turn);
      } catch (error) {
        failures += 1;
        log.error({ err: error, job: job.name, failures }, 'a turn of background work failed');
        // Not to be woken: what fails at once would fail as often as there is something to do.
        await pause(backOff({ firstMs: job.restMs, mostMs: Math.max(job.restMs, mostRestMs) }, failures - 1));
      }
    }
  }

  const lanes = jobs.flatMap((job) => Array.from({ length: job.lanes }, () => lane(job)));
  const wake = () => {
    wakes += 1;
    for (const end of [...resting]) end();
  };
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await Promise.all(lanes);
    },
  };
}
