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
