import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { invalidRequest } from './http/api-error.ts';

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
  const parser = parse({
    record_delimiter: '\n',
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longest,
    on_record(cells: string[], { lines }) {
      if (rows.length === most)
        throw invalidRequest(`line ${lines}: at most ${most - 1} lines are taken at once.`);
      if (cells.length > widest)
        throw invalidRequest(`line ${lines}: at most ${widest} cells are taken in a row.`);
      rows.push({ line: lines - breaksIn(cells), cells });
      return null;
    },
  });
  parser.resume();
  try {
    // One kind of line break: the parser would count two for the other within quotes.
    await pipeline(Readable.from(piecesOf(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))), parser);
  } catch (error) {
    throw error instanceof CsvError ? malformed(error) : error;
  }
  return rows;
}

const longest = 65_536;
const widest = 1_000;
const pieceLength = 16_384;

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) {
    yield bytes.subarray(at, at + pieceLength);
    await othersTurn();
  }
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
