import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tenants } from '../citus/tenants.ts';
import type { Db, Tx } from './database.ts';
import { CommitUnknown, isTransient, LostRace, NoTurn, sqlState } from './database-errors.ts';

/** A set-based write: takes a list of one lane and answers each item, refusals included, in the same order. */
export type WriteMany<Item, Result> = (
  tx: Tx,
  lane: string,
  items: readonly Item[],
) => Promise<readonly Result[]>;
/** A set-based read. */
export type ReadMany<Item, Result> = (
  db: Db,
  lane: string,
  items: readonly Item[],
) => Promise<readonly Result[]>;

/**
 * Merges concurrent calls of the same set-based function and lane into one transaction, or one query. A lane that begins with
 * the id of a tenant is about rows of that tenant alone.
 */
export interface GroupCommit {
  write<Item, Result>(many: WriteMany<Item, Result>, lane: string, item: Item): Promise<Result>;
  read<Item, Result>(many: ReadMany<Item, Result>, lane: string, item: Item): Promise<Result>;
}

/** A batch larger than this would hold its locks longer than it saves commits. */
const largest = 100;
/** A second run starts next to the first where that is worth it, or where the first is stuck. */
const width = 2;
/**
 * Small runs cost each item more than it gains by not waiting: most of a run's cost is its own. Of writes one run fills
 * while another waits for the disk; reads wait for nothing, so only a full run is worth it.
 */
const minItemsForSecondRun = { write: 24, read: largest };
/** A run that takes longer waits for a lock, or its connection is lost. */
const slowMs = 100;
/** As long as for a connection. */
const maxQueueMs = 2_000;

/** One batcher per function, made at its first call. */
export function createGroupCommit(tenants: Tenants): GroupCommit {
  const batchers = new Map<unknown, Batcher<unknown, unknown>>();

  function batcherOf<Item, Result>(
    many: unknown,
    kind: 'write' | 'read',
    run: (lane: string, items: readonly Item[]) => Promise<readonly Result[]>,
  ): Batcher<Item, Result> {
    const known = batchers.get(many);
    if (known !== undefined) return known as Batcher<Item, Result>;
    const made = createBatcher<Item, Result>({
      largest,
      width,
      minItemsForSecondRun: minItemsForSecondRun[kind],
      slowMs,
      maxQueueMs,
      refusal: () => new NoTurn(),
      run,
      mayBeOneItem,
      isStall,
    });
    batchers.set(many, made as Batcher<unknown, unknown>);
    return made;
  }

  return {
    write: (many, lane, item) =>
      batcherOf(many, 'write', (name, items: readonly (typeof item)[]) =>
        tenants.transaction(tenantOf(name), (tx) => many(tx, name, items)),
      ).submit(lane, item),
    read: (many, lane, item) =>
      batcherOf(many, 'read', (name, items: readonly (typeof item)[]) =>
        tenants.read(tenantOf(name), (db) => many(db, name, items)),
      ).submit(lane, item),
  };
}

function tenantOf(lane: string): string | null {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?= |$)/.exec(lane)?.[0] ?? null;
}

function isStall(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** A row that the database refuses, or one that another transaction holds. */
function mayBeOneItem(error: unknown): boolean {
  const isHeld = error instanceof LostRace || ['40001', '40P01', '55P03'].includes(sqlState(error) ?? '');
  return isHeld || !(isTransient(error) || error instanceof CommitUnknown);
}

/**
 * Group commit: calls that arrive while a lane's run is under way are merged into its next run, so that many
 * callers share one transaction. Each caller gets the result of its own item.
 */
interface Batcher<Item, Result> {
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
  /** How many items are worth a second run: fewer wait for the first to end, and share the next one. */
  readonly minItemsForSecondRun: number;
  /** An item that has waited so long, in ms, waits for a stuck run: then a second run is worth it for one item. */
  readonly slowMs: number;
  /** How long an item may wait for its run to begin, in ms; afterwards it is refused with what `refusal` makes. */
  readonly maxQueueMs: number;
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
  /** Items currently running. */
  inFlight: number;
  peak: number;
  /** A timer looks after the items that wait. */
  isWatched: boolean;
}

/** A batcher whose lanes take no turns with others: each has its own runs. */
export function createBatcher<Item, Result>(options: Options<Item, Result>): Batcher<Item, Result> {
  const { largest, width, minItemsForSecondRun, slowMs, maxQueueMs, refusal, run, mayBeOneItem, isStall } =
    options;
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
      // A caller that was just answered is about to come again, and may share the next run.
      if (lane.waiting.length < evenShare(lane)) await nextTurn();
    } while (isDue(lane));
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(name);
  }

  /** Asked by one of the runs. */
  function isDue(lane: Lane<Item, Result>): boolean {
    return lane.waiting.length >= (lane.running === 1 ? 1 : evenShare(lane));
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
      else await runAlone(name, [...batch]);
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
        const lane = lanes.get(name) ?? { waiting: [], running: 0, inFlight: 0, peak: 0, isWatched: false };
        lane.waiting.push({ item, since: performance.now(), resolve, reject });
        lane.peak = Math.max(lane.peak, lane.waiting.length + lane.inFlight);
        const mustWait =
          lane.running === width || (lane.running > 0 && lane.waiting.length < evenShare(lane));
        if (mustWait) watch(name, lane);
        else start(name, lane);
      });
    },
  };
}
