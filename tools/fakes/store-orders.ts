import type { Customer, StoreCustomers } from './store-customers.ts';
import { share, toMinor } from './store-money.ts';

/** An order of a simulated store. Amounts are in the smallest unit of its currency. */
export interface Order {
  readonly id: number;
  readonly number: number;
  readonly currency: string;
  /** Null for a guest. */
  readonly customerId: number | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly isTest: boolean;
  /** Whether prices hold the tax. */
  readonly taxesIncluded: boolean;
  readonly lines: OrderLine[];
  readonly shipping: number;
  readonly tip: number;
  readonly createdAt: Date;
  updatedAt: Date;
  paidAt: Date | null;
  /** What was paid of it. */
  paid: number;
  cancelledAt: Date | null;
  readonly refunds: OrderRefund[];
}

export interface OrderLine {
  readonly id: number;
  readonly title: string;
  readonly quantity: number;
  /** How many of them are neither refunded nor taken off the order. */
  left: number;
  readonly unitPrice: number;
  /** Of the whole line. */
  readonly discount: number;
  readonly taxRate: number;
  readonly isGiftCard: boolean;
}

/** Goods or money that went back; lines that were taken off an order are such a thing too, without money. */
export interface OrderRefund {
  readonly id: number;
  readonly createdAt: Date;
  readonly note: string | null;
  readonly lines: readonly RefundLine[];
  readonly shipping: number;
  /** What was given back for none of the lines; negative: less than the lines are worth was given back. */
  readonly discrepancy: number;
  /** The money. */
  readonly amount: number;
  readonly reason: 'return' | 'edit' | 'cancel';
}

export interface RefundLine {
  readonly id: number;
  readonly lineId: number;
  readonly quantity: number;
  /** With the tax, where prices hold it. */
  readonly subtotal: number;
  readonly tax: number;
}

/** A line of an order; amounts such as `12.50`. */
export interface LinePlan {
  readonly title?: string;
  readonly price: string;
  readonly quantity?: number;
  /** Off the whole line. */
  readonly discount?: string;
  /** In percent. */
  readonly taxRate?: number;
  readonly isGiftCard?: boolean;
}

/** An order to be placed. `total` is a short form for one line of that price. */
export interface OrderPlan {
  readonly customerId?: number;
  /** A guest's; no customer's where neither is said. */
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly total?: string;
  readonly lines?: readonly LinePlan[];
  readonly currency?: string;
  readonly shipping?: string;
  readonly tip?: string;
  readonly taxesIncluded?: boolean;
  readonly isTest?: boolean;
  /** Paid at once; it is not unless it says so. */
  readonly paid?: boolean;
}

/** What changes; lines that are taken off are named by their number, or their place from 0. */
export interface EditPlan {
  readonly add?: readonly LinePlan[];
  readonly remove?: readonly { readonly line: number; readonly quantity?: number }[];
}

/** What goes back: everything that is left unless it says so. */
export interface RefundPlan {
  readonly lines?: readonly { readonly line: number; readonly quantity?: number }[];
  /** The money for goods: with lines instead of what they are worth, without lines as a gesture. */
  readonly amount?: string;
  readonly shipping?: string;
  readonly note?: string;
}

/** A person asked for what the store cannot do; the message says why. */
export class OrderRefused extends Error {}

interface Numbers {
  /** Of the order, its lines and refunds: a new one each time, and greater. */
  next(): number;
}

/** The orders of a simulated store, and their lives. */
export class StoreOrders {
  readonly #orders = new Map<number, Order>();
  readonly #byCustomer = new Map<number, Order[]>();
  #placed = 0;
  readonly #customers: StoreCustomers;
  readonly #numbers: Numbers;
  readonly #currency: string;
  readonly #now: () => Date;

  constructor(options: {
    readonly customers: StoreCustomers;
    readonly numbers: Numbers;
    readonly currency: string;
    readonly now: () => Date;
  }) {
    this.#customers = options.customers;
    this.#numbers = options.numbers;
    this.#currency = options.currency;
    this.#now = options.now;
  }

