import { parse } from 'csv-parse/browser/esm/sync';

/** What a column of the file can be. */
export const targets = ['barcode', 'name', 'email', 'phone', 'identifier', 'balance'] as const;
export type Target = (typeof targets)[number];

/** Of each column what it is; null for one that is left out. */
export type Mapping = readonly (Target | null)[];

export type Problem = 'columns' | 'email' | 'balance' | 'code' | 'nothing' | 'twice' | 'tooLong';

/** A file as it was read: its headings, and its lines below. */
export interface CsvFile {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Tells the file from others: what was imported of it is known by this and the line. */
  readonly key: string;
}

/** A line as it will be sent, or why it will not be. */
export interface CheckedRow {
  /** As spreadsheets count: the headings are line 1. */
  readonly line: number;
  readonly values: Readonly<Partial<Record<Target, string>>>;
  readonly problem: Problem | null;
}

/** Reads CSV with commas, semicolons or tabs, in UTF-8 or as Windows' spreadsheets save it. */
export function readCsv(bytes: Uint8Array): CsvFile {
  const text = decode(bytes);
  const lines: string[][] = parse(text, {
    delimiter: delimiterOf(text),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const [heads = [], ...rows] = lines;
  return { heads, rows, key: fingerprint(bytes) };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The one that the headings have most of. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((one) => ({ one, count: first.split(one).length }));
  return counts.sort((a, b) => b.count - a.count)[0]?.one ?? ',';
}

/** FNV-1a with 53 bits: pages without https have no SHA. */
function fingerprint(bytes: Uint8Array): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x85ebca6b);
  }
  return `${bytes.length.toString(36)}-${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

const words: Readonly<Record<Target, RegExp>> = {
  email: /e-?mail/,
  phone: /phone|tele|mobil|handy/,
  barcode: /bar\s?code|^code$|card\s?(?:no|number|code)|karten?\s?(?:nr|nummer|code)|voucher/,
  identifier: /customer|kunden|member|mitglied|^id$|extern|identifier|user/,
  balance: /balance|points|punkte|stamps|stempel|stand|guthaben/,
  name: /name|holder|inhaber/,
};

/** What the columns may be by their headings, each once. */
export function guess(heads: readonly string[]): Mapping {
  const free = new Set<Target>(['email', 'phone', 'barcode', 'identifier', 'balance', 'name']);
  return heads.map((head) => {
    const found = [...free].find((target) => words[target].test(head.toLowerCase()));
    if (found !== undefined) free.delete(found);
    return found ?? null;
  });
}

const longest: Readonly<Record<Target, number>> = {
  barcode: 255,
  name: 120,
  email: 254,
  phone: 40,
  identifier: 255,
  balance: 12,
};

/** Checks each line against what the service takes. */
export function checkRows({ heads, rows }: CsvFile, mapping: Mapping): CheckedRow[] {
  const hasCode = mapping.includes('barcode');
  const seen = new Set<string>();
  return rows.map((row, at) => {
    const values: Partial<Record<Target, string>> = {};
    for (const [column, target] of mapping.entries()) {
      const value = row[column]?.trim();
      if (target !== null && value) values[target] = value;
    }
    const problem = row.length === heads.length ? problemOf(values, hasCode, seen) : 'columns';
    return { line: at + 2, values, problem };
  });
}

function problemOf(
  values: Readonly<Partial<Record<Target, string>>>,
  hasCode: boolean,
  seen: Set<string>,
): Problem | null {
  if (Object.keys(values).length === 0) return 'nothing';
  if (hasCode && values.barcode === undefined) return 'code';
  if (targets.some((target) => (values[target]?.length ?? 0) > longest[target])) return 'tooLong';
  if (values.email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(values.email)) return 'email';
  if (values.balance !== undefined && !/^\d{1,9}$/.test(values.balance)) return 'balance';
  const names = (['barcode', 'identifier'] as const).flatMap((target) =>
    values[target] === undefined ? [] : `${target} ${values[target].normalize('NFC')}`,
  );
  if (names.some((name) => seen.has(name))) return 'twice';
  for (const name of names) seen.add(name);
  return null;
}
