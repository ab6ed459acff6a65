import { digitsOf } from '../../src/kit/money/digits.ts';
import { listing, type Source } from './shopify-store-query.ts';
import type { Customer } from './store-customers.ts';
import {
  currentSubtotalOf,
  currentTaxesOf,
  moneyBackOf,
  netOf,
  type Order,
  type OrderLine,
  type OrderRefund,
  subtotalOf,
  taxesOf,
  taxOf,
  totalOf,
} from './store-orders.ts';

/** What customers of a foreign currency see: so much of it for one of the shop's own. */
export interface Presentment {
  readonly currency: string;
  readonly rate: number;
}

/** What the objects of a shop need to know of it. */
export interface ShopFacts {
  readonly currency: string;
  readonly presentment: Presentment | null;
  /** In the order in which they were placed. */
  ordersOf(customerId: number): readonly Order[];
  findCustomer(id: number): Customer | null;
  /** A page of orders, with the arguments of the field. */
  listOrders(orders: readonly Order[], args: Readonly<Record<string, unknown>>): unknown;
}

/** `2026-11-22T05:31:22Z`: the platform knows no parts of a second. */
export function secondsOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function gid(kind: string, id: number): string {
  return `gid://shopify/${kind}/${id}`;
}

/** As the REST-shaped webhooks spell it. */
export function financialStatus(order: Order): string {
  const back = moneyBackOf(order);
  if (order.paidAt === null) return order.cancelledAt === null ? 'pending' : 'voided';
  if (back > 0) return back >= order.paid ? 'refunded' : 'partially_refunded';
  return order.paid < totalOf(order) ? 'partially_paid' : 'paid';
}

/** The price of all that is left of an order. */
export function currentTotalOf(order: Order): number {
  const tax = order.taxesIncluded ? 0 : currentTaxesOf(order);
  const shippingBack = order.refunds.reduce((sum, { shipping }) => sum + shipping, 0);
  return currentSubtotalOf(order) + tax + order.shipping - shippingBack + order.tip;
}

/** A customer, as queries see one. */
export function customerSource(customer: Customer, shop: ShopFacts): Source {
  const { id, email, firstName, lastName, phone, consent } = customer;
  const state = consent.toUpperCase();
  const optedInAt = consent === 'not_subscribed' ? null : () => secondsOf(customer.updatedAt);
  return {
    id: gid('Customer', id),
    legacyResourceId: String(id),
    firstName,
    lastName,
    displayName: [firstName, lastName].filter((name) => name !== null).join(' ') || (email ?? ''),
    email,
    phone,
    locale: customer.locale,
    note: null,
    tags: [],
    state: 'DISABLED',
    verifiedEmail: true,
    taxExempt: false,
    createdAt: () => secondsOf(customer.createdAt),
    updatedAt: () => secondsOf(customer.updatedAt),
    numberOfOrders: () => String(shop.ordersOf(id).length),
    amountSpent: () =>
      money(
        shop.ordersOf(id).reduce((sum, order) => sum + order.paid - moneyBackOf(order), 0),
        shop.currency,
      ),
    defaultEmailAddress:
      email === null
        ? null
        : {
            emailAddress: email,
            marketingState: state,
            marketingOptInLevel: consent === 'subscribed' ? 'SINGLE_OPT_IN' : null,
            marketingUpdatedAt: optedInAt,
            validFormat: /^\S+@\S+\.\S+$/.test(email),
            marketingUnsubscribeUrl: `https://example.myshopify.com/account/unsubscribe/${id}`,
            openTrackingLevel: 'UNKNOWN',
          },
    defaultPhoneNumber: phone === null ? null : { phoneNumber: phone, marketingState: 'NOT_SUBSCRIBED' },
    emailMarketingConsent:
      email === null
        ? null
        : {
            marketingState: state,
            marketingOptInLevel: consent === 'subscribed' ? 'SINGLE_OPT_IN' : null,
            consentUpdatedAt: optedInAt,
          },
    orders: (args: Source) => shop.listOrders(shop.ordersOf(id), args),
  };
}

