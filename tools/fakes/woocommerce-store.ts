import { createHash, randomBytes } from 'node:crypto';
import { FakeStore, type FakeStoreOptions } from './fake-store.ts';
import type { Customer } from './store-customers.ts';
import {
  type EditPlan,
  type Order,
  type OrderPlan,
  type OrderRefund,
  OrderRefused,
  type RefundPlan,
} from './store-orders.ts';
import type { SentWebhook, Webhook } from './store-webhooks.ts';
import { answerWoo, type SiteFacts, tooManyRequests } from './woocommerce-store-api.ts';
import { customerPayload, orderPayload } from './woocommerce-store-payloads.ts';

interface WooOptions extends FakeStoreOptions {
  /** What a newsletter plugin leaves with those who agreed, and with those who have left. */
  readonly consentMeta?: { readonly key: string; readonly value: unknown; readonly otherwise?: unknown };
  readonly consumerKey?: string;
  readonly consumerSecret?: string;
  readonly permissions?: SiteFacts['permissions'];
  readonly losesAuthorization?: boolean;
  readonly hasPermalinks?: boolean;
  /** Of the site's clock. */
  readonly utcOffsetHours?: number;
}

/** A status that WooCommerce gives an order. */
export type WooStatus =
  | 'pending'
  | 'processing'
  | 'on-hold'
  | 'completed'
  | 'cancelled'
  | 'refunded'
  | 'failed'
  | 'trash';

const topics = ['order.created', 'order.updated', 'order.deleted', 'customer.updated'] as const;
type Topic = (typeof topics)[number];

/**
 * A shop of WooCommerce on this machine: the REST API over HTTPS, orders that live, and webhooks about them. What
 * happens to an order queues webhooks, with the habits of the platform: created and updated come together, each change
 * is reported twice, and webhooks sent within one second have the same delivery number.
 */
export class WooCommerceStore extends FakeStore {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly #options: WooOptions;
  readonly #statuses = new Map<number, WooStatus>();

  private constructor(options: WooOptions) {
    super(options, {
      authorityName: 'Simulated WooCommerce CA',
      customerNumbers: { first: 71, step: 3 },
      orderNumbers: { above: 947, step: 7 },
      webhooks: {
        signatureHeader: 'X-WC-Webhook-Signature',
        secret: options.webhookSecret ?? randomBytes(25).toString('hex'),
        timeoutMs: 60_000,
        patience: 7,
      },
    });
    this.consumerKey = options.consumerKey ?? `ck_${randomBytes(20).toString('hex')}`;
    this.consumerSecret = options.consumerSecret ?? `cs_${randomBytes(20).toString('hex')}`;
    this.#options = options;
  }

  /** Lets a plugin change each order before the API and webhooks show it. */
  plugin: (payload: Record<string, unknown>) => Record<string, unknown> = (payload) => payload;

  static async start(options: WooOptions = {}): Promise<WooCommerceStore> {
    const shop = new WooCommerceStore(options);
    const site = shop.#facts();
    await shop.serve({ answer: (call) => answerWoo(call, site), throttled: () => tooManyRequests });
    return shop;
  }

  placeOrder(plan: OrderPlan = {}): Order {
    const order = this.orders.place({ ...plan, paid: false });
    this.#statuses.set(order.id, 'pending');
    this.#queue('order.created', order);
    if (plan.paid === true) return this.pay(order.id);
    this.#queue('order.updated', order);
    return order;
  }

  pay(id: number): Order {
    const order = this.orders.pay(id);
    return this.#changed(order, this.#statuses.get(id) === 'completed' ? null : 'processing');
  }

  /** The parcel has left. */
  complete(id: number): Order {
    return this.setStatus(id, 'completed');
  }

  /** Any status that the merchant chooses in the list of orders. */
  setStatus(id: number, status: WooStatus): Order {
    const order = this.orders.find(id);
    if (order === null) throw new OrderRefused(`there is no order ${id}`);
    order.updatedAt = this.now();
    if ((status === 'processing' || status === 'completed') && order.paidAt === null) this.orders.pay(id);
    return this.#changed(order, status);
  }

  edit(id: number, plan: EditPlan): Order {
    return this.#changed(this.orders.edit(id, plan), null);
  }

  /** Gives back goods and money: all that is left of them, unless it says which. */
  refund(id: number, plan: RefundPlan = {}): OrderRefund {
    const refund = this.orders.refund(id, plan);
    const order = this.#must(id);
    const back = order.refunds.reduce((sum, { amount }) => sum + amount, 0);
    this.#changed(order, back >= order.paid ? 'refunded' : null);
    return refund;
  }

