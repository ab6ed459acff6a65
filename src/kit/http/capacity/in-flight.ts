/** A request that is being served. */
export interface Flight {
  /** Its place among the others; -1 without one. */
  place: number;
  /** Called periodically, with the time and the limit for a client to receive its answer. */
  sweep(now: number, limitMs: number): void;
  /** Ends an answer of events that is sent piece by piece. */
  endStream(): void;
}

/**
 * The requests that are being served: their number limits the load, and shutting down waits for them. They are kept in a
 * linked list. A Set rebuilds itself after many changes, and the old table refers to the new one, so that past requests
 * would stay in memory until all of it is collected together.
 */
export class InFlight {
  readonly #flights: Flight[] = [];
  /** How many of them are answers of events, which may last for hours and are no load. */
  streams = 0;
  /** How many of them wait for their bodies, which is no load either. */
  waiting = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  get load(): number {
    return this.#flights.length - this.streams - this.waiting;
  }

  add(flight: Flight): void {
    flight.place = this.#flights.push(flight) - 1;
  }

  delete(flight: Flight): void {
    this.#remove(flight);
    if (this.#flights.length > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** The last one takes its place. */
  #remove(flight: Flight): void {
    const { place } = flight;
    if (place < 0) return;
    const last = this.#flights.pop();
    if (last !== undefined && last !== flight) {
      this.#flights[place] = last;
      last.place = place;
    }
    flight.place = -1;
  }

  /** Closes answers that have waited for their client longer than `limitMs`; checks every `checkMs` milliseconds. */
  watch(checkMs: number, limitMs: number): void {
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (const flight of [...this.#flights]) flight.sweep(now, limitMs);
    }, checkMs);
    this.#timer.unref();
  }

  stopWatching(): void {
    clearInterval(this.#timer);
  }

  endStreams(): void {
    for (const flight of [...this.#flights]) flight.endStream();
  }

  /** Resolves when nothing is in flight, or after `limitMs` with false. */
  async landed(limitMs: number): Promise<boolean> {
    if (this.#flights.length === 0) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), limitMs);
    this.#waiting.push(() => resolve(true));
    const landed = await promise;
    clearTimeout(timer);
    return landed;
  }
}
