import { changedBySpreadsheet } from '../../../shared/csv-table.ts';
import type { CsvFile } from '../../cards/import-file.ts';

/** A code of the file, and where it stands; why it is not sent, where it is none. */
export interface FileCode {
  /** Of the file, from 1. */
  readonly line: number;
  readonly code: string;
  readonly problem: 'empty' | 'too_long' | 'damaged' | 'duplicate_in_upload' | null;
}

/** What is read of a file: from which column, and whether its first line is a heading. */
export interface Reading {
  readonly column: number;
  readonly hasHeading: boolean;
}

/** A heading, which is no code: those that are made of words have digits too. */
const heading = /^\D*(?:code|voucher|gutschein|seria|number|nummer|value|wert)\D*$/i;

/** What a file is most likely: the column that is called after codes, else the first, which then has no heading. */
export function guessReading({ heads }: CsvFile): Reading {
  const column = heads.findIndex((head) => heading.test(head));
  return { column: Math.max(column, 0), hasHeading: column !== -1 };
}

/** The codes of a column, each checked for what can be known before it is sent. */
export function codesOf({ heads, rows, lines }: CsvFile, { column, hasHeading }: Reading): FileCode[] {
  const cells = (hasHeading ? rows : [heads, ...rows]).map((row) => row[column]?.trim() ?? '');
  const isChanged = changedBySpreadsheet(cells);
  const seen = new Set<string>();
  return cells.map((code, at) => {
    const normal = code.normalize('NFC');
    const problem =
      code === ''
        ? 'empty'
        : code.length > 255
          ? 'too_long'
          : isChanged(code)
            ? 'damaged'
            : seen.has(normal)
              ? 'duplicate_in_upload'
              : null;
    seen.add(normal);
    return { line: lines[at + (hasHeading ? 1 : 0)] ?? 0, code, problem };
  });
}
