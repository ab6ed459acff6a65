import type pg from 'pg';

/** Many rows of a table that are like one that the service has made. */
export interface Likeness {
  readonly table: string;
  /** Finds the row that the service has made; `$1` … in it are `values`. */
  readonly like: string;
  /** Where each row comes from: what follows FROM, named `f`. */
  readonly from: string;
  /** The columns in which they differ, as expressions over `f`. All others are as in the row. */
  readonly differ: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
}

/** Inserts them. A column that a later migration adds is filled as the service fills it; one that it drops is an error here. */
export async function insertLike(pool: pg.Pool, likeness: Likeness): Promise<void> {
  const { table, like, from, differ, values } = likeness;
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  const unknown = Object.keys(differ).filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join(', ')}`);
  const expressions = columns.map((name) => differ[name] ?? `made.${name}`);
  const { rowCount } = await pool.query(
    `with made as materialized (select * from ${table} where ${like} limit 1)
     insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')} from made cross join ${from}`,
    [...values],
  );
  if (rowCount === 0) throw new Error(`the service has made no row of ${table} to go by`);
}

/** Statistics and visibility as the database makes them by itself in time. */
export async function settle(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum (analyze)');
  await pool.query('checkpoint');
}
