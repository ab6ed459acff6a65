import { setImmediate as othersTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { CsvError, type Parser, parse } from 'csv-parse';
import {
  type CsvRow,
  type CsvShape,
  type CsvValue,
  csvLine,
  foreignKind,
  parserOptions,
  quoted,
  shapeOf,
  untilFirstRow,
} from '../anywhere/csv-text.ts';
import { invalidAs, invalidField } from '../http/api-error.ts';

export { type CsvRow, isDamaged, meantBy, textOfCell } from '../anywhere/csv-text.ts';

/** True if a cell of the first row is a known heading. The delimiter is detected by it. */
type IsHeading = (cell: string) => boolean;

/**
 * The rows of a table as CSV (RFC 4180), its header among them; blank lines are none. Raises `invalid_request` with the
 * line where quotes are wrong, a row is longer than 64 KiB or wider than 1,000 cells, or more than `most` rows are
 * reached. A long text is read in pieces, between which others have their turn.
 */
export async function readCsv(text: string, most: number, isHeading?: IsHeading): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const some of csvRows([Buffer.from(text)], most, isHeading)) rows.push(...some);
  return rows;
}

/**
 * Reads rows from UTF-8 bytes while they arrive, some rows at a time. Commas separate cells, unless the first line is
 * `sep=;` or has more known headings with another delimiter.
 */
export async function* csvRows(
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
  most: number,
  isHeading: IsHeading = () => false,
): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = [];
  let count = 0;
  let held = '';
  let parser: Parser | null = null;
  let end = 0;
  const begun = (shape: CsvShape) => {
    const take = (row: CsvRow, lastLine: number) => {
      if (count === most)
        throw invalidField(`line ${row.line}`, 'max_items', `at most ${most - 1} lines are taken at once.`, {
          limit: most - 1,
        });
      if (row.cells.length > widest)
        throw invalidField(`line ${row.line}`, 'max_items', `at most ${widest} cells are taken in a row.`, {
          limit: widest,
        });
      count += 1;
      end = lastLine;
      rows.push(row);
    };
    const started = parse({ ...parserOptions(shape, take), max_record_size: longest });
    started.resume();
    started.on('error', () => undefined);
    held = held.slice(shape.begins);
    return started;
  };
  const failed = (error: CsvError) => malformed(error, end + 1);
  for await (const text of plainText(source)) {
    held += text;
    const isLong = held.length > longest;
    const head = parser === null ? untilFirstRow(held) : null;
    if (head !== null || isLong) parser ??= begun(certainShape(head ?? held, isHeading));
    const whole = isLong ? held.length : held.lastIndexOf('\n') + 1;
    if (parser === null || whole === 0) continue;
    const lines = quoted(held.slice(0, whole));
    held = held.slice(whole);
    await settled((done) => parser?.write(lines, done), failed);
    await othersTurn();
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  parser ??= begun(certainShape(held, isHeading));
  await settled((done) => parser?.end(quoted(held), done), failed);
  if (rows.length > 0) yield rows;
}

/** Programs send commas: only what is certain is anything else. */
export function certainShape(text: string, isHeading: IsHeading): CsvShape {
  const shape = shapeOf(text, isHeading);
  return shape.isCertain ? shape : { ...shape, delimiter: ',' };
}

const longest = 65_536;
const widest = 1_000;
const pieceLength = 16_384;

/** The text without its byte order mark and with one kind of line break: the parser would count two for the other within quotes. */
async function* plainText(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = Buffer.alloc(0);
  let held = '';
  const decoded = (bytes?: Buffer) => {
    if (bytes !== undefined && head.length < 512) head = Buffer.concat([head, bytes.subarray(0, 512)]);
    const kind = foreignKind(head);
    if (kind !== null)
      throw invalidAs('syntax', `The body is no CSV, but ${kinds[kind]}; save it as CSV in UTF-8.`);
    const text = decode(decoder, bytes);
    const isUtf16 = /^(?:\xff\xfe|\xfe\xff|\0?[^\0]\0)/.test(head.toString('latin1'));
    if (text === null)
      throw invalidAs(
        'syntax',
        `The body is not valid UTF-8${isUtf16 ? ', but UTF-16' : ''}; encode it as UTF-8.`,
      );
    if (text.includes('\0'))
      throw invalidAs(
        'syntax',
        isUtf16 ? 'The body is UTF-16; encode it as UTF-8.' : 'The body holds a NUL character; remove it.',
      );
    return text;
  };
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += pieceLength) {
      const text = held + decoded(bytes.subarray(at, at + pieceLength));
      // The other half of a line break may follow.
      held = text.endsWith('\r') ? '\r' : '';
      yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
    }
  }
  yield (held + decoded()).replace('\r', '\n');
}

/** How a refusal calls what is no table. */
const kinds = {
  workbook: 'a workbook or an archive',
  pdf: 'a PDF',
  image: 'an image',
  html: 'a page of HTML or XML',
  json: 'JSON',
  document: 'a text document',
};

/** Null where bytes are no UTF-8. */
function decode(decoder: TextDecoder, bytes?: Buffer): string | null {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    return null;
  }
}

/** Waits for the parser, which reports by a call; what it finds wrong is raised in our words. */
function settled(
  act: (done: (error?: Error | null) => void) => void,
  inOurWords: (error: CsvError) => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    act((error) => {
      if (error) reject(error instanceof CsvError ? inOurWords(error) : error);
      else resolve();
    });
  });
}

/** `line` is that of the row that has not ended. */
function malformed({ code, lines }: CsvError, line: number) {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return invalidField(`line ${line}`, 'syntax', 'a quote is opened and not closed.');
  const what =
    {
      CSV_INVALID_CLOSING_QUOTE: 'a quote within a quoted cell is not doubled',
      INVALID_OPENING_QUOTE: 'a quote stands within a cell that is not quoted',
      CSV_MAX_RECORD_SIZE: `the row is longer than ${longest} bytes; is a quote not closed?`,
    }[code as string] ?? 'is no CSV';
  return invalidField(`line ${lines}`, 'syntax', `${what}.`);
}

/** Rows as CSV, a line for each, as `csvLine` writes them. */
export function csvOf(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => csvLine(row)).join('');
}
