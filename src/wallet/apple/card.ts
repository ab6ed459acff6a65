import type { BarcodeFormat } from '../barcode-format.ts';

/**
 * Everything an Apple pass file shows, as plain data. Images are passed separately, because their hashes can be reused
 * from one pass to the next.
 */
export interface AppleCard {
  /** Begins `pass.`; the one in the signing certificate. */
  readonly passTypeIdentifier: string;
  /** Ten characters; the OU of the signing certificate. */
  readonly teamIdentifier: string;
  readonly organizationName: string;
  /** Unique per pass type. It travels in URLs. A device never forgets it: do not change it in an update. */
  readonly serialNumber: string;
  /** At least 16 URL-safe characters. A device never forgets it: do not change it in an update. */
  readonly authenticationToken: string;
  /** Where devices register and fetch updates; null makes a pass that never updates itself. */
  readonly webServiceURL: string | null;
  readonly type: AppleCardType;
  /** Its images have the artwork of a poster, which iPhones show from iOS 27 on. Of a generic card alone. */
  readonly hasPoster?: boolean;
  /** Shown next to the logo, and read aloud by VoiceOver. */
  readonly title: string;
  readonly details: string | null;
  readonly terms: string | null;
  /** The labels of message, details and terms, in the language of the other texts. */
  readonly words: { readonly message: string; readonly details: string; readonly terms: string };
  /** The newest message to all holders; null before the first. */
  readonly message: string | null;
  /** In the order of display inside each section. Keys are unique over the whole card. */
  readonly fields: readonly AppleField[];
  readonly colors: AppleColors;
  readonly barcode: AppleBarcode | null;
  readonly expiresAt: Date | null;
  readonly voided: boolean;
  /** At most ten. */
  readonly locations: readonly AppleLocation[];
  /** At most ten. */
  readonly beacons: readonly AppleBeacon[];
  /** When it matters; phones before iOS 18 know the first alone. */
  readonly dates: readonly AppleDate[];
  /** At most two. */
  readonly actions: readonly AppleAction[];
  readonly options: AppleOptions;
  /** What readers get of it by NFC; null: nothing. The certificate that signs it must be one for NFC. */
  readonly nfc: AppleNfc | null;
  /** The signing time that the signature states. */
  readonly signedAt: Date;
}

export type AppleCardType = 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';

export type AppleSection = 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';

export interface AppleField {
  readonly key: string;
  readonly label: string;
  /** null is a cleared field: the card is drawn without it. */
  readonly value: string | null;
  /** The value as Wallet formats it itself; null: as text. */
  readonly typed?: AppleValue | null;
  readonly align?: 'left' | 'center' | 'right';
  readonly section: AppleSection;
  /** What the lock screen says when the value changes, `%@` being the new value; null changes in silence. */
  readonly changeMessage: string | null;
}

/** Apple, "Wallet Passes", the objects PassFieldContent and PassFields: a value and how it is written. */
export type AppleValue =
  | { readonly value: number; readonly numberStyle: 'PKNumberStyleDecimal' | 'PKNumberStylePercent' }
  | { readonly value: number; readonly currencyCode: string }
  /** Of the markup Wallet knows links alone, and only on the back. */
  | { readonly value: string; readonly attributedValue: string }
  | {
      readonly value: string;
      readonly dateStyle: AppleTimeStyle;
      readonly timeStyle: AppleTimeStyle;
      readonly isRelative?: true;
      /** It is shown as it is written, wherever the phone is. */
      readonly ignoresTimeZone?: true;
    };
type AppleTimeStyle = 'PKDateStyleNone' | 'PKDateStyleShort' | 'PKDateStyleMedium';

/** `#rrggbb`; null leaves the choice to Wallet. */
export interface AppleColors {
  readonly background: string | null;
  readonly foreground: string | null;
  readonly label: string | null;
}

export interface AppleBarcode {
  readonly format: BarcodeFormat;
  readonly value: string;
  /** Printed below the barcode. */
  readonly altText: string | null;
}

export interface AppleLocation {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly relevantText: string | null;
}

export interface AppleBeacon {
  readonly uuid: string;
  readonly major?: number;
  readonly minor?: number;
  readonly relevantText?: string | null;
}

export interface AppleDate {
  readonly start: Date;
  /** null: a moment. */
  readonly end: Date | null;
}

export interface AppleAction {
  /** Of the actions of a card each has a kind of its own. */
  readonly kind: keyof typeof actionTypes;
  readonly uri: string;
}

/** Apple, "Wallet Passes", the object FeaturedAction: Wallet draws and names each type itself. */
export const actionTypes = {
  shop: 'shop',
  order: 'order',
  offers: 'viewOffersRewards',
  benefits: 'membershipBenefits',
  topUp: 'addToBalance',
  call: 'call',
  appointment: 'bookAppointment',
  schedule: 'viewSchedule',
  stay: 'bookStay',
  car: 'bookCar',
  flight: 'bookFlight',
  music: 'listenToMusic',
  trailer: 'watchTrailer',
} as const;

/** In bytes: Wallet cuts a longer one. */
export const longestNfcMessage = 64;

/** Apple, "Wallet Passes", the object NFC. */
export interface AppleNfc {
  /** No longer than `longestNfcMessage`. */
  readonly message: string;
  /** A P-256 key as SubjectPublicKeyInfo with a compressed point, in base64. */
  readonly publicKey: string;
  /** Whether the holder has to prove who they are before a reader gets it. */
  readonly isLocked: boolean;
}

/** Absent: as Wallet does it. */
export interface AppleOptions {
  readonly sharing?: boolean;
  readonly group?: string;
  /** Numbers of apps in the App Store, and what the first that is there is opened with. */
  readonly appStoreIds?: readonly number[];
  readonly appUrl?: string;
  /** An SF Symbol in the place of the logo. */
  readonly logoSymbol?: string;
}
