import { type Authority, makeAuthority } from './authority.ts';
import { type Customer, type CustomerPlan, StoreCustomers } from './store-customers.ts';
import type { StoreFault } from './store-faults.ts';
import { StoreOrders } from './store-orders.ts';
import { type LoggedCall, StoreServer } from './store-server.ts';
import { type DeliverOptions, type SentWebhook, StoreWebhooks } from './store-webhooks.ts';

/** What can be chosen of a shop on any platform. */
export interface FakeStoreOptions {
  /** Signs its certificate; one of its own when it does not say. */
  readonly authority?: Authority;
  /** A free one when it does not say. */
  readonly port?: number;
  readonly name?: string;
  /** How many, or what they are like as well. */
  readonly customers?: number | CustomerPlan;
  readonly currency?: string;
  readonly webhookSecret?: string;
  /** Numbers of orders and what belongs to them are greater. */
  readonly ordersAbove?: number;
  readonly now?: () => Date;
  /** Prints each call and webhook, in a line. */
  readonly print?: (line: string) => void;
}

/** What the platform decides. */
interface Habits {
  readonly authorityName: string;
  /** The numbers of its customers, and of its orders. Soon they get a digit more: who compares them as texts is found out. */
  readonly customerNumbers: { readonly first: number; readonly step: number };
  readonly orderNumbers: { readonly above: number; readonly step: number };
  readonly webhooks: Omit<ConstructorParameters<typeof StoreWebhooks>[0], 'print'>;
}

type Served = Pick<Parameters<typeof StoreServer.start>[0], 'answer' | 'throttled' | 'about'>;

/** A shop on this machine, whatever its platform: an API over HTTPS, customers, orders that live, webhooks and faults. */
export abstract class FakeStore {
  /** Signs the certificate of its server. */
  readonly authority: Authority;
  readonly customers: StoreCustomers;
  readonly orders: StoreOrders;
  readonly webhooks: StoreWebhooks;
  protected readonly now: () => Date;
  readonly #print: (line: string) => void;
  readonly #port: number;
  #server: StoreServer | null = null;

  protected constructor(options: FakeStoreOptions, habits: Habits) {
    const { customers = 0, now = () => new Date(), currency = 'EUR', print = () => undefined } = options;
    const plan = typeof customers === 'number' ? { count: customers } : customers;
    this.authority = options.authority ?? makeAuthority(habits.authorityName);
    this.now = now;
    this.#print = print;
    this.#port = options.port ?? 0;
    this.customers = new StoreCustomers(plan, habits.customerNumbers);
    const { above, step } = habits.orderNumbers;
    let number = options.ordersAbove ?? above;
    const numbers = { next: () => (number += step) };
    this.orders = new StoreOrders({ customers: this.customers, numbers, currency, now });
    this.webhooks = new StoreWebhooks({ ...habits.webhooks, print });
  }

  protected async serve(served: Served): Promise<void> {
    this.#server = await StoreServer.start({
      authority: this.authority,
      port: this.#port,
      print: this.#print,
      ...served,
    });
  }

  /** `127.0.0.1:port`. */
  get domain(): string {
    return this.#running.domain;
  }

  get requests(): readonly LoggedCall[] {
    return this.#running.requests;
  }

  get webhookSecret(): string {
    return this.webhooks.secret;
  }

  /** Answers nothing at all as long as it is true. */
  set isBlackHole(value: boolean) {
    this.#running.isBlackHole = value;
  }

  fail(fault: StoreFault): void {
    this.#running.fail(fault);
  }

  /** Forgets the faults that have not happened yet. */
  recover(): void {
    this.#running.recover();
  }

  /** The customer at this place of the row, from 0. */
  customerAt(index: number): Customer {
    const customer = this.customers.at(index);
    if (customer === null) throw new RangeError(`there is no customer at place ${index}`);
    return customer;
  }

  /** Sends the webhooks that wait. */
  deliver(options: DeliverOptions = {}): Promise<SentWebhook[]> {
    return this.webhooks.deliver(options);
  }

  /** Sends the failed ones again, as the platform does, or a button of a plugin. */
  retry(): Promise<SentWebhook[]> {
    return this.webhooks.retry();
  }

  async close(): Promise<void> {
    await this.#running.close();
  }

  get #running(): StoreServer {
    if (this.#server === null) throw new Error('the shop has not been started');
    return this.#server;
  }
}
