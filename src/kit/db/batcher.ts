import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { withConcurrency } from '../promises.ts';

/**
 * Group commit: calls that arrive while a lane's run is under way are merged into its next run, so that many
 * callers share one transaction. Each caller gets the result of its own item.
 */
export interface Batcher<Item, Result> {
  /** Resolves with the item's result, or rejects with what its run raised. */
  submit(lane: string, item: Item): Promise<Result>;
}

export interface BatcherOptions<Item, Result> {
  /** Most items of one run. */
  readonly largest: number;
  /** Most runs of a lane at a time. */
  readonly width: number;
  /** How many items are worth a second run: fewer wait for the first to end, and share the next one. */
  readonly minItemsForSecondRun: number;
  /** An item that has waited so long, in ms, waits for a stuck run: then a second run is worth it for one item. */
  readonly slowMs: number;
  /** How long an item may wait for its run to begin, in ms; afterwards it is refused with what `refusal` makes. */
  readonly maxQueueMs: number;
  refusal(): Error;
  /** Gets the items of one lane and answers them in their order. */
  run(lane: string, items: readonly Item[]): Promise<readonly Result[]>;
  /** Absent where each lane has runs of its own. */
  readonly shared?: SharedRuns<Item, Result>;
  /**
   * Whether an error may come from a single item and left nothing behind. Then each item of the run is run again
   * alone: one caller's bad row never affects its neighbours. Otherwise all of them get the error.
   */
  mayBeOneItem(error: unknown): boolean;
  /** Whether an error took long to come, as a lock time-out does. */
  isStall(error: unknown): boolean;
}

/** Runs that several lanes share: those with few items, of which each would pay for a transaction alone. */
export interface SharedRuns<Item, Result> {
  /** The most lanes of one run. */
  readonly lanes: number;
  /** How many of these runs are under way; one that is stuck does not count. */
  readonly width: number;
  /** Lanes of one owner are in no run together. */
  ownerOf(lane: string): string;
  /** Answers the items of each lane in their order. Where it fails it leaves nothing behind, and names the lanes that have failed. */
  run(parts: readonly Part<Item>[], failed: (lane: string) => void): Promise<readonly (readonly Result[])[]>;
}

/** The items of a lane in a shared run. */
export interface Part<Item> {
  readonly lane: string;
  readonly items: readonly Item[];
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** On the clock of `performance.now()`. */
  readonly since: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Lane<Item, Result> {
  readonly name: string;
  readonly waiting: Waiting<Item, Result>[];
  /** Runs under way, and the one that the lane is about to share. */
  running: number;
  /** Items currently running. */
  inFlight: number;
  peak: number;
  /** A timer looks after the items that wait. */
  isWatched: boolean;
}

/** A lane and those of its items that are in a run. */
interface Batch<Item, Result> {
  readonly lane: Lane<Item, Result>;
  readonly items: readonly Waiting<Item, Result>[];
}

/** Items, or lanes, run alone at a time. */
const widthAlone = 4;
/** A lane that was stuck, or by which a shared run has failed, shares none for so long. */
const apartMs = 10_000;

/** Each lane has its own order; how lanes come together in runs, the options say. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { largest, width, minItemsForSecondRun, slowMs, maxQueueMs, refusal, run, mayBeOneItem, isStall } =
    options;
  const { shared } = options;
  const lanes = new Map<string, Lane<Item, Result>>();
  /** Lanes that are about to share a run, the first to come first. */
  let ready: Lane<Item, Result>[] = [];
  let sharedRuns = 0;
  const apart = new LRUCache<string, true>({ max: 1_000, ttl: apartMs });

  /** The run starts after this turn, so that calls of the same turn share it. */
  function start(lane: Lane<Item, Result>): void {
    lanes.set(lane.name, lane);
    const isOnlyRun = lane.running === 0;
    lane.running += 1;
    if (shared !== undefined && isOnlyRun) {
      ready.push(lane);
      queueMicrotask(() => fill(shared));
    } else queueMicrotask(() => void runOwn(lane));
  }

  async function runOwn(lane: Lane<Item, Result>): Promise<void> {
    const batch = take(lane, largest);
    await settle(batch);
    await end(batch);
  }

  /** Starts shared runs for the lanes that are ready, as many as there may be. */
  function fill(runs: SharedRuns<Item, Result>): void {
    while (sharedRuns < runs.width && ready.length > 0) void runShared(runs, takeReady(runs));
  }

