import type { Exchange, Page, StoreAnswer, StoreApi, StoreCustomer } from '../connector.ts';
import { readEach } from '../orders.ts';
import {
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  listOf,
  localeOf,
  nameOf,
  numberOf,
  unreadable,
} from '../read-json.ts';
import { behindLong, behindPage, placeOf } from './order-place.ts';
import {
  customersQuery,
  longOrderQuery,
  mostCustomers,
  mostOrders,
  ordersQuery,
  shopQuery,
} from './queries.ts';
import { dataOf, readBody, restOf } from './read-answer.ts';
import { orderOfNode } from './read-node.ts';

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
        return { items: node === null ? [] : readEach([node], orderOfNode), next: behindLong(place) };
      });
    }
    const query = `updated_at:>='${place.since}'`;
    const variables = { first: Math.min(take, mostOrders), after: place.cursor, query };
    return ask(credentials, ordersQuery, variables, (data) => {
      const { nodes, endCursor } = pageOf(data.orders, 'orders');
      return { items: readEach(nodes, orderOfNode), next: behindPage(place, nodes, endCursor) };
    });
  },
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
  const address = fieldsOrNull(node.defaultEmailAddress, 'a customer');
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
