import type pg from 'pg';

/** A table as it lies on disk. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** The size of its rows, with what is stored outside them. */
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** All tables, the largest first. */
export async function readSizes(client: pg.ClientBase): Promise<TableSize[]> {
  const { rows } = await client.query<Record<keyof TableSize, string>>(
    `select relname as table, greatest(reltuples, 0)::bigint as rows, pg_table_size(oid) as "tableBytes",
       pg_indexes_size(oid) as "indexBytes"
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by pg_total_relation_size(oid) desc`,
  );
  return rows.map(({ table, ...counts }) => ({
    table,
    rows: Number(counts.rows),
    tableBytes: Number(counts.tableBytes),
    indexBytes: Number(counts.indexBytes),
  }));
}

/** Rows of a Markdown table: what falls to a million cards of each table that takes 10 MB of it or more. */
export function sizeTable(sizes: readonly TableSize[]): string {
  const cards = sizes.find(({ table }) => table === 'instances')?.rows ?? 0;
  const entries = sizes.find(({ table }) => table === 'loyalty_entries')?.rows ?? 0;
  const million = (count: number) => (cards === 0 ? Number.NaN : (count / cards) * 1e6);
  const lines = sizes
    .filter(({ rows, tableBytes, indexBytes }) => million(rows > 0 ? tableBytes + indexBytes : 0) >= 10e6)
    .map(({ table, rows, tableBytes, indexBytes }) => {
      const bytes = tableBytes + indexBytes;
      const cells = [
        `\`${table}\``,
        count(million(rows)),
        megabytes(million(tableBytes)),
        megabytes(million(indexBytes)),
      ];
      return `| ${[...cells, `${Math.round(bytes / rows)} B`].join(' | ')} |`;
    });
  const sum = sizes.reduce((total, { tableBytes, indexBytes }) => total + tableBytes + indexBytes, 0);
  return [
    '| table | rows | table | indexes | a row with its indexes |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `Each million cards takes ${megabytes(million(sum))}, with ${(entries / cards).toFixed(1)} ledger entries a card.`,
  ].join('\n');
}

function count(rows: number): string {
  return rows >= 1e6 ? `${(rows / 1e6).toFixed(1)} m` : Math.round(rows).toLocaleString('en');
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
