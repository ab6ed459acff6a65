import type { Pass, Translation } from '../../../../sdk/typescript/src/types.ts';

/** Where a text is in a translation. */
type TextPath = readonly (string | number)[];

interface Own {
  readonly title: string;
  readonly details: string | null;
  readonly terms: string | null;
  readonly fields: readonly Pick<
    Pass['fields'][number],
    'key' | 'label' | 'value' | 'changeMessage' | 'format'
  >[];
  readonly locations: readonly { readonly relevantText?: string | null }[];
  readonly beacons: readonly { readonly relevantText?: string | null }[];
  readonly actions: readonly { readonly kind: string; readonly title: string }[];
  readonly modules: readonly Pick<Pass['modules'][number], 'header' | 'body'>[];
}

/** A text of a design that other languages have their own of. */
interface OwnText {
  readonly path: TextPath;
  readonly own: string;
}

/** All texts of a design, in the order in which the card has them. */
export function translatable({
  title,
  details,
  terms,
  fields,
  locations,
  beacons,
  actions,
  modules,
}: Own): OwnText[] {
  const texts: readonly (readonly [TextPath, string | null | undefined])[] = [
    [['title'], title],
    [['details'], details],
    [['terms'], terms],
    ...fields.flatMap(({ key, label, value, changeMessage, format }) => [
      [['fields', key, 'label'], label] as const,
      [['fields', key, 'value'], format === undefined || format === 'text' ? value : null] as const,
      [['fields', key, 'changeMessage'], changeMessage] as const,
    ]),
    ...locations.map(({ relevantText }, at) => [['locations', at], relevantText] as const),
    ...beacons.map(({ relevantText }, at) => [['beacons', at], relevantText] as const),
    ...actions.map(({ kind, title: words }) => [['actions', kind], words] as const),
    ...modules.flatMap(({ header, body }, at) => [
      [['modules', at, 'header'], header] as const,
      [['modules', at, 'body'], body] as const,
    ]),
  ];
  return texts.flatMap(([path, own]) => (own == null || own === '' ? [] : [{ path, own }]));
}

/** What a translation has at a place; empty where it has nothing. */
export function textAt(translation: Translation, path: TextPath): string {
  const found = path.reduce<unknown>(
    (at, name) => (at as Readonly<Record<string | number, unknown>> | null | undefined)?.[name],
    translation,
  );
  return typeof found === 'string' ? found : '';
}

/** The same with another text there; an empty one is left out, with what has nothing else. */
export function withText(translation: Translation, path: TextPath, text: string): Translation {
  return (changed(translation, path, text) ?? {}) as Translation;
}

function changed(at: unknown, [name, ...rest]: TextPath, text: string): unknown {
  if (name === undefined) return text === '' ? undefined : text;
  if (typeof name === 'number') {
    const list = [...((at as unknown[] | undefined) ?? [])];
    while (list.length <= name) list.push(null);
    list[name] = changed(list[name] ?? undefined, rest, text) ?? null;
    while (list.length > 0 && list.at(-1) === null) list.pop();
    return list.length === 0 ? undefined : list;
  }
  const { [name]: before, ...others } = (at ?? {}) as Record<string, unknown>;
  const after = changed(before, rest, text);
  const all = after === undefined ? others : { ...others, [name]: after };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** The lists whose texts a translation has in their order. */
export type OrderedList = 'locations' | 'beacons' | 'modules';

/** Translations whose list of that name is in another order: of each item its place before, -1 for a new one. */
export function reordered(
  translations: Pass['translations'],
  name: OrderedList,
  order: readonly number[],
): Pass['translations'] {
  const moved = Object.entries(translations).map(([language, translation]) => {
    const before = translation[name];
    const after = order.map((at) => before?.[at] ?? null);
    return [language, before === undefined ? translation : { ...translation, [name]: after }];
  });
  return Object.fromEntries(moved);
}

/** The places of all texts of a translation. */
export function pathsIn(at: unknown, path: TextPath = []): TextPath[] {
  if (typeof at === 'string') return [path];
  if (typeof at !== 'object' || at === null) return [];
  if (Array.isArray(at)) return at.flatMap((one, index) => pathsIn(one, [...path, index]));
  return Object.entries(at).flatMap(([name, one]) => pathsIn(one, [...path, name]));
}
