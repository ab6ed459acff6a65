import type { PublicCtx } from './context.ts';

/** Which page of a list is asked for: keyset, newest first. */
export interface Page {
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
 * Reads `?limit=&cursor=`. `scope` names the list, its tenant and its filters: a cursor of another list, or a
 * tampered one, is `invalid_request`.
 */
export function pageOf(ctx: PublicCtx, scope: string, query: PageQuery): Page {
  const after = query.cursor === undefined ? null : String(ctx.app.cursors.decode(query.cursor, scope)[0]);
  return { take: Number(query.limit ?? 25) + 1, after };
}

/** The page's answer: its items and the cursor of the next one. `idOf` gives the id the list is ordered by. */
export function listAnswer<Row, Item>(
  ctx: PublicCtx,
  scope: string,
  page: Page,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  present: (row: Row) => Item,
): { data: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.take - 1);
  const last = shown.at(-1);
  const more = rows.length === page.take && last !== undefined;
  return { data: shown.map(present), nextCursor: more ? ctx.app.cursors.encode([idOf(last)], scope) : null };
}
