import { backOff } from '../../kit/back-off.ts';
import type { ApnsTimes } from './apns-plan.ts';

/**
 * Says when the next attempt to connect is worth it. The pause grows with each failure in a row, and is spread, so that
 * processes that lost APNs together do not come back together.
 */
export class ApnsCircuit {
  readonly #times: ApnsTimes;
  #failures = 0;
  #pausedUntil: number | null = null;

  constructor(times: ApnsTimes) {
    this.#times = times;
  }

  /** By `performance.now()`; null when nothing speaks against an attempt. */
  get pausedUntil(): number | null {
    if (this.#pausedUntil !== null && this.#pausedUntil <= performance.now()) this.#pausedUntil = null;
    return this.#pausedUntil;
  }

  /** How long to leave APNs alone, in milliseconds. */
  get pauseMs(): number {
    return Math.ceil(Math.max((this.pausedUntil ?? 0) - performance.now(), 0)) || this.#times.firstPauseMs;
  }

  /** Opens after a failure. One that comes after answers is the first again. */
  open(wasUseful: boolean): void {
    const { firstPauseMs, mostPauseMs } = this.#times;
    this.#failures = wasUseful ? 1 : this.#failures + 1;
    const longestMs = backOff({ firstMs: firstPauseMs, mostMs: mostPauseMs }, this.#failures);
    this.#pausedUntil = performance.now() + longestMs * (0.5 + Math.random() / 2);
  }
}
