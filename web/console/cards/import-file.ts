import { changedBySpreadsheet, readTable } from '../../shared/csv-table.ts';
import { barePhones, columnOfNumbers, isBare, type PhonePrefix } from './import-numbers.ts';

/** What a column of the file can be, besides a field of the pass. */
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
type OwnTarget = (typeof targets)[number];
/** A field of the pass is named by its key. */
export type Target = OwnTarget | `field:${string}`;

/** A field of a pass whose values cards may have. */
export interface PassField {
  readonly key: string;
  readonly label: string;
}

/** Of each column what it is; null for one that is left out. */
export type Mapping = readonly (Target | null)[];

export type Problem =
  | 'columns'
  | 'email'
  | 'balance'
  | 'fraction'
  | 'code'
  | 'nothing'
  | 'twice'
  | 'shared'
  | 'tooLong'
  | 'damaged'
  | 'voided';

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
  /** Its place among the rows of the file, from 0. */
  readonly row: number;
  readonly values: Readonly<Partial<Record<Target, string>>>;
  readonly problem: Problem | null;
  /** What is wrong, or is on another line too. */
  readonly cell: string | null;
  /** The first line that has the same code, customer number, e-mail address or telephone number. */
  readonly twin: number | null;
}

/** How to read what a file does not say. */
export interface Choices {
  /** Whether balances such as `1.200`, which may be either, have decimals in the place of thousands. */
  readonly hasDecimals: boolean;
  /** What to put before telephone numbers that have lost it. */
  readonly phonePrefix: PhonePrefix;
  /** Whether lines with an address or a number of a line before are left out. */
  readonly onlyFirst: boolean;
}

