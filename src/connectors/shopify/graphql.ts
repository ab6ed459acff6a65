import { type StoreAnswer, StoreTrouble } from '../connector.ts';
import { checkStatus, type Fields, fieldsOf, isFields, listOf, readJson, textOf } from '../read-answer.ts';

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
 * A question may cost 1,000 points at most, by how much it could answer. Orders with more lines are asked for one by one
 * afterwards. What still does not fit in comes by webhooks.
 */
export const mostOrders = 3;
const someLines = 25;
const manyLines = 120;
const mostRefunds = 3;
const mostRefundLines = 10;

const money = '{ shopMoney { amount } }';

function orderFields(mostLines: number): string {
  return `
      legacyResourceId name updatedAt processedAt cancelledAt displayFinancialStatus test taxesIncluded currencyCode email phone
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

/** The body of an answer; raises StoreTrouble where its status says that it is none. */
export function readBody(answer: StoreAnswer): Fields {
  checkStatus(answer, () => reasonOf(answer.body));
  return fieldsOf(readJson(answer.body, 'our question'), 'our question');
}

/** What was asked for; raises StoreTrouble for errors, which come with status 200 too. */
export function dataOf(body: Fields): Fields {
  const [error] = Array.isArray(body.errors) ? listOf(body.errors, 'our question') : [];
  if (error !== undefined) throw troubleOf(error, body);
  return fieldsOf(body.data, 'our question');
}

/**
 * How long the bucket takes to hold what the same question is charged for. The platform counts points, which come back
 * by the second, and each answer says how many are left.
 */
export function restOf(body: Fields): number {
  return Math.min(costOf(body)?.waitMs ?? 0, longestRestMs);
}

const longestRestMs = 60_000;
const usualWaitMs = 2_000;

function troubleOf(error: Fields, body: Fields): StoreTrouble {
  const { code } = isFields(error.extensions) ? error.extensions : {};
  const said = textOf(error.message, 200) ?? 'no reason is given';
  switch (code) {
    case 'THROTTLED':
      return new StoreTrouble(
        'store_throttled',
        `The store wants to be asked less often: ${said}`,
        waitOf(body),
      );
    case 'ACCESS_DENIED':
      return new StoreTrouble(
        'store_unauthorized',
        `The app of the access token lacks a permission: ${said}`,
        null,
      );
    case 'SHOP_INACTIVE':
      return new StoreTrouble('store_not_connected', `The store is closed: ${said}`, null);
    case 'INTERNAL_SERVER_ERROR':
    case 'TIMEOUT':
      return new StoreTrouble('store_unavailable', `The store is out of order: ${said}`, usualWaitMs);
    default:
      return new StoreTrouble(
        'store_answer_unreadable',
        `The store does not understand the question: ${said}`,
        null,
      );
  }
}

function waitOf(body: Fields): number {
  return Math.min(Math.max(costOf(body)?.waitMs ?? usualWaitMs, 1_000), longestRestMs);
}

function costOf({ extensions }: Fields): { waitMs: number } | null {
  const { cost } = isFields(extensions) ? extensions : {};
  const { requestedQueryCost, throttleStatus } = isFields(cost) ? cost : {};
  const { currentlyAvailable, restoreRate } = isFields(throttleStatus) ? throttleStatus : {};
  const numbers = [requestedQueryCost, currentlyAvailable, restoreRate];
  const [requested = 0, available = 0, rate = 0] = numbers.map((value) =>
    typeof value === 'number' ? value : 0,
  );
  return rate > 0 ? { waitMs: Math.max(0, Math.ceil(((requested - available) / rate) * 1_000)) } : null;
}

/** What an answer that is an error says: GraphQL has a list, and the gate before it a text. */
function reasonOf(body: Buffer): string | null {
  try {
    const { errors } = fieldsOf(readJson(body, 'the error'), 'the error');
    const [first] = Array.isArray(errors) ? errors : [errors];
    return textOf(isFields(first) ? first.message : first, 200);
  } catch {
    return null;
  }
}