/** An order, as queries see one. */
export function orderSource(order: Order, shop: ShopFacts): Source {
  const bag = (minor: number) => () => moneyBag(minor, order, shop);
  const back = moneyBackOf(order);
  const shippingBack = order.refunds.reduce((sum, { shipping }) => sum + shipping, 0);
  const discounts = order.lines.reduce((sum, { discount }) => sum + discount, 0);
  const total = subtotalOf(order) + (order.taxesIncluded ? 0 : taxesOf(order)) + order.shipping + order.tip;
  const { presentment } = shop;
  return {
    id: gid('Order', order.id),
    legacyResourceId: String(order.id),
    name: `#${order.number}`,
    number: order.number,
    email: order.email,
    phone: order.phone,
    test: order.isTest,
    confirmed: true,
    closed: order.cancelledAt !== null,
    closedAt: order.cancelledAt && secondsOf(order.cancelledAt),
    cancelledAt: order.cancelledAt && secondsOf(order.cancelledAt),
    cancelReason: order.cancelledAt && 'CUSTOMER',
    createdAt: secondsOf(order.createdAt),
    processedAt: secondsOf(order.createdAt),
    updatedAt: secondsOf(order.updatedAt),
    currencyCode: order.currency,
    presentmentCurrencyCode: presentment?.currency ?? order.currency,
    displayFinancialStatus: financialStatus(order).toUpperCase(),
    displayFulfillmentStatus: 'UNFULFILLED',
    fullyPaid: order.paidAt !== null && order.paid >= totalOf(order),
    unpaid: order.paid < totalOf(order),
    taxesIncluded: order.taxesIncluded,
    taxExempt: false,
    edited: order.refunds.some(({ reason }) => reason === 'edit'),
    note: null,
    tags: [],
    sourceName: 'web',
    customerLocale: 'en',
    customer: () => {
      const customer = order.customerId === null ? null : shop.findCustomer(order.customerId);
      return customer && customerSource(customer, shop);
    },
    billingAddress: () => addressSource(order),
    shippingAddress: () => addressSource(order),
    subtotalPriceSet: bag(subtotalOf(order)),
    currentSubtotalPriceSet: bag(currentSubtotalOf(order)),
    totalPriceSet: bag(total),
    originalTotalPriceSet: bag(total),
    currentTotalPriceSet: bag(currentTotalOf(order)),
    totalTaxSet: bag(taxesOf(order)),
    currentTotalTaxSet: bag(currentTaxesOf(order)),
    totalDiscountsSet: bag(discounts),
    currentTotalDiscountsSet: bag(discounts),
    totalShippingPriceSet: bag(order.shipping),
    currentShippingPriceSet: bag(order.shipping - shippingBack),
    totalTipReceivedSet: bag(order.tip),
    totalRefundedSet: bag(back),
    totalRefundedShippingSet: bag(shippingBack),
    totalReceivedSet: bag(order.paid),
    totalOutstandingSet: bag(Math.max(0, totalOf(order) - order.paid)),
    netPaymentSet: bag(order.paid - back),
    refundDiscrepancySet: bag(-order.refunds.reduce((sum, { discrepancy }) => sum + discrepancy, 0)),
    currentTotalDutiesSet: null,
    subtotalLineItemsQuantity: order.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    currentSubtotalLineItemsQuantity: order.lines.reduce((sum, { left }) => sum + left, 0),
    lineItems: (args: Source) =>
      listing(
        order.lines.map((line) => lineSource(line, order, shop)),
        args,
      ),
    refunds: ({ first = Number.POSITIVE_INFINITY }: Source) =>
      order.refunds.slice(0, Number(first)).map((refund) => refundSource(refund, order, shop)),
    transactions: ({ first = Number.POSITIVE_INFINITY }: Source) =>
      [saleSource(order, shop), ...order.refunds.map((refund) => paybackSource(refund, order, shop))]
        .filter((source) => source !== null)
        .slice(0, Number(first)),
    taxLines: () => order.lines.flatMap((line) => taxSources(line, order, shop)),
  };
}

function addressSource({ id, firstName, lastName, phone }: Order): Source | null {
  if (firstName === null && lastName === null) return null;
  return {
    id: gid('MailingAddress', id),
    name: [firstName, lastName].filter((name) => name !== null).join(' '),
    firstName,
    lastName,
    company: null,
    phone,
    address1: null,
    address2: null,
    city: null,
    zip: null,
    country: 'Germany',
    countryCodeV2: 'DE',
  };
}

function lineSource(line: OrderLine, order: Order, shop: ShopFacts): Source {
  const { id, title, quantity, left, unitPrice, discount, isGiftCard } = line;
  const bag = (minor: number) => () => moneyBag(minor, order, shop);
  // The discounts are of the whole order, by a code: most amounts of a line leave them aside.
  return {
    id: gid('LineItem', id),
    name: title,
    title,
    sku: `SKU-${title.length}`,
    vendor: 'Example',
    quantity,
    currentQuantity: left,
    refundableQuantity: left,
    nonFulfillableQuantity: quantity - left,
    isGiftCard,
    taxable: !isGiftCard,
    requiresShipping: !isGiftCard,
    originalUnitPriceSet: bag(unitPrice),
    originalTotalSet: bag(unitPrice * quantity),
    discountedUnitPriceSet: bag(unitPrice),
    discountedUnitPriceAfterAllDiscountsSet: bag(Math.round(netOf(line) / quantity)),
    discountedTotalSet: ({ withCodeDiscounts = false }: Source) =>
      moneyBag(withCodeDiscounts === true ? netOf(line) : unitPrice * quantity, order, shop),
    totalDiscountSet: bag(0),
    discountAllocations: discount > 0 ? [{ allocatedAmountSet: bag(discount) }] : [],
    taxLines: () => taxSources(line, order, shop),
    duties: [],
    product: { id: gid('Product', 7_000_001), title, isGiftCard },
    variant: { id: gid('ProductVariant', 8_000_001), title: 'Default Title', sku: null },
  };
}

