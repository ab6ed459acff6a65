import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/**
 * A telephone number in the form of E.164, such as `+491711234567`, however it was written: with other digits, marks from
 * pasting, an extension, as a `tel:` URI. One without its country is of `country`, ISO 3166-1. Null for what is none.
 */
export function phoneNumber(text: string, country: string | null): string | null {
  const plain = plainOf(text, country);
  const isAbroad = plain.startsWith('+');
  const found = parsePhoneNumberFromString(plain, { ...inCountry(country), extract: false });
  if (found === undefined || (!isAbroad && (country === null || !found.isPossible()))) return null;
  // The library takes German numbers of more digits than E.164 has.
  return /^\+[1-9][0-9]{4,14}$/.test(found.number) ? found.number : null;
}

/** Whether a number says itself which country it is of. */
export function namesCountry(text: string): boolean {
  return plainOf(text, null).startsWith('+');
}

/** What numbers begin with that begin as typed, in the form of E.164; null where that is not known yet. */
export function phonePrefix(text: string, country: string | null): string | null {
  const typed = new AsYouType(inCountry(country).defaultCountry);
  typed.input(plainOf(text, country));
  const value = typed.getNumberValue() ?? '';
  return /^\+[1-9]/.test(value) ? value : null;
}

/** The digits of a text, after `+` where it is an international number. */
export function digitsOf(text: string): string {
  return plainOf(text, null).replace(/[^0-9+]/g, '');
}

/** Whether this is a country of ISO 3166-1 that telephone numbers are known of. */
export function isPhoneCountry(country: string): boolean {
  return isSupportedCountry(country);
}

function inCountry(country: string | null): { defaultCountry?: CountryCode } {
  return country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
}

/** With ASCII digits and without what is not seen; international where it begins with `00`, or Australia's `0011`. */
function plainOf(text: string, country: string | null): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}\u2212\u2044\u00b7\u2022]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
  const dialled = withoutUri(plain)
    .replace(/^\(?00(?:11)?(?=[ ()./-]*[1-9])/, '+')
    .replace(/^\(?\+ *\)?([0-9 ]*)\)/, '+$1 ');
  return mexican(dialled, country);
}

/** Digits of a script stand side by side, from its zero on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** The number of a `tel:` URI: its parameters are behind semicolons. */
function withoutUri(text: string): string {
  const [, number, parameters = ''] = /^tel:([^;]*)(.*)$/i.exec(text) ?? [];
  if (number === undefined) return text;
  const [, context = ''] = /;phone-context=(\+[^;]*)/i.exec(parameters) ?? [];
  const plain = number.replaceAll('%20', ' ').replaceAll(/%2b/gi, '+');
  return plain.startsWith('+') ? plain : `${context}${plain}`;
}

/** Mexico has given up the prefixes of mobile phones, which numbers still have that were written down before. */
function mexican(text: string, country: string | null): string {
  const plain = text.replace(/^\+[ -]?52[ ().-]*1(?=(?:[ ().-]*[0-9]){10}$)/, '+52 ');
  return country === 'MX' ? plain.replace(/^\(?(?:0?1|04[45])\)?(?=(?:[ ().-]*[0-9]){10}$)/, '') : plain;
}
