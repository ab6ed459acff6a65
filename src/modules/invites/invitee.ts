import { languageTag } from '../holder/page-words.ts';

const mostName = 200;
const mostLocale = 35;

/** A name as a card takes it, of whatever a store has: one line, not too long. Null where nothing is left. */
export function invitedName(name: string | null): string | null {
  const line = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, mostName).join('').trim() || null;
}

/** A locale as a card takes it; null for what is none. */
export function invitedLocale(locale: string | null): string | null {
  const tag = languageTag(locale);
  const isPlain = tag !== null && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(tag);
  return isPlain && tag.length <= mostLocale ? tag : null;
}
