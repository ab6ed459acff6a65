import pg from 'pg';
import type { Sql } from './effects.ts';

/** Functions to be called at the end, the last first. */
export type Closers = (() => unknown)[];

/** Asks a database that may be stopped at any moment. */
export function ask(url: string, closers: Closers): Sql {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // Its server is stopped under it.
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
}
