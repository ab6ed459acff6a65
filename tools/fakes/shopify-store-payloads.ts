import { digitsOf } from '../../src/kit/money/digits.ts';
import {
  currentTotalOf,
  financialStatus,
  gid,
  type Presentment,
  presented,
  restockOf,
} from './shopify-store-objects.ts';
import type { Customer } from './store-customers.ts';
import { fromMinor } from './store-money.ts';
import {
  currentSubtotalOf,
  currentTaxesOf,
  type Order,
  type OrderLine,
  type OrderRefund,
  subtotalOf,
  taxesOf,
  taxOf,
  totalOf,
} from './store-orders.ts';

/** What the bodies of webhooks need to know of their shop. */
export interface PayloadFacts {
  readonly presentment: Presentment | null;
  findCustomer(id: number): Customer | null;
}

/** `2026-11-22T01:31:22-04:00`: in the time zone of the shop, without parts of a second. */
export function localTime(date: Date): string {
  const offsetHours = 4;
  return `${new Date(date.getTime() - offsetHours * 3_600_000).toISOString().slice(0, 19)}-04:00`;
}

/** An order as webhooks carry it: in the shape of the REST API. */
export function orderPayload(order: Order, facts: PayloadFacts): Record<string, unknown> {
  const customer = order.customerId === null ? null : facts.findCustomer(order.customerId);
  const total = subtotalOf(order) + (order.taxesIncluded ? 0 : taxesOf(order)) + order.shipping + order.tip;
  const discounts = order.lines.reduce((sum, { discount }) => sum + discount, 0);
  const listed = order.lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  const shippingBack = order.refunds.reduce((sum, { shipping }) => sum + shipping, 0);
  const amount = (minor: number) => fromMinor(minor, order.currency);
  const set = (minor: number) => moneySet(minor, order, facts);
  const cancelledAt = order.cancelledAt && localTime(order.cancelledAt);
  return {
    id: order.id,
    admin_graphql_api_id: gid('Order', order.id),
    app_id: 580_111,
    browser_ip: null,
    cancel_reason: order.cancelledAt && 'customer',
    cancelled_at: cancelledAt,
    cart_token: null,
    closed_at: cancelledAt,
    confirmation_number: `C${order.number}`,
    confirmed: true,
    contact_email: order.email,
    created_at: localTime(order.createdAt),
    currency: order.currency,
    current_shipping_price_set: set(order.shipping - shippingBack),
    current_subtotal_price: amount(currentSubtotalOf(order)),
    current_subtotal_price_set: set(currentSubtotalOf(order)),
    current_total_discounts: amount(discounts),
    current_total_duties_set: null,
    current_total_price: amount(currentTotalOf(order)),
    current_total_price_set: set(currentTotalOf(order)),
    current_total_tax: amount(currentTaxesOf(order)),
    current_total_tax_set: set(currentTaxesOf(order)),
    customer_locale: 'en',
    discount_codes:
      discounts > 0 ? [{ code: 'WELCOME', amount: amount(discounts), type: 'fixed_amount' }] : [],
    email: order.email ?? '',
    estimated_taxes: false,
    financial_status: financialStatus(order),
    fulfillment_status: null,
    location_id: null,
    merchant_of_record_app_id: null,
    name: `#${order.number}`,
    note: null,
    note_attributes: [],
    number: order.number - 1000,
    order_number: order.number,
    original_total_duties_set: null,
    payment_gateway_names: ['bogus'],
    phone: order.phone,
    presentment_currency: facts.presentment?.currency ?? order.currency,
    processed_at: localTime(order.createdAt),
    source_name: 'web',
    subtotal_price: amount(subtotalOf(order)),
    subtotal_price_set: set(subtotalOf(order)),
    tags: '',
    tax_exempt: false,
    tax_lines: order.lines.flatMap((line) => taxLines(line, order, facts)),
    taxes_included: order.taxesIncluded,
    test: order.isTest,
    token: `${order.id}`,
    total_cash_rounding_payment_adjustment_set: set(0),
    total_discounts: amount(discounts),
    total_discounts_set: set(discounts),
    total_line_items_price: amount(listed),
    total_line_items_price_set: set(listed),
    total_outstanding: amount(Math.max(0, totalOf(order) - order.paid)),
    total_price: amount(total),
    total_price_set: set(total),
    total_shipping_price_set: set(order.shipping),
    total_tax: amount(taxesOf(order)),
    total_tax_set: set(taxesOf(order)),
    total_tip_received: amount(order.tip),
    total_weight: 0,
    updated_at: localTime(order.updatedAt),
    user_id: null,
    billing_address: addressPayload(order),
    customer: customer && customerPayload(customer),
    discount_applications:
      discounts > 0
        ? [
            {
              target_type: 'line_item',
              type: 'discount_code',
              value: amount(discounts),
              value_type: 'fixed_amount',
              allocation_method: 'across',
              target_selection: 'all',
              code: 'WELCOME',
            },
          ]
        : [],
    fulfillments: [],
    line_items: order.lines.map((line) => linePayload(line, order, facts)),
    payment_terms: null,
    refunds: order.refunds.map((refund) => refundPayload(refund, order, facts)),
    shipping_address: addressPayload(order),
    shipping_lines:
      order.shipping > 0
        ? [
            {
              id: order.id + 1,
              code: 'Standard',
              price: amount(order.shipping),
              price_set: set(order.shipping),
              discounted_price: amount(order.shipping),
              discounted_price_set: set(order.shipping),
              is_removed: false,
              title: 'Standard',
              tax_lines: [],
              discount_allocations: [],
            },
          ]
        : [],
  };
}

