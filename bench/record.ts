import type { Load } from './load-plan.ts';

/** Takes in how long each call took, in memory that is there from the start. */
export class Record {
  readonly #times = new Float64Array(most);
  readonly #statuses = new Map<number, number>();
  readonly #bySecond: number[] = [];
  readonly #started = performance.now();
  readonly #cpu = process.cpuUsage();
  #count = 0;

  /** An answer that came at `at` to what was sent at `sentAt`, both in ms. */
  add(status: number, sentAt: number, at: number): void {
    if (this.#count === most) throw new Error('too many calls for one run');
    this.#times[this.#count++] = at - sentAt;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const second = Math.floor((at - this.#started) / 1_000);
    this.#bySecond[second] = (this.#bySecond[second] ?? 0) + 1;
  }

  /** The figures, once it is over. */
  summarize(): Load {
    const elapsed = performance.now() - this.#started;
    const { user, system } = process.cpuUsage(this.#cpu);
    const times = this.#times.subarray(0, this.#count).sort();
    const at = (share: number) => times[Math.min(this.#count - 1, Math.floor(this.#count * share))];
    return {
      perSecond: (this.#count / elapsed) * 1_000,
      p50Ms: at(0.5) ?? Number.NaN,
      p99Ms: at(0.99) ?? Number.NaN,
      statuses: this.#statuses,
      bySecond: Array.from(this.#bySecond, (count) => count ?? 0),
      ownMicros: (user + system) / this.#count,
    };
  }
}

const most = 2_000_000;