  /** In the order in which they were placed. */
  all(): Order[] {
    return [...this.#orders.values()];
  }

  find(id: number): Order | null {
    return this.#orders.get(id) ?? null;
  }

  /** Those of a customer, in the order in which they were placed. */
  ofCustomer(id: number): readonly Order[] {
    return this.#byCustomer.get(id) ?? [];
  }

  place(plan: OrderPlan): Order {
    const { currency = this.#currency, total, lines = [{ price: total ?? '10.00' }] } = plan;
    const customer = this.#customerOf(plan);
    const at = this.#now();
    const order: Order = {
      id: this.#numbers.next(),
      number: 1001 + this.#placed++,
      currency,
      customerId: customer?.id ?? null,
      email: plan.email === undefined ? (customer?.email ?? null) : plan.email,
      phone: plan.phone === undefined ? (customer?.phone ?? null) : plan.phone,
      firstName: plan.firstName ?? customer?.firstName ?? null,
      lastName: plan.lastName ?? customer?.lastName ?? null,
      isTest: plan.isTest ?? false,
      taxesIncluded: plan.taxesIncluded ?? false,
      lines: lines.map((line) => this.#lineOf(line, currency)),
      shipping: amountOf(plan.shipping, currency),
      tip: amountOf(plan.tip, currency),
      createdAt: at,
      updatedAt: at,
      paidAt: null,
      paid: 0,
      cancelledAt: null,
      refunds: [],
    };
    this.#orders.set(order.id, order);
    if (customer !== null) this.#byCustomer.set(customer.id, [...this.ofCustomer(customer.id), order]);
    if (plan.paid) this.pay(order.id);
    return order;
  }

  pay(id: number): Order {
    const order = this.#alive(id);
    const due = totalOf(order) - order.paid;
    if (due <= 0 && order.paidAt !== null) throw new OrderRefused(`order ${id} is paid`);
    order.paid += due;
    order.paidAt ??= this.#now();
    return this.#touched(order);
  }

  edit(id: number, { add = [], remove = [] }: EditPlan): Order {
    const order = this.#alive(id);
    if (add.length + remove.length === 0) throw new OrderRefused('an edit adds or removes lines');
    const lines = add.map((line) => this.#lineOf(line, order.currency));
    const refund = remove.length > 0 ? this.#takeBack(order, remove) : null;
    order.lines.push(...lines);
    if (refund !== null) {
      const rest = { note: null, shipping: 0, discrepancy: 0, amount: 0, reason: 'edit' } as const;
      order.refunds.push({ id: this.#numbers.next(), createdAt: this.#now(), lines: refund, ...rest });
    }
    return this.#touched(order);
  }

  refund(id: number, plan: RefundPlan = {}): OrderRefund {
    const order = this.#must(id);
    if (order.paidAt === null) throw new OrderRefused(`order ${id} is not paid, so nothing can be refunded`);
    const { amount, shipping, note = null } = plan;
    const isWhole = plan.lines === undefined && amount === undefined && shipping === undefined;
    const wanted = plan.lines ?? (isWhole ? order.lines.map(({ id: line }) => ({ line })) : []);
    const shippingBack = isWhole
      ? order.shipping - shippingBackOf(order)
      : amountOf(shipping, order.currency);
    if (shippingBack > order.shipping - shippingBackOf(order))
      throw new OrderRefused(`order ${id} has less shipping than that left to be refunded`);
    const forGoods = amount === undefined ? null : amountOf(amount, order.currency);
    const planned = this.#planLines(order, wanted, isWhole);
    const worth = planned.reduce((sum, line) => sum + worthOf(line, order), 0);
    const left = order.paid - moneyBackOf(order);
    // Of an order that is paid in part, or was refunded in part already, a customer gets no more back than is there.
    const asked = (forGoods ?? worth) + shippingBack;
    const money = isWhole ? Math.min(asked, left) : asked;
    if (money > left) throw new OrderRefused(`order ${id} has less than that left to be refunded`);
    this.#take(order, planned);
    const refund: OrderRefund = {
      id: this.#numbers.next(),
      createdAt: this.#now(),
      note,
      lines: planned,
      shipping: shippingBack,
      discrepancy: money - shippingBack - worth,
      amount: money,
      reason: 'return',
    };
    order.refunds.push(refund);
    this.#touched(order);
    return refund;
  }

  /** What was paid goes back, unless it says otherwise. Gives the refund, when there is one. */
  cancel(id: number, { refunds = true } = {}): OrderRefund | null {
    const order = this.#alive(id);
    order.cancelledAt = this.#now();
    this.#touched(order);
    if (!refunds || order.paidAt === null || order.paid === moneyBackOf(order)) return null;
    this.refund(id);
    const last = order.refunds.pop();
    if (last === undefined) return null;
    const refund: OrderRefund = { ...last, reason: 'cancel' };
    order.refunds.push(refund);
    return refund;
  }

  /** Nothing is left of it. */
  remove(id: number): void {
    const { customerId } = this.#must(id);
    this.#orders.delete(id);
    if (customerId === null) return;
    this.#byCustomer.set(
      customerId,
      this.ofCustomer(customerId).filter((order) => order.id !== id),
    );
  }

  #customerOf({ customerId }: OrderPlan): Customer | null {
    if (customerId === undefined) return null;
    const customer = this.#customers.find(customerId);
    if (customer === null) throw new OrderRefused(`there is no customer ${customerId}`);
    return customer;
  }

  #lineOf(plan: LinePlan, currency: string): OrderLine {
    const { title = 'Coffee beans', quantity = 1, taxRate = 0, isGiftCard = false } = plan;
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > 1_000_000)
      throw new OrderRefused('quantity must be a whole number from 1');
    const unitPrice = amountOf(plan.price, currency);
    const discount = amountOf(plan.discount, currency);
    if (discount > unitPrice * quantity) throw new OrderRefused('a discount cannot exceed the price');
    const id = this.#numbers.next();
    return { id, title, quantity, left: quantity, unitPrice, discount, taxRate, isGiftCard };
  }

  #takeBack(
    order: Order,
    wanted: readonly { readonly line: number; readonly quantity?: number }[],
  ): RefundLine[] {
    const planned = this.#planLines(order, wanted, false);
    this.#take(order, planned);
    return planned;
  }

  #planLines(
    order: Order,
    wanted: readonly { readonly line: number; readonly quantity?: number }[],
    skipsEmpty: boolean,
  ): RefundLine[] {
    return wanted.flatMap(({ line: name, quantity }) => {
      const line = order.lines.find(({ id }) => id === name) ?? order.lines[name];
      if (line === undefined) throw new OrderRefused(`order ${order.id} has no line ${name}`);
      const count = quantity ?? line.left;
      if (count === 0 && skipsEmpty) return [];
      if (!Number.isInteger(count) || count < 1 || count > line.left)
        throw new OrderRefused(`line ${name} has ${line.left} left`);
      const before = line.quantity - line.left;
      const subtotal = share(netOf(line), before, count, line.quantity);
      const tax = share(taxOf(line, order), before, count, line.quantity);
      return [{ id: this.#numbers.next(), lineId: line.id, quantity: count, subtotal, tax }];
    });
  }

  #take(order: Order, planned: readonly RefundLine[]): void {
    for (const { lineId, quantity } of planned) {
      const line = order.lines.find(({ id }) => id === lineId);
      if (line !== undefined) line.left -= quantity;
    }
  }

  #alive(id: number): Order {
    const order = this.#must(id);
    if (order.cancelledAt !== null) throw new OrderRefused(`order ${id} is cancelled`);
    return order;
  }

