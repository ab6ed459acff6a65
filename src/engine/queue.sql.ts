import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { type Due, type DueScan, isDue } from './due.sql.ts';
import { type DueApp, type FindWithin, findDueRows } from './due-workspaces.ts';

/**
 * Rows that workers take for the length of a lease: until then they are due for no other worker, and then for whichever comes first
 * when the worker was never heard of again. A lease of no length is a turn: the row is due again at once, behind all
 * others. Names of columns are those of the rows.
 */
export interface Queue<Row> extends Due {
  readonly due: keyof Row & string;
  /** The column that each statement names by a constant: rows are locked in one part at a time, those of one tenant. */
  readonly part: keyof Row & string;
  /** Columns that distinguish the rows of a part, with their types; empty where a part has one row. */
  readonly key: Readonly<Partial<Record<keyof Row & string, 'uuid' | 'bigint'>>>;
  /** Whose work the rows are; absent where it goes by the clock, and looks for them everywhere. */
  readonly job?: string;
  /** What a worker gets of a row; part, key and moment are among it. */
  readonly columns: Sql;
}

/** What is written to the rows that are leased. */
interface Claim<Row, Found> {
  readonly now: Date;
  /** When a row is due again if no worker records its outcome; null: never. */
  readonly until: Date | null | ((row: Found) => Date);
  readonly most: number;
  /** Further assignments. */
  readonly set?: Sql;
  /** Done in the transaction that takes rows of one part. */
  also?(tx: Tx, rows: Row[]): Promise<void>;
}

interface On<Row> {
  readonly app: DueApp;
  readonly queue: Queue<Row>;
}

/**
 * Takes rows that are due, the longest due first; in one part after the other, each in a transaction of its own. What
 * another worker has taken is passed over.
 */
export async function leaseDue<Row>(on: On<Row>, claim: Claim<Row, Partial<Row>>): Promise<Row[]> {
  // Twice as many as are taken: another worker may have the first ones.
  const asked = { now: claim.now, most: claim.most * 2 };
  const find: FindWithin<Partial<Row>> = (within, most) =>
    findDue(on.app.database.db, on.queue, { now: claim.now, within, most });
  return leaseFound(on, await findDueRows(on.app, on.queue.job, asked, find), claim);
}

/** The same with rows that were found to be due: the first ones, or else those behind them. */
export async function leaseFound<Row, Found extends Partial<Row>>(
  { app: { database }, queue }: On<Row>,
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
      const rows = await leaseRows(tx, queue, group, { ...claim, until: untilOf(first), most });
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
export async function acquirePace<Row>(on: On<Row>, now: Date): Promise<Row | undefined> {
  const [row] = await leaseDue(on, { now, until: now, most: 1 });
  return row;
}

/** The keys of rows that are due, the longest due first; locks none. */
function findDue<Row>(db: Db, queue: Queue<Row>, { now, within, most }: DueScan): Promise<Partial<Row>[]> {
  return sql<Partial<Row>>`
    select ${sql.join([queue.part, ...Object.keys(queue.key)].map((column) => sql.ref(column)))}
    from ${sql.ref(queue.table)}
    where ${within} and ${isDue(queue, now)}
    order by ${sql.ref(queue.due)}
    limit ${most}
  `.rows(db);
}

interface Lease {
  readonly now: Date;
  readonly until: Date | null;
  readonly most: number;
  readonly set?: Sql;
}

/**
 * Takes the first of the rows, all of one part, that are due and that no other worker is taking, in a transaction of the
 * caller. Each is looked up by its key, in this order.
 */
export function leaseRows<Row>(
  tx: Tx,
  queue: Queue<Row>,
  found: readonly Partial<Row>[],
  { now, until, most, set }: Lease,
): Promise<Row[]> {
  const part = sql`${sql.ref(queue.part)} = ${found[0]?.[queue.part]}`;
  const table = sql.ref(queue.table);
  const named = keysOf(queue, found);
  // By their places, which stay while they are locked: nothing is left to a join. Whether they are due is asked behind
  // the look-up: without statistics the index of what is due would seem to do as well as the key.
  return sql<Row>`
    update ${table} set ${sql.ref(queue.due)} = ${until}${set === undefined ? sql`` : sql`, ${set}`}
    where ${part} and ctid = any(array(
      select due.ctid
      from ${named.rows}
      cross join lateral (
        select ctid, * from ${table} where ${part} and ${named.isKeyOf(queue.table)}
        offset 0
        for no key update skip locked
      ) as due
      where ${isDue(queue, now)}
      limit ${most}
    ))
    returning ${queue.columns}
  `.rows(tx);
}

/**
 * Locks a leased row until the transaction ends, and returns its current state; the first lock of its transaction.
 * Undefined where another worker has leased it since, or it has left the queue. Waits for the lock: a worker that is too
 * late also holds it for a moment, and giving up for that would leave the row to the end of its lease.
 */
export function lockLeased<Row>(tx: Tx, queue: Queue<Row>, taken: Row): Promise<Row | undefined> {
  return sql<Row>`
    select ${queue.columns} from ${sql.ref(queue.table)} where ${isTaken(queue, taken)} for no key update
  `.first(tx);
}

/**
 * Changes a leased row: extends the lease, or gives the row back. False where another worker has leased it since,
 * it has left the queue, or `where` does not match.
 */
export async function changeLeased<Row>(
  tx: Tx,
  queue: Queue<Row>,
  taken: Row,
  changes: { readonly [Column in keyof NoInfer<Row>]?: Row[Column] | null },
  where = sql`true`,
): Promise<boolean> {
  const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rowCount } = await sql`
    update ${sql.ref(queue.table)} set ${sql.join(assignments)} where ${isTaken(queue, taken)} and ${where}
  `.execute(tx);
  return rowCount === 1;
}

