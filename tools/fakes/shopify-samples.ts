/** A number as JSON has it: these ids are of 64 bits. */
function digits(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

function usd(amount: string) {
  const money = { amount, currency_code: 'USD' };
  return { shop_money: money, presentment_money: money };
}

const orderId = digits('820982911946154508');
const sampledAt = '2021-12-31T19:00:00-05:00';

function lineItem(id: string, price: string) {
  return {
    id: digits(id),
    admin_graphql_api_id: `gid://shopify/LineItem/${id}`,
    attributed_staffs: [],
    current_quantity: 1,
    fulfillable_quantity: 1,
    fulfillment_service: 'manual',
    fulfillment_status: null,
    gift_card: false,
    grams: 100,
    name: 'Sample',
    price,
    price_set: usd(price),
    product_exists: true,
    product_id: digits('788032119674292922'),
    properties: [],
    quantity: 1,
    requires_shipping: true,
    sales_line_item_group_id: null,
    sku: 'SAMPLE-1',
    taxable: true,
    title: 'Sample',
    total_discount: '0.00',
    total_discount_set: usd('0.00'),
    variant_id: null,
    variant_inventory_management: null,
    variant_title: null,
    vendor: null,
    tax_lines: [],
    duties: [],
    discount_allocations: [],
  };
}

/** What "Send test notification" of the admin sends for an order: it belongs to no customer, and has ids of 64 bits. */
export const sampleOrder = {
  id: orderId,
  admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
  app_id: null,
  browser_ip: null,
  buyer_accepts_marketing: true,
  cancel_reason: 'customer',
  cancelled_at: sampledAt,
  cart_token: null,
  checkout_id: null,
  client_details: null,
  closed_at: null,
  confirmation_number: null,
  confirmed: false,
  contact_email: 'grace@example.com',
  created_at: sampledAt,
  currency: 'USD',
  current_subtotal_price: '398.00',
  current_total_additional_fees_set: null,
  current_total_duties_set: null,
  current_total_price: '398.00',
  current_total_price_set: usd('398.00'),
  customer_locale: 'en',
  device_id: null,
  discount_codes: [],
  email: 'grace@example.com',
  estimated_taxes: false,
  financial_status: 'voided',
  fulfillment_status: null,
  landing_site: null,
  location_id: null,
  merchant_business_entity_id: null,
  name: '#9999',
  note: null,
  note_attributes: [],
  number: 234,
  order_number: 1234,
  original_total_duties_set: null,
  payment_gateway_names: ['visa', 'bogus'],
  phone: null,
  presentment_currency: 'USD',
  processed_at: null,
  reference: null,
  referring_site: null,
  source_name: 'web',
  subtotal_price: '388.00',
  tags: 'tag1, tag2',
  tax_exempt: false,
  tax_lines: [],
  taxes_included: false,
  test: true,
  total_discounts: '20.00',
  total_line_items_price: '398.00',
  total_price: '388.00',
  total_price_set: usd('388.00'),
  total_tax: '0.00',
  total_tip_received: '0.00',
  total_weight: 0,
  updated_at: sampledAt,
  user_id: null,
  billing_address: {
    first_name: 'Grace',
    last_name: 'Hopper',
    address2: null,
    latitude: null,
    longitude: null,
  },
  customer: {
    id: digits('115310627314723954'),
    created_at: null,
    updated_at: null,
    first_name: 'Grace',
    last_name: 'Hopper',
    state: 'disabled',
    note: null,
    verified_email: true,
    multipass_identifier: null,
    tax_exempt: false,
    email: 'grace@example.com',
    phone: null,
    currency: 'USD',
    tax_exemptions: [],
    default_address: { id: digits('715243470612851245'), customer_id: digits('115310627314723954') },
  },
  discount_applications: [],
  fulfillments: [],
  line_items: [lineItem('866550311766439020', '199.00'), lineItem('141249953214522974', '199.00')],
  payment_terms: null,
  refunds: [],
  shipping_lines: [
    { id: digits('271878346596884015'), price: '10.00', tax_lines: [], discount_allocations: [] },
  ],
  returns: [],
};

const sampleRefund = {
  id: digits('890088186047892319'),
  admin_graphql_api_id: 'gid://shopify/Refund/890088186047892319',
  created_at: sampledAt,
  note: 'Things were damaged',
  order_id: orderId,
  processed_at: sampledAt,
  restock: false,
  return: null,
  total_duties_set: usd('0.00'),
  user_id: 548380009,
  order_adjustments: [],
  transactions: [
    {
      id: digits('245135271310201194'),
      amount: '10.00',
      authorization: null,
      created_at: sampledAt,
      currency: 'USD',
      device_id: null,
      error_code: null,
      gateway: 'bogus',
      kind: 'refund',
      order_id: orderId,
      parent_id: null,
      receipt: {},
      status: 'success',
      test: true,
    },
  ],
  refund_line_items: [
    {
      id: digits('487817672276298627'),
      line_item: lineItem('487817672276298554', '199.00'),
      line_item_id: digits('487817672276298554'),
      location_id: null,
      quantity: 1,
      restock_type: 'no_restock',
      subtotal: 195.67,
      subtotal_set: usd('195.67'),
      total_tax: 0.0,
      total_tax_set: usd('0.00'),
    },
  ],
  duties: [],
  additional_fees: [],
  refund_shipping_lines: [],
};

/** The sample of a topic; privacy requests are of an unknown shop. */
export function sampleOf(topic: string): unknown {
  if (topic === 'refunds/create') return sampleRefund;
  if (topic === 'orders/delete') return { id: orderId };
  if (topic.startsWith('orders/')) return sampleOrder;
  if (topic === 'app/uninstalled')
    return { id: 548380009, domain: null, myshopify_domain: 'nobody.myshopify.com' };
  const shop = { shop_id: 954889, shop_domain: 'nobody.myshopify.com' };
  if (topic === 'shop/redact') return shop;
  const list = topic === 'customers/redact' ? 'orders_to_redact' : 'orders_requested';
  return { ...shop, customer: { id: 191167, email: 'grace@example.com', phone: null }, [list]: [299938] };
}
