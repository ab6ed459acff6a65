import {
  countCustomers,
  countOrders,
  listCustomers,
  listOrders,
  type PageArguments,
  type Warn,
} from './shopify-store-listings.ts';
import { customerSource, orderSource, type ShopFacts } from './shopify-store-objects.ts';
import { planQuery, requestedCost } from './shopify-store-plan.ts';
import { readFields, type Source } from './shopify-store-query.ts';
import { type QueryDocument, QueryRefused, readQuery } from './shopify-store-request.ts';
import { type BucketPlan, CostBucket } from './shopify-store-throttle.ts';
import type { StoreCustomers } from './store-customers.ts';
import type { Order } from './store-orders.ts';
import type { StoreCall, StoreReply } from './store-server.ts';

/** What the API needs to know of its shop. */
export interface ApiFacts extends ShopFacts {
  readonly name: string;
  readonly domain: string;
  readonly customers: StoreCustomers;
  readonly accessToken: string;
  readonly isInstalled: boolean;
  readonly scopes: readonly string[];
  orders(): readonly Order[];
  now(): Date;
}

/** How the API says that it was asked too much: 200 with an error in the body, or 429. */
export type ThrottleStatusCode = 200 | 429;

/** No query may cost more, whatever the plan of the shop. */
const dearestQuery = 1_000;
const limitsPage = 'https://shopify.dev/api/usage/rate-limits';
const orderHistoryMs = 60 * 86_400_000;

const scopesOf: Readonly<Record<string, string>> = {
  customer: 'read_customers',
  customers: 'read_customers',
  customersCount: 'read_customers',
  order: 'read_orders',
  orders: 'read_orders',
  ordersCount: 'read_orders',
};

/** The GraphQL Admin API of a simulated shop. */
export class ShopifyApi {
  readonly bucket: CostBucket;
  /** How it says that it was asked too much. */
  throttlesWith: ThrottleStatusCode;
  readonly #facts: ApiFacts;
  readonly #documents = new Map<string, QueryDocument>();

  constructor(facts: ApiFacts, bucket: BucketPlan, throttlesWith: ThrottleStatusCode) {
    this.#facts = facts;
    this.bucket = new CostBucket(bucket);
    this.throttlesWith = throttlesWith;
  }

  answer(call: StoreCall): StoreReply {
    const version = this.#versionOf(call.url.pathname);
    if (version === null || call.method !== 'POST') return { status: 404, body: { errors: 'Not Found' } };
    const { accessToken, isInstalled } = this.#facts;
    if (!isInstalled || call.headers['x-shopify-access-token'] !== accessToken) return unauthorized;
    const reply = this.#answerQuery(call);
    return { ...reply, headers: { 'x-shopify-api-version': version, ...reply.headers } };
  }

  /** The answer to a query that costs more than is left. */
  throttled(requested: number): StoreReply {
    const status = this.bucket.status;
    const missing = Math.max(1, requested - status.currentlyAvailable);
    const seconds = Math.max(1, Math.ceil(missing / status.restoreRate));
    return {
      status: this.throttlesWith,
      headers: this.throttlesWith === 429 ? { 'retry-after': `${seconds}.0` } : {},
      body: {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED', documentation: limitsPage } }],
        extensions: {
          cost: { requestedQueryCost: requested, actualQueryCost: null, throttleStatus: status },
        },
      },
    };
  }

  /** Null: there is no such path. Versions that are too old are answered by the oldest that still works. */
  #versionOf(path: string): string | null {
    const [, asked = ''] = /^\/admin\/api\/([^/]+)\/graphql\.json$/.exec(path) ?? [];
    if (asked === 'unstable') return asked;
    const served = servedVersions(this.#facts.now());
    if (served.includes(asked)) return asked;
    const [oldest = ''] = served;
    return /^20\d\d-(01|04|07|10)$/.test(asked) && asked < oldest ? oldest : null;
  }

