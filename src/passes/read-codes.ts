import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { invalidField } from '../kit/http/api-error.ts';
import { type CsvRow, csvRows, isDamaged, meantBy } from '../kit/text/csv.ts';
import type { Spool } from '../kit/text/spool.ts';
import type { BarcodeFormat } from '../wallet/barcode-format.ts';
import { codesPerUpload, type Fault } from './barcode.schema.ts';
import { holds } from './barcode-formats.ts';

/** A code as the caller sent it, and its own fault, if any. */
export interface SentCode {
  readonly line: number;
  readonly value: string;
  readonly fault: Fault | null;
}

/** How many codes have arrived, and a hash of them. */
export interface Sent {
  readonly received: number;
  readonly hash: string;
}

/**
 * Lays the codes of an upload down in `spool`, a CSV file while it arrives. Raises `invalid_request` for more codes
 * than an upload may bring, and what the file or its arrival raises.
 */
export async function readCodes(
  codes: Readable | readonly string[],
  format: BarcodeFormat,
  spool: Spool,
): Promise<Sent> {
  const hash = createHash('sha256');
  let received = 0;
  for await (const rows of codes instanceof Readable ? rowsOfFile(codes) : [rowsOfList(codes)]) {
    received += rows.length;
    if (received > codesPerUpload) {
      const beyond = rows[rows.length - (received - codesPerUpload)];
      throw invalidField(
        `line ${beyond?.line}`,
        'max_items',
        `at most ${codesPerUpload} barcodes are taken at once.`,
        { limit: codesPerUpload },
      );
    }
    for (const { cells } of rows) hash.update(JSON.stringify(cells));
    await spool.add(rows.map((row) => written(row, format)));
  }
  return { received, hash: hash.digest('hex') };
}

/** The codes that were laid down, in their order, some at a time. */
export async function* sentCodes(spool: Spool): AsyncGenerator<SentCode[]> {
  for await (const lines of spool.lines()) {
    yield lines.map((text) => {
      const [line, value, fault = null] = JSON.parse(text) as [number, string, Fault?];
      return { line, value, fault };
    });
  }
}

/** A code as cards carry it: look-ups compare in Unicode's NFC form. */
export function normalCode(value: string): string {
  return value.normalize('NFC');
}

/** The codes of a file: the column that is called so, or all that a line holds. */
async function* rowsOfFile(file: Readable): AsyncGenerator<CodeRow[]> {
  let column: number | null = null;
  let isFirst = true;
  for await (const rows of csvRows(file, Number.POSITIVE_INFINITY, isHeading)) {
    const heading = isFirst ? (rows[0]?.cells.findIndex(isHeading) ?? -1) : -1;
    if (heading !== -1 && (rows[0]?.cells.length ?? 0) > 1) column = heading;
    yield rows.slice(heading === -1 ? 0 : 1).map(({ line, cells }) => ({
      line,
      cells: column === null ? cells : [cells[column] ?? ''],
      isOfFile: true,
    }));
    isFirst = false;
  }
}

interface CodeRow extends CsvRow {
  /** A spreadsheet may have written it. */
  readonly isOfFile?: boolean;
}

function isHeading(cell: string): boolean {
  return /^(?:bar ?)?codes?$/i.test(cell.trim());
}

function rowsOfList(barcodes: readonly string[]): CodeRow[] {
  return barcodes.map((barcode, at) => ({ line: at + 1, cells: [barcode] }));
}

function written({ line, cells, isOfFile = false }: CodeRow, format: BarcodeFormat): string {
  const meant = isOfFile ? cells.map(meantBy) : cells;
  const own = faultOf(meant, format);
  // A number that a spreadsheet has changed is rather that than one that the format cannot hold.
  const mayBeDamaged = isOfFile && (own === null || own === 'unprintable');
  const fault = mayBeDamaged && meant.some(isDamaged) ? 'damaged' : own;
  return JSON.stringify(fault === null ? [line, meant.join(',')] : [line, cut(cells.join(',')), fault]);
}

function faultOf(cells: readonly string[], format: BarcodeFormat): Fault | null {
  if (cells.length > 1) return 'too_many_cells';
  const code = normalCode(cells[0] ?? '');
  if (!/\S/.test(code)) return 'empty';
  if (cut(code) !== code) return 'too_long';
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(code) || !holds(format, code) ? 'unprintable' : null;
}

const longestCode = 255;

/** As much of a text as a code may have. */
function cut(text: string): string {
  if (text.length <= longestCode) return text;
  return Array.from(text.slice(0, 2 * longestCode))
    .slice(0, longestCode)
    .join('');
}
