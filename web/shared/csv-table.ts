import { parse } from 'csv-parse/browser/esm/sync';
import {
  type CsvRow,
  foreignKind,
  isDamaged,
  meantBy,
  parserOptions,
  quoted,
  shapeOf,
} from '../../src/kit/anywhere/csv-text.ts';

/** A file that is no table: what it is, or where its quotes are wrong. */
export class UnreadableFile extends Error {
  readonly kind: NonNullable<ReturnType<typeof foreignKind>> | 'binary' | 'quotes';
  readonly line: number;

  constructor(kind: UnreadableFile['kind'], line = 0) {
    super(kind);
    this.kind = kind;
    this.line = line;
  }
}

/** A table as people meant it, its headings first, and what separates its cells. */
export interface Table {
  readonly rows: readonly CsvRow[];
  readonly delimiter: string;
}

/**
 * Reads CSV with commas, semicolons, bars or tabs, in UTF-8, in UTF-16 or as Windows' spreadsheets save it. Raises
 * `UnreadableFile`.
 */
export function readTable(bytes: Uint8Array, isHeading: (cell: string) => boolean): Table {
  const kind = foreignKind(bytes);
  if (kind !== null) throw new UnreadableFile(kind);
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  if ([...text.slice(0, 16_384)].some((sign) => sign < '\t')) throw new UnreadableFile('binary');
  const shape = shapeOf(text, isHeading);
  const rows: CsvRow[] = [];
  let end = 0;
  const options = parserOptions(shape, ({ line, cells }, lastLine) => {
    rows.push({ line, cells: cells.map(meantBy) });
    end = lastLine;
  });
  try {
    parse(quoted(text.slice(shape.begins)), { ...options, relax_quotes: true, trim: true });
  } catch {
    throw new UnreadableFile('quotes', end + 1);
  }
  return { rows, delimiter: shape.delimiter };
}

/**
 * What marks texts of a column that a spreadsheet has changed: by themselves, or among the others, where few look like dates, or
 * all numbers of more than fifteen digits end in zeros from there on.
 */
export function changedBySpreadsheet(column: readonly string[]): (text: string) => boolean {
  const dates = column.filter(isDate).length;
  const long = column.filter((text) => /^\d{16,}$/.test(text));
  const areCut = long.length > 1 && long.every(isCut);
  return (text) => isDamaged(text) || (dates * 2 < column.length && isDate(text)) || (areCut && isCut(text));
}

/** Whether numbers of a column seem to have lost zeros at their beginning: none has one, and most are longer. */
export function losesZeros(column: readonly string[]): boolean {
  const texts = column.filter((text) => text !== '');
  const length = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const whole = texts.filter((text) => text.length === length).length;
  const areNumbers = texts.every((text) => /^[1-9]\d*$/.test(text));
  return areNumbers && length > 5 && whole < texts.length && whole * 2 > texts.length;
}

/** A value that a spreadsheet took for a date: `Mar-12`, `12-Mar`, `12. Mrz`, `01.03.2024`. */
function isDate(text: string): boolean {
  return shortDate.test(text) || /^\d{1,2}([./])\d{1,2}\1(?:19|20)\d{2}$/.test(text);
}

const months = 'Jan|Feb|M[aä]r|Mrz|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz]';
const shortDate = new RegExp(`^(?:\\d{1,2}(?:-|\\. ?)(?:${months})|(?:${months})[- ]\\d{2})$`);

function isCut(text: string): boolean {
  return /^\d{15}0+$/.test(text);
}

/** Where no mark says what it is, bytes decide: every second one is zero in UTF-16 with letters of Europe. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const zero = bytes.subarray(0, 512).indexOf(0);
  if ((first === 0xff && second === 0xfe) || zero % 2 === 1) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || zero === 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
