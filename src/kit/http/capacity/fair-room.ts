/** A body that takes room while it waits. */
export interface BufferedBody {
  /** The caller that it counts for. */
  readonly caller: string;
  /** The room that it takes; only `FairRoom` changes that. */
  size: number;
  /** Called when it has lost its room. */
  evict(): void;
}

interface Share<T> {
  taken: number;
  /** The oldest first. */
  readonly occupants: Set<T>;
}

/**
 * A bounded room that callers share. It refuses no caller: when it is full, the caller with the largest share loses its oldest
 * body, and among several with equal shares the one who came first. No caller gets more than half. So
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

  /** Gives a body more room. Does nothing when the body is no longer here. */
  grow(occupant: T, by: number): void {
    const share = this.#shares.get(occupant.caller);
    if (share?.occupants.has(occupant) !== true) return;
    occupant.size += by;
    this.#take(share, by);
  }

  /** Frees the room of a body. Does nothing when the body is no longer here. */
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
