import type { PublicCtx } from '../context.ts';
import { firstIdSince } from '../kit/ids.ts';

/** Which page of a list is asked for: keyset, newest first. */
interface Page {
  /** Rows to read: one more than the page holds, to know whether another follows. */
  readonly take: number;
  /** The id that the page before ended with. */
  readonly after: string | null;
}

interface PageQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The page that `?limit=&cursor=` asks for: its items and the cursor of the next one. `scope` names the list, its
 * tenant and its filters: a cursor of another list, or a tampered one, is `invalid_request`. `idOf` gives the id
 * that the list is ordered by.
 */
export async function list<Row, Item>(
  ctx: PublicCtx,
  scope: string,
  query: PageQuery,
  read: (page: Page) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  present: (row: Row) => Item,
): Promise<{ data: Item[]; nextCursor: string | null }> {
  const page = pageOf(ctx, scope, query);
  const rows = await read(page);
  const shown = rows.slice(0, page.take - 1);
  const last = shown.at(-1);
  const more = rows.length === page.take && last !== undefined;
  return { data: shown.map(present), nextCursor: more ? ctx.app.cursors.encode([idOf(last)], scope) : null };
}

interface TimedQuery extends PageQuery {
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/**
 * The same for a list that is ordered by ids which begin with their time, of what was made from `createdAfter` on and
 * before `createdBefore`: where to begin and where to end is known of the ids alone.
 */
export async function listMade<Row, Item>(
  ctx: PublicCtx,
  scope: string,
  query: TimedQuery,
  read: (page: Page) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  present: (row: Row) => Item,
): Promise<{ data: Item[]; nextCursor: string | null }> {
  const { since, until } = boundsOf(query);
  const within = async ({ take, after }: Page) => {
    const rows = await read({ take, after: after ?? until });
    const end = since === null ? -1 : rows.findIndex((row) => idOf(row) < since);
    return end === -1 ? rows : rows.slice(0, end);
  };
  return list(ctx, JSON.stringify([scope, since, until]), query, within, idOf, present);
}

/** The bounds of ids that `createdAfter` and `createdBefore` mean: none is less than `since`, all are less than `until`. */
export function boundsOf({ createdAfter, createdBefore }: TimedQuery): {
  since: string | null;
  until: string | null;
} {
  const bound = (moment: string | undefined) =>
    moment === undefined ? null : firstIdSince(new Date(moment));
  return { since: bound(createdAfter), until: bound(createdBefore) };
}

function pageOf(ctx: PublicCtx, scope: string, query: PageQuery): Page {
  const after = query.cursor === undefined ? null : String(ctx.app.cursors.decode(query.cursor, scope)[0]);
  return { take: Number(query.limit ?? 25) + 1, after };
}
