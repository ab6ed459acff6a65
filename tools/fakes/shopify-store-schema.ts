import { Kind, parse, parseType } from 'graphql';
import { type TypeReference, typeOf } from './shopify-store-request.ts';

/** A field of a type, as the schema declares it. */
export interface FieldShape {
  readonly type: TypeReference;
  readonly arguments: ReadonlyMap<string, TypeReference>;
}

const page = 'first: Int, after: String, last: Int, before: String, reverse: Boolean';

/** The part of the Admin API that is simulated; connections and their edges follow from their names. */
const text = `
type QueryRoot {
  shop: Shop!
  currentAppInstallation: AppInstallation!
  customer(id: ID!): Customer
  customers(${page}, query: String, sortKey: CustomerSortKeys): CustomerConnection!
  customersCount(query: String, limit: Int): Count
  order(id: ID!): Order
  orders(${page}, query: String, sortKey: OrderSortKeys, savedSearchId: ID): OrderConnection!
  ordersCount(query: String, limit: Int): Count
}
type Shop { id: ID! name: String! email: String! myshopifyDomain: String! url: URL! currencyCode: CurrencyCode!
  ianaTimezone: String! timezoneOffset: String! taxesIncluded: Boolean! plan: ShopPlan! primaryDomain: Domain!
  createdAt: DateTime! }
type ShopPlan { displayName: String! partnerDevelopment: Boolean! shopifyPlus: Boolean! publicDisplayName: String! }
type Domain { id: ID! host: String! url: URL! sslEnabled: Boolean! }
type AppInstallation { id: ID! accessScopes: [AccessScope!]! }
type AccessScope { handle: String! description: String! }
type Count { count: Int! precision: CountPrecision! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type MoneyBag { shopMoney: MoneyV2! presentmentMoney: MoneyV2! }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type Customer { id: ID! legacyResourceId: UnsignedInt64! firstName: String lastName: String displayName: String!
  email: String phone: String locale: String! note: String tags: [String!]! state: CustomerState! verifiedEmail: Boolean!
  createdAt: DateTime! updatedAt: DateTime! numberOfOrders: UnsignedInt64! amountSpent: MoneyV2! taxExempt: Boolean!
  defaultEmailAddress: CustomerEmailAddress defaultPhoneNumber: CustomerPhoneNumber
  emailMarketingConsent: CustomerEmailMarketingConsentState
  orders(${page}, query: String, sortKey: OrderSortKeys): OrderConnection! }
type CustomerEmailAddress { emailAddress: String! marketingState: CustomerEmailAddressMarketingState!
  marketingOptInLevel: CustomerMarketingOptInLevel marketingUpdatedAt: DateTime validFormat: Boolean!
  marketingUnsubscribeUrl: URL! openTrackingLevel: CustomerEmailAddressOpenTrackingLevel! }
type CustomerPhoneNumber { phoneNumber: String! marketingState: CustomerSmsMarketingState! }
type CustomerEmailMarketingConsentState { marketingState: CustomerEmailMarketingState!
  marketingOptInLevel: CustomerMarketingOptInLevel consentUpdatedAt: DateTime }
type Order { id: ID! legacyResourceId: UnsignedInt64! name: String! number: Int! email: String phone: String test: Boolean!
  confirmed: Boolean! closed: Boolean! closedAt: DateTime cancelledAt: DateTime cancelReason: OrderCancelReason
  createdAt: DateTime! processedAt: DateTime! updatedAt: DateTime! currencyCode: CurrencyCode!
  presentmentCurrencyCode: CurrencyCode! displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus! fullyPaid: Boolean! unpaid: Boolean! taxesIncluded: Boolean!
  taxExempt: Boolean! edited: Boolean! note: String tags: [String!]! sourceName: String customerLocale: String
  customer: Customer billingAddress: MailingAddress shippingAddress: MailingAddress subtotalPriceSet: MoneyBag currentSubtotalPriceSet: MoneyBag! totalPriceSet: MoneyBag!
  currentTotalPriceSet: MoneyBag! originalTotalPriceSet: MoneyBag! totalTaxSet: MoneyBag currentTotalTaxSet: MoneyBag!
  totalDiscountsSet: MoneyBag currentTotalDiscountsSet: MoneyBag! totalShippingPriceSet: MoneyBag!
  currentShippingPriceSet: MoneyBag! totalTipReceivedSet: MoneyBag! totalRefundedSet: MoneyBag!
  totalRefundedShippingSet: MoneyBag! totalReceivedSet: MoneyBag! totalOutstandingSet: MoneyBag!
  netPaymentSet: MoneyBag! refundDiscrepancySet: MoneyBag! currentTotalDutiesSet: MoneyBag
  currentSubtotalLineItemsQuantity: Int! subtotalLineItemsQuantity: Int!
  lineItems(${page}): LineItemConnection! refunds(first: Int): [Refund!]!
  transactions(first: Int, capturable: Boolean, manuallyResolvable: Boolean): [OrderTransaction!]!
  taxLines: [TaxLine!]! }
type MailingAddress { id: ID! name: String firstName: String lastName: String company: String phone: String
  address1: String address2: String city: String zip: String country: String countryCodeV2: CountryCode }
type LineItem { id: ID! name: String! title: String! sku: String vendor: String quantity: Int! currentQuantity: Int!
  refundableQuantity: Int! nonFulfillableQuantity: Int! isGiftCard: Boolean! taxable: Boolean! requiresShipping: Boolean!
  originalUnitPriceSet: MoneyBag! originalTotalSet: MoneyBag! discountedUnitPriceSet: MoneyBag!
  discountedUnitPriceAfterAllDiscountsSet: MoneyBag! discountedTotalSet(withCodeDiscounts: Boolean): MoneyBag!
  totalDiscountSet: MoneyBag! discountAllocations: [DiscountAllocation!]! taxLines(first: Int): [TaxLine!]!
  duties: [Duty!]! product: Product variant: ProductVariant }
type Duty { id: ID! price: MoneyBag! }
type Product { id: ID! title: String! isGiftCard: Boolean! }
type ProductVariant { id: ID! title: String! sku: String }
type DiscountAllocation { allocatedAmountSet: MoneyBag! }
type TaxLine { title: String! rate: Float ratePercentage: Float priceSet: MoneyBag! channelLiable: Boolean }
type Refund { id: ID! legacyResourceId: UnsignedInt64! createdAt: DateTime updatedAt: DateTime! note: String order: Order!
  totalRefundedSet: MoneyBag! refundLineItems(${page}): RefundLineItemConnection!
  orderAdjustments(${page}): OrderAdjustmentConnection!
  refundShippingLines(${page}): RefundShippingLineConnection!
  transactions(${page}): OrderTransactionConnection! duties: [RefundDuty!] }
type RefundDuty { amountSet: MoneyBag! }
type RefundLineItem { id: ID quantity: Int! restockType: RefundLineItemRestockType! restocked: Boolean! lineItem: LineItem!
  priceSet: MoneyBag! subtotalSet: MoneyBag! totalTaxSet: MoneyBag! }
type OrderAdjustment { id: ID! amountSet: MoneyBag! taxAmountSet: MoneyBag! reason: OrderAdjustmentDiscrepancyReason }
type RefundShippingLine { id: ID! subtotalAmountSet: MoneyBag! taxAmountSet: MoneyBag! }
type OrderTransaction { id: ID! kind: OrderTransactionKind! status: OrderTransactionStatus! gateway: String test: Boolean!
  createdAt: DateTime! processedAt: DateTime amountSet: MoneyBag! }
`;

