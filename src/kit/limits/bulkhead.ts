/** Places for work that takes long: few for each key, so that one caller's work never takes up all of them. */
export interface Bulkhead {
  /**
   * Does the work as soon as there is a place, and frees the place when the work has ended or failed. Calls of one key
   * get their places in the order they came. Raises what `refusal` makes when there was no place in time, or when too
   * many are waiting already.
   */
  enter<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface BulkheadOptions {
  /** How much work is done at a time. */
  readonly places: Share;
  /** How many calls wait for a place at a time. */
  readonly waiting: Share;
  /** How long a call waits, in milliseconds. */
  readonly patienceMs: number;
  refusal(): Error;
}

interface Share {
  readonly perKey: number;
  readonly total: number;
}

/** The calls of one key. */
interface Line {
  running: number;
  readonly waiting: Set<Turn>;
}

interface Turn {
  readonly number: number;
  begin(): void;
}

/**
 * A bulkhead within this process. A free place goes to the key that has the fewest, and among those to the call that
 * came first, so that one caller with many calls does not hold up the others.
 */
export function createBulkhead({ places, waiting, patienceMs, refusal }: BulkheadOptions): Bulkhead {
  const lines = new Map<string, Line>();
  let running = 0;
  let queued = 0;
  let turns = 0;

  /** Resolves once the key has a place. */
  async function take(key: string, signal: AbortSignal | undefined): Promise<void> {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() };
    const mustWait = running >= places.total || line.running >= places.perKey;
    if (mustWait && (queued >= waiting.total || line.waiting.size >= waiting.perKey)) throw refusal();
    lines.set(key, line);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(patience);
        signal?.removeEventListener('abort', abort);
        line.waiting.delete(turn);
        queued--;
      };
      const giveUp = (error: unknown) => {
        leave();
        forget(key, line);
        reject(error);
      };
      const abort = () => giveUp(signal?.reason);
      const patience = setTimeout(() => giveUp(refusal()), patienceMs);
      const turn: Turn = {
        number: ++turns,
        begin() {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort);
      line.waiting.add(turn);
      queued++;
      fill();
    });
  }

  /** Hands out the places that are free. */
  function fill(): void {
    while (running < places.total) {
      const next = [...lines.values()].filter(hasTurn).sort(byNeed)[0];
      const [turn] = next?.waiting ?? [];
      if (next === undefined || turn === undefined) return;
      next.running++;
      running++;
      turn.begin();
    }
  }

  function hasTurn(line: Line): boolean {
    return line.waiting.size > 0 && line.running < places.perKey;
  }

  /** Nothing is kept of a key that has no calls. */
  function forget(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) lines.delete(key);
  }

  return {
    async enter(key, work, signal) {
      signal?.throwIfAborted();
      await take(key, signal);
      try {
        return await work();
      } finally {
        running--;
        const line = lines.get(key);
        if (line !== undefined) {
          line.running--;
          forget(key, line);
        }
        fill();
      }
    },
  };
}

function byNeed(one: Line, other: Line): number {
  return one.running - other.running || firstOf(one) - firstOf(other);
}

function firstOf({ waiting }: Line): number {
  const [turn] = waiting;
  return turn?.number ?? 0;
}

/**
 * A gate that lets asynchronous work of at most `limit` in all run at a time; the rest waits in the order it came. A
 * piece of work weighs 1 unless told otherwise; one that weighs more than the limit runs alone, so what is light never
 * overtakes what is heavy for good. Work that fails frees its place too.
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
