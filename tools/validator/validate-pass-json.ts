import { createPublicKey } from 'node:crypto';
import { isJsonObject, type JsonObject, readJson } from './json-reader.ts';
import {
  beaconKeys,
  featuredActionKeys,
  featuredActionTypes,
  locationKeys,
  nfcKeys,
  passKeys,
  passStyles,
  relevantDateKeys,
} from './pass-keys.ts';
import { validateBarcodes } from './validate-barcodes.ts';
import { validateStyle } from './validate-fields.ts';
import { objectsIn, validateKeys, w3cDate } from './validate-keys.ts';
import type { Report } from './validate-rules.ts';

/** Parses pass.json; null when it is no JSON object. */
export function readPassJson(bytes: Buffer, report: Report): JsonObject | null {
  const { value, problems } = readJson(bytes);
  for (const { kind, message } of problems) report(`json-${kind}`, message, 'pass.json');
  if (isJsonObject(value)) return value;
  if (value !== undefined) report('json-syntax', 'pass.json must be a JSON object.', 'pass.json');
  return null;
}

/** Everything that can be said about pass.json without the other files (Apple's "Pass" object). */
export function validatePassJson(pass: JsonObject, report: Report): void {
  validateKeys(pass, passKeys, root, report);
  validateIdentity(pass, report);
  validateStyles(pass, report);
  validateBarcodes(pass, report);
  validateRelevance(pass, report);
  validateWebService(pass, report);
  validateNfc(pass.nfc, report);
  validateActions(pass, report);
  if (pass.appLaunchURL !== undefined && pass.associatedStoreIdentifiers === undefined) {
    report('app-launch-url', 'appLaunchURL needs associatedStoreIdentifiers.', `${root}appLaunchURL`);
  }
  const groups = pass.boardingPass !== undefined || pass.eventTicket !== undefined;
  if (pass.groupingIdentifier !== undefined && !groups) {
    const message = 'Only boarding passes and event tickets are grouped.';
    report('grouping-identifier', message, `${root}groupingIdentifier`);
  }
}

const root = 'pass.json: ';

function validateIdentity(pass: JsonObject, report: Report): void {
  if (pass.formatVersion !== 1) report('format-version', 'formatVersion must be the number 1.', 'pass.json');
  for (const key of [
    'passTypeIdentifier',
    'serialNumber',
    'teamIdentifier',
    'organizationName',
    'description',
  ]) {
    const value = pass[key];
    if (value === undefined || (typeof value === 'string' && value.trim() === '')) {
      report('required-key', `${key} is missing or empty.`, `${root}${key}`);
    }
  }
  const { passTypeIdentifier, teamIdentifier } = pass;
  if (typeof passTypeIdentifier === 'string' && !/^(pass\.[^\s]+)?$/.test(passTypeIdentifier)) {
    const message = `"${passTypeIdentifier}" does not begin with "pass.".`;
    report('pass-type-identifier', message, `${root}passTypeIdentifier`);
  }
  if (typeof teamIdentifier === 'string' && !/^([A-Z0-9]{10})?$/.test(teamIdentifier)) {
    const message = `"${teamIdentifier}" is not 10 capital letters and digits.`;
    report('team-identifier', message, `${root}teamIdentifier`);
  }
}

function validateStyles(pass: JsonObject, report: Report): void {
  const present = passStyles.filter((style) => pass[style] !== undefined);
  const legacy = present.filter((style) => style !== 'posterGeneric');
  if (present.length === 0) {
    report('style-count', `There is no style; add one of ${passStyles.join(', ')}.`, 'pass.json');
  } else if (legacy.length > 1) {
    report('style-count', `There are several styles: ${legacy.join(', ')}.`, 'pass.json');
  } else if (legacy.length === 0) {
    report(
      'style-fallback',
      'Systems before iOS 27 do not open it; add a style such as generic.',
      'pass.json',
    );
  }
  for (const style of present) {
    const dictionary = pass[style];
    if (isJsonObject(dictionary)) validateStyle(style, dictionary, report);
  }
}

function validateWebService(pass: JsonObject, report: Report): void {
  const { webServiceURL: url, authenticationToken: token } = pass;
  if (typeof url === 'string' && isLocal(url)) {
    const message = `"${url}" works in a simulator, or with "Allow HTTP Services" among a device's developer settings.`;
    report('web-service-local', message, `${root}webServiceURL`);
  } else if (typeof url === 'string' && !isServiceUrl(url)) {
    const message = `"${url}" is not an absolute https URL without user, query and fragment.`;
    report('web-service-url', message, `${root}webServiceURL`);
  }
  // The characters of an HTTP credential, RFC 9110 §11.2.
  if (typeof token === 'string' && !(token.length >= 16 && /^[A-Za-z0-9\-._~+/]+=*$/.test(token))) {
    const message = 'The token must have 16 or more characters, of A–Z a–z 0–9 - . _ ~ + / =.';
    report('authentication-token', message, `${root}authenticationToken`);
  }
  if ((url === undefined) !== (token === undefined)) {
    const missing = url === undefined ? 'webServiceURL' : 'authenticationToken';
    report('web-service-pair', `${missing} is missing; updates need both or neither.`, 'pass.json');
  }
}

