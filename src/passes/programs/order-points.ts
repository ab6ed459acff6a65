import { invalidField } from '../../kit/http/api-error.ts';
import { type MinorUnits, parseMoney } from '../../kit/http/schemas/money.ts';
import { type Decimal, decimalOf } from './decimal.ts';
import type { EarnRule } from './program-row.ts';

/**
 * What an order earns, rounded down: never less for a larger total, and nothing below the rule's least order or for an
 * order of nothing. Raises `invalid_request` where that cannot be known, since the rule has no rate for the currency of the
 * total, and for more than a balance holds.
 */
export function orderPoints(rule: EarnRule, total: MinorUnits): number {
  if (isBelow(rule, total) || total.minor === 0) return 0;
  const points = BigInt(rule.perOrder) + pointsForMoney(rule, total);
  if (points > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidField('total.amount', 'max_value', 'earns more points than a balance can hold.');
  return Number(points);
}

/** A rule that counts no money takes any currency. */
function pointsForMoney(rule: EarnRule, total: MinorUnits): bigint {
  if (rule.perCurrencyUnit === 0) return 0n;
  const worth = worthOf(rule, total);
  const rate = decimalOf(String(rule.perCurrencyUnit));
  return (worth.value * rate.value) / 10n ** BigInt(worth.decimals + rate.decimals);
}

function isBelow(rule: EarnRule, total: MinorUnits): boolean {
  if (rule.minOrder === null) return false;
  const least = parseMoney('minOrder', rule.minOrder);
  if (least.currency === total.currency) return total.minor < least.minor;
  if (rule.currency === undefined) {
    throw invalidField(
      'total.currency',
      'other',
      `the program's least order is in ${least.currency}, so that one in ${total.currency} cannot be compared with it.`,
    );
  }
  const [a, b] = [worthOf(rule, total), worthOf(rule, least)];
  return a.value * 10n ** BigInt(b.decimals) < b.value * 10n ** BigInt(a.decimals);
}

/** What the money is worth in the currency of the rule. */
function worthOf({ currency, rates = {} }: EarnRule, { minor, ...money }: MinorUnits): Decimal {
  if (currency === undefined || currency === money.currency)
    return { value: BigInt(minor), decimals: money.digits };
  const rate = rates[money.currency];
  if (rate === undefined) {
    throw invalidField(
      'total.currency',
      'other',
      `the program counts in ${currency} and has no rate for ${money.currency}. Set what one ${money.currency} is worth in ${currency}: PATCH /loyalty/programs/{programId} with {"earn":{"rates":{"${money.currency}":"…"}}}.`,
    );
  }
  const { value, decimals } = decimalOf(rate);
  return { value: BigInt(minor) * value, decimals: money.digits + decimals };
}
