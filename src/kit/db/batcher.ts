import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Group commit: calls that arrive while a lane's run is under way are merged into its next run, so that many
 * callers share one transaction. Each caller gets the result of its own item.
 */
export interface Batcher<Item, Result> {
  /** Resolves with the item's result, or rejects with what its run raised. */
  submit(lane: string, item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** On the clock of `performance.now()`. */
  readonly since: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Options<Item, Result> {
  /** Most items of one run. */
  readonly largest: number;
  /** Most runs of a lane at a time. */
  readonly width: number;
  /** How many items are worth a run beside another: fewer wait for it to end, and share the next one. */
  readonly worthwhile: number;
  /** Whoever has waited so long, in ms, waits for a run that is stuck: a run beside it is worth while for one item. */
  readonly slowMs: number;
  /** How long an item may wait for its run to begin, in ms; afterwards it is refused with what `refusal` makes. */
  readonly patienceMs: number;
  refusal(): Error;
  /** Gets the items of one lane and answers them in their order. */
  run(lane: string, items: readonly Item[]): Promise<readonly Result[]>;
  /**
   * Whether an error may come from a single item and left nothing behind. Then each item of the run is run again
   * alone: one caller's bad row never affects its neighbours. Otherwise all of them get the error.
   */
  mayBeOneItem(error: unknown): boolean;
  /** Whether an error took long to come, as a lock time-out does. */
  isStall(error: unknown): boolean;
}

/** Items run alone at a time. */
const widthAlone = 4;

interface Lane<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
  /** How many items are in its runs, and how many were there or waited at a time of late. */
  inFlight: number;
  peak: number;
  /** Somebody looks after those who wait. */
  isWatched: boolean;
}

/** A batcher whose lanes take turns with nobody: each has its own runs. */
export function createBatcher<Item, Result>(options: Options<Item, Result>): Batcher<Item, Result> {
  const { largest, width, worthwhile, slowMs, patienceMs, refusal, run, mayBeOneItem, isStall } = options;
  const lanes = new Map<string, Lane<Item, Result>>();

  /** The run starts after this turn, so that calls of the same turn share it. */
  function start(name: string, lane: Lane<Item, Result>): void {
    lane.running += 1;
    lanes.set(name, lane);
    queueMicrotask(() => void work(name, lane));
  }

  async function work(name: string, lane: Lane<Item, Result>): Promise<void> {
    do {
      refuseOverdue(lane);
      const batch = lane.waiting.splice(0, largest);
      lane.inFlight += batch.length;
      if (batch.length > 0) await settle(name, batch);
      lane.inFlight -= batch.length;
      lane.peak -= 1;
      // Whoever was just answered is about to come again, and may share the next run.
      if (lane.waiting.length < fair(lane)) await nextTurn();
    } while (isDue(lane));
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(name);
  }

  /** Asked by one of the runs. */
  function isDue(lane: Lane<Item, Result>): boolean {
    return lane.waiting.length >= (lane.running === 1 ? 1 : fair(lane));
  }

  /** How many items a run beside another begins with: as many as the other has, where all that come are shared out evenly. */
  function fair({ peak }: Lane<Item, Result>): number {
    return Math.min(largest, Math.max(worthwhile, Math.floor(peak / width)));
  }

  /** Who has waited too long is gone, or will be: work that nobody wants any more would only delay the others. */
  function refuseOverdue({ waiting }: Lane<Item, Result>): void {
    const latest = performance.now() - patienceMs;
    const inTime = waiting.findIndex(({ since }) => since >= latest);
    const overdue = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { reject } of overdue) reject(refusal());
  }

  /** While some wait: lets none of them wait for a run that is stuck, nor longer than anybody does. */
  function watch(name: string, lane: Lane<Item, Result>): void {
    if (lane.isWatched) return;
    lane.isWatched = true;
    setTimeout(() => {
      lane.isWatched = false;
      refuseOverdue(lane);
      const [eldest] = lane.waiting;
      if (eldest === undefined) return;
      if (lane.running < width && eldest.since <= performance.now() - slowMs) start(name, lane);
      watch(name, lane);
    }, slowMs).unref();
  }

  async function settle(name: string, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        name,
        batch.map((waiting) => waiting.item),
      );
      for (const [at, waiting] of batch.entries()) waiting.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1 || !mayBeOneItem(error)) for (const waiting of batch) waiting.reject(error);
      else await settleAlone(name, [...batch]);
    }
  }

  /** A few at a time: once one has stalled, those that have not begun get its error instead of a wait of their own. */
  async function settleAlone(name: string, queue: Waiting<Item, Result>[]): Promise<void> {
    let stall: { error: unknown } | null = null;
    const take = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        try {
          if (stall !== null) throw stall.error;
          next.resolve((await run(name, [next.item]))[0] as Result);
        } catch (error) {
          if (isStall(error)) stall = { error };
          next.reject(error);
        }
      }
    };
    await Promise.all(Array.from({ length: widthAlone }, take));
  }

  return {
    submit(name, item) {
      return new Promise((resolve, reject) => {
        const lane = lanes.get(name) ?? { waiting: [], running: 0, inFlight: 0, peak: 0, isWatched: false };
        lane.waiting.push({ item, since: performance.now(), resolve, reject });
        lane.peak = Math.max(lane.peak, lane.waiting.length + lane.inFlight);
        const mustWait = lane.running === width || (lane.running > 0 && lane.waiting.length < fair(lane));
        if (mustWait) watch(name, lane);
        else start(name, lane);
      });
    },
  };
}
