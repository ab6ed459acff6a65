import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Background work that is done in turns. */
export interface Job<Ctx> {
  /** The one name of the work, from the contents page to the log line. */
  readonly name: string;
  /** How long a lane rests when there was nothing to do, in milliseconds, unless it is woken. */
  readonly restMs: number;
  /** How many turns run side by side. */
  readonly lanes: number;
  /** One turn. True when there may be more to do at once. */
  run(ctx: Ctx): Promise<boolean>;
}

/** Runs jobs until it is stopped. */
export interface Worker {
  /** Ends the rest of every lane: there is something to do. */
  wake(): void;
  /** Lets each turn come to its end. */
  stop(): Promise<void>;
}

interface Options<Ctx> {
  readonly jobs: readonly Job<Ctx>[];
  readonly ctxOf: (job: Job<Ctx>) => Ctx;
  readonly log: Pick<Logger, 'error'>;
}

const mostRestMs = 30_000;

/** Starts all lanes of all jobs. A turn that fails is logged and tried again, after longer and longer rests. */
export function createWorker<Ctx>({ jobs, ctxOf, log }: Options<Ctx>): Worker {
  const stopping = new AbortController();
  const resting = new Set<() => void>();

  let wakes = 0;

  /** Resolves after `ms`, or when somebody wakes the worker or stops it. */
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

  async function lane(job: Job<Ctx>): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const turn = wakes;
      try {
        const more = await job.run(ctxOf(job));
        failures = 0;
        // Woken in the middle of a turn: what there is to do may have come too late for it.
        if (!more && turn === wakes && !stopping.signal.aborted) await rest(job.restMs);
      } catch (error) {
        failures += 1;
        log.error({ err: error, job: job.name, failures }, 'a turn of background work failed');
        // Not to be woken: what fails at once would fail as often as there is something to do.
        const pause = Math.min(job.restMs * 2 ** failures, mostRestMs);
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
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
