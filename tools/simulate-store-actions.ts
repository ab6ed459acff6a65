import type { ShopifyStore } from './fakes/shopify-store.ts';
import type { Customer } from './fakes/store-customers.ts';
import { fromMinor } from './fakes/store-money.ts';
import { type Order, OrderRefused } from './fakes/store-orders.ts';
import type { DeliverOptions, SentWebhook } from './fakes/store-webhooks.ts';
import { WooCommerceStore } from './fakes/woocommerce-store.ts';
import { bodies, RequestProblem, readBody } from './simulate-store-bodies.ts';

/** Either of the shops. */
export type SimulatedStore = ShopifyStore | WooCommerceStore;

/** What a user asks a simulated store to do. */
export interface StoreRequest {
  /** The number in the path; NaN without one. */
  readonly id: number;
  readonly query: URLSearchParams;
  readonly text: string;
}

type Action = (store: SimulatedStore, request: StoreRequest) => Promise<unknown> | unknown;

/** Stores that hold back their webhooks until asked. */
const holding = new WeakSet<SimulatedStore>();

/** What can be asked for: method, path, what it does or takes, and how. */
export const actions: readonly (readonly [method: string, path: string, help: string, action: Action])[] = [
  ['GET', '/', 'the store and this list', describe],
  ['GET', '/customers', '?from=0&take=10, or ?consent=subscribed', listCustomers],
  ['POST', '/customers', '{"count":5} more of them', addCustomers],
  ['PATCH', '/customers/{id}', '{"consent":"unsubscribed"}, or email, firstName, …', changeCustomer],
  ['DELETE', '/customers/{id}', 'the customer is gone', removeCustomer],
  ['POST', '/customers/{id}/redact', 'the customer wants to be forgotten (shopify)', redactCustomer],
  [
    'POST',
    '/customers/{id}/data-request',
    'the customer wants to know what is stored (shopify)',
    requestData,
  ],
  ['GET', '/orders', 'all orders', (store) => store.orders.all().map(orderView)],
  ['GET', '/orders/{id}', 'the order as the platform shows it', showOrder],
  [
    'POST',
    '/orders',
    '{"customer":0,"total":"12.50","paid":true}, or email of a guest, lines, shipping, …',
    placeOrder,
  ],
  ['POST', '/orders/{id}/pay', 'all that is due', (store, { id }) => changed(store, store.pay(id))],
  ['POST', '/orders/{id}/edit', '{"add":[{"price":"3.00"}],"remove":[{"line":0,"quantity":1}]}', editOrder],
  [
    'POST',
    '/orders/{id}/refund',
    'all of it, or {"lines":[{"line":0,"quantity":1}]}, or {"amount":"1.50"}',
    refundOrder,
  ],
  ['POST', '/orders/{id}/cancel', '{"refunds":false} keeps the money', cancelOrder],
  ['DELETE', '/orders/{id}', 'the order is gone for good', deleteOrder],
  ['POST', '/orders/{id}/status', '{"status":"completed"} (woocommerce)', setStatus],
  ['GET', '/webhooks', 'what waits, and what was sent last', showWebhooks],
  [
    'PUT',
    '/webhooks',
    '{"url":"http://…"} sets where they go; {"automatic":false} holds them back',
    setWebhooks,
  ],
  ['POST', '/webhooks/deliver', '{"times":2,"order":"shuffled","drop":["orders/paid"]}', deliver],
  [
    'POST',
    '/webhooks/retry',
    'those again that no receiver has taken',
    async (store) => (await store.retry()).map(sentView),
  ],
  [
    'POST',
    '/faults',
    '{"outcome":{"status":503},"matching":"orders","times":3}, or "throttled", "cut", …',
    addFault,
  ],
  ['DELETE', '/faults', 'forgets those that have not happened yet', recover],
  ['POST', '/uninstall', 'the merchant takes the app off the shop (shopify)', uninstall],
  ['POST', '/redact', 'two days later everything is to be forgotten (shopify)', redactShop],
];

/** The lines that explain what can be asked of a store. */
export function controlHelp(store: SimulatedStore): string[] {
  const other = store instanceof WooCommerceStore ? '(shopify)' : '(woocommerce)';
  return actions
    .filter(([, , help]) => !help.endsWith(other))
    .map(([method, path, help]) => `${`${method} ${path}`.padEnd(35)}${help}`);
}

function describe(store: SimulatedStore): unknown {
  const { domain, customers, webhookSecret, webhooks } = store;
  const counts = { customers: customers.count, orders: store.orders.all().length };
  return { domain, webhookSecret, webhooks: webhooks.url, ...counts, actions: controlHelp(store) };
}

function listCustomers({ customers }: SimulatedStore, { query }: StoreRequest): unknown {
  const consent = query.get('consent');
  const take = wholeNumber(query.get('take') ?? '10', 'take');
  const found: object[] = [];
  for (let place = wholeNumber(query.get('from') ?? '0', 'from'); place < customers.length; place++) {
    const customer = customers.at(place);
    if (found.length === take) break;
    if (customer === null || (consent !== null && customer.consent !== consent)) continue;
    found.push({ customer: place, ...customerView(customer) });
  }
  return found;
}

function addCustomers({ customers }: SimulatedStore, { text }: StoreRequest): unknown {
  const { count } = readBody(bodies.customers, text);
  return { firstId: customers.add(count), customers: customers.count };
}

async function changeCustomer(store: SimulatedStore, { id, text }: StoreRequest): Promise<unknown> {
  store.changeCustomer(id, readBody(bodies.customer, text));
  const customer = store.customers.find(id);
  return { ...(customer && customerView(customer)), webhooks: await sendWaiting(store) };
}

