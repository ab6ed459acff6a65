import type { ApnsResult } from './apns-answer.ts';

/** A push that was asked for and has no result yet. */
export interface Push {
  readonly token: string;
  readonly settle: (result: ApnsResult) => void;
  /** APNs left it untouched before. */
  isRetried: boolean;
  /** The one behind it in the queue. */
  next: Push | null;
}

/** Pushes that wait for their turn, in the order in which they came. */
export class ApnsQueue {
  #first: Push | null = null;
  #last: Push | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  add(push: Push): void {
    if (this.#last === null) this.#first = push;
    else this.#last.next = push;
    this.#last = push;
  }

  take(): Push | null {
    const push = this.#first;
    if (push === null) return null;
    this.#first = push.next;
    if (this.#first === null) this.#last = null;
    push.next = null;
    return push;
  }
}
