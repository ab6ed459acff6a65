import { isJsonObject, type JsonObject } from './json-reader.ts';
import { barcodeKeys } from './pass-keys.ts';
import { objectsIn, validateKeys } from './validate-keys.ts';
import type { Report } from './validate-rules.ts';

/** `barcodes` (a list of which Wallet shows the first it can) and the deprecated `barcode`. */
export function validateBarcodes(pass: JsonObject, report: Report): void {
  const listed = objectsIn(pass.barcodes, 'pass.json: barcodes', report);
  const single: [JsonObject, string][] = isJsonObject(pass.barcode)
    ? [[pass.barcode, 'pass.json: barcode']]
    : [];
  for (const [barcode, where] of [...listed, ...single]) validateBarcode(barcode, where, report);
  if (pass.barcode !== undefined && pass.barcodes === undefined) {
    report('barcode-deprecated', 'Put it into the array barcodes.', 'pass.json: barcode');
  }
  const formats = (listed.length > 0 ? listed : single).map(([{ format }]) => format);
  const shown = (group: ReadonlySet<unknown>) => formats.some((format) => group.has(format));
  if (shown(newFormats) && !shown(oldFormats)) {
    const message = 'Systems before iOS 27 will show no barcode; add a QR code after it.';
    report('barcode-fallback', message, 'pass.json: barcodes');
  }
  if (formats.includes(code128) && !shown(watchFormats)) {
    report('barcode-watch', 'A watch shows no Code 128; add a QR code after it.', 'pass.json: barcodes');
  }
}

const qr = 'PKBarcodeFormatQR';
const code128 = 'PKBarcodeFormatCode128';
const watchFormats: ReadonlySet<unknown> = new Set([qr, 'PKBarcodeFormatPDF417', 'PKBarcodeFormatAztec']);
const oldFormats: ReadonlySet<unknown> = new Set([...watchFormats, code128]);

/** What the formats new in iOS 27, and Code 128, can hold. */
const contents: Readonly<Record<string, readonly [test: (message: string) => boolean, wanted: string]>> = {
  [code128]: [(message) => /^\p{ASCII}+$/u.test(message), 'ASCII characters'],
  PKBarcodeFormatCode39: [(message) => /^[0-9A-Z \-.$/+%]+$/.test(message), 'A–Z, 0–9 and - . $ / + % space'],
  PKBarcodeFormatCodabar: [
    (message) => /^([A-D][0-9\-$:/.+]+[A-D]|[0-9\-$:/.+]+)$/.test(message),
    '0–9 and - $ : / . +',
  ],
  PKBarcodeFormatEAN13: [isEan13, '13 digits with the right check digit'],
  PKBarcodeFormatI2of5: [(message) => /^(\d\d)+$/.test(message), 'an even number of digits'],
};

const newFormats: ReadonlySet<unknown> = new Set(
  Object.keys(contents).filter((format) => format !== code128),
);

// A QR code of version 40 holds 2,953 bytes at its lowest error correction; Wallet's level is not documented.
const qrBytes = 2900;

function validateBarcode(barcode: JsonObject, where: string, report: Report): void {
  validateKeys(barcode, barcodeKeys, where, report);
  const { format, message, messageEncoding } = barcode;
  const known = typeof format === 'string' && (oldFormats.has(format) || newFormats.has(format));
  if (!known) report('barcode-format', `${JSON.stringify(format)} is no barcode format.`, `${where}.format`);
  if (typeof message !== 'string' || message === '') {
    report('barcode-message', 'The message is missing or empty.', `${where}.message`);
    return;
  }
  const [fits, wanted] = (known && contents[format]) || [() => true, ''];
  if (!fits(message)) report('barcode-message', `This format needs ${wanted}.`, `${where}.message`);
  const problem = encodingProblem(message, messageEncoding);
  if (problem) report('barcode-encoding', problem, `${where}.messageEncoding`);
  const size = messageEncoding === 'utf-8' ? Buffer.byteLength(message) : message.length;
  if (format === qr && size > qrBytes) {
    report('barcode-message', `${size} bytes do not fit a QR code; ${qrBytes} do.`, `${where}.message`);
  }
}

function encodingProblem(message: string, encoding: unknown): string | null {
  if (typeof encoding !== 'string') return 'messageEncoding is missing; use iso-8859-1 or utf-8.';
  const characters = charactersOf(encoding.toLowerCase());
  if (characters === null) return `"${encoding}" is no character set; use iso-8859-1 or utf-8.`;
  const odd = [...message].find((character) => !characters(character));
  return odd === undefined ? null : `"${odd}" cannot be written in ${encoding}; use utf-8.`;
}

const multiByte = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr']);

/** A test for the characters of an IANA charset; null when it is unknown. */
function charactersOf(charset: string): ((character: string) => boolean) | null {
  // These two mean windows-1252 to TextDecoder.
  if (/^(iso[-_]8859-1|latin1|l1)$/.test(charset)) return (character) => character <= '\u00ff';
  if (/^(us-)?ascii$/.test(charset)) return (character) => character <= '\u007f';
  try {
    const decoder = new TextDecoder(charset);
    if (decoder.encoding.startsWith('utf-') || multiByte.has(decoder.encoding)) {
      return (character) => character.isWellFormed();
    }
    const all = decoder.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    return (character) => all.includes(character);
  } catch {
    return null;
  }
}

/** Weights 1 and 3 alternate; the sum with the check digit is a multiple of ten. */
function isEan13(message: string): boolean {
  if (!/^\d{13}$/.test(message)) return false;
  const sum = [...message].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
