import { matchingLanguage } from '../kit/text/language.ts';
import type { PassImages } from '../passes/pass-row.ts';
import { completeLanguages, translated, translatedProgram } from '../passes/translations.ts';
import type { CardRow } from './card.sql.ts';

/** The language of a design's own texts. */
export function ownLanguageOf({
  language,
  workspaceLocale,
}: Pick<CardRow, 'language' | 'workspaceLocale'>): string {
  return language ?? workspaceLocale;
}

/** A card in a language that it has all its texts in. */
interface TranslatedCard {
  readonly language: string;
  readonly card: CardRow;
}

/** A card in each other language that it has all its texts in. */
export function inOtherLanguages(card: CardRow): TranslatedCard[] {
  return otherLanguagesOf(card).map((language) => ({ language, card: translatedInto(card, language) }));
}

function otherLanguagesOf(card: CardRow): string[] {
  if (Object.keys(card.translations).length === 0) return [];
  const own = ownLanguageOf(card);
  return completeLanguages({ ...card, fields: card.passFields }, card.program).filter((one) => one !== own);
}

/** How its texts, numbers and days are written: as the holder's region does where they read its language. */
export function localeOf(card: Pick<CardRow, 'holder' | 'language' | 'workspaceLocale'>): string {
  const own = ownLanguageOf(card);
  const locale = card.holder?.locale ?? null;
  return locale !== null && matchingLanguage(locale, [own]) !== null ? locale : own;
}

/**
 * A card with its texts in the language of a reader, its holder where none is named. As it is where the design does not
 * have all its texts in that language: no card shows two.
 */
export function inLanguage(card: CardRow, reader: string | null = card.holder?.locale ?? null): CardRow {
  const language = otherLanguageOf(card, reader);
  return language === null ? card : translatedInto(card, language);
}

/** The images of a card that its holder sees. */
export function holdersImages(card: CardRow): PassImages {
  if (!Object.keys(card.images).some((key) => key.includes('@'))) return card.images;
  const language = otherLanguageOf(card, card.holder?.locale ?? null);
  return language === null ? card.images : imagesIn(card.images, language);
}

/** The language that a reader gets a card in; null: its own. */
function otherLanguageOf(card: CardRow, reader: string | null): string | null {
  const others = otherLanguagesOf(card);
  const language = matchingLanguage(reader, [ownLanguageOf(card), ...others]);
  return language !== null && others.includes(language) ? language : null;
}

function translatedInto(card: CardRow, language: string): CardRow {
  const translation = card.translations[language] ?? {};
  const { fields, ...texts } = translated({ ...card, fields: card.passFields }, translation);
  return {
    ...texts,
    fields: card.fields,
    passFields: fields,
    program: card.program && translatedProgram(card.program, translation),
    images: imagesIn(card.images, language),
    language,
    translations: {},
  };
}

/** The images of a card, in a language in the place of its own. */
function imagesIn(images: PassImages, language: string): PassImages {
  const end = `@${language}`;
  const others = Object.entries(images).flatMap(([key, image]) =>
    key.endsWith(end) ? [[key.slice(0, -end.length), image] as const] : [],
  );
  return others.length === 0 ? images : { ...images, ...Object.fromEntries(others) };
}
