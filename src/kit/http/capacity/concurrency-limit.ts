/** The least limit, even when everything is slow. */
const fewest = 16;
/** Too many handlers run when half of them take longer than this. */
const slowMs = 500;
/** The number of finished requests that are judged together. */
const window = 32;
/** The limit falls faster than it rises. */
const shrink = 0.8;
const growth = 16;

/**
 * Limits the requests whose handlers run, without a queue: a request beyond the limit is refused at once, which costs
 * next to nothing, and those inside are served as fast as ever. The limit follows from how long it takes to serve: a
 * slower machine or database gets a lower limit.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  /** The callers of keys, while they have requests inside. */
  readonly #byKey = new Map<string, string>();
  #places: number;
  #busy = 0;
  /** The most requests that ran at a time since the last judgement. */
  #peak = 0;
  #times: number[] = [];

  constructor(places: number) {
    this.#most = places;
    this.#places = places;
  }

  /** Whether every place is taken. */
  get isPacked(): boolean {
    return this.#busy >= this.#places;
  }

  /**
   * Whether a request of this caller has to be refused. Once half of the places are taken, no caller gets more than an equal
   * share of them all, so that there is room for one more caller whatever the others do.
   */
  isFull(caller: string): boolean {
    if (this.#busy * 2 < this.#places) return false;
    if (this.isPacked) return true;
    const held = this.#held.get(caller) ?? 0;
    return held > 0 && held >= this.#places / (this.#held.size + 1);
  }

  /** The same where only the caller's key is known. A key that no served caller has sent counts for none. */
  isFullFor(key: string | null): boolean {
    const caller = key === null ? undefined : this.#byKey.get(key);
    return caller === undefined ? this.isPacked : this.isFull(caller);
  }

  enter(caller: string, key: string | null = null): void {
    if (key !== null) this.#byKey.set(key, caller);
    this.#busy += 1;
    this.#peak = Math.max(this.#peak, this.#busy);
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  /** Notes the end of a request of this caller, and its duration. */
  leave(caller: string, ms: number): void {
    this.#busy -= 1;
    const held = (this.#held.get(caller) ?? 0) - 1;
    if (held > 0) this.#held.set(caller, held);
    else {
      this.#held.delete(caller);
      for (const [key, its] of this.#byKey) if (its === caller) this.#byKey.delete(key);
    }
    this.#times.push(ms);
    if (this.#times.length === window) this.#adapt();
  }

  /**
   * The median decides, so that a few callers who wait for a lock of theirs do not lower the limit for all. And where most
   * places were free, the number of requests was not the cause.
   */
  #adapt(): void {
    const median = this.#times.sort((one, other) => one - other)[window >> 1] ?? 0;
    const wasFull = this.#peak * 2 >= this.#places;
    this.#times = [];
    this.#peak = this.#busy;
    if (median <= slowMs || !wasFull) this.#places = Math.min(this.#most, this.#places + growth);
    else this.#places = Math.max(Math.min(fewest, this.#most), Math.floor(this.#places * shrink));
  }
}
