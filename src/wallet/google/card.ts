/** What all cards of a pass show on Google Wallet, as plain data: it becomes a class. */
export interface GoogleDesign {
  /** `issuerId.suffix`, the suffix of A–Z a–z 0–9 . _ -; unique over all classes of the issuer. */
  readonly classId: string;
  readonly type: GoogleCardType;
  readonly organizationName: string;
  readonly title: string;
  readonly details: string | null;
  readonly terms: string | null;
  /** Every field of the pass, in the order of display inside each section. Keys are unique. */
  readonly fields: readonly GoogleField[];
  readonly colors: GoogleColors;
  /** A public https address; Google fetches and caches it, so a new picture needs a new address. */
  readonly logoUrl: string | null;
  /** A picture above all cards that have none of their own; null for none. */
  readonly hero: GooglePicture | null;
  /** Google takes ten; the others are left out. */
  readonly locations: readonly GoogleLocation[];
  /** Where Google reports saves and deletions, https only; null for nowhere. */
  readonly callbackUrl: string | null;
  /** The BCP 47 tag of the language in which all of this is written. */
  readonly language: string;
  /** Whether its cards carry a balance of points: it then stands first on the card. */
  readonly showsPoints: boolean;
}

/** What one holder's card shows: it becomes an object of the design's class. */
export interface GoogleCard {
  /** `issuerId.suffix`, like a class id; unique over all objects of the issuer. */
  readonly objectId: string;
  readonly state: 'active' | 'voided' | 'expired';
  /** The value of each editable field by its key. A field without one, or with an empty one, is not shown. */
  readonly values: Readonly<Record<string, string | null>>;
  readonly barcode: GoogleBarcode | null;
  readonly expiresAt: Date | null;
  readonly holderName: string | null;
  /** How the organization calls the holder: the number of a member or a customer. */
  readonly accountId: string | null;
  readonly points: GooglePoints | null;
  /** A picture above the card, in the place of the design's; null for none. */
  readonly hero: GooglePicture | null;
}

export type GoogleCardType = 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';

export type GoogleSection = 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';

export interface GoogleField {
  /** A–Z a–z 0–9 _ -. */
  readonly key: string;
  readonly label: string;
  readonly section: GoogleSection;
  /** Whether each card has a value of its own. */
  readonly editable: boolean;
  /** What all cards show when it is not editable; null or empty is not shown. */
  readonly value: string | null;
}

export interface GoogleColors {
  /** `#rrggbb`; null leaves the choice to Google. */
  readonly background: string | null;
}

export interface GoogleLocation {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

export interface GoogleBarcode {
  readonly format: 'qr' | 'pdf417' | 'aztec' | 'code128';
  readonly value: string;
  /** Printed below the barcode; null leaves the choice to Google. */
  readonly altText: string | null;
}

export interface GooglePoints {
  readonly label: string;
  /** As the holder reads it: `120`, `3 of 10`. */
  readonly balance: string;
}

export interface GooglePicture {
  /** A public https address; Google fetches and caches it, so a new picture needs a new address. */
  readonly url: string;
  /** What it shows, for whoever cannot see it. */
  readonly description: string;
}

/** A class or an object in the form of Google's REST API. A null member is one that it shall not have. */
export interface GoogleResource {
  readonly id: string;
  readonly [member: string]: unknown;
}
