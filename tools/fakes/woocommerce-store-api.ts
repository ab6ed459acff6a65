import type { Customer, StoreCustomers } from './store-customers.ts';
import type { Order } from './store-orders.ts';
import type { StoreCall, StoreReply } from './store-server.ts';
import { Parameters, ParametersRefused } from './woocommerce-store-parameters.ts';
import {
  customerPayload,
  orderPayload,
  refundPayload,
  refundsOf,
  type WooFacts,
} from './woocommerce-store-payloads.ts';

/** What the API needs to know of its site. */
export interface SiteFacts extends WooFacts {
  readonly name: string;
  readonly customers: StoreCustomers;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly permissions: 'read' | 'write' | 'read_write';
  /** The server takes the header away before the program sees it, as some hosts do. */
  readonly losesAuthorization: boolean;
  /** Without pretty permalinks there is no API. */
  readonly hasPermalinks: boolean;
  orders(): readonly Order[];
}

/** The REST API of WooCommerce, version 3, as far as reading goes. */
export function answerWoo(call: StoreCall, site: SiteFacts): StoreReply {
  const path = call.url.pathname;
  if (!site.hasPermalinks || !/^\/wp-json(\/|$)/.test(path)) return { status: 404, body: notFoundPage };
  if (/^\/wp-json\/?$/.test(path)) return { status: 200, body: indexOf(site) };
  const route = routeOf(call, path);
  if (route === null) {
    return errorReply(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  }
  const refusal = refusalOf(call, site);
  if (refusal !== null) return refusal;
  try {
    return route(site, new Parameters(call.url.searchParams));
  } catch (error) {
    if (!(error instanceof ParametersRefused)) throw error;
    return errorReply(400, 'rest_invalid_param', error.message, { params: error.params });
  }
}

/** What a host or firewall says that was asked too much: WooCommerce itself knows no limit. */
export const tooManyRequests: StoreReply = {
  status: 429,
  headers: { 'retry-after': '2' },
  body: '<html><body><h1>429 Too Many Requests</h1></body></html>',
};

type Route = (site: SiteFacts, parameters: Parameters) => StoreReply;

const routes: readonly (readonly [
  path: RegExp,
  answer: (site: SiteFacts, parameters: Parameters, id: number) => StoreReply,
])[] = [
  [/^\/customers$/, listCustomers],
  [/^\/customers\/(\d+)$/, showCustomer],
  [/^\/orders$/, listOrders],
  [/^\/orders\/(\d+)$/, showOrder],
  [/^\/orders\/(\d+)\/refunds$/, listRefunds],
  [/^\/system_status$/, (site) => ({ status: 200, body: systemStatus(site) })],
  [/^\/$|^$/, () => ({ status: 200, body: { namespace: 'wc/v3', routes: {} } })],
];

const notFoundPage =
  '<!DOCTYPE html><html><body><h1>Not Found</h1><p>The page could not be found.</p></body></html>';

function routeOf({ method }: StoreCall, path: string): Route | null {
  const [, rest] = /^\/wp-json\/wc\/v3(\/.*)?$/.exec(path) ?? [];
  if (method !== 'GET' || (rest === undefined && path !== '/wp-json/wc/v3')) return null;
  for (const [pattern, answer] of routes) {
    const found = pattern.exec(rest ?? '');
    if (found !== null) return (site, parameters) => answer(site, parameters, Number(found[1] ?? 0));
  }
  return null;
}

/** Basic authentication, or the same in the query, where it can be read in every log. */
function refusalOf({ headers, url }: StoreCall, site: SiteFacts): StoreReply | null {
  const [key, secret] = credentialsIn(site.losesAuthorization ? undefined : headers.authorization) ?? [
    url.searchParams.get('consumer_key'),
    url.searchParams.get('consumer_secret'),
  ];
  if (key === null || key === '')
    return errorReply(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
  const code = 'woocommerce_rest_authentication_error';
  if (key !== site.consumerKey) return errorReply(401, code, 'Consumer key is invalid.');
  if (secret !== site.consumerSecret) return errorReply(401, code, 'Consumer secret is invalid.');
  if (site.permissions === 'write')
    return errorReply(401, code, 'The API key provided does not have read permissions.');
  return null;
}

function credentialsIn(authorization: string | undefined): [string, string] | null {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [key = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return [key, secret.join(':')];
}

function listCustomers(site: SiteFacts, parameters: Parameters): StoreReply {
  const { customers } = site;
  const role = parameters.word('role', 'customer', [
    'all',
    'customer',
    'subscriber',
    'administrator',
    'shop_manager',
  ]);
  const orderBy = parameters.word('orderby', 'name', ['id', 'include', 'name', 'registered_date']);
  const order = parameters.word('order', 'asc', ['asc', 'desc']);
  const page = parameters.page();
  const email = parameters.text('email');
  const [include, exclude] = [parameters.numbers('include'), parameters.numbers('exclude')];
  parameters.check();
  const isWhole = role === 'all' && email === null && include.length + exclude.length === 0;
  if (isWhole && customers.count === customers.length && orderBy !== 'name') {
    const from = order === 'asc' ? page.offset : customers.length - 1 - page.offset;
    const step = order === 'asc' ? 1 : -1;
    const places = Array.from({ length: page.perPage }, (_, index) => from + step * index);
    const found = places.map((place) => customers.at(place)).filter((customer) => customer !== null);
    return listReply(found, customers.count, page, site, parameters, customerPayload, 'customers');
  }
  const all: Customer[] = [];
  for (let place = 0; place < customers.length; place++) {
    const customer = customers.at(place);
    if (
      customer !== null &&
      (role === 'all' || site.roleOf(customer) === role) &&
      (email === null || customer.email?.toLowerCase() === email.toLowerCase()) &&
      (include.length === 0 || include.includes(customer.id)) &&
      !exclude.includes(customer.id)
    )
      all.push(customer);
  }
  if (orderBy === 'name') all.sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  if (order === 'desc') all.reverse();
  const found = all.slice(page.offset, page.offset + page.perPage);
  return listReply(found, all.length, page, site, parameters, customerPayload, 'customers');
}

function showCustomer(site: SiteFacts, parameters: Parameters, id: number): StoreReply {
  const customer = site.customers.find(id);
  if (customer === null) return errorReply(404, 'woocommerce_rest_invalid_id', 'Invalid resource ID.');
  return { status: 200, body: parameters.fieldsOf(customerPayload(customer, site)) };
}

function listOrders(site: SiteFacts, parameters: Parameters): StoreReply {
  const orderBy = parameters.word('orderby', 'date', ['date', 'id', 'include', 'title', 'slug', 'modified']);
  const order = parameters.word('order', 'desc', ['asc', 'desc']);
  const page = parameters.page();
  const isGmt = parameters.flag('dates_are_gmt');
  const bounds = ['after', 'before', 'modified_after', 'modified_before'] as const;
  const moments = bounds.map((name) => ({
    name,
    moment: parameters.moment(name, isGmt, site.utcOffsetHours),
  }));
  const customer = parameters.numbers('customer');
  const statuses = parameters.words('status');
  const include = parameters.numbers('include');
  parameters.check();
  const found = site
    .orders()
    .filter((one) => {
      const status = site.statusOf(one);
      return (
        (statuses.length === 0 || statuses.includes('any')
          ? status !== 'trash'
          : statuses.includes(status)) &&
        (customer.length === 0 || customer.includes(one.customerId ?? 0)) &&
        (include.length === 0 || include.includes(one.id)) &&
        moments.every(({ name, moment }) => moment === null || isWithin(one, name, moment))
      );
    })
    .sort((one, other) => keyOf(one, orderBy) - keyOf(other, orderBy) || one.id - other.id);
  if (order === 'desc') found.reverse();
  const items = found.slice(page.offset, page.offset + page.perPage);
  return listReply(items, found.length, page, site, parameters, orderPayload, 'orders');
}

function showOrder(site: SiteFacts, parameters: Parameters, id: number): StoreReply {
  const order = site.orders().find((one) => one.id === id);
  if (order === undefined) return errorReply(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.');
  return { status: 200, body: parameters.fieldsOf(orderPayload(order, site)) };
}

function listRefunds(site: SiteFacts, parameters: Parameters, id: number): StoreReply {
  const order = site.orders().find((one) => one.id === id);
  if (order === undefined) return errorReply(404, 'woocommerce_rest_invalid_order_id', 'Invalid order ID.');
  const page = parameters.page();
  parameters.check();
  const newestFirst = refundsOf(order).toReversed();
  const items = newestFirst.slice(page.offset, page.offset + page.perPage);
  const present = (refund: (typeof items)[number]) => refundPayload(refund, order, site);
  return listReply(items, newestFirst.length, page, site, parameters, present, `orders/${id}/refunds`);
}

function listReply<Item>(
  items: readonly Item[],
  total: number,
  { page, perPage }: { readonly page: number; readonly perPage: number },
  site: SiteFacts,
  parameters: Parameters,
  present: (item: Item, site: SiteFacts) => Record<string, unknown>,
  collection: string,
): StoreReply {
  const pages = Math.ceil(total / perPage);
  const root = `${site.url}/wp-json/wc/v3/${collection}`;
  const links = [
    ...(page > 1 ? [`<${root}?page=${Math.min(page - 1, pages)}>; rel="prev"`] : []),
    ...(pages > page ? [`<${root}?page=${page + 1}>; rel="next"`] : []),
  ];
  return {
    status: 200,
    headers: {
      'x-wp-total': String(total),
      'x-wp-totalpages': String(pages),
      ...(links.length > 0 && { link: links.join(', ') }),
    },
    body: items.map((item) => parameters.fieldsOf(present(item, site))),
  };
}

function nameOf({ firstName, lastName }: Customer): string {
  return `${firstName ?? ''} ${lastName ?? ''}`;
}

/** The platform compares whole seconds, and leaves out the moment itself. */
function isWithin(
  order: Order,
  bound: 'after' | 'before' | 'modified_after' | 'modified_before',
  moment: number,
): boolean {
  const at = seconds(bound.startsWith('modified') ? order.updatedAt : order.createdAt);
  return bound.endsWith('after') ? at > moment : at < moment;
}

function keyOf(order: Order, orderBy: string): number {
  if (orderBy === 'modified') return seconds(order.updatedAt);
  return orderBy === 'date' ? seconds(order.createdAt) : order.id;
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000) * 1_000;
}

function errorReply(status: number, code: string, message: string, data: object = {}): StoreReply {
  return { status, body: { code, message, data: { status, ...data } } };
}

function indexOf({ name, url, utcOffsetHours }: SiteFacts): object {
  return {
    name,
    description: '',
    url,
    home: url,
    gmt_offset: String(utcOffsetHours),
    timezone_string: '',
    namespaces: ['oembed/1.0', 'wc/v3', 'wp/v2'],
    authentication: [],
    routes: {},
  };
}

function systemStatus({ url }: SiteFacts): object {
  return {
    environment: { home_url: url, site_url: url, version: '10.2.1', wp_version: '6.9' },
    settings: { api_enabled: false, force_ssl: true },
  };
}
