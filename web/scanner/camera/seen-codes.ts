/** A code counts again once it was out of sight for so long. */
const awayMs = 2_000;

/** Which codes are in view, so that a card that stays there counts once. */
export class SeenCodes {
  readonly #seenAt = new Map<string, number>();
  #lookedAt = 0;

  /** Looking begins, or goes on: what was in view before the pause counts as in view still. */
  begin(now: number): void {
    const pause = now - this.#lookedAt;
    for (const [text, at] of this.#seenAt) this.#seenAt.set(text, at + pause);
    this.#lookedAt = now;
  }

  /** Takes a look and the code that it has found. True if that has come into view just now. */
  look(text: string | null, now: number): boolean {
    this.#lookedAt = now;
    for (const [known, at] of this.#seenAt) if (now - at >= awayMs) this.#seenAt.delete(known);
    if (text === null) return false;
    const isNew = !this.#seenAt.has(text);
    this.#seenAt.set(text, now);
    return isNew;
  }
}