  #answerQuery({ headers, body }: StoreCall): StoreReply {
    const request = /^application\/json\b/.test(headers['content-type'] ?? '') ? parsed(body) : null;
    if (request === null || typeof request.query !== 'string')
      return { status: 400, body: { errors: { query: 'Required parameter missing or invalid' } } };
    try {
      return this.#run(request.query, request.operationName ?? null, request.variables ?? {});
    } catch (error) {
      if (!(error instanceof QueryRefused)) throw error;
      return { status: 200, body: { errors: [errorOf(error)] } };
    }
  }

  #run(query: string, operationName: unknown, variables: unknown): StoreReply {
    const name = typeof operationName === 'string' ? operationName : null;
    const fields = planQuery(this.#read(query), name, isRecord(variables) ? variables : {});
    const requested = requestedCost(fields);
    if (requested > dearestQuery) throw tooDear(requested);
    if (!this.bucket.take(requested)) return this.throttled(requested);
    const search: object[] = [];
    const warn: Warn = (path, text, warnings) =>
      search.push({ path: [path], query: text, parsed: {}, warnings });
    const root = this.#root(warn);
    for (const field of fields) this.#checkScope(field.name);
    const { data, cost } = readFields(fields, root);
    this.bucket.giveBack(requested - cost);
    const throttleStatus = this.bucket.status;
    return {
      status: 200,
      body: {
        data,
        extensions: {
          cost: { requestedQueryCost: requested, actualQueryCost: cost, throttleStatus },
          ...(search.length > 0 && { search }),
        },
      },
    };
  }

  #read(query: string): QueryDocument {
    const known = this.#documents.get(query);
    if (known !== undefined) return known;
    const document = readQuery(query);
    // A query with numbers in its text is rarely asked again: the cache is bounded.
    if (this.#documents.size >= 100) this.#documents.clear();
    this.#documents.set(query, document);
    return document;
  }

  #checkScope(field: string): void {
    const scope = scopesOf[field];
    if (scope === undefined || this.#facts.scopes.includes(scope)) return;
    const requiredAccess = `\`${scope}\` access scope.`;
    const text = `Access denied for ${field} field. Required access: ${requiredAccess}`;
    const documentation = 'https://shopify.dev/api/usage/access-scopes';
    throw new QueryRefused(text, 'ACCESS_DENIED', [field], { documentation, requiredAccess });
  }

  #root(warn: Warn): Source {
    const facts = this.#facts;
    const { customers } = facts;
    return {
      shop: shopSource(facts),
      currentAppInstallation: {
        id: 'gid://shopify/AppInstallation/1',
        accessScopes: facts.scopes.map((handle) => ({ handle, description: handle })),
      },
      customer: ({ id }: PageArguments) => {
        const found = customers.find(numberIn(id, 'Customer'));
        return found && customerSource(found, facts);
      },
      customers: (args: PageArguments) => listCustomers(customers, facts, args, warn),
      customersCount: ({ query, limit = 10_000 }: PageArguments) =>
        counted(countCustomers(customers, query, warn), limit),
      order: ({ id }: PageArguments) => {
        const number = numberIn(id, 'Order');
        const found = this.#visibleOrders().find((order) => order.id === number);
        return found === undefined ? null : orderSource(found, facts);
      },
      orders: (args: PageArguments) => listOrders(this.#visibleOrders(), facts, args, warn),
      ordersCount: ({ query, limit = 10_000 }: PageArguments) =>
        counted(countOrders(this.#visibleOrders(), query, warn), limit),
    };
  }

  /** An app sees the orders of the last sixty days, unless it was granted more. */
  #visibleOrders(): readonly Order[] {
    const { scopes, now } = this.#facts;
    if (scopes.includes('read_all_orders')) return this.#facts.orders();
    const since = now().getTime() - orderHistoryMs;
    return this.#facts.orders().filter(({ createdAt }) => createdAt.getTime() >= since);
  }
}

const unauthorized: StoreReply = {
  status: 401,
  headers: { 'www-authenticate': 'Basic Realm="Shopify API Authentication"' },
  body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
};

/** A version comes each quarter and works for a year; the next one can be tried already. */
function servedVersions(now: Date): string[] {
  const quarter = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
  return [-4, -3, -2, -1, 0, 1].map((distance) => {
    const at = quarter + distance;
    return `${Math.floor(at / 4)}-${String((at % 4) * 3 + 1).padStart(2, '0')}`;
  });
}

function shopSource({ name, domain, currency, now }: ApiFacts): Source {
  const url = `https://${domain}`;
  return {
    id: 'gid://shopify/Shop/548380009',
    name,
    email: 'owner@shop.example',
    myshopifyDomain: domain,
    url,
    currencyCode: currency,
    ianaTimezone: 'America/New_York',
    timezoneOffset: '-0400',
    taxesIncluded: false,
    plan: { displayName: 'Basic', publicDisplayName: 'Basic', partnerDevelopment: false, shopifyPlus: false },
    primaryDomain: { id: 'gid://shopify/Domain/1', host: domain, url, sslEnabled: true },
    createdAt: () => `${now().getUTCFullYear() - 3}-01-01T00:00:00Z`,
  };
}

function counted(count: number, limit: unknown): Source {
  const isExact = typeof limit !== 'number' || count <= limit;
  return { count: isExact ? count : limit, precision: isExact ? 'EXACT' : 'AT_LEAST' };
}

function numberIn(id: unknown, kind: string): number {
  const [, number] = new RegExp(`^gid://shopify/${kind}/(\\d+)$`).exec(String(id)) ?? [];
  if (number !== undefined) return Number(number);
  throw new QueryRefused(`Invalid global id '${id}'`, 'argumentLiteralsIncompatible');
}

function tooDear(cost: number): QueryRefused {
  const text = `Query cost is ${cost}, which exceeds the single query max cost limit (${dearestQuery}).`;
  const details = { cost, maxCost: dearestQuery, documentation: limitsPage };
  return new QueryRefused(text, 'MAX_COST_EXCEEDED', [], details);
}

function errorOf({ message, code, path, details }: QueryRefused): object {
  return { message, ...(path.length > 0 && { path }), extensions: { code, ...details } };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
