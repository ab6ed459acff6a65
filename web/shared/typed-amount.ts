import { digitsOf } from '../../src/kit/money/digits.ts';

/**
 * An amount as a person types or pastes it, as the API takes it: with a comma or a point, with thousands set apart, in the
 * digits of any script. What could be two amounts, such as `1.234` euros, and what is none keep their form: the API says
 * what is wrong with them.
 */
export function typedAmount(text: string, currency: string): string {
  const digits = digitsOf(currency);
  const plain = inAscii(text);
  const point = pointIn(plain, digits);
  const whole = plain.slice(0, point);
  const decimals = plain.slice(point + 1);
  const isAmount = isWhole(whole) && /^\d*$/.test(decimals) && decimals.length <= digits;
  if (!isAmount || whole + decimals === '') return plain.replace(',', '.');
  const units = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return digits === 0 ? units : `${units}.${decimals.padEnd(digits, '0')}`;
}

/** Digits with nothing between them, or with one mark before each three; India has two before the last three. */
function isWhole(text: string): boolean {
  return /^(?:\d*|\d{1,3}([ ',.])(?:\d{2,3}\1)*\d{3})$/.test(text);
}

/** Where the decimals begin: at the last comma or point, unless it sets thousands apart. */
function pointIn(text: string, digits: number): number {
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'));
  const isRepeated = text.indexOf(text[last] ?? '') !== last;
  const isOfThousands = digits === 0 && /^.\d{3}$/.test(text.slice(last));
  return last < 0 || isRepeated || isOfThousands ? text.length : last;
}

function inAscii(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^\P{Nd}0-9]/gu, asciiDigit)
    .replaceAll(/[٫．]/g, '.')
    .replaceAll(/[،，]/g, ',')
    .replaceAll(/[٬’]/g, "'")
    .replaceAll(/\s/g, ' ')
    .trim();
}

/** Each script has its ten digits in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
