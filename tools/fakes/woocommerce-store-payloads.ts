import { digitsOf } from '../../src/kit/money/digits.ts';
import type { Customer } from './store-customers.ts';
import { fromMinor } from './store-money.ts';
import { netOf, type Order, type OrderLine, type OrderRefund, taxOf } from './store-orders.ts';

/** Facts of the site that the REST API adds to its objects. */
export interface WooFacts {
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  /** Offset of the site's clock: payloads have local times next to those in UTC. */
  readonly utcOffsetHours: number;
  statusOf(order: Order): string;
  /** Lets plugins change an order before the API or a webhook shows it. */
  asPluginsHaveIt(payload: Record<string, unknown>): Record<string, unknown>;
  /** What plugins have left with a customer. */
  metaOf(customer: Customer): readonly { readonly key: string; readonly value: unknown }[];
  roleOf(customer: Customer): string;
  hasPaid(customerId: number): boolean;
}

/** `2026-11-22T05:31:22`, by the clock of the site; no zone, no parts of a second. */
export function siteTime(date: Date, utcOffsetHours: number): string {
  return new Date(date.getTime() + utcOffsetHours * 3_600_000).toISOString().slice(0, 19);
}

/** `2026-11-22T05:31:22`, by that of Greenwich, though nothing in it says so. */
export function gmtTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}

/** A customer as the API and webhooks show one: nothing of it is consent. */
export function customerPayload(customer: Customer, facts: WooFacts): Record<string, unknown> {
  const { id, email, phone } = customer;
  const name = { first_name: customer.firstName ?? '', last_name: customer.lastName ?? '' };
  const address = {
    ...name,
    company: '',
    address_1: '',
    address_2: '',
    city: '',
    postcode: '',
    country: 'DE',
    state: '',
  };
  return {
    id,
    ...times('date_created', customer.createdAt, facts),
    ...times('date_modified', customer.updatedAt, facts),
    email: email ?? '',
    ...name,
    role: facts.roleOf(customer),
    username: `customer${id}`,
    billing: { ...address, email: email ?? '', phone: phone ?? '' },
    shipping: { ...address, phone: '' },
    is_paying_customer: facts.hasPaid(id),
    avatar_url: '',
    meta_data: facts.metaOf(customer).map(({ key, value }, index) => ({ id: id * 10 + index, key, value })),
    _links: linksOf(`customers/${id}`, 'customers', facts),
  };
}

/** An order as the API and webhooks show it, after plugins have had their say. */
export function orderPayload(order: Order, facts: WooFacts): Record<string, unknown> {
  return facts.asPluginsHaveIt(plainOrder(order, facts));
}

function plainOrder(order: Order, facts: WooFacts): Record<string, unknown> {
  const { id, currency } = order;
  const amount = (minor: number) => fromMinor(minor, currency);
  const lines = order.lines.map((line) => sold(line, order)).filter(({ quantity }) => quantity > 0);
  const goods = lines.reduce((sum, { total }) => sum + total, 0);
  const listed = lines.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const tax = lines.reduce((sum, line) => sum + line.tax, 0);
  const tip =
    order.tip > 0
      ? [{ id: id + 1, name: 'Tip', tax_class: '', total: amount(order.tip), total_tax: amount(0) }]
      : [];
  const name = { first_name: order.firstName ?? '', last_name: order.lastName ?? '' };
  const status = facts.statusOf(order);
  return {
    id,
    parent_id: 0,
    status,
    currency,
    version: '10.2.1',
    prices_include_tax: order.taxesIncluded,
    ...times('date_created', order.createdAt, facts),
    ...times('date_modified', order.updatedAt, facts),
    discount_total: amount(listed - goods),
    discount_tax: amount(0),
    shipping_total: amount(order.shipping),
    shipping_tax: amount(0),
    cart_tax: amount(tax),
    total: amount(goods + tax + order.shipping + order.tip),
    total_tax: amount(tax),
    customer_id: order.customerId ?? 0,
    order_key: `wc_order_${id.toString(36)}`,
    billing: { ...name, company: '', country: 'DE', email: order.email ?? '', phone: order.phone ?? '' },
    shipping: { ...name, company: '', country: 'DE', phone: '' },
    payment_method: 'bogus',
    payment_method_title: 'Bogus',
    transaction_id: '',
    customer_ip_address: '',
    customer_user_agent: '',
    created_via: 'checkout',
    customer_note: '',
    ...times('date_completed', status === 'completed' ? order.updatedAt : null, facts),
    ...times('date_paid', order.paidAt, facts),
    cart_hash: '',
    number: String(id),
    meta_data: [],
    line_items: lines.map((line) => linePayload(line, order)),
    tax_lines:
      tax > 0
        ? [
            {
              id: id + 2,
              rate_code: 'VAT',
              rate_id: 1,
              label: 'VAT',
              compound: false,
              tax_total: amount(tax),
              shipping_tax_total: amount(0),
            },
          ]
        : [],
    shipping_lines:
      order.shipping > 0
        ? [
            {
              id: id + 3,
              method_title: 'Flat rate',
              method_id: 'flat_rate',
              total: amount(order.shipping),
              total_tax: amount(0),
              taxes: [],
            },
          ]
        : [],
    fee_lines: tip,
    coupon_lines:
      listed > goods
        ? [{ id: id + 4, code: 'welcome', discount: amount(listed - goods), discount_tax: amount(0) }]
        : [],
    refunds: refundsOf(order).map((refund) => ({
      id: refund.id,
      reason: refund.note ?? '',
      total: `-${amount(refund.amount)}`,
    })),
    payment_url: '',
    is_editable: status === 'pending' || status === 'on-hold',
    needs_payment: status === 'pending',
    needs_processing: true,
    currency_symbol: currency,
    _links: linksOf(`orders/${id}`, 'orders', facts),
  };
}

