import { customerSource, financialStatus, orderSource, type ShopFacts } from './shopify-store-objects.ts';
import type { Listing } from './shopify-store-query.ts';
import { QueryRefused } from './shopify-store-request.ts';
import { type ParsedSearch, parseSearch, type SearchValue } from './shopify-store-search.ts';
import type { Customer, StoreCustomers } from './store-customers.ts';
import type { Order } from './store-orders.ts';

/** One cursor leads no further than this. */
const deepestPage = 25_000;

export type PageArguments = Readonly<Record<string, unknown>>;

/** Records warnings of a search, which are answered next to the data. */
export type Warn = (path: string, query: string, warnings: ParsedSearch['warnings']) => void;

const customerFields = [
  'id',
  'email',
  'email_marketing_state',
  'accepts_marketing',
  'updated_at',
  'customer_date',
];
const orderFields = [
  'id',
  'name',
  'email',
  'customer_id',
  'financial_status',
  'status',
  'test',
  'created_at',
  'processed_at',
  'updated_at',
];

/** A page of customers. They are found by their place in the row, so that no page costs more than it holds. */
export function listCustomers(
  customers: StoreCustomers,
  shop: ShopFacts,
  args: PageArguments,
  warn: Warn,
): Listing {
  const { sortKey = 'ID' } = args;
  if (sortKey !== 'ID' && sortKey !== 'CREATED_AT') throw notSorted('customers', sortKey);
  const search = readSearch('customers', args.query, customerFields, warn);
  const after = readCursor(args.after);
  const take = Number(args.first);
  const found: Customer[] = [];
  const step = args.reverse === true ? -1 : 1;
  for (
    let index = firstPlace(customers, search, after, step);
    found.length <= take && index >= 0 && index < customers.length;
    index += step
  ) {
    const customer = customers.at(index);
    if (customer !== null && search.matches((field) => customerValue(customer, field))) found.push(customer);
  }
  const items = found.slice(0, take);
  const seen = after?.seen ?? 0;
  return {
    items: items.map((customer) => customerSource(customer, shop)),
    cursorOf: (index) => writeCursor(items[index]?.id ?? 0, items[index]?.id ?? 0, seen + index + 1),
    hasNextPage: found.length > take,
    hasPreviousPage: after !== null,
  };
}

/** How many customers or orders a search finds. */
export function countCustomers(customers: StoreCustomers, query: unknown, warn: Warn): number {
  const search = readSearch('customersCount', query, customerFields, warn);
  let count = 0;
  for (let index = customers.placeAfter(search.idsAbove); index < customers.length; index++) {
    const customer = customers.at(index);
    if (customer !== null && search.matches((field) => customerValue(customer, field))) count++;
  }
  return count;
}

/** A page of orders, after the last one of the page before, in their current state. */
export function listOrders(
  orders: readonly Order[],
  shop: ShopFacts,
  args: PageArguments,
  warn: Warn,
): Listing {
  const keyOf = orderKey(args.sortKey ?? 'PROCESSED_AT');
  const search = readSearch('orders', args.query, orderFields, warn);
  const after = readCursor(args.after);
  const take = Number(args.first);
  const sign = args.reverse === true ? -1 : 1;
  const found = orders
    .filter((order) => search.matches((field) => orderValue(order, field)))
    .map((order) => ({ order, key: keyOf(order) }))
    .filter(({ order, key }) => after === null || sign * (key - after.value || order.id - after.id) > 0)
    .sort((one, other) => sign * (one.key - other.key || one.order.id - other.order.id));
  const items = found.slice(0, take);
  const seen = after?.seen ?? 0;
  return {
    items: items.map(({ order }) => orderSource(order, shop)),
    cursorOf: (index) => writeCursor(items[index]?.order.id ?? 0, items[index]?.key ?? 0, seen + index + 1),
    hasNextPage: found.length > take,
    hasPreviousPage: after !== null,
  };
}

export function countOrders(orders: readonly Order[], query: unknown, warn: Warn): number {
  const search = readSearch('ordersCount', query, orderFields, warn);
  return orders.filter((order) => search.matches((field) => orderValue(order, field))).length;
}

interface Cursor {
  readonly id: number;
  readonly value: number;
  readonly seen: number;
}

function firstPlace(
  customers: StoreCustomers,
  search: ParsedSearch,
  after: Cursor | null,
  step: number,
): number {
  if (step > 0) return customers.placeAfter(Math.max(search.idsAbove, after?.id ?? -1));
  return after === null ? customers.length - 1 : customers.placeAfter(after.id) - 2;
}

function readSearch(path: string, query: unknown, fields: readonly string[], warn: Warn): ParsedSearch {
  const text = typeof query === 'string' ? query : '';
  const search = parseSearch(text, fields);
  if (search.warnings.length > 0) warn(path, text, search.warnings);
  return search;
}

function customerValue(customer: Customer, field: string): SearchValue {
  switch (field) {
    case 'id':
      return customer.id;
    case 'email':
      return customer.email;
    case 'name':
      return `${customer.firstName ?? ''} ${customer.lastName ?? ''}`;
    case 'email_marketing_state':
      return customer.email === null ? null : customer.indexedConsent;
    case 'accepts_marketing':
      return customer.email !== null && customer.indexedConsent === 'subscribed';
    case 'updated_at':
      return wholeSeconds(customer.updatedAt);
    default:
      return wholeSeconds(customer.createdAt);
  }
}

function orderValue(order: Order, field: string): SearchValue {
  switch (field) {
    case 'id':
      return order.id;
    case 'name':
      return `#${order.number}`;
    case 'email':
      return order.email;
    case 'customer_id':
      return order.customerId;
    case 'financial_status':
      return financialStatus(order);
    case 'status':
      return order.cancelledAt === null ? 'open' : 'cancelled';
    case 'test':
      return order.isTest;
    case 'updated_at':
      return wholeSeconds(order.updatedAt);
    default:
      return wholeSeconds(order.createdAt);
  }
}

function orderKey(sortKey: unknown): (order: Order) => number {
  switch (sortKey) {
    case 'ID':
      return ({ id }) => id;
    case 'UPDATED_AT':
      return ({ updatedAt }) => wholeSeconds(updatedAt).getTime();
    case 'CREATED_AT':
    case 'PROCESSED_AT':
      return ({ createdAt }) => wholeSeconds(createdAt).getTime();
    default:
      throw notSorted('orders', sortKey);
  }
}

function notSorted(what: string, sortKey: unknown): QueryRefused {
  return new QueryRefused(`sorting ${what} by ${sortKey} is not simulated`, 'NOT_SIMULATED', [what]);
}

function wholeSeconds(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1_000) * 1_000);
}

function writeCursor(id: number, value: number, seen: number): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value, seen })).toString('base64');
}

function readCursor(text: unknown): Cursor | null {
  if (typeof text !== 'string') return null;
  const cursor = parseCursor(text);
  if (cursor === null) throw new QueryRefused('Invalid cursor for current pagination sort.', 'BAD_REQUEST');
  if (cursor.seen < deepestPage) return cursor;
  const limit = `Pagination is limited to ${deepestPage} objects: filter the query instead`;
  throw new QueryRefused(limit, 'BAD_REQUEST');
}

function parseCursor(text: string): Cursor | null {
  try {
    const { last_id: id, last_value: value, seen } = JSON.parse(Buffer.from(text, 'base64').toString());
    return [id, value, seen].every(Number.isFinite) ? { id, value, seen } : null;
  } catch {
    return null;
  }
}
