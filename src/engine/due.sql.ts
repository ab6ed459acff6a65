import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';

/** Rows of a table that are due at a moment. Names of columns are in camel case. */
export interface Due {
  readonly table: string;
  /** The moment; null where the row is not due. */
  readonly due: string;
  /** A row is due this long after the moment. */
  readonly lateMs?: number;
  /** What else makes a row one of these. */
  readonly where?: Sql;
}

/** Which due rows are looked for. */
export interface DueScan {
  readonly now: Date;
  /** In which workspaces. */
  readonly within: Sql;
  readonly most: number;
}

/** True if a row is due at `now`. */
export function isDue({ due, lateMs = 0, where }: Due, now: Date): Sql {
  const moment = new Date(now.getTime() - lateMs);
  return sql`${sql.ref(due)} <= ${moment}${where === undefined ? sql`` : sql` and ${where}`}`;
}

/** A question to the database that is answered with yes or no. */
export type Condition = Sql;

/** The rows that a job processes, at the moment. */
export interface DueWork {
  /** Empty where it can do nothing. */
  readonly queues: readonly Due[];
  /** What must hold, too. */
  readonly condition?: Condition;
}

/**
 * Whether anything is due, as a condition: the first row is looked up. With a limit: EXISTS would leave its order to the
 * planner.
 */
export function isAnyDue(queue: Due, now: Date): Condition {
  const due = sql.ref(queue.due);
  return sql`coalesce((
    select true from ${sql.ref(queue.table)} where ${isDue(queue, now)} order by ${due} limit 1
  ), false)`;
}

/** Since when the row has been due that has waited longest; null where none is. */
export async function dueSince(db: Db, queue: Due, now: Date): Promise<Date | null> {
  const due = sql.ref(queue.due);
  const { rows } = await sql<{ due: Date }>`
    select ${due} as due from ${sql.ref(queue.table)} where ${isDue(queue, now)} order by ${due} limit 1
  `.execute(db);
  return rows[0] === undefined ? null : new Date(rows[0].due.getTime() + (queue.lateMs ?? 0));
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
