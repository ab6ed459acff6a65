import { setImmediate as othersTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { invalidRequest } from '../http/api-error.ts';

/** A row of a table, and the line of the text on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a table as CSV (RFC 4180), its header among them; blank lines are none. Raises `invalid_request` with the
 * line where quotes are wrong, a row is longer than 64 KiB or wider than 1,000 cells, or more than `most` rows are
 * reached. A long text is read in pieces, between which others have their turn.
 */
export async function readCsv(text: string, most: number): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const some of csvRows([Buffer.from(text)], most)) rows.push(...some);
  return rows;
}

/** The same of bytes in UTF-8 while they arrive, some rows at a time. */
export async function* csvRows(
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = [];
  let count = 0;
  const parser = parse({
    record_delimiter: '\n',
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longest,
    on_record(cells: string[], { lines }) {
      if (count === most) throw invalidRequest(`line ${lines}: at most ${most - 1} lines are taken at once.`);
      if (cells.length > widest)
        throw invalidRequest(`line ${lines}: at most ${widest} cells are taken in a row.`);
      count += 1;
      rows.push({ line: lines - breaksIn(cells), cells });
      return null;
    },
  });
  parser.resume();
  parser.on('error', () => undefined);
  for await (const text of plainText(source)) {
    await settled((done) => parser.write(text, done));
    await othersTurn();
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  await settled((done) => parser.end(done));
  if (rows.length > 0) yield rows;
}

const longest = 65_536;
const widest = 1_000;
const pieceLength = 16_384;

/** The text without its byte order mark and with one kind of line break: the parser would count two for the other within quotes. */
async function* plainText(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += pieceLength) {
      const text = held + decoded(decoder, bytes.subarray(at, at + pieceLength));
      // The other half of a line break may follow.
      held = text.endsWith('\r') ? '\r' : '';
      yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
    }
  }
  yield (held + decoded(decoder)).replace('\r', '\n');
}

function decoded(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    const text = decoder.decode(bytes, { stream: bytes !== undefined });
    if (!text.includes('\0')) return text;
  } catch {
    throw invalidRequest('The body is not valid UTF-8; encode it as UTF-8.');
  }
  throw invalidRequest('The body holds a NUL character; remove it.');
}

/** Waits for the parser, which reports by a call; what it finds wrong is raised in our words. */
function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    act((error) => {
      if (error) reject(error instanceof CsvError ? malformed(error) : error);
      else resolve();
    });
  });
}

/** Line breaks within the cells of a row. */
function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}

function malformed(error: CsvError) {
  const what =
    {
      CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
      CSV_INVALID_CLOSING_QUOTE: 'a quote within a quoted cell is not doubled',
      INVALID_OPENING_QUOTE: 'a quote stands within a cell that is not quoted',
      CSV_MAX_RECORD_SIZE: `the row is longer than ${longest} bytes; is a quote not closed?`,
    }[error.code as string] ?? 'is no CSV';
  return invalidRequest(`line ${error.lines}: ${what}.`);
}

/**
 * Rows as CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, since others
 * may have written it, and so does such text behind apostrophes: `textOfCell` undoes it without loss. Numbers stay as they
 * are. Null is an empty cell.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text that `csvOf` has written into a cell. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/** Apostrophes count as well, so that one more can be told from those that belong to the text. */
const formula = /^'*[=+\-@\t\r\n]/;
