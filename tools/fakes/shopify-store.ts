import { randomBytes, randomUUID } from 'node:crypto';
import { FakeStore, type FakeStoreOptions } from './fake-store.ts';
import { sampleOf } from './shopify-samples.ts';
import { ShopifyApi, type ThrottleStatusCode } from './shopify-store-api.ts';
import { listOrders } from './shopify-store-listings.ts';
import type { Presentment } from './shopify-store-objects.ts';
import { customerPayload, localTime, orderPayload, refundPayload } from './shopify-store-payloads.ts';
import type { BucketPlan, CostBucket } from './shopify-store-throttle.ts';
import type { Customer } from './store-customers.ts';
import type { EditPlan, Order, OrderPlan, OrderRefund, RefundPlan } from './store-orders.ts';
import type { StoreReply } from './store-server.ts';
import type { Webhook } from './store-webhooks.ts';

interface ShopifyOptions extends FakeStoreOptions {
  /** Orders are paid in another currency than the shop's. */
  readonly presentment?: Presentment;
  /** What may be asked of it: that of the cheapest plan when it does not say. */
  readonly bucket?: BucketPlan;
  readonly throttlesWith?: ThrottleStatusCode;
  readonly scopes?: readonly string[];
  readonly accessToken?: string;
}

const apiVersion = '2026-10';
const shopId = 548_380_009;

/** Points that never run out, for measurements of something else. */
export const endlessBucket: BucketPlan = { maximumAvailable: 1e9, restoreRate: 1e9 };

/** The cheapest plan. */
const standardBucket: BucketPlan = { maximumAvailable: 2_000, restoreRate: 100 };

/**
 * A shop of Shopify on this machine: the GraphQL Admin API over HTTPS, orders that live, and webhooks about them. What
 * happens to an order or customer queues webhooks; `deliver` sends them to the address that was subscribed.
 */
export class ShopifyStore extends FakeStore {
  readonly accessToken: string;
  readonly #options: ShopifyOptions;
  readonly #api: ShopifyApi;
  #isInstalled = true;

  private constructor(options: ShopifyOptions) {
    super(options, {
      authorityName: 'Simulated Shopify CA',
      customerNumbers: { first: 9_999_999_999_403, step: 37 },
      orderNumbers: { above: 999_999_999_837, step: 11 },
      webhooks: {
        signatureHeader: 'X-Shopify-Hmac-Sha256',
        secret: options.webhookSecret ?? randomBytes(32).toString('hex'),
        timeoutMs: 5_000,
        patience: 9,
      },
    });
    this.accessToken = options.accessToken ?? `shpat_${randomBytes(16).toString('hex')}`;
    this.#options = options;
    const { bucket = standardBucket, throttlesWith = 200, currency = 'EUR' } = options;
    this.#api = new ShopifyApi(this.#facts(currency), bucket, throttlesWith);
  }

  static async start(options: ShopifyOptions = {}): Promise<ShopifyStore> {
    const shop = new ShopifyStore(options);
    await shop.serve({
      answer: (call) => shop.#api.answer(call),
      throttled: () => shop.throttled(),
      about: ({ body }, reply) => aboutQuery(body, reply),
    });
    return shop;
  }

  get bucket(): CostBucket {
    return this.#api.bucket;
  }

  /** The answer of an API that was asked too much. */
  throttled(requested = 500): StoreReply {
    return this.#api.throttled(requested);
  }

  placeOrder(plan: OrderPlan = {}): Order {
    const order = this.orders.place({ ...plan, paid: false });
    const event = randomUUID();
    this.#queue('orders/create', this.payloadOf(order), event);
    return plan.paid === true ? this.pay(order.id) : order;
  }

  pay(id: number): Order {
    return this.#changed(this.orders.pay(id), ['orders/paid', 'orders/updated']);
  }

