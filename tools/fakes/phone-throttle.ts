/** How a device slows down the pushes of one pass type. */
export interface SlowDown {
  readonly name: 'mild' | 'moderate' | 'severe' | 'last';
  /** Milliseconds until the device asks for changes. */
  readonly delayMs: number;
}

/**
 * Counts the pushes of one pass type as iOS does: a score that fades within two hours, and delays of 2, 10 and 60
 * minutes; at the last level the user is asked to switch the updates off. Intervals and delays are those of decompiled
 * iOS code; its thresholds are not known, and those here are assumed.
 */
export class PushThrottle {
  #score = 0;
  #countedAt = 0;

  /** Counts a push; null while there are not too many. `now` is in milliseconds. */
  count(now: number): SlowDown | null {
    const left = 1 - (now - this.#countedAt) / fadesWithinMs;
    this.#score = this.#score * Math.max(0, Math.min(1, left)) + 1;
    this.#countedAt = now;
    return levels.findLast(({ from }) => this.#score >= from) ?? null;
  }
}

const fadesWithinMs = 7_200_000;

const levels: readonly (SlowDown & { readonly from: number })[] = [
  { from: 5, name: 'mild', delayMs: 120_000 },
  { from: 8, name: 'moderate', delayMs: 600_000 },
  { from: 12, name: 'severe', delayMs: 3_600_000 },
  { from: 16, name: 'last', delayMs: 3_600_000 },
];
