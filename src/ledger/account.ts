/** An account as it stands. Moments of expiry are ms since 1970 throughout; Infinity is never. */
export interface Account {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly programId: string;
  /** The card that shows it. */
  readonly instanceId: string;
  readonly seq: number;
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
  readonly nextExpiryAt: number;
  readonly lastEarnedAt: Date | null;
  /** The end of the day on which it last earned, and what it earned on that day. */
  readonly dayEndsAt: Date | null;
  readonly earnedThatDay: number;
  /** The moment at which its card last began to show a change of it, and the revision of the pass then; null: never. */
  readonly shownAt: Date | null;
  readonly shownPassRevision: number;
}

/** Points that expire together. */
export interface Lot {
  readonly expiresAt: number;
  remaining: number;
  /** What has expired of it, less what was given back because its earn was undone since. */
  expired: number;
  /** Whether the database has it; one that it may have as well was not read, and only grows. */
  readonly stored: boolean;
  /** What was added to it, and by how much its remainder and what has expired of it have moved. */
  grown: number;
  moved: number;
  lapsed: number;
}

/** What an entry took from a lot; negative: gave back. */
export interface LotUse {
  readonly seq: number;
  readonly expiresAt: number;
  readonly amount: number;
}

/** A reward that an entry has unlocked, and what the unlocking took from the lots where that is known. */
export interface Reward {
  /** The id of that entry. */
  readonly rewardId: string;
  readonly seq: number;
  readonly title: string;
  readonly threshold: number;
  readonly uses: readonly LotUse[];
  status: 'pending' | 'redeemed' | 'cancelled';
  closedSeq: number | null;
  /** New or changed: to be written. */
  changed: boolean;
}

/** A correction is an adjust that leaves lifetime points alone. */
export type EntryKind =
  | 'earn'
  | 'redeem'
  | 'unlock'
  | 'cancel'
  | 'expire'
  | 'adjust'
  | 'correction'
  | 'import'
  | 'reversal';

/** An entry to be written. */
export interface NewEntry extends Cause {
  readonly entryId: string;
  readonly seq: number;
  readonly kind: EntryKind;
  readonly points: number;
  readonly balance: number;
  /** The lot that its points went into; null: into none. */
  readonly expiresAt: number | null;
  readonly limitedBy: string | null;
  /** The entry that it undoes as a whole. */
  readonly reversalOf: number | null;
  readonly reversedEntryId: string | null;
  /** What it has unlocked, used or turned back. */
  readonly reward: Pick<Reward, 'rewardId' | 'title'> | null;
}

/** What the entries of one call have in common. */
export interface Cause {
  readonly actor: string;
  readonly requestId: string;
  readonly at: Date;
  readonly occurredAt: Date;
  readonly externalRef: string | null;
  readonly reason: string | null;
  /** UUID. */
  readonly partnerId: string | null;
  /** The shared till, as its uuid. */
  readonly deviceId: string | null;
  /** The order that it is for, as its caller or store names it. */
  readonly orderId: string | null;
}

/** A cause of now without a key, a reason, a partner or an order. */
export function plainCause(actor: string, requestId: string, at: Date): Cause {
  return {
    actor,
    requestId,
    at,
    occurredAt: at,
    externalRef: null,
    reason: null,
    partnerId: null,
    deviceId: null,
    orderId: null,
  };
}

/** Points that are to be undone, all that an earn has brought or a part of it, and the lot that they went into. */
export interface UndonePoints {
  readonly points: number;
  readonly expiresAt: number | null;
}

/** An entry that is to be undone, with what it took from lots. */
export interface UndoneEntry extends UndonePoints {
  readonly entryId: string;
  readonly seq: number;
  readonly uses: readonly LotUse[];
}