function removeCustomer({ customers }: SimulatedStore, { id }: StoreRequest): unknown {
  customers.remove(id);
  return { customers: customers.count };
}

async function redactCustomer(store: SimulatedStore, { id }: StoreRequest): Promise<unknown> {
  shopify(store).redactCustomer(id);
  return { webhooks: await sendWaiting(store) };
}

async function requestData(store: SimulatedStore, { id }: StoreRequest): Promise<unknown> {
  shopify(store).requestData(id);
  return { webhooks: await sendWaiting(store) };
}

function placeOrder(store: SimulatedStore, { text }: StoreRequest): Promise<unknown> {
  const { customer, ...plan } = readBody(bodies.order, text);
  if (plan.total !== undefined && plan.lines !== undefined)
    throw new RequestProblem('total: an order has either a total or lines');
  const customerId = customer === undefined ? plan.customerId : store.customerAt(customer).id;
  return changed(store, store.placeOrder({ ...plan, ...(customerId !== undefined && { customerId }) }));
}

function showOrder(store: SimulatedStore, { id }: StoreRequest): unknown {
  const order = store.orders.find(id);
  if (order === null) throw new OrderRefused(`there is no order ${id}`);
  return store.payloadOf(order);
}

function editOrder(store: SimulatedStore, { id, text }: StoreRequest): Promise<unknown> {
  return changed(store, store.edit(id, readBody(bodies.edit, text)));
}

async function refundOrder(store: SimulatedStore, { id, text }: StoreRequest): Promise<unknown> {
  const refund = store.refund(id, readBody(bodies.refund, text));
  const currency = store.orders.find(id)?.currency ?? 'EUR';
  const amount = fromMinor(refund.amount, currency);
  return { refundId: refund.id, amount, currency, webhooks: await sendWaiting(store) };
}

function cancelOrder(store: SimulatedStore, { id, text }: StoreRequest): Promise<unknown> {
  return changed(store, store.cancel(id, readBody(bodies.cancel, text)));
}

async function deleteOrder(store: SimulatedStore, { id }: StoreRequest): Promise<unknown> {
  store.deleteOrder(id);
  return { webhooks: await sendWaiting(store) };
}

function setStatus(store: SimulatedStore, { id, text }: StoreRequest): Promise<unknown> {
  const { status } = readBody(bodies.status, text);
  if (!(store instanceof WooCommerceStore)) throw new RequestProblem('only orders of WooCommerce have one');
  return changed(store, store.setStatus(id, status));
}

function showWebhooks({ webhooks }: SimulatedStore): unknown {
  const { url, isActive, pending, sent } = webhooks;
  return { url, isActive, waiting: pending.map(({ topic }) => topic), sent: sent.slice(-20).map(sentView) };
}

async function setWebhooks(store: SimulatedStore, { text }: StoreRequest): Promise<unknown> {
  const { url, automatic } = readBody(bodies.webhooks, text);
  if (automatic === false) holding.add(store);
  if (automatic === true) holding.delete(store);
  const pings = url === undefined ? [] : ((await store.subscribe(url)) ?? []);
  return { url: store.webhooks.url, webhooks: [...pings.map(sentView), ...(await sendWaiting(store))] };
}

async function deliver(store: SimulatedStore, { text }: StoreRequest): Promise<unknown> {
  const options: DeliverOptions = readBody(bodies.delivery, text);
  if (store.webhooks.url === null)
    throw new RequestProblem('first set where they go: PUT /webhooks {"url":"…"}');
  return (await store.deliver(options)).map(sentView);
}

function addFault(store: SimulatedStore, { text }: StoreRequest): unknown {
  const { matching, ...fault } = readBody(bodies.fault, text);
  store.fail({ ...fault, ...(matching !== undefined && { matching: readPattern(matching) }) });
  return { happens: `${fault.times ?? 1} times` };
}

function recover(store: SimulatedStore): unknown {
  store.recover();
  return { happens: 'nothing' };
}

async function uninstall(store: SimulatedStore): Promise<unknown> {
  shopify(store).uninstall();
  return { webhooks: await sendWaiting(store) };
}

async function redactShop(store: SimulatedStore): Promise<unknown> {
  shopify(store).redactShop();
  return { webhooks: await sendWaiting(store) };
}

async function changed(store: SimulatedStore, order: Order): Promise<unknown> {
  return { ...orderView(order), webhooks: await sendWaiting(store) };
}

/** Sends the waiting webhooks, unless they are held back or have no address. */
async function sendWaiting(store: SimulatedStore): Promise<unknown[]> {
  if (store.webhooks.url === null || holding.has(store)) return [];
  return (await store.deliver()).map(sentView);
}

function shopify(store: SimulatedStore): ShopifyStore {
  if (store instanceof WooCommerceStore) throw new RequestProblem('WooCommerce knows nothing like that');
  return store;
}

function orderView({
  id,
  number,
  currency,
  customerId,
  email,
  paidAt,
  cancelledAt,
  lines,
  refunds,
}: Order): object {
  return {
    id,
    number,
    currency,
    customerId,
    email,
    paid: paidAt !== null,
    cancelled: cancelledAt !== null,
    lines: lines.map((line, place) => ({
      line: place,
      title: line.title,
      quantity: line.quantity,
      left: line.left,
    })),
    refunds: refunds.length,
  };
}

function customerView({ id, email, firstName, lastName, consent }: Customer): object {
  return { id, email, firstName, lastName, consent };
}

function sentView({ topic, status, ms }: SentWebhook): object {
  return { topic, status, ms };
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RequestProblem(`${name} must be a whole number, not "${text}"`);
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new RequestProblem(`matching: ${error instanceof Error ? error.message : error}`);
  }
}
