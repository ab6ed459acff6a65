import { type StoreAnswer, StoreTrouble } from '../connector.ts';
import { checkStatus } from '../judge-status.ts';
import { type Fields, fieldsOf, listOf, readJson, textOf } from '../read-json.ts';

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
 * by the second, and tells in each answer how many are left.
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
