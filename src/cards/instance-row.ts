import type { CardKey } from '../engine/card-key.ts';
import type { BarcodeMode, Expiry, PassField } from '../passes/pass-row.ts';
import type { ProgramMode } from '../passes/programs/program-row.ts';
import type { Tiered } from '../passes/programs/tiers.ts';
import type { PushOutcome } from '../pushes/push-outcome.ts';

export type PushResult = 'delivered' | 'skipped' | 'failed';

/** A card with what its answers need of its pass and its holder. */
export interface InstanceRow extends CardKey {
  readonly passId: string;
  readonly status: 'active' | 'voided';
  /** Its own code; null without one, or where the pass has one for all. */
  readonly barcode: string | null;
  readonly addressable: boolean;
  /** Whether any wallet holds it now, and how many of each kind. */
  readonly installed: boolean;
  readonly appleWallets: number;
  readonly googleWallets: number;
  readonly webWallets: number;
  /** The holder's own values; null is a cleared one, absent means the pass's default. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** Overrides the expiry of the pass. */
  readonly expiresAt: Date | null;
  readonly partnerId: string | null;
  readonly metadata: Readonly<Record<string, string | number | boolean | null>>;
  readonly linkSecret: Buffer;
  readonly authenticationToken: string;
  readonly revision: number;
  readonly modifiedAt: Date;
  /** The moment of the last change of the card or its points, whether or not the card shows it. */
  readonly updatedAt: Date;
  /** The revision of the pass at modifiedAt, and the one it has now. */
  readonly seenPassRevision: number;
  readonly passRevision: number;
  readonly createdAt: Date;
  /** The caller's own reference of its issue. */
  readonly externalRef: string | null;
  /** When a wallet took it for the first time. */
  readonly installedAt: Date | null;
  /** The outcome of the last push of the card itself; null: there was none. */
  readonly lastPushAt: Date | null;
  readonly lastPushResult: PushResult | null;
  readonly erasedAt: Date | null;
  /** Of a voided card; null where a former version has voided it. */
  readonly voidedAt: Date | null;
  readonly voidReason: string | null;
  readonly passFields: readonly PassField[];
  readonly passExpiry: Expiry;
  readonly passModifiedAt: Date;
  readonly barcodeMode: BarcodeMode;
  readonly sharedBarcode: string | null;
  readonly holder: HolderRow | null;
  /** null: the pass has no program. */
  readonly loyalty: CardAccount | null;
}

/** What the card has in the program of its pass; nothing before its first entry. */
export interface CardAccount extends Tiered {
  readonly programId: string;
  readonly mode: ProgramMode;
  readonly currency: string | null;
  /** ISO 8601; null: not launched yet, and the card shows nothing of it. */
  readonly launchedAt: string | null;
  readonly balance: number;
  readonly pendingRewards: number;
}

/** A card after a change, and the outcome of its push. */
export interface Updated {
  readonly row: InstanceRow;
  readonly push: PushOutcome;
}

export interface HolderRow {
  readonly identifier: string | null;
  readonly name: string | null;
  readonly email: string | null;
  /** In the form of E.164. */
  readonly phone: string | null;
  /** The number as a store or a former version has given it, where that says something else. */
  readonly phoneGiven?: string | null;
  readonly locale: string | null;
}

/** The person behind a card as answers show it, and what was given as the telephone number where that is none. */
export function presentPerson({ phoneGiven, ...holder }: HolderRow) {
  return { holder, ...(phoneGiven != null && holder.phone === null && { phoneGiven }) };
}