function taxSources(line: OrderLine, order: Order, shop: ShopFacts): Source[] {
  if (line.taxRate === 0 || line.isGiftCard) return [];
  return [
    {
      title: 'VAT',
      rate: line.taxRate / 100,
      ratePercentage: line.taxRate,
      priceSet: moneyBag(taxOf(line, order), order, shop),
      channelLiable: false,
    },
  ];
}

function refundSource(refund: OrderRefund, order: Order, shop: ShopFacts): Source {
  const bag = (minor: number) => () => moneyBag(minor, order, shop);
  const { id, createdAt, note, lines, discrepancy, shipping, reason } = refund;
  const payback = paybackSource(refund, order, shop);
  return {
    id: gid('Refund', id),
    legacyResourceId: String(id),
    createdAt: secondsOf(createdAt),
    updatedAt: secondsOf(createdAt),
    note,
    order: () => orderSource(order, shop),
    totalRefundedSet: bag(refund.amount),
    duties: [],
    refundLineItems: (args: Source) =>
      listing(
        lines.map((line) => ({
          id: gid('RefundLineItem', line.id),
          quantity: line.quantity,
          restockType: restockOf(reason).toUpperCase(),
          restocked: reason !== 'edit',
          lineItem: () => {
            const found = order.lines.find((item) => item.id === line.lineId);
            return found === undefined ? null : lineSource(found, order, shop);
          },
          priceSet: bag(Math.round(line.subtotal / line.quantity)),
          subtotalSet: bag(line.subtotal),
          totalTaxSet: bag(line.tax),
        })),
        args,
      ),
    orderAdjustments: (args: Source) =>
      listing(
        discrepancy === 0
          ? []
          : [
              {
                id: gid('OrderAdjustment', id),
                amountSet: bag(-discrepancy),
                taxAmountSet: bag(0),
                reason: 'REFUND_DISCREPANCY',
              },
            ],
        args,
      ),
    refundShippingLines: (args: Source) =>
      listing(
        shipping === 0
          ? []
          : [{ id: gid('RefundShippingLine', id), subtotalAmountSet: bag(shipping), taxAmountSet: bag(0) }],
        args,
      ),
    transactions: (args: Source) => listing(payback === null ? [] : [payback], args),
  };
}

/** The restock type of a refund. */
export function restockOf(reason: OrderRefund['reason']): string {
  return { return: 'return', edit: 'no_restock', cancel: 'cancel' }[reason];
}

function saleSource(order: Order, shop: ShopFacts): Source | null {
  if (order.paidAt === null) return null;
  return transaction(order.id, 'SALE', order.paid, order.paidAt, order, shop);
}

function paybackSource({ id, amount, createdAt }: OrderRefund, order: Order, shop: ShopFacts): Source | null {
  return amount === 0 ? null : transaction(id, 'REFUND', amount, createdAt, order, shop);
}

function transaction(
  id: number,
  kind: string,
  amount: number,
  at: Date,
  order: Order,
  shop: ShopFacts,
): Source {
  return {
    id: gid('OrderTransaction', id),
    kind,
    status: 'SUCCESS',
    gateway: 'bogus',
    test: order.isTest,
    createdAt: secondsOf(at),
    processedAt: secondsOf(at),
    amountSet: moneyBag(amount, order, shop),
  };
}

function moneyBag(minor: number, { currency }: Order, { presentment }: ShopFacts): Source {
  const shopMoney = money(minor, currency);
  if (presentment === null) return { shopMoney, presentmentMoney: shopMoney };
  return {
    shopMoney,
    presentmentMoney: money(presented(minor, currency, presentment), presentment.currency),
  };
}

/** The amount in the smallest unit of the foreign currency. */
export function presented(minor: number, currency: string, { currency: other, rate }: Presentment): number {
  return Math.round(minor * rate * 10 ** (digitsOf(other) - digitsOf(currency)));
}

/** `12.5`, `199.0`: a Decimal has no zeros at its end but one. */
function money(minor: number, currency: string): Source {
  const amount = String(minor / 10 ** digitsOf(currency));
  return { amount: amount.includes('.') ? amount : `${amount}.0`, currencyCode: currency };
}
