import type { Pass } from '../../sdk/typescript/src/types.ts';
import { UserMessage } from '../shared/api-error.ts';
import { places } from '../texts/places.ts';

type Place = Pass['locations'][number];
export type Point = Pick<Place, 'latitude' | 'longitude'>;

/** As many as a pass may have. */
export const mostPlaces = 1_000;
const mostLetters = 200;

/** As Google Maps copies them, and as tables do: `52.52, 13.405`, `52,52; 13,405`; what follows them is a text. */
const lines = [
  /^\s*([+-]?\d+,\d+)\s*[;\t]\s*([+-]?\d+,\d+)\s*(?:[;\t]\s*(.*?)\s*)?$/,
  /^\s*([+-]?\d+(?:\.\d+)?)\s*[,;\t]\s*([+-]?\d+(?:\.\d+)?)\s*(?:[,;\t]\s*(.*?)\s*)?$/,
];

function readPlace(line: string): Place | null {
  const [, north = '', east = '', text = ''] = lines.map((each) => each.exec(line)).find(Boolean) ?? [];
  const [latitude, longitude] = [north, east].map((degrees) => Number(degrees.replace(',', '.')));
  if (north === '' || latitude === undefined || longitude === undefined) return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  // Tables quote what has a comma in it.
  const relevantText = text.replace(/^"(.*)"$/, '$1').replaceAll('""', '"') || null;
  return { latitude, longitude, relevantText };
}

/** The places of a list, a line each. Raises a `UserMessage` that names the first wrong line of the field `name`. */
export function readPlaces(name: string, list: string, room: number): Place[] {
  const t = places();
  const found = list.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const place = readPlace(line);
    if (place === null) throw new UserMessage(t.wrongLine(at + 1), name);
    if ((place.relevantText?.length ?? 0) > mostLetters) throw new UserMessage(t.longLine(at + 1), name);
    return [place];
  });
  if (found.length > room) throw new UserMessage(t.tooMany(found.length, room), name);
  return found;
}

/** One point; null where the field `name` is empty. Raises a `UserMessage` where it holds something else. */
export function readPoint(name: string, text: string): Point | null {
  if (text === '') return null;
  const place = readPlace(text);
  if (place === null || place.relevantText !== null) throw new UserMessage(places().wrongPoint, name);
  return { latitude: place.latitude, longitude: place.longitude };
}

/** A point as it can be typed in again. */
export function pointText(point: Point | null): string {
  return point === null ? '' : `${point.latitude}, ${point.longitude}`;
}
