import { TextDecoder } from 'node:util';
import { isSafeUrl } from '../../kit/safe-fetch/outgoing-calls.ts';
import { isLinear } from '../barcode-format.ts';
import { refuseBrokenColor, refuseBrokenLocations } from '../refuse-broken-parts.ts';
import {
  type AppleBarcode,
  type AppleCard,
  type AppleDate,
  type AppleLocation,
  type AppleNfc,
  actionTypes,
  longestNfcMessage,
} from './card.ts';
import { posterSections, sections } from './field-groups.ts';

/**
 * `pass.json` of a card as UTF-8 bytes; equal cards give equal bytes. Throws an Error that names the property
 * and the fix when Wallet would refuse the pass or silently drop a part of it. Keys and value forms: Apple,
 * "Wallet Passes", the objects Pass, PassFields and PassFieldContent.
 */
export function passJson(card: AppleCard): Buffer {
  return Buffer.from(JSON.stringify(passContent(card)));
}

/** The same as an object, whose undefined members are left out. */
export function passContent(card: AppleCard): Record<string, unknown> {
  refuseBrokenCard(card);
  return {
    formatVersion: 1,
    passTypeIdentifier: card.passTypeIdentifier,
    serialNumber: card.serialNumber,
    teamIdentifier: card.teamIdentifier,
    organizationName: card.organizationName,
    description: card.title,
    logoText: card.title,
    backgroundColor: rgb('colors.background', card.colors.background),
    foregroundColor: rgb('colors.foreground', card.colors.foreground),
    labelColor: rgb('colors.label', card.colors.label),
    ...webService(card),
    expirationDate: card.expiresAt === null ? undefined : w3cDate('expiresAt', card.expiresAt),
    voided: card.voided ? true : undefined,
    barcodes: card.barcode === null ? undefined : barcodes(card.barcode),
    locations: listed(card.locations, location),
    beacons: listed(card.beacons, beacon),
    ...dates(card),
    featuredActions: listed(card.actions, ({ kind, uri }) => ({
      identifier: kind,
      type: actionTypes[kind],
      url: uri,
    })),
    ...options(card),
    nfc: card.nfc === null ? undefined : nfc(card.nfc),
    [STYLE[card.type]]: sections(card),
    posterGeneric: card.hasPoster === true ? posterSections(card) : undefined,
  };
}

const STYLE = {
  loyalty: 'storeCard',
  coupon: 'coupon',
  eventTicket: 'eventTicket',
  giftCard: 'storeCard',
  generic: 'generic',
} as const;

const BARCODE_FORMAT = {
  qr: 'PKBarcodeFormatQR',
  pdf417: 'PKBarcodeFormatPDF417',
  aztec: 'PKBarcodeFormatAztec',
  code128: 'PKBarcodeFormatCode128',
  ean13: 'PKBarcodeFormatEAN13',
  code39: 'PKBarcodeFormatCode39',
  codabar: 'PKBarcodeFormatCodabar',
  itf: 'PKBarcodeFormatI2of5',
} as const;

/** The device wants both or neither. */
function webService(card: AppleCard): { webServiceURL?: string; authenticationToken?: string } {
  if (card.webServiceURL === null) return {};
  return { webServiceURL: card.webServiceURL, authenticationToken: card.authenticationToken };
}

/** Wallet shows the first that it knows: before iOS 27 no bars but those of Code 128, and on a watch not even these. */
function barcodes(code: AppleBarcode): object[] {
  const formats = isLinear(code.format) ? new Set([code.format, 'code128', 'qr'] as const) : [code.format];
  return [...formats].map((format) => barcode({ ...code, format }));
}

/** Scanners expect Latin-1, so it is named where they cannot take it for another character set, which many guess. */
function barcode(code: AppleBarcode): object {
  return {
    format: BARCODE_FORMAT[code.format],
    message: code.value,
    messageEncoding: isCertainLatin1(code.value) ? 'iso-8859-1' : 'utf-8',
    altText: code.altText ?? undefined,
  };
}

/** Wallet takes no empty lists for absent ones. */
function listed<T>(items: readonly T[], write: (item: T) => object): object[] | undefined {
  return items.length === 0 ? undefined : items.map(write);
}

const longestIntervalMs = 24 * 3_600_000;