export const asItStands: Choices = { hasDecimals: false, phonePrefix: '', onlyFirst: false };

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
export function fingerprint(bytes: Uint8Array): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x85ebca6b);
  }
  return `${bytes.length.toString(36)}-${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

const words: Readonly<Record<OwnTarget, RegExp>> = {
  email: /e ?mail|courriel|correo/,
  phone: /phone|tele|mobil|handy|movil/,
  barcode: /bar ?code|^codes?$|card ?(?:no|number|code)|karten? ?(?:nr|nummer|code)|voucher|gutschein/,
  identifier: /customer|kunden|member|mitglied|^id$|extern|identifier|user|client/,
  balance: /balance|points|punkte|stamps|stempel|(?<!zu)stand$|guthaben|saldo|solde|puntos/,
  firstName: /first ?name|given ?name|forename|vorname|prenom|voornaam|^nombre$/,
  lastName: /last ?name|surname|family ?name|nachname|familienname|zuname|^nom$|apellido|cognome|achternaam/,
  name: /name|holder|inhaber/,
};

/** What the columns may be by their headings, each once. Columns without a value are none, where rows are given. */
export function guess(
  heads: readonly string[],
  {
    rows = [],
    fields = [],
  }: { readonly rows?: CsvFile['rows']; readonly fields?: readonly PassField[] } = {},
): Mapping {
  const free = new Set(Object.keys(words) as OwnTarget[]);
  const freeFields = new Set(fields);
  const guessed = heads.map((head, column): Target | null => {
    if (rows.length > 0 && rows.every((row) => !row[column]?.trim())) return null;
    const found = [...free].find((target) => words[target].test(plain(head)));
    if (found !== undefined) {
      free.delete(found);
      return found;
    }
    const field = [...freeFields].find(
      ({ key, label }) => plain(head) === plain(label) || plain(head) === plain(key),
    );
    if (field === undefined) return null;
    freeFields.delete(field);
    return `field:${field.key}`;
  });
  // Next to a first name, a name is the last one.
  if (free.has('firstName') || !free.has('lastName')) return guessed;
  return guessed.map((target, at) =>
    target === 'name' && plain(heads[at] ?? '') === 'name' ? 'lastName' : target,
  );
}

/** What the user has to say of a file, because it does not say it. */
export function questionsOf({ rows }: CsvFile, mapping: Mapping) {
  return {
    balance: columnOfNumbers(columnOf(rows, mapping, 'balance')).unclear,
    phones: barePhones(columnOf(rows, mapping, 'phone')),
  };
}

function columnOf(rows: CsvFile['rows'], mapping: Mapping, target: Target): string[] {
  const column = mapping.indexOf(target);
  return column === -1 ? [] : rows.map((row) => row[column]?.trim() ?? '');
}

const longest: Readonly<Record<OwnTarget, number>> = {
  barcode: 255,
  name: 200,
  firstName: 200,
  lastName: 200,
  email: 254,
  phone: 100,
  identifier: 255,
  balance: 40,
};
const longestField = 1_000;

/** Checks each line against what the service takes. */
export function checkRows(file: CsvFile, mapping: Mapping, choices = asItStands): CheckedRow[] {
  const { heads, rows, lines } = file;
  const hasCode = mapping.includes('barcode');
  const numbers = columnOfNumbers(columnOf(rows, mapping, 'balance'));
  const phones = barePhones(columnOf(rows, mapping, 'phone'));
  const state = stateColumn(file, mapping);
  const changed = new Map(
    kept.map((target) => [target, changedBySpreadsheet(columnOf(rows, mapping, target))]),
  );
  const lineOf = new Map<string, number>();
  const checkRow = (row: readonly string[]): Omit<CheckedRow, 'line' | 'row'> => {
    const values: Partial<Record<Target, string>> = {};
    for (const [column, target] of mapping.entries()) {
      const value = row[column]?.trim();
      if (target !== null && value) values[target] = value;
    }
    const refuse = (problem: Problem, cell: string | null = null, twin: number | null = null) => ({
      values,
      problem,
      cell,
      twin,
    });
    if (row.length !== heads.length) return refuse('columns');
    if (Object.keys(values).length === 0) return refuse('nothing');
    if (row[state]?.trim() === 'voided') return refuse('voided');
    if (hasCode && values.barcode === undefined) return refuse('code');
    const { firstName, lastName } = values;
    values.name ??= [firstName, lastName].filter(Boolean).join(' ') || undefined;
    if (values.name === undefined) delete values.name;
    const damaged = kept.find((target) => changed.get(target)?.(values[target] ?? ''));
    if (damaged !== undefined) return refuse('damaged', values[damaged]);
    const tooLong = (Object.keys(values) as Target[]).find(
      (target) => (values[target]?.length ?? 0) > (longest[target as OwnTarget] ?? longestField),
    );
    if (tooLong !== undefined) return refuse('tooLong', values[tooLong]);
    if (values.email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(values.email))
      return refuse('email', values.email);
    if (values.balance !== undefined) {
      const number = numbers.read(values.balance, choices.hasDecimals);
      if ('problem' in number) return refuse(number.problem, values.balance);
      values.balance = number.whole;
    }
    if (phones !== null && values.phone !== undefined && isBare(values.phone))
      values.phone = choices.phonePrefix + values.phone;
    return { values, problem: null, cell: null, twin: null };
  };
  return rows.map((row, at) => {
    const line = lines[at + 1] ?? 0;
    const checked = checkRow(row);
    if (checked.problem !== null) return { line, row: at, ...checked };
    return { line, row: at, ...checked, ...twinOf(checked.values, line, lineOf, choices) };
  });
}

/** What a spreadsheet takes for numbers, and we do not. */
const kept = ['barcode', 'identifier', 'phone', 'balance'] as const;

/** The line before that is of the same card, or of the same person by an address or a number, which several may share. */
function twinOf(
  { barcode, identifier, email, phone }: CheckedRow['values'],
  line: number,
  lineOf: Map<string, number>,
  { onlyFirst }: Choices,
): Pick<CheckedRow, 'problem' | 'cell' | 'twin'> {
  const find = (named: readonly (readonly [string, string | undefined, string | undefined])[]) =>
    named.flatMap(([what, cell, compared]) => {
      const twin = compared === undefined ? undefined : lineOf.get(`${what} ${compared}`);
      return twin === undefined || cell === undefined ? [] : [{ cell, twin }];
    })[0];
  const names = [
    ['barcode', barcode, barcode?.normalize('NFC')],
    ['identifier', identifier, identifier?.normalize('NFC')],
  ] as const;
  const addresses = [
    ['email', email, email?.toLowerCase()],
    ['phone', phone, phone?.replace(/\D/g, '').replace(/^0+/, '')],
  ] as const;
  const same = find(names);
  if (same !== undefined) return { problem: 'twice', ...same };
  const shared = find(addresses);
  if (shared !== undefined && onlyFirst) return { problem: 'shared', ...shared };
  for (const [what, , compared] of [...names, ...addresses])
    if (compared !== undefined && !lineOf.has(`${what} ${compared}`)) lineOf.set(`${what} ${compared}`, line);
  return { problem: null, cell: null, twin: null, ...shared };
}

/** Where our own export says which cards are void, which are not to be valid again; -1 in other files. */
function stateColumn({ heads }: CsvFile, mapping: Mapping): number {
  if (!/^(?:card|karte)$/.test(plain(heads[0] ?? ''))) return -1;
  const column = heads.findIndex((head) => /^(?:state|zustand)$/.test(plain(head)));
  return mapping[column] === null ? column : -1;
}

/** A file to begin with, as spreadsheets of the language save it. */
export function sampleText({ delimiter, rows }: Sample): string {
  return rows.map((row) => `${row.join(delimiter)}\r\n`).join('');
}

interface Sample {
  readonly delimiter: string;
  readonly rows: readonly (readonly string[])[];
}
