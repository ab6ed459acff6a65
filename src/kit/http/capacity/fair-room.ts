/** What takes room for as long as it waits. */
export interface BufferedBody {
  /** Who answers for it. */
  readonly caller: string;
  /** How much room it takes; only the room it is in changes that. */
  size: number;
  /** It has lost its room. */
  evict(): void;
}

interface Share<T> {
  taken: number;
  /** The oldest first. */
  readonly occupants: Set<T>;
}

/**
 * So much room, which callers share. No caller is turned away: where it is not enough, the caller who has most of it loses what
 * has been there longest, and of several who have as much the one who came first. No caller gets more than half. So
 * quick callers always find room, however many slow ones there are.
 */
export class FairRoom<T extends BufferedBody> {
  readonly #size: number;
  readonly #shares = new Map<string, Share<T>>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  enter(occupant: T): void {
    let share = this.#shares.get(occupant.caller);
    if (share === undefined) {
      share = { taken: 0, occupants: new Set() };
      this.#shares.set(occupant.caller, share);
    }
    share.occupants.add(occupant);
    this.#take(share, occupant.size);
  }

  /** It takes more room than before. Does nothing when it is no longer here. */
  grow(occupant: T, by: number): void {
    const share = this.#shares.get(occupant.caller);
    if (share?.occupants.has(occupant) !== true) return;
    occupant.size += by;
    this.#take(share, by);
  }

  /** It needs its room no more. Does nothing when it is no longer here. */
  leave(occupant: T): void {
    const share = this.#shares.get(occupant.caller);
    if (share?.occupants.delete(occupant) !== true) return;
    share.taken -= occupant.size;
    this.#taken -= occupant.size;
    if (share.occupants.size === 0) this.#shares.delete(occupant.caller);
  }

  *occupants(): Generator<T> {
    for (const { occupants } of this.#shares.values()) yield* occupants;
  }

  #take(share: Share<T>, amount: number): void {
    share.taken += amount;
    this.#taken += amount;
    while (share.taken * 2 > this.#size) this.#evictOldest(share);
    while (this.#taken > this.#size) this.#evictOldest(this.#greediest() ?? share);
  }

  #greediest(): Share<T> | undefined {
    let greediest: Share<T> | undefined;
    for (const share of this.#shares.values())
      if (greediest === undefined || share.taken > greediest.taken) greediest = share;
    return greediest;
  }

  #evictOldest(share: Share<T>): void {
    for (const oldest of share.occupants) {
      this.leave(oldest);
      oldest.evict();
      return;
    }
  }
}