/** A refund as webhooks carry it. */
export function refundPayload(
  refund: OrderRefund,
  order: Order,
  facts: PayloadFacts,
): Record<string, unknown> {
  const { id, createdAt, note, lines, discrepancy, shipping, amount: money, reason } = refund;
  const at = localTime(createdAt);
  const amount = (minor: number) => fromMinor(minor, order.currency);
  const set = (minor: number) => moneySet(minor, order, facts);
  const number = (minor: number) => minor / 10 ** digitsOf(order.currency);
  return {
    id,
    order_id: order.id,
    created_at: at,
    note,
    user_id: null,
    processed_at: at,
    restock: reason !== 'edit',
    duties: [],
    total_duties_set: set(0),
    return: null,
    admin_graphql_api_id: gid('Refund', id),
    refund_line_items: lines.map((line) => {
      const sold = order.lines.find((item) => item.id === line.lineId);
      return {
        id: line.id,
        line_item_id: line.lineId,
        location_id: null,
        quantity: line.quantity,
        restock_type: restockOf(reason),
        subtotal: number(line.subtotal),
        subtotal_set: set(line.subtotal),
        total_tax: number(line.tax),
        total_tax_set: set(line.tax),
        line_item: sold && linePayload(sold, order, facts),
      };
    }),
    transactions:
      money === 0
        ? []
        : [
            {
              id: id + 1,
              admin_graphql_api_id: gid('OrderTransaction', id + 1),
              order_id: order.id,
              parent_id: order.id,
              amount: amount(money),
              currency: order.currency,
              created_at: at,
              processed_at: at,
              gateway: 'bogus',
              kind: 'refund',
              message: null,
              source_name: 'web',
              status: 'success',
              test: order.isTest,
              user_id: null,
            },
          ],
    order_adjustments:
      discrepancy === 0
        ? []
        : [
            {
              id: id + 2,
              order_id: order.id,
              refund_id: id,
              amount: amount(-discrepancy),
              amount_set: set(-discrepancy),
              kind: 'refund_discrepancy',
              reason: 'Refund discrepancy',
              tax_amount: amount(0),
              tax_amount_set: set(0),
            },
          ],
    refund_shipping_lines:
      shipping === 0
        ? []
        : [
            {
              id: id + 3,
              subtotal_amount_set: set(shipping),
              tax_amount_set: set(0),
              shipping_line: { id: order.id + 1, price: amount(order.shipping), title: 'Standard' },
            },
          ],
  };
}