/** What may be said where the schema asks for one of a few words. */
export const sortKeys: Readonly<Record<string, readonly string[]>> = {
  CustomerSortKeys: ['CREATED_AT', 'ID', 'LOCATION', 'NAME', 'RELEVANCE', 'UPDATED_AT'],
  OrderSortKeys: [
    'CREATED_AT',
    'CURRENT_TOTAL_PRICE',
    'CUSTOMER_NAME',
    'DESTINATION',
    'FINANCIAL_STATUS',
    'FULFILLMENT_STATUS',
    'ID',
    'ORDER_NUMBER',
    'PO_NUMBER',
    'PROCESSED_AT',
    'RELEVANCE',
    'TOTAL_ITEMS_QUANTITY',
    'TOTAL_PRICE',
    'UPDATED_AT',
  ],
};

const types = readTypes();

/** Whether a type has fields. */
export function isObjectType(name: string): boolean {
  return types.has(name) || isConnection(name) || isEdge(name);
}

export function isConnection(name: string): boolean {
  return name.endsWith('Connection') && types.has(name.slice(0, -'Connection'.length));
}

export function isEdge(name: string): boolean {
  return name.endsWith('Edge') && types.has(name.slice(0, -'Edge'.length));
}

/** A field of a type; undefined where there is none. */
export function fieldOf(type: string, name: string): FieldShape | undefined {
  if (name === '__typename') return plain('String!');
  if (isConnection(type)) return connectionField(type.slice(0, -'Connection'.length), name);
  if (isEdge(type)) {
    if (name === 'cursor') return plain('String!');
    return name === 'node' ? plain(`${type.slice(0, -'Edge'.length)}!`) : undefined;
  }
  return types.get(type)?.get(name);
}

function connectionField(item: string, name: string): FieldShape | undefined {
  if (name === 'nodes') return plain(`[${item}!]!`);
  if (name === 'edges') return plain(`[${item}Edge!]!`);
  return name === 'pageInfo' ? plain('PageInfo!') : undefined;
}

function plain(type: string): FieldShape {
  return { type: typeOf(parseType(type)), arguments: new Map() };
}

function readTypes(): Map<string, Map<string, FieldShape>> {
  const { definitions } = parse(text, { noLocation: true });
  const objects = definitions.filter((one) => one.kind === Kind.OBJECT_TYPE_DEFINITION);
  return new Map(
    objects.map(({ name, fields = [] }) => [
      name.value,
      new Map(
        fields.map((field) => [
          field.name.value,
          {
            type: typeOf(field.type),
            arguments: new Map(field.arguments?.map((one) => [one.name.value, typeOf(one.type)])),
          },
        ]),
      ),
    ]),
  );
}
