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
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Options<Item, Result> {
  /** Most items of one run. */
  readonly largest: number;
  /** Gets the items of one lane and answers them in their order. */
  run(lane: string, items: readonly Item[]): Promise<readonly Result[]>;
  /**
   * Whether an error may come from a single item and left nothing behind. Then each item of the run is run again
   * alone: one caller's bad row never affects its neighbours. Otherwise all of them get the error.
   */
  mayBeOneItem(error: unknown): boolean;
}

/** A batcher with one run at a time per lane. */
export function createBatcher<Item, Result>(options: Options<Item, Result>): Batcher<Item, Result> {
  const { largest, run, mayBeOneItem } = options;
  const lanes = new Map<string, Waiting<Item, Result>[]>();

  async function work(lane: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await settle(lane, queue.splice(0, largest));
    lanes.delete(lane);
  }

  async function settle(lane: string, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        lane,
        batch.map((waiting) => waiting.item),
      );
      for (const [at, waiting] of batch.entries()) waiting.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1 || !mayBeOneItem(error)) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await settle(lane, [waiting]);
    }
  }

  return {
    submit(lane, item) {
      return new Promise((resolve, reject) => {
        const waiting = { item, resolve, reject };
        const queue = lanes.get(lane);
        if (queue !== undefined) {
          queue.push(waiting);
          return;
        }
        const started = [waiting];
        lanes.set(lane, started);
        // The lane starts after this turn, so that calls of the same turn share its first run.
        queueMicrotask(() => void work(lane, started));
      });
    },
  };
}
