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
