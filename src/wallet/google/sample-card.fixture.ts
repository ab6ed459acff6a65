import type { GoogleCard, GoogleDesign, GoogleField } from './card.ts';

export const issuerId = '3388000000000000001';

/** A design with nothing that it could do without. */
export const plainDesign: GoogleDesign = {
  classId: `${issuerId}.pass`,
  type: 'loyalty',
  organizationName: 'Example Coffee',
  title: 'Coffee Club',
  details: null,
  terms: null,
  fields: [],
  colors: { background: null },
  logoUrl: null,
  hero: null,
  locations: [],
  date: null,
  actions: [],
  modules: [],
  options: {},
  redemptionIssuers: [],
  callbackUrl: null,
  language: 'en',
  words: { details: 'Details', terms: 'Terms' },
  showsPoints: false,
  hasNewsEnded: false,
};

/** A card of it. */
export const plainCard: GoogleCard = {
  objectId: `${issuerId}.card`,
  state: 'active',
  values: {},
  uris: {},
  barcode: null,
  expiresAt: null,
  locations: null,
  hasNewsEnded: false,
  holderName: null,
  accountId: null,
  readerMessage: null,
  points: null,
  money: null,
  hero: null,
};

export const fallbackLogoUrl = 'https://cards.example.com/logo.png';

export function field(change: Partial<GoogleField>): GoogleField {
  return { key: 'k', label: 'Label', section: 'primary', editable: true, value: null, uri: null, ...change };
}

/** So many fields: `prefix0`, `prefix1`, … */
export function fields(count: number, prefix: string, change: Partial<GoogleField>): GoogleField[] {
  return Array.from({ length: count }, (_, at) => field({ key: `${prefix}${at}`, ...change }));
}
