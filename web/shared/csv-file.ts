import { saveFile } from './files.ts';

export { type CsvValue, csvLine } from '../../src/kit/anywhere/csv-text.ts';

/** Has the browser save lines as a file. The first character marks it as UTF-8 for spreadsheets. */
export function saveCsv(lines: readonly BlobPart[], title: string): void {
  saveFile(`${title}.csv`, new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
}
