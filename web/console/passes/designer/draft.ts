import type { Pass, PassChanges } from '../../../../sdk/typescript/src/types.ts';
import { type OrderedList, pathsIn, reordered, translatable, withText } from './translating.ts';

export const imageSlots = [
  'iconUrl',
  'logoUrl',
  'stripUrl',
  'heroUrl',
  'thumbnailUrl',
  'backgroundUrl',
  'posterUrl',
] as const;
export type ImageSlot = (typeof imageSlots)[number];

type PassField = Pass['fields'][number];
export type Section = PassField['section'];

/** An item of a list with an identity of its own. */
export type Listed<T> = T & { readonly id: number };

/** A field, whose key may be typed anew. */
export type DraftField = Listed<PassField>;

type ListName = 'fields' | 'locations' | 'beacons' | 'dates' | 'actions' | 'modules';
type Lists = { readonly [N in ListName]: readonly Listed<Pass[N][number]>[] };

/** A design while it is being edited: that of the API, its lists with an identity for each item. */
export interface Draft
  extends Pick<
      Pass,
      | 'title'
      | 'type'
      | 'details'
      | 'terms'
      | 'expiry'
      | 'colors'
      | 'barcode'
      | 'language'
      | 'translations'
      | 'walletOptions'
      | 'stamps'
      | ImageSlot
    >,
    Lists {}

export type SetDraft = (changes: Partial<Draft>) => void;

/** As many places as a card has: the designer shows no more of them. */
export const mostShown = 10;

let lastId = 0;

/** For an item of a list. */
export function newId(): number {
  lastId += 1;
  return lastId;
}

type Design = Pick<Pass, keyof Draft>;

export function draftOf(design: Design): Draft {
  const { title, type, details, terms, expiry, colors, barcode, language, translations } = design;
  const images = Object.fromEntries(imageSlots.map((slot) => [slot, design[slot] ?? null]));
  return {
    ...(images as Pick<Draft, ImageSlot>),
    ...{ title, type, details, terms, expiry, colors, barcode },
    ...{ language, translations, walletOptions: design.walletOptions, stamps: { ...design.stamps } },
    fields: listed(design.fields),
    locations: listed(design.locations),
    beacons: listed(design.beacons),
    dates: listed(design.dates),
    actions: listed(design.actions),
    modules: listed(design.modules),
  };
}

/** Items with an identity each. */
export function listed<T>(items: readonly T[]): Listed<T>[] {
  return items.map((item) => ({ ...item, id: newId() }));
}

function unlisted<T>(items: readonly Listed<T>[]): Omit<Listed<T>, 'id'>[] {
  return items.map(({ id: _, ...item }) => item);
}

/** What the API takes of it. */
export function designOf(draft: Draft): PassChanges {
  return {
    ...draft,
    fields: unlisted(draft.fields),
    locations: unlisted(draft.locations),
    beacons: unlisted(draft.beacons),
    dates: unlisted(draft.dates),
    actions: unlisted(draft.actions),
    modules: unlisted(draft.modules),
    translations: fittedTranslations(draft),
  };
}

/** Without the texts of what the design has no longer. */
function fittedTranslations(draft: Draft): Pass['translations'] {
  const has = new Set(translatable(draft).map(({ path }) => JSON.stringify(path)));
  return Object.fromEntries(
    Object.entries(draft.translations).map(([language, translation]) => {
      const gone = pathsIn(translation).filter(
        (path) => path[0] !== 'program' && !isKeptImage(draft, path) && !has.has(JSON.stringify(path)),
      );
      return [language, gone.reduce((left, path) => withText(left, path, ''), translation)];
    }),
  );
}

/** Whether a path is that of an image in the place of one that the design has. */
function isKeptImage(draft: Draft, [list, slot]: readonly (string | number)[]): boolean {
  return list === 'images' && imageSlots.some((one) => one === slot && draft[one] !== null);
}

/** What changes with a list: it, and the translations of its texts, which follow their items. */
export function relisted<N extends OrderedList>(
  draft: Draft,
  name: N,
  items: Draft[N],
): Pick<Draft, 'translations'> & { readonly [M in N]: Draft[M] } {
  const before: readonly { readonly id: number }[] = draft[name];
  const order = items.map(({ id }) => before.findIndex((one) => one.id === id));
  const translations = reordered(draft.translations, name, order);
  return { [name]: items, translations } as ReturnType<typeof relisted<N>>;
}

/** The properties in which one design differs from another. */
export function changesBetween(before: Draft, after: Draft): PassChanges {
  const old = designOf(before) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(designOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(
    changed.map(([name, value]) =>
      name === 'translations' || name === 'walletOptions'
        ? [name, changedMembers(old[name] as Members, value as Members)]
        : [name, value],
    ),
  );
}

type Members = Readonly<Record<string, unknown>>;

/** Null takes one away. */
function changedMembers(before: Members, after: Members): Members {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** An item of a list at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}
