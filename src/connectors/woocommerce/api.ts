import type { Exchange, StoreApi, StoreCustomer } from '../connector.ts';
import { readEach } from '../orders.ts';
import {
  checkStatus,
  emailOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  momentOrNull,
  nameOf,
  numberOf,
  readJson,
  textOf,
  unreadable,
} from '../read-answer.ts';
import { plainOf } from './plain-text.ts';
import { readOrder } from './read-order.ts';

/** As many as the platform gives at a time. */
const mostItems = 100;

export const woocommerceApi: StoreApi = {
  // The name of the site is public, and says nothing about the key.
  getShop: (credentials) =>
    ask(credentials, '/wp-json/wc/v3/customers?role=all&per_page=1', (body) => {
      listIn(body, 'customers');
      return { name: 'WooCommerce' };
    }),

  listCustomers(credentials, after, take) {
    const place = placeOfCustomers(after);
    // One of them is known already.
    const perPage = Math.min(Math.max(take, 2), mostItems);
    const path = `/wp-json/wc/v3/customers?${queryOfCustomers(place, perPage)}`;
    return ask(credentials, path, (body) => {
      const rows = listIn(body, 'customers').map(customerOf);
      const { isShifted, next } = nextCustomers(
        place,
        rows.map(({ customerId }) => customerId),
        perPage,
      );
      return { items: isShifted ? [] : rows.filter((row) => isBehind(row, place)), next };
    });
  },

  listOrders(credentials, since, after, take) {
    const place = placeOfOrders(after, since);
    const perPage = Math.min(take, mostItems);
    return ask(credentials, `/wp-json/wc/v3/orders?${queryOfOrders(place, perPage)}`, (body) => {
      const rows = listIn(body, 'orders');
      return { ...readEach(rows, readOrder), next: nextOrders(place, rows, perPage) };
    });
  },

  readOrder: (row) => readOrder(fieldsOf(row, 'an order')),
};

function ask<T>(credentials: unknown, path: string, read: (body: unknown) => T): Exchange<T> {
  const { consumerKey, consumerSecret } = credentials as Record<'consumerKey' | 'consumerSecret', string>;
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  return {
    request: {
      method: 'GET',
      path,
      headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
      body: null,
    },
    read(answer) {
      checkStatus(answer, () => reasonOf(answer.body));
      return read(readJson(answer.body, 'our question'));
    },
    // No limit is published: one question at a time is what a site can bear.
    restMs: () => 0,
  };
}

function listIn(body: unknown, what: string): Fields[] {
  if (!Array.isArray(body)) throw unreadable(what);
  return listOf(body, what);
}

function customerOf(row: Fields): StoreCustomer {
  const billing = isFields(row.billing) ? row.billing : null;
  const named = (of: Fields | null) => nameOf(plainOf(of?.first_name), plainOf(of?.last_name));
  return {
    customerId: numberOf(row.id, 'a customer'),
    email: emailOf(row.email) ?? emailOf(billing?.email),
    name: named(row) ?? named(billing),
    locale: null,
    consent: 'unknown',
    meta: metaOf(row.meta_data),
  };
}

/** What plugins keep of a customer, as far as it is a word or a number. They write anything: what has another form is left out. */
function metaOf(value: unknown): Readonly<Record<string, string>> {
  const items = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const entries = items.flatMap((item: unknown): [string, string][] => {
    const { key, value: said } = isFields(item) ? item : {};
    const isPlain = typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean';
    const text = isPlain ? String(said) : '';
    return typeof key === 'string' && isPlain && key.length <= 255 && text.length <= 255 ? [[key, text]] : [];
  });
  // Defines: a key may have any name.
  return Object.fromEntries(entries);
}

function isBehind({ customerId }: StoreCustomer, { highest }: CustomerPlace): boolean {
  return highest === null || BigInt(customerId) > BigInt(highest);
}

function reasonOf(body: Buffer): string | null {
  try {
    return textOf(fieldsOf(readJson(body, 'the error'), 'the error').message, 200);
  } catch {
    return null;
  }
}

/**
 * A place in the list of customers, which is asked for by how many to leave out, since the platform cannot be asked for
 * the numbers behind one. A customer who is deleted moves all behind them forward, and would make us leave one out.
 */
interface CustomerPlace {
  /** So many rows lead up to the highest number. */
  readonly offset: number;
  /** The number of the last customer that was read. */
  readonly highest: string | null;
}

/** As `<offset>:<highest>`; a number alone begins anew and leaves out all up to it. */
function placeOfCustomers(after: string | null): CustomerPlace {
  if (after === null) return { offset: 0, highest: null };
  const [first = '', second] = after.split(':');
  return second === undefined ? { offset: 0, highest: first } : { offset: Number(first), highest: second };
}

/** The last row of the page before is requested again, to detect rows that have moved. */
function queryOfCustomers(place: CustomerPlace, perPage: number): string {
  return new URLSearchParams({
    orderby: 'id',
    order: 'asc',
    role: 'all',
    per_page: String(perPage),
    offset: String(firstRow(place)),
  }).toString();
}

/** Where to go on; `isShifted`: the rows in between have not been seen, and the place lies further back. */
function nextCustomers(
  place: CustomerPlace,
  numbers: readonly string[],
  perPage: number,
): { isShifted: boolean; next: string | null } {
  const first = firstRow(place);
  const { highest } = place;
  const [front] = numbers;
  if (highest !== null && first > 0 && (front === undefined || BigInt(front) > BigInt(highest)))
    return { isShifted: true, next: `${Math.max(0, first - perPage)}:${highest}` };
  if (numbers.some((number, at) => at > 0 && BigInt(number) <= BigInt(numbers[at - 1] ?? number)))
    throw unreadable('the order of customers');
  const last = numbers.at(-1);
  if (last === undefined || numbers.length < perPage) return { isShifted: false, next: null };
  const reached = highest !== null && BigInt(highest) > BigInt(last) ? highest : last;
  return { isShifted: false, next: `${first + numbers.length}:${reached}` };
}

function firstRow({ offset }: CustomerPlace): number {
  return Math.max(0, offset - 1);
}

/** A place in the orders that were changed since a moment, so many rows behind the first. */
interface OrderPlace {
  readonly since: Date;
  readonly offset: number;
}

/** As `<since> <offset>`. */
function placeOfOrders(after: string | null, since: Date): OrderPlace {
  if (after === null) return { since, offset: 0 };
  const [moment = '', offset = '0'] = after.split(' ');
  return { since: new Date(moment), offset: Number(offset) };
}

function queryOfOrders({ since, offset }: OrderPlace, perPage: number): string {
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
 * The next page begins with the second of the last order, since an order that changes between two pages leaves its place and
 * moves all behind it forward. Only where one second fills a page, rows are counted.
 */
function nextOrders({ since, offset }: OrderPlace, rows: readonly Fields[], perPage: number): string | null {
  if (rows.length < perPage) return null;
  const moment = rows.map(changeOf).reduce(later, since);
  return moment > since ? `${moment.toISOString()} 0` : `${since.toISOString()} ${offset + rows.length}`;
}

/** When an order was changed; the beginning of time where it is unknown. */
function changeOf({ date_modified_gmt: text }: Fields): Date {
  return momentOrNull(text, 'Z') ?? new Date(0);
}

function later(one: Date, other: Date): Date {
  return other > one ? other : one;
}