/** Refunds with money: lines that are taken off an order disappear without one. */
export function refundsOf({ refunds }: Order): OrderRefund[] {
  return refunds.filter(({ reason }) => reason !== 'edit');
}

/** A refund as its own endpoint shows it: quantities and amounts of lines are negative there. */
export function refundPayload(refund: OrderRefund, order: Order, facts: WooFacts): Record<string, unknown> {
  const amount = (minor: number) => fromMinor(minor, order.currency);
  return {
    id: refund.id,
    parent_id: order.id,
    ...times('date_created', refund.createdAt, facts),
    amount: amount(refund.amount),
    reason: refund.note ?? '',
    refunded_by: 1,
    refunded_payment: true,
    meta_data: [],
    line_items: refund.lines.map((line) => {
      const total = `-${amount(order.taxesIncluded ? line.subtotal - line.tax : line.subtotal)}`;
      return {
        id: line.id,
        name: order.lines.find(({ id }) => id === line.lineId)?.title ?? '',
        product_id: 93,
        variation_id: 0,
        quantity: -line.quantity,
        tax_class: '',
        subtotal: total,
        subtotal_tax: `-${amount(line.tax)}`,
        total,
        total_tax: `-${amount(line.tax)}`,
        taxes: [],
        meta_data: [{ id: line.id, key: '_refunded_item_id', value: String(line.lineId) }],
        sku: '',
        price: 0,
      };
    }),
    shipping_lines:
      refund.shipping > 0
        ? [{ id: refund.id + 1, method_id: 'flat_rate', total: `-${amount(refund.shipping)}` }]
        : [],
    tax_lines: [],
    fee_lines: [],
    _links: linksOf(`orders/${order.id}/refunds/${refund.id}`, `orders/${order.id}/refunds`, facts),
  };
}

interface SoldLine {
  readonly line: OrderLine;
  readonly quantity: number;
  /** Before and after discounts, without tax. */
  readonly subtotal: number;
  readonly total: number;
  readonly tax: number;
}

/** A line without what was taken off the order; what was refunded stays in it. */
function sold(line: OrderLine, order: Order): SoldLine {
  const off = order.refunds
    .filter(({ reason }) => reason === 'edit')
    .flatMap(({ lines }) => lines)
    .filter(({ lineId }) => lineId === line.id);
  const quantity = line.quantity - off.reduce((sum, part) => sum + part.quantity, 0);
  const tax = taxOf(line, order) - off.reduce((sum, part) => sum + part.tax, 0);
  const net = netOf(line) - off.reduce((sum, part) => sum + part.subtotal, 0);
  const total = order.taxesIncluded ? net - tax : net;
  const discount = quantity === 0 ? 0 : Math.round((line.discount * quantity) / line.quantity);
  const untaxedDiscount = order.taxesIncluded ? Math.round(discount / (1 + line.taxRate / 100)) : discount;
  return { line, quantity, subtotal: total + untaxedDiscount, total, tax };
}

function linePayload(
  { line, quantity, subtotal, total, tax }: SoldLine,
  { currency }: Order,
): Record<string, unknown> {
  const amount = (minor: number) => fromMinor(minor, currency);
  return {
    id: line.id,
    name: line.title,
    product_id: 93,
    variation_id: 0,
    quantity,
    tax_class: '',
    subtotal: amount(subtotal),
    subtotal_tax: amount(tax),
    total: amount(total),
    total_tax: amount(tax),
    taxes: tax > 0 ? [{ id: 1, total: amount(tax), subtotal: amount(tax) }] : [],
    meta_data: [],
    sku: `SKU-${line.title.length}`,
    price: total / quantity / 10 ** digitsOf(currency),
    image: { id: '', src: '' },
    parent_name: null,
  };
}

function times(name: string, date: Date | null, { utcOffsetHours }: WooFacts): Record<string, string | null> {
  return { [name]: date && siteTime(date, utcOffsetHours), [`${name}_gmt`]: date && gmtTime(date) };
}

function linksOf(path: string, collection: string, { url }: WooFacts): Record<string, unknown> {
  const root = `${url}/wp-json/wc/v3`;
  return { self: [{ href: `${root}/${path}` }], collection: [{ href: `${root}/${collection}` }] };
}
