import type { Database, Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';

/**
 * Rows of a table that are due at a moment. A worker takes them for the length of a lease: until then they are due for
 * nobody else, and for whoever comes then when it was never heard of again. A lease of no length is a turn: the row is
 * due again at once, behind all others. Names of columns are those of the rows, in camel case.
 */
export interface Queue<Row> {
  readonly table: string;
  /** The column that each statement names by a constant: rows are locked in one part at a time, those of one tenant. */
  readonly part: keyof Row & string;
  /** What tells the rows of a part apart, with the columns' types; empty where a part has one row. */
  readonly key: Readonly<Partial<Record<keyof Row & string, 'uuid' | 'bigint'>>>;
  /** The moment; null where the row is not due. */
  readonly due: keyof Row & string;
  /** What else makes a row one of the queue. */
  readonly where?: Sql;
  /** What a worker gets of a row; part, key and moment are among it. */
  readonly columns: Sql;
}

/** A question to the database that is answered with yes or no. */
export type Condition = Sql;

/** What becomes of the rows that are taken. */
interface Claim<Row, Found> {
  readonly now: Date;
  /** When a row is due again, should nobody record what became of it; null: never. */
  readonly until: Date | null | ((row: Found) => Date);
  readonly most: number;
  /** Further assignments. */
  readonly set?: Sql;
  /** Done in the transaction that takes rows of one part. */
  also?(tx: Tx, rows: Row[]): Promise<void>;
}

interface On<Row> {
  readonly database: Database;
  readonly queue: Queue<Row>;
}

/** Whether anything is due, as a condition: the first row of the queue is looked up. */
export function isAnyDue<Row>(queue: Queue<Row>, now: Date): Condition {
  return isAny(sql`
    select true from ${sql.ref(queue.table)} where ${isDue(queue, now)} order by ${sql.ref(queue.due)} limit 1
  `);
}

/** Whether a statement has a row, which is `true`, as a condition. With a limit: EXISTS would leave its order to the planner. */
export function isAny(one: Sql): Condition {
  return sql`coalesce((${one}), false)`;
}

/** Whether all of the conditions hold. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Whether one of the conditions holds. */
export function anyOf(...conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Which of many conditions hold, asked in one statement. */
export async function findTrue<Name extends string>(
  db: Db,
  conditions: readonly (readonly [name: Name, condition: Condition])[],
): Promise<Name[]> {
  const { rows } = await sql<{ answers: boolean[] }>`
    select array[${sql.join(conditions.map(([, condition]) => condition))}]::boolean[] as answers
  `.execute(db);
  return conditions.flatMap(([name], at) => (rows[0]?.answers[at] === true ? [name] : []));
}

/**
 * Takes rows that are due, the longest due first; in one part after the other, each in a transaction of its own. What
 * another worker has taken is passed over.
 */
export async function takeDue<Row>(on: On<Row>, claim: Claim<Row, Partial<Row>>): Promise<Row[]> {
  // Twice as many as are taken: another worker may have the first ones.
  const found = await findDue(on.database.db, on.queue, claim.now, claim.most * 2);
  return takeFound(on, found, claim);
}

/** The same with rows that somebody has found to be due: the first ones, or else those behind them. */
export async function takeFound<Row, Found extends Partial<Row>>(
  { database, queue }: On<Row>,
  found: readonly Found[],
  claim: Claim<Row, Found>,
): Promise<Row[]> {
  const taken: Row[] = [];
  const untilOf = (row: Found) => (typeof claim.until === 'function' ? claim.until(row) : claim.until);
  const groups = [found.slice(0, claim.most), found.slice(claim.most)]
    .flatMap((some) => [...Map.groupBy(some, (row) => row[queue.part]).values()])
    .flatMap((some) => [...Map.groupBy(some, (row) => untilOf(row)?.getTime()).values()]);
  for (const group of groups) {
    const [first] = group;
    const most = claim.most - taken.length;
    if (first === undefined || most === 0) continue;
    const leasing = database.transaction(async (tx) => {
      const rows = await lease(tx, queue, group, { ...claim, until: untilOf(first), most });
      if (rows.length > 0) await claim.also?.(tx, rows);
      return rows;
    });
    // What was taken before a failure must not wait for the end of its lease; the next turn meets the failure first.
    const leased = taken.length === 0 ? await leasing : await leasing.catch(() => null);
    if (leased === null) break;
    taken.push(...leased);
  }
  return taken;
}

/** Gives a turn to the row that waited longest for one, and puts it behind all others. */
export async function takeTurn<Row>(on: On<Row>, now: Date): Promise<Row | undefined> {
  const [row] = await takeDue(on, { now, until: now, most: 1 });
  return row;
}

/** The keys of rows that are due, the longest due first; locks none. */
async function findDue<Row>(db: Db, queue: Queue<Row>, now: Date, limit: number): Promise<Partial<Row>[]> {
  const { rows } = await sql<Partial<Row>>`
    select ${sql.join([queue.part, ...Object.keys(queue.key)].map((column) => sql.ref(column)))}
    from ${sql.ref(queue.table)}
    where ${isDue(queue, now)}
    order by ${sql.ref(queue.due)}
    limit ${limit}
  `.execute(db);
  return rows;
}

interface Lease {
  readonly now: Date;
  readonly until: Date | null;
  readonly most: number;
  readonly set?: Sql;
}

/**
 * Takes the first of the rows, all of one part, that are still due and that nobody else is taking. Each is looked up by
 * its key, in this order.
 */
async function lease<Row>(
  tx: Tx,
  queue: Queue<Row>,
  found: readonly Partial<Row>[],
  { now, until, most, set }: Lease,
): Promise<Row[]> {
  const part = sql`${sql.ref(queue.part)} = ${found[0]?.[queue.part]}`;
  const table = sql.ref(queue.table);
  const named = keysOf(queue, found);
  // By their places, which stay while they are locked: nothing is left to a join.
  const { rows } = await sql<Row>`
    update ${table} set ${sql.ref(queue.due)} = ${until}${set === undefined ? sql`` : sql`, ${set}`}
    where ${part} and ctid = any(array(
      select due.ctid
      from ${named.rows}
      cross join lateral (
        select ctid from ${table} where ${part} and ${named.isKeyOf(queue.table)} and ${isDue(queue, now)}
        for no key update skip locked
      ) as due
      limit ${most}
    ))
    returning ${queue.columns}
  `.execute(tx);
  return rows;
}

/**
 * Keeps a row that was taken from others until the transaction ends, as it is by now. Undefined where another worker has
 * taken it since, or it is not in the queue any more.
 */
export async function holdTaken<Row>(tx: Tx, queue: Queue<Row>, taken: Row): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${queue.columns} from ${sql.ref(queue.table)}
    where ${isTaken(queue, taken)}${queue.where === undefined ? sql`` : sql` and ${queue.where}`}
    for no key update skip locked
  `.execute(tx);
  return rows[0];
}

/** Changes a row that was taken: to keep it for longer, or to give it back. False where another worker has taken it since. */
export async function changeTaken<Row>(
  tx: Tx,
  queue: Queue<Row>,
  taken: Row,
  changes: Partial<NoInfer<Row>>,
): Promise<boolean> {
  const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rowCount } = await sql`
    update ${sql.ref(queue.table)} set ${sql.join(assignments)} where ${isTaken(queue, taken)}
  `.execute(tx);
  return rowCount === 1;
}

/**
 * Tries rows of one part again later, however they have changed meanwhile; the caller says when for each, and how many
 * attempts it has cost.
 */
export async function postponeTaken<Row>(
  tx: Tx,
  queue: Queue<Row>,
  later: readonly { readonly row: Row; readonly dueAt: Date; readonly attempts: number }[],
): Promise<void> {
  const [first] = later;
  if (first === undefined) return;
  const part = sql`${sql.ref(queue.part)} = ${first.row[queue.part]}`;
  const table = sql.ref(queue.table);
  const sorted = inOrder(queue, later, ({ row }) => row);
  const named = keysOf(
    queue,
    sorted.map(({ row }) => row),
    [
      ['new_due', sql`${sorted.map(({ dueAt }) => dueAt)}::timestamptz[]`],
      ['new_attempts', sql`${sorted.map(({ attempts }) => Math.min(attempts, mostAttempts))}::smallint[]`],
    ],
  );
  await sql`
    with held as materialized (
      select named.*
      from ${named.rows}
      cross join lateral (
        select from ${table} where ${part} and ${named.isKeyOf(queue.table)} for no key update
      ) as held
    )
    update ${table} set ${sql.ref(queue.due)} = named.new_due, attempts = named.new_attempts
    from held as named
    where ${part} and ${named.isKeyOf(queue.table)}
  `.execute(tx);
}

/** As many as a small integer holds. */
const mostAttempts = 30_000;

function isDue<Row>({ due, where }: Queue<Row>, now: Date): Sql {
  return sql`${sql.ref(due)} <= ${now}${where === undefined ? sql`` : sql` and ${where}`}`;
}

/** The row itself, as long as it is due when it was to be when it was taken. */
function isTaken<Row>(queue: Queue<Row>, taken: Row): Sql {
  const columns = [queue.part, ...(Object.keys(queue.key) as (keyof Row & string)[]), queue.due];
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${taken[column]}`),
    sql` and `,
  );
}

