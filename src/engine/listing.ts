import type { PublicCtx } from '../context.ts';
import { firstIdSince } from '../kit/ids.ts';
import type { Page } from './page.ts';

interface PageQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The page of a list that a caller asks for, and what is answered of the rows that were read for it. */
class ListPage implements Page {
  readonly take: number;
  readonly after: string | null;
  readonly #ctx: PublicCtx;
  readonly #scope: string;
  readonly #since: string | null;

  constructor(ctx: PublicCtx, scope: string, query: PageQuery, bounds: IdBounds) {
    const { limit, cursor } = query;
    this.take = Number(limit ?? 25) + 1;
    this.after = cursor === undefined ? bounds.until : String(ctx.app.cursors.decode(cursor, scope)[0]);
    this.#ctx = ctx;
    this.#scope = scope;
    this.#since = bounds.since;
  }

  /** The items of the page, and the cursor of the next one. `id` is the column that the list is ordered by, or says its place. */
  of<Row extends object, Item>(
    rows: readonly Row[],
    id: keyof Row | ((row: Row) => string),
    present: (row: Row) => Item,
  ): { data: Item[]; nextCursor: string | null } {
    const since = this.#since;
    const idOf = (row: Row) => (typeof id === 'function' ? id(row) : String(row[id]));
    const end = since === null ? -1 : rows.findIndex((row) => idOf(row) < since);
    const within = end === -1 ? rows : rows.slice(0, end);
    const shown = within.slice(0, this.take - 1);
    const last = shown.at(-1);
    const isLast = last === undefined || within.length < this.take;
    const nextCursor = isLast ? null : this.#ctx.app.cursors.encode([idOf(last)], this.#scope);
    return { data: shown.map((row) => present(row)), nextCursor };
  }
}

/**
 * The page that `?limit=&cursor=` asks for. `scope` names the list, its tenant and its filters: a cursor of another list,
 * or a tampered one, is `invalid_request`.
 */
export function pageOf(ctx: PublicCtx, scope: string, query: PageQuery): ListPage {
  return new ListPage(ctx, scope, query, { since: null, until: null });
}

interface TimedQuery extends PageQuery {
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/**
 * The same for a list that is ordered by ids which begin with their time, of what was made from `createdAfter` on and
 * before `createdBefore`: where to begin and where to end is known of the ids alone.
 */
export function pageMade(ctx: PublicCtx, scope: string, query: TimedQuery): ListPage {
  const bounds = boundsOf(query);
  return new ListPage(ctx, JSON.stringify([scope, bounds.since, bounds.until]), query, bounds);
}

interface IdBounds {
  readonly since: string | null;
  readonly until: string | null;
}

/** The bounds of ids that `createdAfter` and `createdBefore` mean: none is less than `since`, all are less than `until`. */
export function boundsOf({ createdAfter, createdBefore }: TimedQuery): IdBounds {
  const bound = (moment: string | undefined) =>
    moment === undefined ? null : firstIdSince(new Date(moment));
  return { since: bound(createdAfter), until: bound(createdBefore) };
}
