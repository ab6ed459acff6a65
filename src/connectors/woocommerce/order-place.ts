import type { Fields } from '../read-json.ts';

/** A place in the orders that were changed since a moment, so many rows behind the first. */
interface OrderPlace {
  readonly since: Date;
  readonly offset: number;
}

/** As `<since> <offset>`. */
export function placeOfOrders(after: string | null, since: Date): OrderPlace {
  if (after === null) return { since, offset: 0 };
  const [moment = '', offset = '0'] = after.split(' ');
  return { since: new Date(moment), offset: Number(offset) };
}

export function queryOfOrders({ since, offset }: OrderPlace, perPage: number): string {
  // The platform counts seconds, and leaves out the one that is named.
  const before = new Date(Math.floor(since.getTime() / 1_000) * 1_000 - 1_000);
  return new URLSearchParams({
    modified_after: before.toISOString().slice(0, 19),
    dates_are_gmt: 'true',
    orderby: 'modified',
    order: 'asc',
    per_page: String(perPage),
    offset: String(offset),
  }).toString();
}

/**
 * The next page begins with the second of the last order, since an order that changes meanwhile leaves its place and
 * moves all behind it forward. Only where one second fills a page, rows are counted.
 */
export function nextOrders(
  { since, offset }: OrderPlace,
  rows: readonly Fields[],
  perPage: number,
): string | null {
  if (rows.length < perPage) return null;
  const moment = rows.map(changeOf).reduce(later, since);
  return moment > since ? `${moment.toISOString()} 0` : `${since.toISOString()} ${offset + rows.length}`;
}

/** When an order was changed; the beginning of time where nobody can tell. */
function changeOf({ date_modified_gmt: text }: Fields): Date {
  const moment = new Date(typeof text === 'string' ? `${text}Z` : 0);
  return Number.isNaN(moment.getTime()) ? new Date(0) : moment;
}

function later(one: Date, other: Date): Date {
  return other > one ? other : one;
}
