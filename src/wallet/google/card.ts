import type { BarcodeFormat } from '../barcode-format.ts';
import { refuseBrokenColor, refuseBrokenLocations } from '../refuse-broken-parts.ts';

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
  /** When the event is; null for none. Tickets alone have it. */
  readonly date: { readonly start: string; readonly end?: string | null } | null;
  /** Links of the card, the most important first. */
  readonly actions: readonly GoogleAction[];
  /** Offers and links below the card; at most ten. */
  readonly modules: readonly GoogleModule[];
  readonly options: GoogleOptions;
  /** Issuers whose readers may ask for its cards; none: no reader gets any. */
  readonly redemptionIssuers: readonly string[];
  /** Where Google reports saves and deletions, https only; null for nowhere. */
  readonly callbackUrl: string | null;
  /** The BCP 47 tag of the language in which all of this is written. */
  readonly language: string;
  /** The headings of details and terms in it. */
  readonly words: { readonly details: string; readonly terms: string };
  /** Whether its cards carry a balance of points: it then stands first on the card. */
  readonly showsPoints: boolean;
  /** The newest message to all of its cards has ended: the class is to have none. */
  readonly hasNewsEnded: boolean;
}

/** What one holder's card shows: it becomes an object of the design's class. */
export interface GoogleCard {
  /** `issuerId.suffix`, like a class id; unique over all objects of the issuer. */
  readonly objectId: string;
  readonly state: 'active' | 'voided' | 'expired';
  /** The value of each editable field by its key. A field without one, or with an empty one, is not shown. */
  readonly values: Readonly<Record<string, string | null>>;
  /** What opens where these are touched, by the key of the field. */
  readonly uris: Readonly<Record<string, string | null>>;
  readonly barcode: GoogleBarcode | null;
  readonly expiresAt: Date | null;
  /** Where it comes up, if its cards differ in that; null: where the design says. Google takes ten. */
  readonly locations: readonly GoogleLocation[] | null;
  /** The newest message to this card alone has ended: the object is to have none. */
  readonly hasNewsEnded: boolean;
  readonly holderName: string | null;
  /** How the organization calls the holder: the number of a member or a customer. */
  readonly accountId: string | null;
  /** What a reader gets; null: nothing. */
  readonly readerMessage: string | null;
  readonly points: GooglePoints | null;
  /** What a gift card holds: millionths of a unit of the currency. */
  readonly money: { readonly micros: string; readonly currencyCode: string } | null;
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
  /** What opens where that is touched; null for what is only read. */
  readonly uri: string | null;
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

export interface GoogleAction {
  /** Of the actions of a card each has a kind of its own. */
  readonly kind: string;
  readonly title: string;
  readonly uri: string;
}

export interface GoogleModule {
  /** Google cuts more than 60 characters, and more than 50 of the body. */
  readonly header: string;
  readonly body: string | null;
  readonly uri: string;
}

/** Absent: as Google does it. */
export interface GoogleOptions {
  readonly sharing?: boolean;
  readonly screenshots?: boolean;
  readonly unlock?: boolean;
  readonly shimmer?: boolean;
  readonly expiryNotice?: boolean;
  readonly group?: string;
  readonly purpose?: keyof typeof genericTypes;
  /** At Google Play. */
  readonly androidApp?: string;
}

/** Google Wallet API v1, `GenericObject.genericType`. */
export const genericTypes = {
  membership: 'GENERIC_MEMBERSHIP_CARD',
  gym: 'GENERIC_GYM_MEMBERSHIP',
  library: 'GENERIC_LIBRARY_MEMBERSHIP',
  parking: 'GENERIC_PARKING_PASS',
  student: 'GENERIC_STUDENT_CARD',
  business: 'GENERIC_BUSINESS_CARD',
  season: 'GENERIC_SEASON_PASS',
  entry: 'GENERIC_ENTRY_TICKET',
  reservation: 'GENERIC_RESERVATIONS',
  transit: 'GENERIC_TRANSIT_PASS',
  vehicle: 'GENERIC_VEHICLE_REGISTRATION',
  carInsurance: 'GENERIC_AUTO_INSURANCE',
  homeInsurance: 'GENERIC_HOME_INSURANCE',
  utility: 'GENERIC_UTILITY_BILLS',
  receipt: 'GENERIC_RECEIPT',
  voucher: 'GENERIC_VOUCHER',
  loyalty: 'GENERIC_LOYALTY_CARD',
  code: 'GENERIC_BARCODE_PASS',
  other: 'GENERIC_OTHER',
} as const;

export interface GoogleBarcode {
  readonly format: BarcodeFormat;
  readonly value: string;
  /** Printed below the barcode; null leaves the choice to Google. */
  readonly altText: string | null;
}

export interface GooglePoints {
  readonly label: string;
  /** The text that the holder reads: `120`, `3 of 10`. */
  readonly balance: string;
}

export interface GooglePicture {
  /** A public https address; Google fetches and caches it, so a new picture needs a new address. */
  readonly url: string;
  /** What it shows, for holders who cannot see it. */
  readonly description: string;
}

/** A class or an object in the form of Google's REST API. A null member is one that it shall not have. */
export interface GoogleResource {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Throws an Error that names the property and the fix when Google would refuse the design's class. */
export function refuseBrokenDesign(design: GoogleDesign, fallbackLogoUrl: string): void {
  refuseBrokenId('classId', design.classId);
  for (const property of ['organizationName', 'title'] as const) {
    if (design[property] === '') throw new Error(`${property} is empty; Google refuses a class without it.`);
  }
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(design.language)) {
    throw new Error(`language is ${quoted(design.language)}; give a BCP 47 tag, such as en or de-AT.`);
  }
  const { background } = design.colors;
  if (background !== null) refuseBrokenColor('colors.background', background);
  refuseBrokenFields(design);
  refuseBrokenUrls(design, fallbackLogoUrl);
  refuseBrokenLocations(design.locations);
}

/** Throws an Error that names the property and the fix when Google would refuse the card's object. */
export function refuseBrokenCard(card: GoogleCard, design: GoogleDesign): void {
  refuseBrokenId('objectId', card.objectId);
  if (issuerOf(card.objectId) !== issuerOf(design.classId)) {
    throw new Error(`objectId and classId have different issuers; one account must issue both.`);
  }
  refuseBrokenLocations(card.locations ?? []);
  if (card.barcode?.value === '') throw new Error('barcode.value is empty; give a value or no barcode.');
  if (card.hero !== null) refuseBrokenPicture('hero.url', card.hero.url);
  if (card.points?.balance === '') throw new Error('points.balance is empty; give a value or no points.');
  // Google reads four digits of the year.
  if (card.expiresAt !== null && !/^\d{4}-/.test(isoDate(card.expiresAt))) {
    throw new Error('expiresAt must be a valid date before the year 10000.');
  }
}

function refuseBrokenFields({ fields }: GoogleDesign): void {
  const keys = new Set(['details', 'terms']);
  for (const { key } of fields) {
    if (!/^[\w-]+$/.test(key))
      throw new Error(`The field key ${quoted(key)} must be of A–Z, a–z, 0–9, _ and - only.`);
    if (keys.has(key)) throw new Error(`The field key ${quoted(key)} is taken; use each key only once.`);
    keys.add(key);
  }
}

function refuseBrokenUrls({ logoUrl, hero, callbackUrl }: GoogleDesign, fallbackLogoUrl: string): void {
  const pictures = { logoUrl, fallbackLogoUrl, 'hero.url': hero?.url ?? null };
  for (const [property, url] of Object.entries(pictures)) {
    if (url !== null) refuseBrokenPicture(property, url);
  }
  if (callbackUrl !== null && !(URL.canParse(callbackUrl) && /^https:\/\//i.test(callbackUrl))) {
    throw new Error(
      `callbackUrl is ${quoted(callbackUrl)}; Google reports to an https:// address only, or null for none.`,
    );
  }
}

function refuseBrokenPicture(property: string, url: string): void {
  if (!(URL.canParse(url) && /^https?:\/\//i.test(url)))
    throw new Error(`${property} is ${quoted(url)}; Google fetches pictures from an https:// address.`);
}

/** Google Wallet API v1: `issuerId.identifier`, the identifier of letters, digits, `.`, `_` and `-`. */
function refuseBrokenId(property: string, id: string): void {
  if (!/^\d+\.[\w.-]+$/.test(id)) {
    throw new Error(
      `${property} is ${quoted(id)}; it must be the issuer's number, a dot, and A–Z a–z 0–9 . _ -.`,
    );
  }
}

function issuerOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

function isoDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
