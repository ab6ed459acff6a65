import { refuseBrokenColor, refuseBrokenLocations } from '../refuse-broken-parts.ts';
import type { GoogleCard, GoogleDesign } from './card.ts';

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
