import type { Db, Tx } from '../kit/db/database.ts';
import type { PassLocation, PassRow, Translations } from './pass-row.ts';
import { type AllPlaces, deletePlaces, findPlaces, savePlaces } from './places.sql.ts';

/** As many as a wallet takes: the row of a pass holds no more, since most of what reads it needs none of them. */
export const mostOnCard = 10;

type WithPlaces = Pick<PassRow, 'locations' | 'moreLocations' | 'translations'>;

/** How many places there are besides those that the row of a pass holds. */
export function moreThanFirst(locations: readonly PassLocation[]): number {
  return Math.max(0, locations.length - mostOnCard);
}

/** A pass as its row holds it: with its first places alone. */
export function firstPlaces(pass: PassRow): PassRow {
  if (pass.moreLocations === 0) return pass;
  const locations = pass.locations.slice(0, mostOnCard);
  return {
    ...pass,
    locations,
    translations: eachText(pass.translations, (texts) => texts.slice(0, mostOnCard)),
  };
}

/** A pass with all of its places, which it is to be shown and changed with. */
export async function withAllPlaces(db: Db, pass: PassRow): Promise<PassRow> {
  const all = pass.moreLocations === 0 ? undefined : await findPlaces(db, pass);
  if (all === undefined) return pass;
  return {
    ...pass,
    locations: all.locations,
    translations: eachText(pass.translations, (texts, language) => all.texts[language] ?? texts),
  };
}

/** Keeps all places of a pass, whose row holds the first. */
export async function keepPlaces(tx: Tx, pass: PassRow, before?: PassRow): Promise<void> {
  if (pass.moreLocations > 0) await savePlaces(tx, pass, allOf(pass));
  else if (before !== undefined && before.moreLocations > 0) await deletePlaces(tx, pass);
}

/** The places that are nearest to somewhere, the nearest first, with their texts. */
export function nearestPlaces({ locations, texts }: AllPlaces, home: Point): AllPlaces {
  const nearest = nearestOf(locations, home);
  const pick = ([language, its]: [string, (string | null)[]]) =>
    [language, nearest.map(({ at }) => its[at] ?? null)] as const;
  return {
    locations: nearest.map(({ place }) => place),
    texts: Object.fromEntries(Object.entries(texts).map(pick)),
  };
}

/** A card with chosen places of its pass. */
export function withPlaces<C extends WithPlaces>(card: C, { locations, texts }: AllPlaces): C {
  const translations = eachText(card.translations, (_, language) => texts[language] ?? []);
  return { ...card, locations, translations };
}

function allOf({ locations, translations }: WithPlaces): AllPlaces {
  const texts = Object.entries(translations).flatMap(([language, translation]) =>
    translation.locations === undefined ? [] : [[language, translation.locations] as const],
  );
  return { locations, texts: Object.fromEntries(texts) };
}

/** Translations with other texts of places, where they have any. */
function eachText(
  translations: Translations,
  change: (texts: (string | null)[], language: string) => (string | null)[],
): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([language, translation]) => [
      language,
      translation.locations === undefined
        ? translation
        : { ...translation, locations: change(translation.locations, language) },
    ]),
  );
}

interface Point {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

/** The places nearest to a point on Earth as the crow flies, with where each is in the list; of equal ones the first of it. */
export function nearestOf<P extends Point>(places: readonly P[], from: Point): { place: P; at: number }[] {
  return places
    .map((place, at) => ({ place, at, far: halfChord(place, from) }))
    .sort((one, other) => one.far - other.far || one.at - other.at)
    .slice(0, mostOnCard)
    .map(({ place, at }) => ({ place, at }));
}

/** The haversine of the angle between two points: it grows with their distance, and is exact for near ones too. */
function halfChord(one: Point, other: Point): number {
  const [from, to] = [radians(one.latitude), radians(other.latitude)];
  const [north, east] = [to - from, radians(other.longitude - one.longitude)];
  return Math.sin(north / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(east / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
