import { saveFile } from './files.ts';

export type CsvValue = string | number | null | undefined;

/**
 * A line of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it: it may be
 * what a holder has written.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map((value) => cell(value ?? '')).join(',')}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !/^\+[0-9 ]+$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save lines as a file. The first character tells spreadsheets that it is UTF-8. */
export function saveCsv(lines: readonly BlobPart[], title: string): void {
  saveFile(`${title}.csv`, new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
}
