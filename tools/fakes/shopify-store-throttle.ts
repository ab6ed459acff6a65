/** The rate limit of the store: a maximum of points, and how many come back in a second. */
export interface BucketPlan {
  readonly maximumAvailable: number;
  readonly restoreRate: number;
}

/** What the platform says of the bucket in each of its answers. */
export interface ThrottleStatus extends BucketPlan {
  readonly currentlyAvailable: number;
}

/** The leaky bucket of points that belongs to an app and a store. */
export class CostBucket {
  readonly #plan: BucketPlan;
  #available: number;
  #at = performance.now();

  constructor(plan: BucketPlan) {
    this.#plan = plan;
    this.#available = plan.maximumAvailable;
  }

  get status(): ThrottleStatus {
    this.#restore();
    return { ...this.#plan, currentlyAvailable: Math.floor(this.#available) };
  }

  /** Takes the points, if there are enough. */
  take(points: number): boolean {
    this.#restore();
    if (points > this.#available) return false;
    this.#available -= points;
    return true;
  }

  /** Points that were taken and not used. */
  giveBack(points: number): void {
    this.#available = Math.min(this.#plan.maximumAvailable, this.#available + points);
  }

  /** Nothing is left, as if another part of the app had taken it. */
  drain(): void {
    this.#restore();
    this.#available = 0;
  }

  #restore(): void {
    const now = performance.now();
    this.giveBack(((now - this.#at) / 1_000) * this.#plan.restoreRate);
    this.#at = now;
  }
}
