import type { Stamp } from './scan-clock.ts';

/** What names a card to the API: the id of a known one, or the code that was read. */
export type CardName = { readonly instanceId: string } | { readonly barcode: string };

/** What a person has entered for a card. */
export interface EnteredAward {
  /** The `externalRef`, made once when the card was scanned, by which the ledger knows a repetition. */
  readonly ref: string;
  /** Absent where the card is known by a code alone. */
  readonly passId?: string;
  readonly card: CardName;
  /** The readings of a code, where there is more than one. */
  readonly readings?: readonly string[];
  /** The code was typed by a person: it may be a number of the holder. */
  readonly isTyped?: true;
  readonly points: number;
  /** What the screen calls the card: the name of its holder, or its code. */
  readonly label: string;
}

/** Who has entered it, and where. */
export interface Enterer {
  readonly workspaceId: string;
  readonly person: { readonly personId: string; readonly name: string };
  /** The name of the shared till; null in a browser of one's own. */
  readonly till: string | null;
}

/**
 * `waiting`: no request has left. `sending`: one has, and its answer is not known. `sent`: the ledger has it. `refused`: the
 * service does not take it, a person has to decide. `dropped`: a person has decided against it.
 */
export type AwardState = 'waiting' | 'sending' | 'sent' | 'refused' | 'dropped';

/** Why the service did not take it, as its answer said. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
}

/** What of the answer is needed later. */
export interface Arrived {
  readonly entryId: string;
  readonly instanceId: string;
  readonly points: number;
  readonly balance: number;
  readonly limitedBy?: 'min_seconds_between' | 'per_day';
}

/** An award that is kept until the ledger has it. */
export interface QueuedAward extends EnteredAward, Enterer {
  /** Its place in the order of entering. */
  readonly seq: number;
  readonly stamp: Stamp;
  readonly state: AwardState;
  /** A person wants it undone: as soon as the ledger has it, it is reversed. */
  readonly undo: boolean;
  readonly arrived?: Arrived;
  readonly refusal?: Refusal;
  /** Who has decided against it, when by the clock of the device, and why. */
  readonly dropped?: { readonly by: string; readonly at: number; readonly reason: string };
}

/** Whether the service has yet to hear something of it. */
export function isOpen({ state, undo }: QueuedAward): boolean {
  return state === 'waiting' || state === 'sending' || (state === 'sent' && undo);
}

/** Whether a person has to decide about it: it was refused, or a limit of the program has made it one of nothing. */
export function isConflict({ state, undo, arrived }: QueuedAward): boolean {
  return state === 'refused' || (state === 'sent' && !undo && arrived?.limitedBy !== undefined);
}

/** The text that distinguishes cards. */
export function cardKey({ card }: EnteredAward): string {
  return 'instanceId' in card ? card.instanceId : `code ${card.barcode}`;
}

/**
 * What is to be sent next: the oldest open one of the workspace whose card has no older one open, and that does not wait for a
 * time of its own.
 */
export function nextToSend(
  awards: readonly QueuedAward[],
  workspaceId: string,
  mustWait: (award: QueuedAward) => boolean,
): QueuedAward | undefined {
  const held = new Set<string>();
  for (const award of [...awards].sort((one, other) => one.seq - other.seq)) {
    if (award.workspaceId !== workspaceId || !isOpen(award)) continue;
    const key = cardKey(award);
    if (!held.has(key) && !mustWait(award)) return award;
    held.add(key);
  }
  return undefined;
}
