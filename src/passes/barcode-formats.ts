import { randomBytes, randomInt } from 'node:crypto';
import { checkDigit, isTradeNumber } from '../kit/anywhere/check-digit.ts';
import { invalidField } from '../kit/http/api-error.ts';
import type { ProblemRule } from '../kit/http/schemas/problems.ts';
import { encodeBase32 } from '../kit/ids.ts';
import { type BarcodeFormat, isLinear, type linearNames } from '../wallet/barcode-format.ts';

/** What bars hold, and how that is said. Few scanners read longer ones, or the shortest of Codabar and ITF. */
const contents: Readonly<Record<keyof typeof linearNames, readonly [codes: RegExp, wanted: string]>> = {
  code128: [/^[\x20-\x7e]{1,80}$/, 'a Code 128 barcode must have 1 to 80 printable ASCII characters.'],
  ean13: [/^\d{13}$/, 'an EAN-13 barcode must have 13 digits, the last of which is its check digit.'],
  code39: [
    /^[0-9A-Z \-.$/+%]{1,40}$/,
    'a Code 39 barcode must have 1 to 40 capital letters A–Z, digits, blanks and signs - . $ / + %.',
  ],
  codabar: [
    /^[\d\-$:/.+]{2,40}$/,
    'a Codabar barcode must have 2 to 40 digits and signs - $ : / . +. Leave out the letters A–D at both ends: they are added where it is drawn.',
  ],
  itf: [
    /^(?:\d\d){2,20}$/,
    'an ITF barcode must have an even number of digits, 4 to 40. Put a 0 in front of an odd number.',
  ],
};

interface Misfit {
  readonly rule: ProblemRule;
  readonly limit: string | number;
  readonly message: string;
}

/** Raises `invalid_request` that says what to mend when the format cannot hold the code. */
export function refuseUnprintable(parameter: string, format: BarcodeFormat, code: string): void {
  const misfit = misfitOf(format, code);
  if (misfit !== null) throw invalidField(parameter, misfit.rule, misfit.message, { limit: misfit.limit });
}

/** The format to draw a code in: that of the pass, or QR where a card is older than a format that cannot hold its code. */
export function drawableFormat(format: BarcodeFormat, code: string): BarcodeFormat {
  return holds(format, code) ? format : 'qr';
}

/** Whether a format can hold a code. */
export function holds(format: BarcodeFormat, code: string): boolean {
  return misfitOf(format, code) === null;
}

function misfitOf(format: BarcodeFormat, code: string): Misfit | null {
  // The others hold whatever a barcode may have.
  if (!isLinear(format)) return null;
  if (format === 'ean13' && /^\d{12,13}$/.test(code)) return misfitOfDigits(code);
  const [codes, message] = contents[format];
  return codes.test(code) ? null : { rule: 'pattern', limit: format, message };
}

/** Twelve digits may lack the check digit, or be a UPC-A with its own, which an EAN-13 writes with a 0 in front. */
function misfitOfDigits(code: string): Misfit | null {
  if (isTradeNumber(code, 13)) return null;
  const body = code.slice(0, 12);
  const right = checkDigit(body);
  const upc = isTradeNumber(code, 12) ? `, or 0${code} if that is a UPC-A` : '';
  const message =
    code.length === 12
      ? `an EAN-13 barcode must have 13 digits. With the check digit, ${code} is ${body}${right}${upc}.`
      : `an EAN-13 barcode must end with its check digit, which is ${right} and not ${code.at(-1)}: ${body}${right}.`;
  return { rule: 'check_digit', limit: Number(right), message };
}

/**
 * A random code that the format holds: 80 bits as 16 characters that no reader confuses, or 16 digits. An EAN-13 has 11, after
 * the 2 that GS1 leaves to shops for numbers of their own.
 */
export function newBarcode(format: BarcodeFormat): string {
  if (format === 'ean13') {
    const body = `2${randomDigits(11)}`;
    return `${body}${checkDigit(body)}`;
  }
  if (format === 'codabar' || format === 'itf') return `${randomDigits(8)}${randomDigits(8)}`;
  return encodeBase32(randomBytes(10)).toUpperCase();
}

function randomDigits(count: number): string {
  return String(randomInt(10 ** count)).padStart(count, '0');
}

/** What a preview shows in the place of a card's own code. */
export function sampleCode(format: BarcodeFormat): string {
  const samples = ['PREVIEW', '2000000000008', '1234567890'];
  return samples.find((code) => holds(format, code)) ?? '';
}
