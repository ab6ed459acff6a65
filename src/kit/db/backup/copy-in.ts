import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BackupPart, BackupProblem } from './format.ts';
import { copyText, type TableColumns } from './table-catalog.ts';

/**
 * Loads the rows of a table that come next. COPY waits for the file and the file for COPY, so that no more than a few pieces
 * lie in memory.
 */
export async function copyIn(
  client: pg.ClientBase,
  table: TableColumns,
  parts: AsyncGenerator<BackupPart>,
  how: string,
): Promise<void> {
  const sum = { rows: 0 };
  const copy = client.query(copyFrom(copyText(client, table, how)));
  await pipeline(rowsOf(parts, sum), copy);
  if (copy.rowCount !== sum.rows)
    throw new BackupProblem(`Of ${table.table} ${copy.rowCount} rows were loaded instead of ${sum.rows}`);
}

/** Passes over the rows of a table. */
export async function skipRows(parts: AsyncGenerator<BackupPart>): Promise<void> {
  for await (const _ of rowsOf(parts, { rows: 0 }));
}

/** The rows up to the end of the table, which tells how many they are. Not by `for await`: that would end the parts, too. */
async function* rowsOf(parts: AsyncGenerator<BackupPart>, sum: { rows: number }): AsyncGenerator<Buffer> {
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined) throw new BackupProblem('The backup is damaged: its end is missing');
    if (part.kind === 'rows') yield part.bytes;
    else if (part.kind === 'table end') {
      sum.rows = part.rows;
      return;
    }
  }
}
