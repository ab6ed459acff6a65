/** As many as the platform gives at a time. */
export const mostCustomers = 250;

export const shopQuery = 'query { shop { name } }';

export const customersQuery = `query($first: Int!, $query: String!) {
  customers(first: $first, sortKey: ID, query: $query) {
    pageInfo { hasNextPage endCursor }
    nodes { legacyResourceId firstName lastName locale defaultEmailAddress { emailAddress marketingState } }
  }
}`;

/**
 * A question may cost 1,000 points at most, by what it could bring home. Orders with more lines are asked for one by one
 * afterwards. Of what still does not fit in, the webhooks tell.
 */
export const mostOrders = 3;
const someLines = 25;
const manyLines = 120;
const mostRefunds = 3;
const mostRefundLines = 10;

const money = '{ shopMoney { amount } }';

function orderFields(mostLines: number): string {
  return `
      legacyResourceId updatedAt processedAt cancelledAt displayFinancialStatus test taxesIncluded currencyCode email phone
      customer {
        legacyResourceId firstName lastName
        defaultEmailAddress { emailAddress }
        defaultPhoneNumber { phoneNumber }
      }
      lineItems(first: ${mostLines}) {
        pageInfo { hasNextPage }
        nodes {
          quantity isGiftCard
          originalUnitPriceSet ${money}
          discountAllocations { allocatedAmountSet ${money} }
          taxLines { priceSet ${money} }
        }
      }
      refunds(first: ${mostRefunds}) {
        legacyResourceId
        refundLineItems(first: ${mostRefundLines}) {
          pageInfo { hasNextPage }
          nodes { lineItem { isGiftCard } subtotalSet ${money} totalTaxSet ${money} }
        }
        orderAdjustments(first: 1) { pageInfo { hasNextPage } nodes { amountSet ${money} } }
        refundShippingLines(first: 1) { nodes { id } }
        transactions(first: 1) { pageInfo { hasNextPage } nodes { kind status amountSet ${money} } }
      }`;
}

export const ordersQuery = `query($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, sortKey: UPDATED_AT, query: $query) {
    pageInfo { hasNextPage endCursor }
    nodes { ${orderFields(someLines)} }
  }
}`;

export const longOrderQuery = `query($id: ID!) {
  order(id: $id) { ${orderFields(manyLines)} }
}`;
