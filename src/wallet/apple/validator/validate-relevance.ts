import type { JsonObject } from './json-reader.ts';
import { beaconKeys, locationKeys, relevantDateKeys } from './pass-keys.ts';
import { objectsIn, validateKeys, w3cDate } from './validate-keys.ts';
import type { Report } from './validate-rules.ts';

/** relevantDates, locations and beacons: when and where Wallet offers the pass. */
export function validateRelevance(pass: JsonObject, report: Report): void {
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
