import type { Exchange, Page, StoreAnswer, StoreApi, StoreCustomer } from '../connector.ts';
import { readEach } from '../orders.ts';
import {
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  isFields,
  listOf,
  localeOf,
  nameOf,
  numberOf,
  unreadable,
} from '../read-answer.ts';
import {
  customersQuery,
  dataOf,
  longOrderQuery,
  mostCustomers,
  mostOrders,
  ordersQuery,
  readBody,
  restOf,
  shopQuery,
} from './graphql.ts';
import { orderOfNode } from './read-order.ts';

/** Stable for a year from the beginning of its quarter; a newer one is tried against the fixtures first. */
const apiVersion = '2026-10';

export const shopifyApi: StoreApi = {
  getShop: (credentials) =>
    ask(credentials, shopQuery, {}, (data) => {
      const shop = fieldsOf(data.shop, 'the shop');
      if (typeof shop.name !== 'string') throw unreadable('the shop');
      return { name: shop.name };
    }),

  // By their numbers, since a cursor leads no further than 25,000 customers.
  listCustomers(credentials, after, take) {
    const variables = { first: Math.min(take, mostCustomers), query: `id:>${after ?? 0}` };
    return ask(credentials, customersQuery, variables, readCustomers);
  },

  listOrders(credentials, since, after, take) {
    const place = placeOf(since, after);
    const [long] = place.long;
    if (long !== undefined) {
      const variables = { id: `gid://shopify/Order/${long}` };
      return ask(credentials, longOrderQuery, variables, ({ order }) => {
        const node = fieldsOrNull(order, 'an order');
        return { ...readEach(node === null ? [] : [node], orderOfNode), next: behindLong(place) };
      });
    }
    const query = `updated_at:>='${place.since}'`;
    const variables = { first: Math.min(take, mostOrders), after: place.cursor, query };
    return ask(credentials, ordersQuery, variables, (data) => {
      const { nodes, endCursor } = pageOf(data.orders, 'orders');
      return { ...readEach(nodes, orderOfNode), next: behindPage(place, nodes, endCursor) };
    });
  },

  readOrder: (row) => orderOfNode(fieldsOf(row, 'an order')),
};

function ask<T>(
  credentials: unknown,
  query: string,
  variables: Fields,
  read: (data: Fields) => T,
): Exchange<T> {
  const { accessToken } = credentials as { readonly accessToken: string };
  // Asked for twice, and large.
  let last: { readonly answer: StoreAnswer; readonly body: Fields } | null = null;
  const bodyOf = (answer: StoreAnswer): Fields => {
    if (last?.answer !== answer) last = { answer, body: readBody(answer) };
    return last.body;
  };
  return {
    request: {
      method: 'POST',
      path: `/admin/api/${apiVersion}/graphql.json`,
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
      body: JSON.stringify({ query, variables }),
    },
    read: (answer) => read(dataOf(bodyOf(answer))),
    restMs: (answer) => restOf(bodyOf(answer)),
  };
}

function readCustomers(data: Fields): Page<StoreCustomer> {
  const { nodes, endCursor } = pageOf(data.customers, 'customers');
  const items = nodes.map(customerOf);
  return { items, next: endCursor === null ? null : (items.at(-1)?.customerId ?? null) };
}

function customerOf(node: Fields): StoreCustomer {
  const address = isFields(node.defaultEmailAddress) ? node.defaultEmailAddress : null;
  return {
    customerId: numberOf(node.legacyResourceId, 'a customer'),
    email: emailOf(address?.emailAddress),
    name: nameOf(node.firstName, node.lastName),
    locale: localeOf(node.locale),
    // Everything else is no consent: pending, never given, withdrawn, redacted, and words that are yet to come.
    consent: address?.marketingState === 'SUBSCRIBED' ? 'granted' : 'denied',
    meta: {},
  };
}

function pageOf(value: unknown, what: string): { nodes: Fields[]; endCursor: string | null } {
  const { nodes, pageInfo } = fieldsOf(value, what);
  const { hasNextPage, endCursor } = fieldsOf(pageInfo, what);
  if (!Array.isArray(nodes) || typeof hasNextPage !== 'boolean') throw unreadable(what);
  if (hasNextPage && (typeof endCursor !== 'string' || nodes.length === 0)) throw unreadable(what);
  return { nodes: listOf(nodes, what), endCursor: hasNextPage ? String(endCursor) : null };
}

/** A place in the orders that were changed since a moment: behind a cursor, which has led past so many of them. */
interface Place {
  readonly since: string;
  readonly seen: number;
  readonly cursor: string | null;
  /** Orders of the page before that did not come whole: each is asked for by itself, before the list goes on. */
  readonly long: readonly string[];
  /** There is no list to go on with. */
  readonly isLast: boolean;
}

/** A cursor leads no further than 25,000 objects. */
const cursorLeads = 20_000;

/** The place that a page gave as its next; the beginning without one. */
function placeOf(since: Date, after: string | null): Place {
  if (after !== null) return JSON.parse(after) as Place;
  return { since: timestamp(since), seen: 0, cursor: null, long: [], isLast: false };
}

function behindPage(place: Place, nodes: readonly Fields[], endCursor: string | null): string | null {
  const long = nodes.flatMap((node) => longOrderOf(node) ?? []);
  if (endCursor === null) return long.length === 0 ? null : textOf({ ...place, long, isLast: true });
  const seen = place.seen + nodes.length;
  const last = nodes.at(-1)?.updatedAt;
  const isFar = seen >= cursorLeads && typeof last === 'string' && Date.parse(last) > Date.parse(place.since);
  // The list begins anew at the last order's change; some orders are then listed twice.
  if (isFar) return textOf({ since: timestamp(new Date(last)), seen: 0, cursor: null, long, isLast: false });
  return textOf({ ...place, seen, cursor: endCursor, long });
}

function behindLong(place: Place): string | null {
  const long = place.long.slice(1);
  return long.length === 0 && place.isLast ? null : textOf({ ...place, long });
}

/** The number of an order that has more lines than the page holds. */
function longOrderOf({ legacyResourceId, lineItems }: Fields): string | null {
  const { pageInfo } = (lineItems ?? {}) as Fields;
  const { hasNextPage } = (pageInfo ?? {}) as Fields;
  const isLong =
    hasNextPage === true && typeof legacyResourceId === 'string' && /^\d+$/.test(legacyResourceId);
  return isLong ? legacyResourceId : null;
}

function textOf(place: Place): string {
  return JSON.stringify(place);
}

function timestamp(moment: Date): string {
  return moment.toISOString().replace(/\.\d+/, '');
}
