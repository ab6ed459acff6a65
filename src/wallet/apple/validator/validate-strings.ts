import { decodeUtf8, type JsonObject } from './json-reader.ts';
import type { PassFiles, Report } from './validate-rules.ts';

/** The `<language>.lproj/pass.strings` files: encoding, syntax, and the same keys in all, used in pass.json. */
export function validateStrings(files: PassFiles, pass: JsonObject | null, report: Report): void {
  const languages = new Map<string, ReadonlySet<string>>();
  for (const folder of languageFolders(files)) {
    if (!isLanguage(folder)) {
      const message = `"${folder}" is no language code, such as fr, pt-BR or zh-Hans.`;
      report('language-folder', message, `${folder}.lproj`);
    }
    const file = `${folder}.lproj/pass.strings`;
    const bytes = files.get(file);
    const keys = bytes ? readKeys(bytes, file, report) : null;
    if (keys) languages.set(file, keys);
  }
  compareKeys(languages, report);
  if (pass) findUnused(languages, pass, report);
}

function languageFolders(files: PassFiles): Set<string> {
  return new Set([...files.keys()].flatMap((name) => /^([^/]+)\.lproj\//.exec(name)?.[1] ?? []));
}

function isLanguage(folder: string): boolean {
  return /^[a-z]{2,3}([-_][A-Z][a-z]{3})?([-_]([A-Z]{2}|\d{3}))?$/.test(folder);
}

function readKeys(bytes: Buffer, file: string, report: Report): Set<string> | null {
  const text = decodeStrings(bytes);
  if (text === null) {
    report('strings-encoding', 'Write UTF-8, or UTF-16 beginning with a byte order mark.', file);
    return null;
  }
  const parsed = parseStrings(text);
  if (typeof parsed !== 'string') return new Set(parsed.pairs.keys());
  report('strings-syntax', `The file cannot be read, ${parsed}.`, file);
  return null;
}

function compareKeys(languages: ReadonlyMap<string, ReadonlySet<string>>, report: Report): void {
  const all = new Set([...languages.values()].flatMap((keys) => [...keys]));
  for (const [file, keys] of languages) {
    const missing = [...all].filter((key) => !keys.has(key));
    if (missing.length > 0) {
      report('strings-keys-differ', `Other languages translate ${list(missing)} as well.`, file);
    }
  }
}

function findUnused(
  languages: ReadonlyMap<string, ReadonlySet<string>>,
  pass: JsonObject,
  report: Report,
): void {
  const texts = textsOf(pass);
  for (const [file, keys] of languages) {
    const unused = [...keys].filter((key) => !texts.has(key));
    if (unused.length > 0) report('strings-unused', `pass.json has no text ${list(unused)}.`, file);
  }
}

/** Every string value of pass.json, at any depth. */
function textsOf(pass: JsonObject): Set<string> {
  const texts = new Set<string>();
  const pending: unknown[] = [pass];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') texts.add(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) pending.push(member);
  }
  return texts;
}

function list(keys: readonly string[]): string {
  const shown = keys.slice(0, 3).map((key) => `"${key}"`);
  return keys.length > 3 ? `${shown.join(', ')} and ${keys.length - 3} more` : shown.join(', ');
}

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
