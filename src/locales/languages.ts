import { acceptedLanguage, inLanguageOf } from '../kit/text/language.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';
import type { Words } from './words.ts';

/** Every language that pages and mails are written in. */
export const languages: { readonly en: Words } & Readonly<Record<string, Words>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  pt,
  pl,
  tr,
  ar,
  ja,
};

/** The words in the language of a locale, or English, with the language tag that they are to be marked with. */
export function wordsIn(locale: string | null): { readonly words: Words; readonly language: string } {
  return inLanguageOf(locale, languages);
}

/** The language of a reader who has chosen none: what the browser asks for, as far as there is that. */
export function askedLanguage(acceptLanguage: string | undefined): string | null {
  return acceptedLanguage(acceptLanguage, languages);
}