  /** The money stays where it is, unless it says otherwise. */
  cancel(id: number, { refunds = false }: { readonly refunds?: boolean } = {}): Order {
    this.orders.cancel(id, { refunds });
    return this.#changed(this.#must(id), 'cancelled');
  }

  /** Deletes it: a webhook has its number and nothing else. */
  trash(id: number): void {
    this.#statuses.set(id, 'trash');
    this.#must(id).updatedAt = this.now();
    this.webhooks.queue(this.makeWebhook('order.deleted', { id }));
  }

  /** The order is gone for good, with the same webhook. */
  deleteOrder(id: number): void {
    this.orders.remove(id);
    this.webhooks.queue(this.makeWebhook('order.deleted', { id }));
  }

  /** Raises RangeError when there is no such customer. */
  changeCustomer(id: number, change: Partial<Omit<Customer, 'id'>>): void {
    this.customers.change(id, { updatedAt: this.now(), ...change });
    const customer = this.customers.find(id);
    if (customer === null) return;
    this.webhooks.queue(this.makeWebhook('customer.updated', customerPayload(customer, this.#facts())));
  }

  /** Makes a webhook for each topic; the platform knocks at the address for each, with a form and without a signature. */
  async subscribe(url: string): Promise<SentWebhook[]> {
    this.webhooks.subscribe(url);
    const pings: SentWebhook[] = [];
    for (const index of topics.keys()) pings.push(await this.#ping(url, index + 1));
    return pings;
  }

  /** The order as the API and a webhook would show it now. */
  payloadOf(order: Order): Record<string, unknown> {
    return orderPayload(order, this.#facts());
  }

  /** A webhook of any content, with the headers of the platform; `webhooks.send` sends it. */
  makeWebhook(topic: Topic, payload: unknown): Webhook {
    const [resource = '', event = ''] = topic.split('.');
    const id = topics.indexOf(topic) + 1;
    const second = Math.floor(this.now().getTime() / 1_000);
    return {
      topic,
      body: Buffer.from(JSON.stringify(payload)),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'WooCommerce/10.2.1 Hookshot (WordPress/6.9)',
        'X-WC-Webhook-Source': `https://${this.domain}/`,
        'X-WC-Webhook-Topic': topic,
        'X-WC-Webhook-Resource': resource,
        'X-WC-Webhook-Event': event,
        'X-WC-Webhook-ID': String(id),
        // Made of the webhook and the second, as the platform makes it: many deliveries share one.
        'X-WC-Webhook-Delivery-ID': createHash('md5').update(`${id}${second}`).digest('hex'),
      },
    };
  }

  #must(id: number): Order {
    const order = this.orders.find(id);
    if (order === null) throw new OrderRefused(`there is no order ${id}`);
    return order;
  }

  /** Each change is reported twice. */
  #changed(order: Order, status: WooStatus | null): Order {
    if (status !== null) this.#statuses.set(order.id, status);
    this.#queue('order.updated', order);
    this.#queue('order.updated', order);
    return order;
  }

  #queue(topic: Topic, order: Order): void {
    this.webhooks.queue(this.makeWebhook(topic, this.payloadOf(order)));
  }

  #ping(url: string, id: number): Promise<SentWebhook> {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'User-Agent': 'WooCommerce/10.2.1 Hookshot (WordPress/6.9)',
    };
    return this.webhooks.sendUnsigned({ topic: '', body: Buffer.from(`webhook_id=${id}`), headers }, url);
  }

  #facts(): SiteFacts {
    const shop = this;
    const { name = 'Blue Bean', consentMeta, permissions = 'read', utcOffsetHours = 9 } = this.#options;
    const { losesAuthorization = false, hasPermalinks = true } = this.#options;
    return {
      name,
      utcOffsetHours,
      permissions,
      losesAuthorization,
      hasPermalinks,
      consumerKey: this.consumerKey,
      consumerSecret: this.consumerSecret,
      customers: this.customers,
      get url() {
        return `https://${shop.domain}`;
      },
      orders: () => shop.orders.all(),
      asPluginsHaveIt: (payload) => shop.plugin(payload),
      statusOf: ({ id }) => shop.#statuses.get(id) ?? 'pending',
      roleOf: ({ id }) => (id % 25 === 0 ? 'subscriber' : 'customer'),
      hasPaid: (id) => shop.orders.ofCustomer(id).some(({ paidAt }) => paidAt !== null),
      metaOf({ consent }) {
        if (consentMeta === undefined || consent === 'not_subscribed') return [];
        const { key, value, otherwise = 'no' } = consentMeta;
        return [{ key, value: consent === 'subscribed' ? value : otherwise }];
      },
    };
  }
}
