import type { StampIcon } from '../kit/anywhere/stamp-icons.ts';

/** What a card of the type `generic` is for. */
export const purposes = [
  'membership',
  'gym',
  'library',
  'parking',
  'student',
  'business',
  'season',
  'entry',
  'reservation',
  'transit',
  'vehicle',
  'carInsurance',
  'homeInsurance',
  'utility',
  'receipt',
  'voucher',
  'loyalty',
  'code',
  'other',
] as const;

/** Absent: what wallets do by themselves. */
export interface WalletOptions {
  /** Whether holders may hand the card on. */
  readonly sharing?: boolean;
  readonly screenshots?: boolean;
  /** Whether the phone is to be unlocked before the card is shown. */
  readonly unlock?: boolean;
  /** Whether a sheen moves over the card. */
  readonly shimmer?: boolean;
  /** Whether holders are reminded before the card expires. */
  readonly expiryNotice?: boolean;
  /** Cards of one group are shown together. */
  readonly group?: string;
  readonly purpose?: (typeof purposes)[number];
  /** The shop's own app: numbers in the App Store, what it is opened with, and its name at Google Play. */
  readonly appStoreIds?: number[];
  readonly appUrl?: string;
  readonly androidApp?: string;
  /** An SF Symbol in the place of a logo. */
  readonly logoSymbol?: string;
  /** What readers get by NFC. */
  readonly nfc?: 'code' | 'identifier';
}

/** How cards draw stamps. Absent: on a plain ground, a check, in the colours of the card. */
export interface StampLook {
  /** What is behind them. */
  readonly over?: 'image';
  readonly icon?: StampIcon;
  /** `#rrggbb`, of a stamp and of the icon on it. */
  readonly color?: string;
  readonly markColor?: string;
}
