import type { GoogleCardType, GoogleLocation } from './card.ts';

/** The word for each type in the paths and in the save link: `loyaltyClass`, `loyaltyObject`, `loyaltyObjects`. */
export const googleWord = {
  loyalty: 'loyalty',
  coupon: 'offer',
  eventTicket: 'eventTicket',
  giftCard: 'giftCard',
  generic: 'generic',
} as const satisfies Record<GoogleCardType, string>;

/** Text in one language, as Google's LocalizedString. */
export function localized(language: string, value: string): object {
  return { defaultValue: { language, value } };
}

/** A picture by its address. */
export function image(url: string, language: string, description: string): object {
  return { sourceUri: { uri: url }, contentDescription: localized(language, description) };
}

/** A line of label and value. */
export function textModule(id: string, label: string, value: string): object {
  return { id, ...(label !== '' && { header: label }), body: value };
}

/** Google refuses a class, or an object, with more. */
const mostLocations = 10;

/** Where phones bring a card up: the first ten. */
export function merchantLocations(locations: readonly GoogleLocation[]): object[] {
  return locations.slice(0, mostLocations).map(({ latitude, longitude }) => ({ latitude, longitude }));
}

/** A resource as it is inserted: a new one has nothing that a null member could clear. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
