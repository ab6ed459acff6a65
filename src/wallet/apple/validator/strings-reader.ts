import { decodeUtf8 } from './json-reader.ts';

/**
 * The text of a .strings file: UTF-16 with a byte order mark, or UTF-8 with or without one. null when the bytes
 * are neither; UTF-16 without a mark shows itself by its zero bytes.
 */
export function decodeStrings(bytes: Buffer): string | null {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'feff') return decodeUtf16(bytes.subarray(2), 'utf-16be');
  if (mark === 'fffe') return decodeUtf16(bytes.subarray(2), 'utf-16le');
  if (bytes.includes(0)) return null;
  return decodeUtf8(bytes)?.replace(/^\uFEFF/, '') ?? null;
}

/** The pairs of a .strings file, `"key" = "value";` with comments; or, as a string, what is wrong where. */
export function parseStrings(text: string): { pairs: Map<string, string> } | string {
  const pairs = new Map<string, string>();
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const key = readQuoted(text, at);
    if (!key) return problem(text, at, 'expected a key in double quotes, with inner quotes written \\"');
    at = skipBlank(text, key.end);
    if (text[at] !== '=') return problem(text, at, `expected = after "${key.value}"`);
    const value = readQuoted(text, skipBlank(text, at + 1));
    if (!value) return problem(text, at, `expected a value in double quotes for "${key.value}"`);
    at = skipBlank(text, value.end);
    if (text[at] !== ';') return problem(text, at, `expected ; after the value of "${key.value}"`);
    if (pairs.has(key.value)) return problem(text, at, `"${key.value}" is translated twice`);
    pairs.set(key.value, value.value);
    at = skipBlank(text, at + 1);
  }
  return { pairs };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
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

function readQuoted(text: string, start: number): { value: string; end: number } | null {
  if (text[start] !== '"') return null;
  let value = '';
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] !== '\\') {
      value += text[at];
      at += 1;
      continue;
    }
    const unicode = /^[uU]([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[1];
    const simple = escapes[text[at + 1] ?? ''];
    if (unicode === undefined && simple === undefined) return null;
    value += unicode === undefined ? simple : String.fromCharCode(Number.parseInt(unicode, 16));
    at += unicode === undefined ? 2 : 6;
  }
  return at < text.length ? { value, end: at + 1 } : null;
}

function problem(text: string, at: number, reason: string): string {
  return `line ${text.slice(0, at).split('\n').length}: ${reason}`;
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16be' | 'utf-16le'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