  edit(id: number, plan: EditPlan): Order {
    const before = this.orders.find(id)?.lines.map((line) => ({ ...line })) ?? [];
    const order = this.orders.edit(id, plan);
    const event = randomUUID();
    this.#queue('orders/edited', { order_edit: editPayload(order, before, this.now()) }, event);
    return this.#changed(order, ['orders/updated'], event);
  }

  /** Gives back goods and money: all that is left of them, unless it says which. */
  refund(id: number, plan: RefundPlan = {}): OrderRefund {
    const refund = this.orders.refund(id, plan);
    const event = randomUUID();
    this.#emitRefund(id, refund, event);
    this.#orderById(id, ['orders/updated'], event);
    return refund;
  }

  /** What was paid goes back, unless it says otherwise. */
  cancel(id: number, options: { readonly refunds?: boolean } = {}): Order {
    const refund = this.orders.cancel(id, options);
    const event = randomUUID();
    if (refund !== null) this.#emitRefund(id, refund, event);
    return this.#orderById(id, ['orders/cancelled', 'orders/updated'], event);
  }

  /** The order is gone for good: a webhook has its number and nothing else. */
  deleteOrder(id: number): void {
    this.orders.remove(id);
    this.#queue('orders/delete', { id });
  }

  /** Raises RangeError when there is no such customer. */
  changeCustomer(id: number, change: Partial<Omit<Customer, 'id'>>): void {
    this.customers.change(id, { updatedAt: this.now(), ...change });
    const customer = this.customers.find(id);
    if (customer !== null) this.#queue('customers/update', customerPayload(customer));
  }

  /** The merchant takes the app off the shop: its token is worth nothing from now on. */
  uninstall(): void {
    this.#isInstalled = false;
    const { name = 'Blue Bean' } = this.#options;
    this.#queue('app/uninstalled', { id: shopId, name, domain: this.domain, myshopify_domain: this.domain });
  }

