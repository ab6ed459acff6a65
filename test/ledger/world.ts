/** What a program promises, as its owner set it up. */
export interface Rules {
  readonly mode: 'POINTS' | 'STAMPS';
  readonly title: string;
  /** Points that a reward costs in POINTS; stamps that unlock one in STAMPS. */
  readonly price: number;
  readonly months: number | null;
  readonly perDay: number | null;
  readonly minSecondsBetween: number | null;
  readonly refundPolicy: 'debt' | 'within_balance';
}

/** What an entry took from the points that expire then; below zero: gave back. */
export interface Use {
  readonly expiresAt: number;
  readonly amount: number;
}

export interface Entry {
  readonly seq: number;
  readonly id: string | null;
  readonly kind: string;
  readonly points: number;
  readonly balance: number;
  /** When the points that it brought expire; null: it brought none. */
  readonly into: number | null;
  readonly uses: readonly Use[];
  /** The reward that it redeemed, by the entry that unlocked it. */
  readonly reward: number | null;
  /** Whether an order has brought it, whose refunds undo it in parts. */
  readonly isOfOrder: boolean;
}

export interface Reward {
  readonly seq: number;
  readonly title: string;
  readonly price: number;
  readonly status: 'pending' | 'redeemed' | 'cancelled';
}

/** What a holder has. Never changed in place: an operation that is refused drops its copy. */
export interface Account {
  /** The card that shows it. */
  readonly instanceId: string;
  readonly entries: readonly Entry[];
  /** When they expire → what is left of them. */
  readonly lots: ReadonlyMap<number, number>;
  /** By time of expiry: the expired points that nothing has taken since. */
  readonly expired: ReadonlyMap<number, number>;
  /** The entry of an order → what refunds have taken of it. */
  readonly refunded: ReadonlyMap<number, number>;
  readonly rewards: readonly Reward[];
  readonly reversed: ReadonlySet<number>;
  readonly balance: number;
  readonly lifetime: number;
  readonly lastEarnedAt: number | null;
  /** The day on which it earned last, and how much. */
  readonly day: string;
  readonly earnedThatDay: number;
}

/** A person, or a card without a name, with all cards that they ever had; the account goes along. */
export interface Holder {
  readonly identifier: string | null;
  readonly cards: readonly {
    readonly instanceId: string;
    readonly barcode: string;
    readonly voided: boolean;
  }[];
  readonly account: Account | null;
}

/** One program with everything that the service should know of it. */
export interface World {
  readonly now: number;
  readonly zone: string;
  readonly passId: string;
  readonly programId: string;
  readonly rules: Rules;
  readonly status: 'not_launched' | 'active' | 'paused';
  readonly holders: readonly Holder[];
  /** Operation and ref → what it was used for, and the answer. */
  readonly claims: ReadonlyMap<string, { readonly effect: string; readonly text: string }>;
  /** Ids of entries that no call has asked for. */
  readonly otherEntries: readonly string[];
}
