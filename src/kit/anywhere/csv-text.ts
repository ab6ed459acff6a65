/** A row of a table, and the line of the text on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export type CsvValue = string | number | null | undefined;

/**
 * A line of a CSV file (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, since others
 * may have written it, and so does such text behind apostrophes: `textOfCell` undoes it without loss. Numbers stay as they
 * are. Null is an empty cell.
 */
export function csvLine(values: readonly CsvValue[], separator: ',' | ';' = ','): string {
  return `${values.map((value) => cellOf(value ?? '', separator)).join(separator)}\r\n`;
}

function cellOf(value: string | number, separator: string): string {
  if (typeof value === 'number') return String(value);
  const text = isFormula(value) ? `'${value}` : value;
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text that `csvLine` has written into a cell. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
}

/** Blanks and characters without a shape hide a formula, signs in full width are signs. Apostrophes may belong to the text. */
function isFormula(text: string): boolean {
  return /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@])/u.test(text.normalize('NFKC'));
}

/** What the author has meant by a cell: without blanks around it, our apostrophe, or the `="0012"` that keeps a spreadsheet from counting. */
export function meantBy(cell: string): string {
  const text = cell.trim();
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? textOfCell(text);
}

/** Whether a spreadsheet has put a rounded number, `####` or its word for an error in the place of what was there. */
export function isDamaged(text: string): boolean {
  return (
    /^-?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i.test(text) ||
    /^#(?:#+|N\/A|NV|(?:NAME|REF|VALUE|WERT|BEZUG|NUM|ZAHL|NULL|DIV\/0)[!?])$/.test(text)
  );
}

/** What bytes are that are plainly no table; null where they may be one. */
export function foreignKind(bytes: Uint8Array): keyof typeof openings | null {
  const head = String.fromCharCode(...bytes.subarray(0, 512)).replace(/^\xef\xbb\xbf/, '');
  if (archives.some((opening) => head.startsWith(opening))) return 'workbook';
  const kinds = Object.keys(openings) as (keyof typeof openings)[];
  return kinds.find((kind) => openings[kind].test(head)) ?? null;
}

const archives = ['PK\x03\x04', 'PK\x05\x06', '\xd0\xcf\x11\xe0', '\x1f\x8b'];
const openings = {
  workbook: /^7z\xbc\xaf|^Rar!/,
  pdf: /^\s*%PDF-/,
  image: /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP)/s,
  html: /^\s*<(?:!doctype|!--|html|\?xml|table|svg)/i,
  json: /^\s*(?:\{\s*"|\[\s*[[{"])/,
  document: /^\{\\rtf/,
};

/** How the cells of a table are separated, and how many characters of its beginning say so. */
export interface CsvShape {
  readonly delimiter: string;
  readonly begins: number;
  /** Whether the file says so itself, or has headings that are known. */
  readonly isCertain: boolean;
}

/**
 * The shape of a table, by a first line `sep=;`, or else the delimiter by which most cells of the first row are headings that
 * are known, then that by which the rows are of one length. A comma where no row has several cells.
 */
export function shapeOf(text: string, isHeading: (cell: string) => boolean): CsvShape {
  const [line, sign] = /^\ufeff?"?sep=(.)"?[ \t]*(?:\r\n?|\n|$)/i.exec(text) ?? [];
  if (line !== undefined && sign !== undefined)
    return { delimiter: sign, begins: line.length, isCertain: true };
  const rows = split(text.slice(0, 65_536), '\n\r').filter((row) => row !== '');
  const rated = [...delimiters].map((delimiter) => ({
    delimiter,
    marks: marksOf(rows, delimiter, isHeading),
  }));
  rated.sort((one, other) => {
    const at = one.marks.findIndex((mark, place) => mark !== other.marks[place]);
    return at === -1 ? 0 : (other.marks[at] ?? 0) - (one.marks[at] ?? 0);
  });
  const [best] = rated;
  return { delimiter: best?.delimiter ?? ',', begins: 0, isCertain: (best?.marks[0] ?? 0) > 0 };
}

/** The likelier first where nothing else distinguishes them, but for tables of one column. */
const delimiters = '\t;|,';

function marksOf(rows: readonly string[], delimiter: string, isHeading: (cell: string) => boolean): number[] {
  const [heads = [], ...others] = rows.slice(0, 20).map((row) => split(row, delimiter));
  if (heads.length === 1) return [0, delimiter === ',' ? 0 : -1];
  const known = heads.filter((cell) => isHeading(cell.replaceAll('"', '').trim())).length;
  const alike = others.filter(({ length }) => length === heads.length).length;
  const isSpaced = heads.slice(1).every((cell) => cell.startsWith(' '));
  return [known, others.length === 0 ? 1 : alike / others.length, isSpaced ? 0 : 1, heads.length];
}

/** A text up to the end of its first row, which blank lines are none; null where that is still to come. */
export function untilFirstRow(text: string): string | null {
  const rows = split(text, '\n');
  const first = rows.findIndex((row) => row !== '');
  return first === -1 || first === rows.length - 1 ? null : `${rows.slice(0, first + 1).join('\n')}\n`;
}

/** The parts between signs that stand outside of quotes. */
function split(text: string, signs: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') isQuoted = !isQuoted && /^[\s,;|="\ufeff]?$/.test(text[at - 1] ?? '');
    else if (!isQuoted && signs.includes(sign)) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...parts, text.slice(begin)];
}

/** Whole lines as csv-parse reads them: `="0012"` is a cell that would have to be quoted. */
export function quoted(lines: string): string {
  return lines.replace(/(?<=^|[\n,;\t|])="([^"\n]+)"(?=[\n,;\t|]|$)/g, '"=""$1"""');
}

/**
 * How csv-parse reads a table of this shape whose lines end in LF; blank lines are no rows. `take` gets each with the line on
 * which it ends.
 */
export function parserOptions({ delimiter, begins }: CsvShape, take: (row: CsvRow, end: number) => void) {
  const before = begins > 0 ? 1 : 0;
  return {
    delimiter,
    record_delimiter: '\n',
    skip_empty_lines: true,
    relax_column_count: true,
    on_record(cells: string[], { lines }: { lines: number }) {
      const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      take({ line: lines - breaks + before, cells }, lines + before);
      return null;
    },
  };
}
