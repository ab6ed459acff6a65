import { checkDigit, isTradeNumber } from '../../src/kit/anywhere/check-digit.ts';

/** What was read as it stands, and in which other ways it may have been meant. */
export interface Readings {
  readonly exact: string;
  readonly further: readonly string[];
}

/**
 * The ways to understand what a reader has typed. It may be set to frame a code, to name its kind (`]Q1`) or character set
 * (`\000026`), to write UTF-8 byte by byte, or to add and drop digits of EAN and UPC. Letters that an American keyboard does not
 * have are written as they stand; else the first reading is.
 */
export function readingsIn(readings: readonly string[]): Readings {
  const exact = readings.find((text) => !/^\p{ASCII}*$/u.test(text)) ?? readings[0] ?? '';
  const all = new Set(readings);
  // What is added on the way is looked at, too: a frame may hold a prefix, and that a number.
  for (const text of all) for (const rule of rules) all.add(rule(text));
  for (const text of [...all]) for (const number of tradeNumbers(text)) all.add(number);
  return { exact, further: [...all].filter((text) => text !== '' && text !== exact) };
}

const rules: readonly ((text: string) => string)[] = [
  (text) => text.replace(/^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu, ''),
  // Such as the separators of GS1.
  (text) => text.replace(/\p{Cc}/gu, ''),
  (text) => text.replace(/^\][A-Za-z][\dA-Za-z](?=.)/, ''),
  (text) => (/\\0\d{5}/.test(text) ? text.replace(/\\0\d{5}/g, '').replaceAll('\\\\', '\\') : text),
  // The start and the end of a Code 39, and of a Codabar.
  (text) => /^\*(.+)\*$/.exec(text)?.[1] ?? text,
  (text) => /^[A-D]([\d\-$:/.+]+)[A-D]$/i.exec(text)?.[1] ?? text,
  (text) => text.normalize('NFKC'),
  asUtf8,
];

const utf8 = new TextDecoder('utf-8', { fatal: true });
const windows = new TextDecoder('windows-1252');
const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [windows.decode(Uint8Array.of(byte)), byte]));

/** Letters that are bytes of UTF-8, as a reader writes them that knows Latin-1 only. */
function asUtf8(text: string): string {
  try {
    return utf8.decode(Uint8Array.from(text, (letter) => bytes.get(letter) ?? 0xff));
  } catch {
    return text;
  }
}

/** The other ways to write a number of EAN or UPC: a zero in front or none, with its check digit or without. */
function tradeNumbers(text: string): readonly string[] {
  if (!/^\d{11,14}$/.test(text)) return [];
  const whole = [text, `0${text}`, text.replace(/^0(?=\d{13}$)/, '')].filter((number) =>
    isTradeNumber(number, 13),
  );
  const completed = [text, `0${text}`]
    .filter((digits) => digits.length === 12)
    .map((digits) => digits + checkDigit(digits));
  return [...whole, ...completed].flatMap((number) =>
    [number, number.replace(/^0/, '')].flatMap((digits) => [digits, digits.slice(0, -1)]),
  );
}