/**
 * Tries rows of one part again later, however they have changed since; the caller says when for each, and how many
 * attempts it has cost.
 */
export async function postponeLeased<Row>(
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
      ['new_due', sql.list(sorted, 'timestamptz', ({ dueAt }) => dueAt)],
      ['new_attempts', sql.list(sorted, 'smallint', ({ attempts }) => Math.min(attempts, mostAttempts))],
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

/** The row itself, as long as it is in the queue, and due when it was to be when it was taken. */
function isTaken<Row>(queue: Queue<Row>, taken: Row): Sql {
  const columns = [queue.part, ...(Object.keys(queue.key) as (keyof Row & string)[]), queue.due];
  const is = columns.map((column) => sql`${sql.ref(column)} = ${taken[column]}`);
  return sql.join(queue.where === undefined ? is : [...is, queue.where], sql` and `);
}

/** Keys as the rows of `named`, and the condition that a row of the table has one of them. */
function keysOf<Row>(
  queue: Queue<Row>,
  found: readonly Partial<Row>[],
  further: readonly (readonly [name: string, list: Sql])[] = [],
) {
  const keys = Object.entries(queue.key) as [keyof Row & string, string][];
  const lists = [
    ...keys.map(([column, type]) => [column, sql.list(found, type, (row) => row[column])] as const),
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

/**
 * Who has rows of a queue that are due now or later, for a `with recursive busy`: `owner` names the columns that an index of these rows
 * begins with. It looks that index up once an owner, and reads the rows of none.
 */
export function ownersOf(
  { table, due }: Pick<Due, 'table' | 'due'>,
  [first, second]: readonly [string, string],
  within: Sql,
): Sql {
  const columns = (of: string) => sql`${sql.ref(`${of}.${first}`)}, ${sql.ref(`${of}.${second}`)}`;
  const waits = sql`${within} and ${sql.ref(`d.${due}`)} is not null`;
  return sql`
    (
      select ${columns('d')} from ${sql.ref(table)} d where ${waits}
      order by ${columns('d')} limit 1
    )
    union all
    select ${columns('n')}
    from busy b
    cross join lateral (
      select ${columns('d')} from ${sql.ref(table)} d
      where ${waits} and (${columns('d')}) > (${columns('b')})
      order by ${columns('d')} limit 1
    ) as n`;
}