function isServiceUrl(text: string): boolean {
  if (!text.startsWith('https://') || /[?#\s]/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

function isLocal(text: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/[^?#\s]*)?$/.test(text);
}

function validateNfc(nfc: unknown, report: Report): void {
  if (!isJsonObject(nfc)) return;
  const where = `${root}nfc`;
  validateKeys(nfc, nfcKeys, where, report);
  const size = typeof nfc.message === 'string' ? Buffer.byteLength(nfc.message) : 0;
  if (size < 1 || size > 64) {
    report('nfc-message', `The message has ${size} bytes; 1 to 64 fit.`, `${where}.message`);
  }
  if (!isP256Key(nfc.encryptionPublicKey)) {
    const message = 'The key is not the base64 of a P-256 SubjectPublicKeyInfo.';
    report('nfc-key', message, `${where}.encryptionPublicKey`);
  }
}

function validateActions(pass: JsonObject, report: Report): void {
  const actions = objectsIn(pass.featuredActions, 'pass.json: featuredActions', report);
  if (actions.length > 2) {
    report('featured-action', `${actions.length} actions; Wallet shows 2.`, 'pass.json: featuredActions');
  }
  for (const [action, where] of actions) {
    validateKeys(action, featuredActionKeys, where, report);
    const { identifier, type, url, placeIdentifier } = action;
    const target = type === 'place' ? 'placeIdentifier' : 'url';
    if (identifier === undefined || (type === 'place' ? placeIdentifier : url) === undefined) {
      report('featured-action', `The action needs identifier, type and ${target}.`, where);
    }
    if (!featuredActionTypes.some((known) => known === type)) {
      const message = `${JSON.stringify(type)} is not one of ${featuredActionTypes.join(', ')}.`;
      report('featured-action', message, `${where}.type`);
    }
  }
}

function isP256Key(text: unknown): boolean {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** relevantDates, locations and beacons: when and where Wallet offers the pass. */
function validateRelevance(pass: JsonObject, report: Report): void {
  for (const [entry, where] of objectsIn(pass.relevantDates, 'pass.json: relevantDates', report)) {
    validateRelevantDate(entry, where, report);
  }
  const locations = objectsIn(pass.locations, 'pass.json: locations', report);
  for (const [location, where] of locations) validateLocation(location, where, report);
  if (locations.length > 10) {
    const message = `${locations.length} locations; Wallet uses 10 at most.`;
    report('location-count', message, 'pass.json: locations');
  }
  const beacons = objectsIn(pass.beacons, 'pass.json: beacons', report);
  for (const [beacon, where] of beacons) validateBeacon(beacon, where, report);
  const uuids = new Set(beacons.map(([{ proximityUUID }]) => String(proximityUUID).toLowerCase()));
  if (uuids.size > 10) {
    report('beacon-count', `${uuids.size} beacon UUIDs; Wallet uses 10 at most.`, 'pass.json: beacons');
  }
}

const dayMs = 86_400_000;

function validateRelevantDate(entry: JsonObject, where: string, report: Report): void {
  validateKeys(entry, relevantDateKeys, where, report);
  const { date, relevantDate, startDate, endDate } = entry;
  if ((startDate === undefined) !== (endDate === undefined)) {
    report('date-range', 'startDate and endDate come together.', where);
  } else if (startDate === undefined && date === undefined && relevantDate === undefined) {
    report('date-range', 'The entry needs date, or startDate and endDate.', where);
  }
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return;
  const start = w3cDate(startDate);
  const end = w3cDate(endDate);
  if (start === null || end === null) return;
  if (end < start) report('date-range', 'endDate is before startDate.', where);
  else if (end - start > dayMs) report('date-range', 'The interval is longer than 24 hours.', where);
}

function validateLocation(location: JsonObject, where: string, report: Report): void {
  validateKeys(location, locationKeys, where, report);
  const { latitude, longitude } = location;
  if (!within(latitude, -90, 90) || !within(longitude, -180, 180)) {
    const message = 'latitude must be a number from -90 to 90, longitude from -180 to 180.';
    report('location', message, where);
  }
}

function validateBeacon(beacon: JsonObject, where: string, report: Report): void {
  validateKeys(beacon, beaconKeys, where, report);
  const { proximityUUID, major, minor } = beacon;
  if (
    typeof proximityUUID !== 'string' ||
    !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(proximityUUID)
  ) {
    report('beacon', 'proximityUUID is not a UUID.', where);
  }
  const numbers = [major, minor].filter((number) => number !== undefined);
  if (numbers.some((number) => !within(number, 0, 65_535) || !Number.isInteger(number))) {
    report('beacon', 'major and minor are whole numbers from 0 to 65535.', where);
  }
}

function within(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