/** A customer as webhooks carry one. */
export function customerPayload(customer: Customer): Record<string, unknown> {
  const { id, email, firstName, lastName, phone, consent } = customer;
  const updatedAt = localTime(customer.updatedAt);
  return {
    id,
    admin_graphql_api_id: gid('Customer', id),
    created_at: localTime(customer.createdAt),
    updated_at: updatedAt,
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
    state: 'disabled',
    note: null,
    verified_email: true,
    multipass_identifier: null,
    tax_exempt: false,
    tax_exemptions: [],
    tags: '',
    currency: 'EUR',
    email_marketing_consent: email && {
      state: consent,
      opt_in_level: consent === 'subscribed' ? 'single_opt_in' : null,
      consent_updated_at: consent === 'not_subscribed' ? null : updatedAt,
    },
    sms_marketing_consent: null,
    default_address: null,
  };
}

function addressPayload({ firstName, lastName, phone }: Order): Record<string, unknown> | null {
  if (firstName === null && lastName === null) return null;
  return {
    first_name: firstName,
    last_name: lastName,
    name: [firstName, lastName].filter((name) => name !== null).join(' '),
    company: null,
    phone,
    address1: null,
    address2: null,
    city: null,
    zip: null,
    province: null,
    country: 'Germany',
    country_code: 'DE',
  };
}

function linePayload(line: OrderLine, order: Order, facts: PayloadFacts): Record<string, unknown> {
  const { id, title, quantity, left, unitPrice, discount, isGiftCard } = line;
  const amount = (minor: number) => fromMinor(minor, order.currency);
  const set = (minor: number) => moneySet(minor, order, facts);
  return {
    id,
    admin_graphql_api_id: gid('LineItem', id),
    current_quantity: left,
    fulfillable_quantity: left,
    fulfillment_service: 'manual',
    fulfillment_status: null,
    gift_card: isGiftCard,
    grams: 0,
    name: title,
    price: amount(unitPrice),
    price_set: set(unitPrice),
    product_exists: true,
    product_id: 7_000_001,
    properties: [],
    quantity,
    requires_shipping: !isGiftCard,
    sku: `SKU-${title.length}`,
    taxable: !isGiftCard,
    title,
    // Excludes discounts of codes, which are in the allocations.
    total_discount: amount(0),
    total_discount_set: set(0),
    variant_id: 8_000_001,
    variant_inventory_management: 'shopify',
    variant_title: null,
    vendor: 'Example',
    tax_lines: taxLines(line, order, facts),
    duties: [],
    discount_allocations:
      discount > 0
        ? [{ amount: amount(discount), amount_set: set(discount), discount_application_index: 0 }]
        : [],
  };
}

function taxLines(line: OrderLine, order: Order, facts: PayloadFacts): Record<string, unknown>[] {
  if (line.taxRate === 0 || line.isGiftCard) return [];
  const tax = taxOf(line, order);
  return [
    {
      channel_liable: false,
      price: fromMinor(tax, order.currency),
      price_set: moneySet(tax, order, facts),
      rate: line.taxRate / 100,
      title: 'VAT',
    },
  ];
}

function moneySet(
  minor: number,
  { currency }: Order,
  { presentment }: PayloadFacts,
): Record<string, unknown> {
  const own = { amount: fromMinor(minor, currency), currency_code: currency };
  if (presentment === null) return { shop_money: own, presentment_money: own };
  const foreign = fromMinor(presented(minor, currency, presentment), presentment.currency);
  return { shop_money: own, presentment_money: { amount: foreign, currency_code: presentment.currency } };
}
