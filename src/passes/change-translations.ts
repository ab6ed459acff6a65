import { invalidField } from '../kit/http/api-error.ts';
import { languageTag } from '../kit/text/language.ts';
import type { ImageSlot, Translation, Translations } from './pass-row.ts';
import { moreThanFirst } from './places.ts';
import {
  hasTextValue,
  type OwnTexts,
  orderedTexts,
  type ProgramOwnTexts,
  placeTexts,
  type Texts,
  textsOf,
} from './translations.ts';

/** A language in the form of BCP 47. Raises `invalid_request` for what wallets take for none. */
export function readLanguage(path: string, text: string): string {
  const tag = languageTag(text);
  if (tag === null || !/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(tag))
    throw invalidField(path, 'format', 'is no language such as de, pt-BR or zh-Hant.');
  return tag;
}

/**
 * How many languages a design may have besides its own, and how large they may be together as JSON: each process keeps designs
 * in memory, but for the texts of places after the tenth.
 */
const mostTranslations = 20;
const mostCharacters = 100_000;
const charactersPerPlace = 400;

/**
 * Lays changes over the translations of a design that has changed: a language replaces what it had, null takes it away, and
 * texts of what the design has no longer are dropped. Raises `invalid_request` that names what does not belong.
 */
export function changeTranslations(
  before: OwnTexts,
  after: Pictured & { readonly language: string | null },
  changes: Readonly<Record<string, Translation | null>> | undefined,
): Translations {
  const kept = Object.entries(before.translations).map(
    ([language, translation]) => [language, fitted(before, after, translation)] as const,
  );
  const translations = new Map<string, Translation>(kept);
  const named = new Set<string>();
  for (const [name, translation] of Object.entries(changes ?? {})) {
    const path = `translations.${name}`;
    const language = readLanguage(path, name);
    if (named.has(language)) throw invalidField(path, 'unique', `is ${language} once again. Name it once.`);
    named.add(language);
    if (translation === null) translations.delete(language);
    else {
      refuseOrphans(path, after, translation);
      translations.set(language, translation);
    }
  }
  const own = after.language;
  if (own !== null && translations.has(own))
    throw invalidField(
      `translations.${own}`,
      'excluded',
      'is the language of the pass itself: its texts are title, details, terms and fields. Leave it out.',
    );
  if (translations.size > mostTranslations)
    throw invalidField('translations', 'max_items', `must have at most ${mostTranslations} languages.`, {
      limit: mostTranslations,
    });
  const sorted = Object.fromEntries([...translations].sort(([one], [other]) => (one < other ? -1 : 1)));
  const most = mostCharacters + charactersPerPlace * moreThanFirst(after.locations);
  if (JSON.stringify(sorted).length > most)
    throw invalidField('translations', 'max_length', `must have at most ${most} characters together.`, {
      limit: most,
    });
  return sorted;
}

/** A design with the slots in which it has images. */
type Pictured = Texts & { readonly imageSlots: readonly ImageSlot[] };

/** Names the first text or image that translates nothing. */
function refuseOrphans(path: string, design: Pictured, translation: Translation): void {
  const fields = new Map(design.fields.map((field) => [field.key, field]));
  for (const [key, texts] of Object.entries(translation.fields ?? {})) {
    const field = fields.get(key);
    if (field === undefined)
      throw invalidField(`${path}.fields.${key}`, 'reference', 'is no field of this pass. Leave it out.');
    if (texts.value !== undefined && !hasTextValue(field))
      throw invalidField(
        `${path}.fields.${key}.value`,
        'excluded',
        `has the format "${field.format}", which wallets write in each language. Leave it out.`,
      );
  }
  const orphan = textsOf(design, translation).find(({ own, translated }) => !own && translated !== undefined);
  if (orphan !== undefined)
    throw invalidField(
      `${path}.${orphan.path}`,
      'excluded',
      'translates a text that the pass does not have. Leave it out.',
    );
  for (const name of orderedTexts)
    if ((translation[name]?.length ?? 0) > design[name].length)
      throw invalidField(`${path}.${name}`, 'max_items', `has more texts than the pass has ${name}.`, {
        limit: design[name].length,
      });
  for (const slot of Object.keys(translation.images ?? {}))
    if (!design.imageSlots.some((one) => one === slot))
      throw invalidField(
        `${path}.images.${slot}`,
        'excluded',
        `replaces an image that the pass does not have. Give the pass its ${slot} first, or leave this out.`,
      );
  for (const kind of Object.keys(translation.actions ?? {}))
    if (!design.actions.some((action) => action.kind === kind))
      throw invalidField(`${path}.actions.${kind}`, 'reference', 'is no action of this pass. Leave it out.');
}

/** Raises `invalid_request` for titles of tiers that the program does not have. One that is still to be made may have any. */
export function refuseUnknownTiers(
  changes: Readonly<Record<string, Translation | null>> | undefined,
  program: Pick<ProgramOwnTexts, 'tiers'> | undefined,
): void {
  if (program === undefined) return;
  for (const [language, translation] of Object.entries(changes ?? {}))
    for (const key of Object.keys(translation?.program?.tiers ?? {}))
      if (!program.tiers.some((tier) => tier.key === key))
        throw invalidField(
          `translations.${language}.program.tiers.${key}`,
          'reference',
          'is no tier of the program of this pass. Leave it out.',
        );
}

/** A translation without the texts of what a design has no longer, and of places that are others now. */
function fitted(before: Texts, after: Pictured, translation: Translation): Translation {
  const { fields = {}, actions = {}, images = {}, title, program, ...prose } = translation;
  const pictures = Object.entries(images).filter(([slot]) => after.imageSlots.some((one) => one === slot));
  const kept = after.fields.flatMap((field) => {
    const { label, value, changeMessage } = fields[field.key] ?? {};
    const texts = {
      ...(field.label !== '' && label !== undefined && { label }),
      ...(field.value && hasTextValue(field) && value !== undefined && { value }),
      ...(field.changeMessage && changeMessage !== undefined && { changeMessage }),
    };
    return Object.keys(texts).length === 0 ? [] : [[field.key, texts] as const];
  });
  const places = placeTexts.map((name) => {
    const texts = after[name].map(({ relevantText = null }, at) =>
      relevantText !== null && relevantText === before[name][at]?.relevantText
        ? (translation[name]?.[at] ?? null)
        : null,
    );
    return [name, texts] as const;
  });
  // They follow their header to another place.
  const modules = after.modules.map(({ header, body }) => {
    const at = before.modules.findIndex((module) => module.header === header);
    const { body: text, ...texts } = translation.modules?.[at] ?? {};
    const kept = { ...texts, ...(body && text !== undefined && { body: text }) };
    return Object.keys(kept).length === 0 ? null : kept;
  });
  const titles = after.actions.flatMap(({ kind }) => {
    const text = actions[kind];
    return text === undefined ? [] : [[kind, text] as const];
  });
  return {
    ...(title !== undefined && { title }),
    ...(after.details && prose.details !== undefined && { details: prose.details }),
    ...(after.terms && prose.terms !== undefined && { terms: prose.terms }),
    ...(kept.length > 0 && { fields: Object.fromEntries(kept) }),
    ...Object.fromEntries(places.filter(([, texts]) => texts.some((text) => text !== null))),
    ...(titles.length > 0 && { actions: Object.fromEntries(titles) }),
    ...(modules.some((texts) => texts !== null) && { modules }),
    ...(program !== undefined && { program }),
    ...(pictures.length > 0 && { images: Object.fromEntries(pictures) }),
  };
}
