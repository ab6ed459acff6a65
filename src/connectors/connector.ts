import type { TSchema } from 'typebox';
import { invalidField } from '../kit/http/api-error.ts';
import type { Money } from '../kit/http/schemas/money.ts';

/**
 * A platform that stores run on, translated: what to ask of it and how to read its answers and webhooks. Nothing here
 * touches the network or the database. A new platform is a folder with one of these, and a line in registry.ts.
 */
export interface Connector {
  /** What the merchant gives us to read the store; null where there is nothing to read. */
  readonly credentials: TSchema | null;
  /** Whether the platform says itself who may be mailed. */
  readonly knowsConsent: boolean;
  /** Lower case, without a scheme; raises `invalid_request` for what cannot be a store of the platform. */
  readDomain(text: string): string;
  /** The topic and the name of a delivery, and its signature: base64 of the HMAC-SHA256 of the raw body. */
  readHeaders(headers: Readonly<Record<string, string | undefined>>): WebhookHeaders;
  /**
   * Reads a webhook of the store of this domain. Raises StoreTrouble if its body cannot be read. No signature covers the
   * topic, so a webhook that ends or erases something must say so in its body, too.
   */
  readWebhook(topic: string, body: Buffer, domain: string): StoreEvent;
  /** The rest where the platform can be asked. */
  readonly api: StoreApi | null;
}

/** What a store can be asked. */
export interface StoreApi {
  /** Whether the credentials are good for what we need, and the store's own name. */
  getShop(credentials: unknown): Exchange<Shop>;
  /** Customers in the order of their numbers; `after` is the number to go on behind. */
  listCustomers(credentials: unknown, after: string | null, take: number): Exchange<Page<StoreCustomer>>;
  /** Orders that were changed since, the longest ago first; `after` is what the page before gave as `next`. */
  listOrders(credentials: unknown, since: Date, after: string | null, take: number): Exchange<OrderPage>;
  /** An order of a page that could not be read then; null where it does not count here. Raises StoreTrouble. */
  readOrder(row: unknown): StoreOrder | null;
}

/** Orders, of which some may be beyond reading. */
export interface OrderPage extends Page<StoreOrder> {
  readonly unread: readonly UnreadOrder[];
}

/** An order as the store sends it, and why it cannot be read. */
export interface UnreadOrder {
  readonly row: unknown;
  readonly trouble: StoreTrouble;
}

/** A question to a store, and how its answer is read. */
export interface Exchange<T> {
  readonly request: StoreRequest;
  /** Raises StoreTrouble. */
  read(answer: StoreAnswer): T;
  /** How long to wait before the next question, in ms, so that the store does not refuse it. */
  restMs(answer: StoreAnswer): number;
}

/** What is sent to a store. */
export interface StoreRequest {
  readonly method: 'GET' | 'POST';
  /** With its query; below the store's domain. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What a store has answered, as it came. */
export interface StoreAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** The description of a store. */
export interface Shop {
  readonly name: string;
}

/** What the headers of a delivery say; null for what is missing. */
export interface WebhookHeaders {
  readonly signature: string | null;
  readonly topic: string | null;
  readonly deliveryId: string | null;
  /** A sample that a member has asked the platform for, or news of a trial order. */
  readonly isTrial?: boolean;
}

/** What has happened in a store. `other` is nothing of ours. */
export type StoreEvent =
  | { readonly kind: 'order'; readonly order: StoreOrder }
  | { readonly kind: 'uninstalled' }
  | {
      readonly kind: 'data_request' | 'customer_redact';
      readonly customerId: string | null;
      readonly email: string | null;
      readonly orderIds: readonly string[];
    }
  | { readonly kind: 'shop_redact' }
  | { readonly kind: 'other' };

/** What one piece of news says of an order. News may come in any order and any number of times. */
export interface StoreOrder {
  /** The store's number of it. */
  readonly orderId: string;
  /** The state of the order; null if the store reports only refunds, or the deletion of the order. */
  readonly state: OrderState | null;
  /** The store has thrown it away: it never earns again. */
  readonly deleted?: true;
  /** Each has its own number; the same refund may be reported several times. */
  readonly refunds: readonly { readonly refundId: string; readonly amount: Money }[];
}

/** An order at one moment of its life. */
export interface OrderState {
  /** The moment of this state, in ms since 1970: the state with the greater one is newer. */
  readonly version: number;
  /** Paid at that moment, or before: a refunded order was paid. */
  readonly paid: boolean;
  readonly cancelled: boolean;
  /** What points are earned for: goods after discounts, without taxes, shipping, tips and gift cards. Before refunds. */
  readonly total: Money;
  readonly placedAt: Date;
  /** The number that the shop shows to its customers; null where it is not said. */
  readonly number: string | null;
  /** Null where no customer is named. */
  readonly customer: OrderCustomer | null;
  /** A trial of the merchant: it earns nothing. */
  readonly test: boolean;
}

/** Who has placed an order. */
export interface OrderCustomer {
  /** The store's number of the customer; null for a guest. */
  readonly customerId: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** A customer of a store, and whether we may write to them. */
export interface StoreCustomer {
  readonly customerId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  /** `unknown`: the platform does not say. */
  readonly consent: 'granted' | 'denied' | 'unknown';
  /** What the merchant's own fields say, where the platform has any: key → value. */
  readonly meta: Readonly<Record<string, string>>;
}

/** Why a store cannot be asked, in a word that callers see as `reason`. */
export type TroubleReason =
  | 'store_not_connected'
  | 'store_unauthorized'
  | 'store_throttled'
  | 'store_unavailable'
  | 'store_answer_unreadable';

/** A store that cannot be asked. */
export class StoreTrouble extends Error {
  readonly reason: TroubleReason;
  /** Null: it does not pass by itself; else how long to wait at least, in ms. */
  readonly retryMs: number | null;
  /** The number of the order that it is about, where that is known. */
  orderId: string | null = null;

  constructor(reason: TroubleReason, message: string, retryMs: number | null) {
    super(message);
    this.reason = reason;
    this.retryMs = retryMs;
  }
}

/** Customers are named `<host>/<number>` in 255 characters. */
const longest = 150;

/** A host with a port where that is not 443, in lower case. Raises `invalid_request` for everything else. */
export function readHost(text: string): string {
  const url = URL.parse(`https://${text}`);
  const host = url?.host ?? '';
  const isPlain = url?.href === `https://${host}/` && /^[^\s/\\?#@]+$/.test(text);
  const hasDot = host.includes('.') || host.startsWith('[');
  if (!isPlain || !hasDot || host.endsWith('.'))
    throw invalidField(
      'domain',
      'pattern',
      'must be a host such as shop.example.com, without https:// and without a path.',
    );
  if (host.length > longest)
    throw invalidField('domain', 'max_length', `must have at most ${longest} characters.`, {
      limit: longest,
    });
  return host;
}