  /** A customer wants to know what is stored. */
  requestData(customerId: number): void {
    this.#queue('customers/data_request', {
      ...this.#privacyPayload(customerId),
      orders_requested: this.#orderIdsOf(customerId),
      data_request: { id: 9_999 },
    });
  }

  /** A customer wants everything to be forgotten. */
  redactCustomer(customerId: number): void {
    this.#queue('customers/redact', {
      ...this.#privacyPayload(customerId),
      orders_to_redact: this.#orderIdsOf(customerId),
    });
  }

  /** Two days after the app was taken off. */
  redactShop(): void {
    this.#queue('shop/redact', { shop_id: shopId, shop_domain: this.domain });
  }

  /** "Send test notification" of the admin: a sample, signed like anything else. */
  sendTest(topic: string): void {
    const { headers, ...webhook } = this.makeWebhook(topic, sampleOf(topic));
    this.webhooks.queue({ ...webhook, headers: { ...headers, 'X-Shopify-Test': 'true' } });
  }

  /** Webhooks go there. */
  subscribe(url: string): void {
    this.webhooks.subscribe(url);
  }

  /** The order as a webhook would carry it now. */
  payloadOf(order: Order): Record<string, unknown> {
    return orderPayload(order, this.#payloadFacts);
  }

  /** A webhook of any content, with the headers of the platform; `webhooks.send` sends it. */
  makeWebhook(topic: string, payload: unknown, event: string = randomUUID()): Webhook {
    return {
      topic,
      body: Buffer.from(JSON.stringify(payload)),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Shopify-Captain-Hook',
        'X-Shopify-Topic': topic,
        'X-Shopify-Shop-Domain': this.domain,
        'X-Shopify-API-Version': apiVersion,
        'X-Shopify-Webhook-Id': randomUUID(),
        'X-Shopify-Event-Id': event,
        'X-Shopify-Triggered-At': this.now().toISOString(),
        'X-Shopify-Name': 'points',
      },
    };
  }

  get #payloadFacts() {
    const { presentment = null } = this.#options;
    return { presentment, findCustomer: (id: number) => this.customers.find(id) };
  }

  #facts(currency: string) {
    const shop = this;
    const { name = 'Blue Bean', presentment = null } = this.#options;
    const facts = {
      name,
      currency,
      presentment,
      customers: this.customers,
      accessToken: this.accessToken,
      scopes: this.#options.scopes ?? ['read_customers', 'read_orders'],
      get domain() {
        return shop.domain;
      },
      get isInstalled() {
        return shop.#isInstalled;
      },
      orders: () => shop.orders.all(),
      now: () => shop.now(),
      findCustomer: (id: number) => shop.customers.find(id),
      ordersOf: (id: number) => shop.orders.ofCustomer(id),
      listOrders: (orders: readonly Order[], args: Readonly<Record<string, unknown>>) =>
        listOrders(orders, facts, args, () => undefined),
    };
    return facts;
  }

  #changed(order: Order, topics: readonly string[], event: string = randomUUID()): Order {
    const payload = this.payloadOf(order);
    for (const topic of topics) this.#queue(topic, payload, event);
    return order;
  }

  #orderById(id: number, topics: readonly string[], event: string): Order {
    const order = this.orders.find(id);
    if (order === null) throw new RangeError(`there is no order ${id}`);
    return this.#changed(order, topics, event);
  }

  #emitRefund(id: number, refund: OrderRefund, event: string): void {
    const order = this.orders.find(id);
    if (order !== null)
      this.#queue('refunds/create', refundPayload(refund, order, this.#payloadFacts), event);
  }

  #queue(topic: string, payload: unknown, event?: string): void {
    this.webhooks.queue(this.makeWebhook(topic, payload, event));
  }

  #privacyPayload(customerId: number): Record<string, unknown> {
    const customer = this.customers.find(customerId);
    const { email = null, phone = null } = customer ?? {};
    return { shop_id: shopId, shop_domain: this.domain, customer: { id: customerId, email, phone } };
  }

  #orderIdsOf(customerId: number): number[] {
    return this.orders.ofCustomer(customerId).map(({ id }) => id);
  }
}

/** Which fields of the root are asked for, and what it costs. */
function aboutQuery(body: string, { body: reply }: StoreReply): string {
  const [, query = ''] = /"query":\s*"((?:\\.|[^"\\])*)"/.exec(body) ?? [];
  const [, field = '?'] = /\{(?:\s|\\n)*(\w+)/.exec(query) ?? [];
  const [, search] = /"q(?:uery)?":\s*"([^"{]*)"\s*[,}]/.exec(body.slice(body.indexOf('"variables"'))) ?? [];
  const said = JSON.stringify(reply);
  const [, cost] = /"actualQueryCost":(\d+)/.exec(said) ?? [];
  const [, code] = /"errors":\[\{"message":.*?"code":"(\w+)"/.exec(said) ?? [];
  const end = code ?? (cost === undefined ? '' : `${cost} points`);
  return ` ${field}${search === undefined ? '' : ` (${search})`} ${end}`.trimEnd();
}

/** What an edit has changed, without the order itself. */
function editPayload(
  order: Order,
  before: readonly { readonly id: number; readonly left: number }[],
  at: Date,
): object {
  const known = new Map(before.map(({ id, left }) => [id, left]));
  const changes = order.lines.map(({ id, left }) => ({ id, delta: left - (known.get(id) ?? 0) }));
  return {
    id: order.id + 5,
    app_id: null,
    created_at: localTime(at),
    notify_customer: false,
    order_id: order.id,
    staff_note: '',
    user_id: null,
    line_items: {
      additions: changes.filter(({ delta }) => delta > 0),
      removals: changes.filter(({ delta }) => delta < 0).map(({ id, delta }) => ({ id, delta: -delta })),
    },
    discounts: { line_item: { additions: [], removals: [] } },
    shipping_lines: { additions: [], removals: [] },
  };
}