/** Keys as the rows of `named`, and how a row of the table is told to have one of them. */
function keysOf<Row>(
  queue: Queue<Row>,
  found: readonly Partial<Row>[],
  further: readonly (readonly [name: string, list: Sql])[] = [],
) {
  const keys = Object.entries(queue.key) as [keyof Row & string, string][];
  const lists = [
    ...keys.map(
      ([column, type]) => [column, sql`${found.map((row) => row[column])}::${sql.raw(type)}[]`] as const,
    ),
    ...further,
  ];
  if (keys.length === 0 && further.length === 0)
    return { rows: sql`(select) as named`, isKeyOf: () => sql`true` };
  return {
    rows: sql`unnest(${sql.join(lists.map(([, list]) => list))})
        as named(${sql.join(lists.map(([column]) => sql.ref(column)))})`,
    isKeyOf: (table: string) =>
      keys.length === 0
        ? sql`true`
        : sql.join(
            keys.map(([column]) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`named.${column}`)}`),
            sql` and `,
          ),
  };
}

/** In the order of their keys, in which all who lock several of them do. */
function inOrder<Row, Item>(queue: Queue<Row>, items: readonly Item[], rowOf: (item: Item) => Row): Item[] {
  const keys = Object.keys(queue.key) as (keyof Row & string)[];
  return [...items].sort((a, b) => {
    const column = keys.find((name) => rowOf(a)[name] !== rowOf(b)[name]);
    if (column === undefined) return 0;
    return rowOf(a)[column] < rowOf(b)[column] ? -1 : 1;
  });
}
