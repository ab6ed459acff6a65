import { languageTag } from '../kit/text/language.ts';
import { localePattern, phonePattern } from './instance.schema.ts';

const mostName = 200;
const mostLocale = 35;
const isPhone = new RegExp(phonePattern);
const isLocale = new RegExp(localePattern);

/** A name as a card takes it, of whatever a store has: one line, not too long. Null where nothing is left. */
export function fittingName(name: string | null): string | null {
  const line = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, mostName).join('').trim() || null;
}

/** A telephone number as a card takes it; null for what is none. */
export function fittingPhone(phone: string | null): string | null {
  const number = (phone ?? '').trim();
  return isPhone.test(number) ? number : null;
}

/** A locale as a card takes it; null for what is none. */
export function fittingLocale(locale: string | null): string | null {
  const tag = languageTag(locale);
  return tag !== null && isLocale.test(tag) && tag.length <= mostLocale ? tag : null;
}
