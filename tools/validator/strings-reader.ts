import { parse, parseBinary } from 'plist';
import { decodeUtf8, decodeUtf16 } from './json-reader.ts';

/**
 * The pairs of a .strings file in the forms that Apple's loaders take: `"key" = "value";`, with or without braces around them,
 * and property lists in XML and in binary. Returns a string that says what is wrong, or null for unknown bytes. Never throws.
 */
export function readStrings(bytes: Buffer): ReadonlyMap<string, string> | string | null {
  if (bytes.toString('latin1', 0, 6) === 'bplist') return readPropertyList(() => parseBinary(bytes));
  const text = decodeStrings(bytes);
  if (text === null) return null;
  return /^\s*<[?!p]/.test(text) ? readPropertyList(() => parse(text)) : parseStrings(text);
}

/**
 * The text of a .strings file: UTF-16 with a byte order mark, or UTF-8 with or without one. null when the bytes
 * are neither; UTF-16 without a mark shows itself by its zero bytes.
 */
export function decodeStrings(bytes: Buffer): string | null {
  const wide = decodeUtf16(bytes);
  if (wide !== null || bytes.includes(0)) return wide;
  return decodeUtf8(bytes)?.replace(/^\uFEFF/, '') ?? null;
}

/** The pairs of `"key" = "value";` lines with comments, or what is wrong where. `"key";` translates the key by itself. */
export function parseStrings(text: string): Map<string, string> | string {
  const pairs = new Map<string, string>();
  let at = skipBlank(text, 0);
  const braced = text[at] === '{';
  if (braced) at = skipBlank(text, at + 1);
  while (at < text.length && !(braced && text[at] === '}')) {
    const key = readToken(text, at);
    if (!key) return problem(text, at, 'expected a key in double quotes, with inner quotes written \\"');
    at = skipBlank(text, key.end);
    let value: Token | null = key;
    if (text[at] === '=') value = readToken(text, skipBlank(text, at + 1));
    else if (text[at] !== ';') return problem(text, at, `expected = after "${key.value}"`);
    if (!value) return problem(text, at, `expected a value in double quotes for "${key.value}"`);
    if (value !== key) at = skipBlank(text, value.end);
    if (text[at] !== ';') return problem(text, at, `expected ; after the value of "${key.value}"`);
    if (pairs.has(key.value)) return problem(text, at, `"${key.value}" is translated twice`);
    pairs.set(key.value, value.value);
    at = skipBlank(text, at + 1);
  }
  if (!braced) return pairs;
  const end = skipBlank(text, at + 1);
  if (text[at] !== '}') return problem(text, at, 'expected } at the end');
  return end < text.length ? problem(text, end, 'expected nothing after the last }') : pairs;
}

interface Token {
  readonly value: string;
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '\n',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Past white space and comments; an unclosed comment stays where it is, and is no key. */
function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    const end = commentEnd(text, at);
    if (end === null) return at;
    at = end;
  }
  return at;
}

function commentEnd(text: string, at: number): number | null {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return null;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? null : end + 2;
}

/** A text in double or single quotes, or a bare word of letters, digits and _ $ / : . - */
function readToken(text: string, start: number): Token | null {
  const quote = text[start];
  if (quote === '"' || quote === "'") return readQuoted(text, start, quote);
  if (text.startsWith('/*', start)) return null;
  const word = /[\w$/:.-]+/y;
  word.lastIndex = start;
  const value = word.exec(text)?.[0];
  return value === undefined ? null : { value, end: start + value.length };
}

function readQuoted(text: string, start: number, quote: string): Token | null {
  let value = '';
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] !== '\\') {
      value += text[at];
      at += 1;
      continue;
    }
    const [written, unicode, octal] =
      /^\\(?:[uU]([0-9a-fA-F]{1,4})|([0-7]{1,3}))/.exec(text.slice(at, at + 6)) ?? [];
    const simple = escapes[text[at + 1] ?? ''];
    if (written === undefined && simple === undefined) return null;
    if (unicode !== undefined) value += String.fromCharCode(Number.parseInt(unicode, 16));
    else value += octal === undefined ? simple : String.fromCharCode(Number.parseInt(octal, 8));
    at += written?.length ?? 2;
  }
  return at < text.length ? { value, end: at + 1 } : null;
}

function problem(text: string, at: number, reason: string): string {
  return `line ${text.slice(0, at).split('\n').length}: ${reason}`;
}

function readPropertyList(read: () => unknown): ReadonlyMap<string, string> | string {
  let value: unknown;
  try {
    value = read();
  } catch {
    return 'it is a damaged property list';
  }
  const dictionary = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  const texts = Object.entries(dictionary ?? {}).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  if (dictionary !== null && texts.length === Object.keys(dictionary).length) return new Map(texts);
  return 'the property list is no dictionary of texts';
}
