import type { Exchange, StoreApi, StoreCustomer } from '../connector.ts';
import { checkStatus } from '../judge-status.ts';
import { readEach } from '../orders.ts';
import {
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  listOf,
  nameOf,
  numberOf,
  readJson,
  textOf,
  unreadable,
} from '../read-json.ts';
import { type CustomerPlace, nextCustomers, placeOfCustomers, queryOfCustomers } from './customer-place.ts';
import { nextOrders, placeOfOrders, queryOfOrders } from './order-place.ts';
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
      return { items: readEach(rows, readOrder), next: nextOrders(place, rows, perPage) };
    });
  },
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
  const billing = fieldsOrNull(row.billing, 'a customer');
  return {
    customerId: numberOf(row.id, 'a customer'),
    email: emailOf(row.email) ?? emailOf(billing?.email),
    name: nameOf(row.first_name, row.last_name) ?? nameOf(billing?.first_name, billing?.last_name),
    locale: null,
    consent: 'unknown',
    meta: metaOf(row.meta_data),
  };
}

/** What plugins keep of a customer, as far as it is a word or a number. */
function metaOf(value: unknown): Readonly<Record<string, string>> {
  const entries = listOf(value, 'a customer').flatMap(({ key, value: said }): [string, string][] => {
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