  /** The lanes of the next run in the order of their names, which is that of their locks. */
  function takeReady(runs: SharedRuns<Item, Result>): Lane<Item, Result>[] {
    const taken = new Map<string, Lane<Item, Result>>();
    const left: Lane<Item, Result>[] = [];
    for (const [place, lane] of ready.entries()) {
      const owner = runs.ownerOf(lane.name);
      const isAlone = apart.has(lane.name) || lane.waiting.length >= minItemsForSecondRun;
      if (place === 0 && isAlone) {
        ready.shift();
        return [lane];
      }
      if (taken.size === runs.lanes || taken.has(owner) || isAlone) left.push(lane);
      else taken.set(owner, lane);
    }
    ready = left;
    return [...taken.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async function runShared(
    runs: SharedRuns<Item, Result>,
    together: readonly Lane<Item, Result>[],
  ): Promise<void> {
    sharedRuns += 1;
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      sharedRuns -= 1;
      fill(runs);
    };
    const timer = setTimeout(release, slowMs).unref();
    const most = Math.floor(largest / together.length);
    const batches = together.map((lane) => take(lane, most));
    const full = batches.filter(({ items }) => items.length > 0);
    const failure = full.length > 1 ? await settleTogether(runs, full) : { isStall: false };
    const unsettled = failure === null ? [] : full;
    await Promise.all([
      ...batches.filter((batch) => !unsettled.includes(batch)).map(end),
      withConcurrency(unsettled, widthAlone, async (batch) => {
        const began = performance.now();
        await settle(batch);
        if (failure?.isStall === true && performance.now() - began > slowMs) apart.set(batch.lane.name, true);
        await end(batch);
      }),
    ]);
    clearTimeout(timer);
    release();
  }

  function take(lane: Lane<Item, Result>, most: number): Batch<Item, Result> {
    refuseOverdue(lane);
    const items = lane.waiting.splice(0, most);
    lane.inFlight += items.length;
    return { lane, items };
  }

  async function end({ lane, items }: Batch<Item, Result>): Promise<void> {
    lane.inFlight -= items.length;
    lane.peak -= 1;
    // A caller that was just answered is about to come again, and may share the next run.
    if (lane.waiting.length < evenShare(lane)) await nextTurn();
    lane.running -= 1;
    if (lane.waiting.length >= (lane.running === 0 ? 1 : evenShare(lane))) start(lane);
    else if (lane.running === 0) lanes.delete(lane.name);
  }

  /** How many items a second run begins with: as many as the other has, where all that come are shared out evenly. */
  function evenShare({ peak }: Lane<Item, Result>): number {
    return Math.min(largest, Math.max(minItemsForSecondRun, Math.floor(peak / width)));
  }

  /** The caller of an item that has waited too long is gone, or will be: its work would only delay the others. */
  function refuseOverdue({ waiting }: Lane<Item, Result>): void {
    const latest = performance.now() - maxQueueMs;
    const inTime = waiting.findIndex(({ since }) => since >= latest);
    const overdue = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { reject } of overdue) reject(refusal());
  }

  /** While some wait: lets none of them wait for a run that is stuck, nor longer than the limit. */
  function watch(lane: Lane<Item, Result>): void {
    if (lane.isWatched) return;
    lane.isWatched = true;
    setTimeout(() => {
      lane.isWatched = false;
      refuseOverdue(lane);
      const [eldest] = lane.waiting;
      if (eldest === undefined) return;
      if (lane.running < width && eldest.since <= performance.now() - slowMs) start(lane);
      watch(lane);
    }, slowMs).unref();
  }

  async function settle({ lane, items }: Batch<Item, Result>): Promise<void> {
    if (items.length === 0) return;
    try {
      const results = await run(lane.name, items.map(itemOf));
      for (const [at, waiting] of items.entries()) waiting.resolve(results[at] as Result);
    } catch (error) {
      if (items.length === 1 || !mayBeOneItem(error)) for (const waiting of items) waiting.reject(error);
      else await runAlone(lane.name, [...items]);
    }
  }

  /** Null where all are settled; otherwise the run has failed by one of them, and each lane needs one of its own. */
  async function settleTogether(
    runs: SharedRuns<Item, Result>,
    batches: readonly Batch<Item, Result>[],
  ): Promise<{ readonly isStall: boolean } | null> {
    const failed = new Set<string>();
    try {
      const results = await runs.run(
        batches.map(({ lane, items }) => ({ lane: lane.name, items: items.map(itemOf) })),
        (lane) => failed.add(lane),
      );
      for (const [place, { items }] of batches.entries())
        for (const [at, waiting] of items.entries()) waiting.resolve(results[place]?.[at] as Result);
      return null;
    } catch (error) {
      if (!mayBeOneItem(error)) {
        for (const { items } of batches) for (const waiting of items) waiting.reject(error);
        return null;
      }
      // A statement that fails is the failure of all: then it is unknown whose it was.
      if (failed.size === 1) for (const lane of failed) apart.set(lane, true);
      return { isStall: isStall(error) };
    }
  }

  /** A few at a time: once one has stalled, those that have not begun get its error instead of a wait of their own. */
  async function runAlone(name: string, queue: Waiting<Item, Result>[]): Promise<void> {
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
        const lane = lanes.get(name) ?? newLane(name);
        lane.waiting.push({ item, since: performance.now(), resolve, reject });
        lane.peak = Math.max(lane.peak, lane.waiting.length + lane.inFlight);
        const mustWait =
          lane.running === width || (lane.running > 0 && lane.waiting.length < evenShare(lane));
        if (mustWait) watch(lane);
        else start(lane);
      });
    },
  };
}

function newLane<Item, Result>(name: string): Lane<Item, Result> {
  return { name, waiting: [], running: 0, inFlight: 0, peak: 0, isWatched: false };
}

function itemOf<Item>({ item }: { readonly item: Item }): Item {
  return item;
}
