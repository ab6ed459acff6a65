import { invalidRequest } from '../../kit/http/api-error.ts';
import { type MinorUnits, parseMoney } from '../../kit/http/money.ts';
import type { EarnRule } from './program-row.ts';

/**
 * What an order earns, rounded down: never less for a larger total, and nothing below the rule's least order or for an
 * order of nothing. Raises `invalid_request` where that cannot be known, since the total is in another currency, and for
 * more than a balance holds.
 */
export function orderPoints(rule: EarnRule, total: MinorUnits): number {
  if (isBelow(rule.minOrder, total) || total.minor === 0) return 0;
  const perUnit = (BigInt(total.minor) * thousandths(rule.perCurrencyUnit)) / 10n ** BigInt(total.digits + 3);
  const points = BigInt(rule.perOrder) + perUnit;
  if (points > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidRequest('total.amount: earns more points than a balance can hold.');
  return Number(points);
}

function isBelow(least: EarnRule['minOrder'], total: MinorUnits): boolean {
  if (least === null) return false;
  if (least.currency !== total.currency) {
    throw invalidRequest(
      `total.currency: the program's least order is in ${least.currency}, so that one in ${total.currency} cannot be compared with it.`,
    );
  }
  return total.minor < parseMoney('minOrder', least).minor;
}

/** Whether `orderPoints` can compute with the rate exactly. */
export function isExactRate(rate: number): boolean {
  return /^\d+(\.\d{1,3})?$/.test(String(rate));
}

/** The rate times a thousand, read off its digits: a product of floats would round. */
function thousandths(rate: number): bigint {
  const [whole = '', decimals = ''] = String(rate).split('.');
  return BigInt(whole + decimals.padEnd(3, '0'));
}
