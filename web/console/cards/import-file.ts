import { changedBySpreadsheet, readTable } from '../../shared/csv-table.ts';

/** What a column of the file can be. */
export const targets = [
  'barcode',
  'name',
  'firstName',
  'lastName',
  'email',
  'phone',
  'identifier',
  'balance',
] as const;
export type Target = (typeof targets)[number];

/** Of each column what it is; null for one that is left out. */
export type Mapping = readonly (Target | null)[];

export type Problem = 'columns' | 'email' | 'balance' | 'code' | 'nothing' | 'twice' | 'tooLong' | 'damaged';

/** A file as it was read: its headings, and its lines below. */
export interface CsvFile {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** On which line the headings begin, and then each row. */
  readonly lines: readonly number[];
  /** What separates its cells. */
  readonly delimiter: string;
  /** Identifies the file: imported rows are known by this and the line. */
  readonly key: string;
}

/** A line as it will be sent, or why it will not be. */
export interface CheckedRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly values: Readonly<Partial<Record<Target, string>>>;
  readonly problem: Problem | null;
}

/** Reads a file of cards or codes; raises what `readTable` does. */
export function readCsv(bytes: Uint8Array): CsvFile {
  const isHeading = (cell: string) => targets.some((target) => words[target].test(plain(cell)));
  const { rows, delimiter } = readTable(bytes, isHeading);
  const [heads = [], ...others] = rows.map(({ cells }) => cells);
  return {
    heads: heads.map((head) => head.replace(/\s+/g, ' ')),
    rows: others.map((row) => withoutRest(row, heads.length)),
    lines: rows.map(({ line }) => line),
    delimiter,
    key: fingerprint(bytes),
  };
}

/** A row without empty cells behind its last heading, which spreadsheets leave there. */
function withoutRest(row: readonly string[], width: number): readonly string[] {
  return row.slice(width).every((cell) => cell === '') ? row.slice(0, width) : row;
}

/** A heading without case, accents and signs. */
function plain(head: string): string {
  return head
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')
    .trim();
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
  email: /e ?mail|courriel|correo/,
  phone: /phone|tele|mobil|handy|movil/,
  barcode: /bar ?code|^codes?$|card ?(?:no|number|code)|karten? ?(?:nr|nummer|code)|voucher|gutschein/,
  identifier: /customer|kunden|member|mitglied|^id$|extern|identifier|user|client/,
  balance: /balance|points|punkte|stamps|stempel|stand|guthaben|saldo|solde|puntos/,
  firstName: /first ?name|given ?name|forename|vorname|prenom|voornaam|^nombre$/,
  lastName: /last ?name|surname|family ?name|nachname|familienname|zuname|^nom$|apellido|cognome|achternaam/,
  name: /name|holder|inhaber/,
};

/** What the columns may be by their headings, each once. */
export function guess(heads: readonly string[]): Mapping {
  const free = new Set(Object.keys(words) as Target[]);
  const guessed = heads.map((head) => {
    const found = [...free].find((target) => words[target].test(plain(head)));
    if (found !== undefined) free.delete(found);
    return found ?? null;
  });
  // Next to a first name, a name is the last one.
  if (free.has('firstName') || !free.has('lastName')) return guessed;
  return guessed.map((target, at) =>
    target === 'name' && plain(heads[at] ?? '') === 'name' ? 'lastName' : target,
  );
}

const longest: Readonly<Record<Target, number>> = {
  barcode: 255,
  name: 120,
  firstName: 120,
  lastName: 120,
  email: 254,
  phone: 40,
  identifier: 255,
  balance: 12,
};

/** Checks each line against what the service takes. */
export function checkRows({ heads, rows, lines }: CsvFile, mapping: Mapping): CheckedRow[] {
  const hasCode = mapping.includes('barcode');
  const seen = new Set<string>();
  const changed = new Map(
    mapping.map((target, column) => [
      target,
      changedBySpreadsheet(rows.map((row) => row[column]?.trim() ?? '')),
    ]),
  );
  return rows.map((row, at) => {
    const values: Partial<Record<Target, string>> = {};
    for (const [column, target] of mapping.entries()) {
      const value = row[column]?.trim();
      if (target !== null && value) values[target] = value;
    }
    const { firstName, lastName } = values;
    values.name ??= [firstName, lastName].filter(Boolean).join(' ') || undefined;
    // Points are counted in whole ones, which a spreadsheet may show with decimals.
    values.balance = values.balance?.replace(/^(\d+)[.,]0{1,2}$/, '$1');
    const problem = row.length === heads.length ? problemOf(values, hasCode, changed, seen) : 'columns';
    return { line: lines[at + 1] ?? 0, values, problem };
  });
}

/** What a spreadsheet takes for numbers, and we do not. */
const kept = ['barcode', 'identifier', 'phone', 'balance'] as const;

function problemOf(
  values: Readonly<Partial<Record<Target, string>>>,
  hasCode: boolean,
  changed: ReadonlyMap<Target | null, (text: string) => boolean>,
  seen: Set<string>,
): Problem | null {
  if (Object.values(values).every((value) => value === undefined)) return 'nothing';
  if (hasCode && values.barcode === undefined) return 'code';
  if (kept.some((target) => changed.get(target)?.(values[target] ?? ''))) return 'damaged';
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
