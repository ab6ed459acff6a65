/** Places for work that takes long: few for each key, so that one caller's work never takes up all of them. */
export interface Bulkhead {
  /**
   * Does the work as soon as there is a place, and frees the place when the work has ended or failed. Where several keys are
   * given, each of them needs room. Calls of the same keys get their places in the order they came. Raises what `refusal`
   * makes when there was no place in time, or when too many are waiting already; and the signal's reason while it waits.
   */
  enter<T>(key: string | readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface BulkheadOptions {
  /** How much work is done at a time. */
  readonly places: Share;
  /** How many calls wait for a place at a time. */
  readonly waiting: Share;
  /** How long a call waits, in milliseconds. */
  readonly maxQueueMs: number;
  refusal(): Error;
}

interface Share {
  readonly perKey: number;
  readonly total: number;
}

/** The calls of one key. */
interface Line {
  readonly key: string;
  running: number;
  waiting: number;
}

interface Turn {
  readonly lines: readonly Line[];
  begin(): void;
}

/**
 * A bulkhead within this process. A free place goes to the key that has the fewest, and among those to the call that
 * came first, so that one caller with many calls does not hold up the others.
 */
export function createBulkhead({ places, waiting, maxQueueMs, refusal }: BulkheadOptions): Bulkhead {
  const lines = new Map<string, Line>();
  const turns = new Set<Turn>();
  let running = 0;

  /** Resolves once there is a place. */
  async function take(own: readonly Line[], signal: AbortSignal | undefined): Promise<void> {
    const mustWait = running >= places.total || !own.every(hasPlace);
    const isCrowd = turns.size >= waiting.total || own.some((line) => line.waiting >= waiting.perKey);
    if (mustWait && isCrowd) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        turns.delete(turn);
        for (const line of own) line.waiting--;
      };
      const giveUp = (error: unknown) => {
        leave();
        forget(own);
        reject(error);
      };
      const abort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(refusal()), maxQueueMs);
      const turn: Turn = {
        lines: own,
        begin() {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort);
      for (const line of own) {
        line.waiting++;
        lines.set(line.key, line);
      }
      turns.add(turn);
      fill();
    });
  }

  /** Hands out the places that are free. */
  function fill(): void {
    while (running < places.total) {
      const next = nextTurn();
      if (next === null) return;
      for (const line of next.lines) line.running++;
      running++;
      next.begin();
    }
  }

  function nextTurn(): Turn | null {
    let next: Turn | null = null;
    let fewest = places.perKey;
    for (const turn of turns) {
      const most = Math.max(...turn.lines.map((line) => line.running));
      if (most >= fewest) continue;
      next = turn;
      fewest = most;
    }
    return next;
  }

  function hasPlace(line: Line): boolean {
    return line.running < places.perKey;
  }

  /** Nothing is kept of a key that has no calls. */
  function forget(own: readonly Line[]): void {
    for (const line of own) if (line.running === 0 && line.waiting === 0) lines.delete(line.key);
  }

  return {
    async enter(key, work, signal) {
      signal?.throwIfAborted();
      const own = [key].flat().map((one) => lines.get(one) ?? { key: one, running: 0, waiting: 0 });
      await take(own, signal);
      try {
        return await work();
      } finally {
        running--;
        for (const line of own) line.running--;
        forget(own);
        fill();
      }
    },
  };
}

/** Takes a place that is kept until what is returned is called; raises what `enter` raises. */
export function takePlace(
  places: Bulkhead,
  key: string | readonly string[],
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  places.enter(key, () => new Promise<void>((leave) => resolve(leave)), signal).catch(reject);
  return promise;
}

/**
 * A gate that lets asynchronous work of at most `limit` in all run at a time; the rest waits in the order it came. A
 * piece of work weighs 1 by default; one that weighs more than the limit runs alone, so light work never overtakes
 * heavy work for good. Failed work releases its permit too.
 */
export function createGate(limit: number): <T>(work: () => Promise<T>, weight?: number) => Promise<T> {
  const waiting: { readonly share: number; readonly enter: () => void }[] = [];
  let free = limit;
  return async (work, weight = 1) => {
    const share = Math.min(weight, limit);
    if (waiting.length === 0 && share <= free) free -= share;
    else await new Promise<void>((enter) => waiting.push({ share, enter }));
    try {
      return await work();
    } finally {
      free += share;
      // Their places are taken before they run, so that no later call slips in between.
      for (let next = waiting[0]; next !== undefined && next.share <= free; next = waiting[0]) {
        waiting.shift();
        free -= next.share;
        next.enter();
      }
    }
  };
}
