import { PushThrottle } from './phone-throttle.ts';

/** What a phone remembers of a pass type: the cards of one type share a tag and a push. */
export class PhoneTopic {
  readonly passTypeIdentifier: string;
  /** That of the newest card. */
  webServiceURL: string;
  /** As received; null until the first list. */
  tag: string | null = null;
  /** In milliseconds. */
  taggedAt = 0;
  /** Serial numbers that were listed and whose newest version has not come yet. */
  readonly outdated = new Set<string>();
  /** There was a push that no look at the changes has answered yet. */
  isPushed = false;
  readonly #throttle = new PushThrottle();
  #level: string | null = null;
  #delayMs = 0;
  #current: Promise<void> = idle;
  #next: Promise<void> | null = null;

  constructor(passTypeIdentifier: string, webServiceURL: string) {
    this.passTypeIdentifier = passTypeIdentifier;
    this.webServiceURL = webServiceURL;
  }

  /** Counts a push against the device's limit. What happens from now on, when that is worse than before. */
  countPush(now: number): string | null {
    const slow = this.#throttle.count(now);
    this.#delayMs = slow?.delayMs ?? 0;
    const isWorse = slow !== null && slow.name !== this.#level;
    this.#level = slow?.name ?? null;
    if (!isWorse) return null;
    if (slow.name === 'last') return 'the holder is asked to switch updates off';
    return `${slow.name} rate limiting, ${slow.delayMs / 1_000} s`;
  }

  /**
   * Looks at the changes, once at a time: whatever asks while a look is under way shares the next one. `wait` passes
   * the time that the device lets go by because of too many pushes.
   */
  lookAgain(look: () => Promise<void>, wait: (ms: number) => Promise<void>): Promise<void> {
    this.#next ??= this.#lookWhenFree(look, wait);
    return this.#next;
  }

  async #lookWhenFree(look: () => Promise<void>, wait: (ms: number) => Promise<void>): Promise<void> {
    await this.#current;
    if (this.#delayMs > 0) await wait(this.#delayMs);
    this.#delayMs = 0;
    this.#next = null;
    const looking = look();
    this.#current = looking.catch(() => undefined);
    await looking;
  }
}

const idle = Promise.resolve();
