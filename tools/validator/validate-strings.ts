import type { JsonObject } from './json-reader.ts';
import { readStrings } from './strings-reader.ts';
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
  const read = readStrings(bytes);
  if (read === null) {
    report('strings-encoding', 'Write UTF-8, or UTF-16 beginning with a byte order mark.', file);
    return null;
  }
  if (typeof read !== 'string') return new Set(read.keys());
  report('strings-syntax', `The file cannot be read, ${read}.`, file);
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
