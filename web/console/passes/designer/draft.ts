import type { Pass, PassChanges } from '../../../../sdk/typescript/src/types.ts';

export const imageSlots = [
  'iconUrl',
  'logoUrl',
  'stripUrl',
  'heroUrl',
  'thumbnailUrl',
  'backgroundUrl',
] as const;
export type ImageSlot = (typeof imageSlots)[number];

type PassField = Pass['fields'][number];
export type Section = PassField['section'];

/** A field with an identity of its own while its key is being typed. */
export interface DraftField extends PassField {
  readonly id: number;
}

export interface Place {
  readonly id: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly relevantText: string | null;
}

/** A design while it is being edited: that of the API, its lists with an identity for each item. */
export interface Draft
  extends Pick<Pass, 'title' | 'type' | 'details' | 'terms' | 'expiry' | 'colors' | 'barcode' | ImageSlot> {
  readonly fields: readonly DraftField[];
  readonly locations: readonly Place[];
}

export type SetDraft = (changes: Partial<Draft>) => void;

let lastId = 0;

/** For an item of a list. */
export function newId(): number {
  lastId += 1;
  return lastId;
}

type Design = Pick<Pass, Exclude<keyof Draft, 'fields' | 'locations'> | 'fields' | 'locations'>;

export function draftOf(design: Design): Draft {
  const { title, type, details, terms, expiry, colors, barcode } = design;
  const images = Object.fromEntries(imageSlots.map((slot) => [slot, design[slot]]));
  return {
    ...(images as Pick<Draft, ImageSlot>),
    ...{ title, type, details, terms, expiry, colors, barcode },
    fields: design.fields.map((field) => ({ ...field, id: newId() })),
    locations: design.locations.map(({ relevantText = null, ...place }) => ({
      ...place,
      relevantText,
      id: newId(),
    })),
  };
}

/** What the API takes of it. */
export function designOf(draft: Draft): PassChanges {
  return {
    ...draft,
    fields: draft.fields.map(({ id: _, ...field }) => field),
    locations: draft.locations.map(({ id: _, ...place }) => place),
  };
}

/** The properties in which one design differs from another. */
export function changesBetween(before: Draft, after: Draft): PassChanges {
  const old = designOf(before) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(designOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

/** An item of a list at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}
