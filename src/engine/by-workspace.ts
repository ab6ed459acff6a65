import { type Db, inOneWrite } from '../kit/db/database.ts';
import { allEnded } from '../kit/promises.ts';

/**
 * Rows of several workspaces as those of one after the other, in the order of the workspaces' ids: each statement names one,
 * and all who lock rows of several do it in one order.
 */
export function byWorkspace<Row extends { readonly workspaceId: string }>(
  rows: readonly Row[],
): (readonly [workspaceId: string, rows: Row[]])[] {
  return [...Map.groupBy(rows, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads for rows of several workspaces by a statement for each, which leave together; what all of them answer. */
export async function readByWorkspace<Row extends { readonly workspaceId: string }, Result>(
  db: Db,
  rows: readonly Row[],
  read: (db: Db, workspaceId: string, rows: readonly Row[]) => Promise<Result[]>,
): Promise<Result[]> {
  const [first, ...others] = byWorkspace(rows);
  if (first === undefined) return [];
  if (others.length === 0) return read(db, ...first);
  const all = (one: Db) => allEnded([first, ...others].map((its) => read(one, ...its)));
  return (await inOneWrite(db, all)).flat();
}