/** iOS 26 reads `date`, iOS 18 `relevantDate`, phones before them the member of the pass. Wallet refuses intervals of more than a day. */
function dates(card: AppleCard): object {
  const [first] = card.dates;
  if (first === undefined) return {};
  return {
    relevantDate: w3cDate('dates', first.start),
    relevantDates: card.dates.map(({ start, end }: AppleDate) => {
      const from = w3cDate('dates', start);
      return end === null || end.getTime() - start.getTime() > longestIntervalMs
        ? { date: from, relevantDate: from }
        : { startDate: from, endDate: w3cDate('dates', end) };
    }),
  };
}

function beacon({ uuid, major, minor, relevantText }: AppleCard['beacons'][number]): object {
  return { proximityUUID: uuid, major, minor, relevantText: relevantText ?? undefined };
}

function options({ type, options: { sharing, group, appStoreIds, appUrl, logoSymbol } }: AppleCard): object {
  return {
    sharingProhibited: sharing === false ? true : undefined,
    // Wallet groups tickets alone.
    groupingIdentifier: type === 'eventTicket' ? group : undefined,
    associatedStoreIdentifiers: appStoreIds,
    appLaunchURL: appUrl,
    logoSymbolName: logoSymbol,
  };
}

function nfc({ message, publicKey, isLocked }: AppleNfc): object {
  return { message, encryptionPublicKey: publicKey, requiresAuthentication: isLocked ? true : undefined };
}

function location(place: AppleLocation): object {
  return {
    latitude: place.latitude,
    longitude: place.longitude,
    relevantText: place.relevantText ?? undefined,
  };
}

/** Whether text in Latin-1 is nothing else, neither as UTF-8 nor as Shift_JIS: `20°C` would be read as half-width katakana. */
function isCertainLatin1(text: string): boolean {
  if (/^\p{ASCII}*$/u.test(text)) return true;
  const bytes = Buffer.from(text, 'latin1');
  return /^[\0-\x7f\xa0-\xff]*$/.test(text) && !guesses.some((guess) => isReadable(guess, bytes));
}

const guesses = ['utf-8', 'shift_jis'].map((name) => new TextDecoder(name, { fatal: true }));

function isReadable(guess: TextDecoder, bytes: Buffer): boolean {
  try {
    guess.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function rgb(property: string, hex: string | null): string | undefined {
  if (hex === null) return undefined;
  refuseBrokenColor(property, hex);
  const value = Number.parseInt(hex.slice(1), 16);
  return `rgb(${value >> 16}, ${(value >> 8) & 0xff}, ${value & 0xff})`;
}

/** Apple's date form has no fraction of a second. */
function w3cDate(property: string, date: Date): string {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999))
    throw new Error(`${property} must be a valid date before the year 10000.`);
  return `${date.toISOString().slice(0, 19)}Z`;
}

const REQUIRED = [
  'passTypeIdentifier',
  'serialNumber',
  'teamIdentifier',
  'organizationName',
  'title',
] as const satisfies readonly (keyof AppleCard)[];

function refuseBrokenCard(card: AppleCard): void {
  for (const property of REQUIRED) {
    if (card[property] === '') throw new Error(`${property} is empty; Wallet refuses a pass without it.`);
  }
  refuseBrokenWebService(card);
  const keys = new Set(['details', 'terms']);
  for (const { key } of card.fields) {
    if (key === '') throw new Error('A field has an empty key; give each field a key of its own.');
    if (keys.has(key))
      throw new Error(`The field key ${JSON.stringify(key)} is taken; use each key only once.`);
    keys.add(key);
  }
  if (card.barcode?.value === '') throw new Error('barcode.value is empty; give a value or no barcode.');
  if (Buffer.byteLength(card.nfc?.message ?? '') > longestNfcMessage)
    throw new Error(`nfc.message is longer than ${longestNfcMessage} bytes; Wallet would cut it.`);
  if (card.locations.length > 10) {
    throw new Error(`There are ${card.locations.length} locations; Wallet takes at most 10.`);
  }
  refuseBrokenLocations(card.locations);
}

/**
 * Whether passes may name a web service at the address: Wallet takes https only, and plain http from the device's own
 * host, for a phone in development or a simulated one.
 */
export function mayServeDevices(url: string): boolean {
  return isSafeUrl(url);
}

function refuseBrokenWebService(card: AppleCard): void {
  const { webServiceURL, authenticationToken } = card;
  if (webServiceURL === null) return;
  if (!mayServeDevices(webServiceURL)) {
    throw new Error(
      `webServiceURL is ${webServiceURL}; Wallet requires an https:// address, or null for none.`,
    );
  }
  if (!/^[\x21-\x7e]{16,}$/.test(authenticationToken)) {
    throw new Error('authenticationToken must be at least 16 printable ASCII characters without spaces.');
  }
}