  #must(id: number): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new OrderRefused(`there is no order ${id}`);
    return order;
  }

  #touched(order: Order): Order {
    order.updatedAt = this.#now();
    return order;
  }
}

/** The price of a line after its discount. */
export function netOf({ unitPrice, quantity, discount }: OrderLine): number {
  return unitPrice * quantity - discount;
}

/** The tax of a line: in its price, or on top of it. */
export function taxOf(line: OrderLine, { taxesIncluded }: Pick<Order, 'taxesIncluded'>): number {
  const net = netOf(line);
  const rate = line.isGiftCard ? 0 : line.taxRate / 100;
  return Math.round(taxesIncluded ? net - net / (1 + rate) : net * rate);
}

/** Goods after discounts, with those that went back. */
export function subtotalOf({ lines }: Order): number {
  return lines.reduce((sum, line) => sum + netOf(line), 0);
}

/** Goods after discounts, without those that went back. */
export function currentSubtotalOf({ lines }: Order): number {
  return lines.reduce(
    (sum, line) => sum + share(netOf(line), line.quantity - line.left, line.left, line.quantity),
    0,
  );
}

export function taxesOf(order: Order): number {
  return order.lines.reduce((sum, line) => sum + taxOf(line, order), 0);
}

export function currentTaxesOf(order: Order): number {
  return order.lines.reduce(
    (sum, line) => sum + share(taxOf(line, order), line.quantity - line.left, line.left, line.quantity),
    0,
  );
}

/** All that is to be paid for it, before anything went back with money; lines that were taken off count no more. */
export function totalOf(order: Order): number {
  const tax = order.taxesIncluded ? 0 : taxesOf(order);
  const takenOff = order.refunds
    .filter(({ reason }) => reason === 'edit')
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + worthOf(line, order), 0);
  return subtotalOf(order) + tax + order.shipping + order.tip - takenOff;
}

/** The money that went back. */
export function moneyBackOf({ refunds }: Order): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

function shippingBackOf({ refunds }: Order): number {
  return refunds.reduce((sum, { shipping }) => sum + shipping, 0);
}

function worthOf({ subtotal, tax }: RefundLine, { taxesIncluded }: Pick<Order, 'taxesIncluded'>): number {
  return taxesIncluded ? subtotal : subtotal + tax;
}

function amountOf(amount: string | undefined, currency: string): number {
  if (amount === undefined) return 0;
  try {
    return toMinor(amount, currency);
  } catch (error) {
    throw new OrderRefused(error instanceof Error ? error.message : String(error));
  }
}
