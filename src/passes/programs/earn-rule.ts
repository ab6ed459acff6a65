import type { Static } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { parseMoney, presentMoney, requireCurrency } from '../../kit/http/schemas/money.ts';
import { isCurrency } from '../../kit/money/currencies.ts';
import { isExactRate } from './decimal.ts';
import type { ProgramChanges } from './program.schema.ts';
import type { EarnRule } from './program-row.ts';

type Changes = NonNullable<Static<typeof ProgramChanges>['earn']>;

/**
 * Lays changes over an earn rule: absent leaves alone, and so does a rate that is not named; null takes one away. Raises
 * `invalid_request` that names the parameter.
 */
export function changeRule(before: EarnRule, changes: Changes): EarnRule {
  const { perCurrencyUnit = before.perCurrencyUnit, perOrder = before.perOrder, minOrder } = changes;
  if (!isExactRate(perCurrencyUnit))
    throw invalidField('earn.perCurrencyUnit', 'max_decimals', 'must have at most 3 decimals.', { limit: 3 });
  const currency = changes.currency ?? before.currency;
  if (currency !== undefined) requireCurrency('earn.currency', currency);
  const rates = changeRates(before.rates ?? {}, changes.rates ?? {});
  if (currency !== undefined && rates[currency] !== undefined)
    throw invalidField(
      `earn.rates.${currency}`,
      'excluded',
      'is the currency that the program counts in. Leave it out.',
    );
  const least =
    minOrder === undefined
      ? before.minOrder
      : minOrder && presentMoney(parseMoney('earn.minOrder', minOrder));
  if (least !== null && least.currency !== currency && rates[least.currency] === undefined) {
    throw invalidField(
      'earn.minOrder.currency',
      'other',
      `the program counts in ${currency} and has no rate for ${least.currency}. Send earn.currency, or earn.rates.${least.currency}.`,
    );
  }
  return { perCurrencyUnit, ...(currency !== undefined && { currency }), rates, perOrder, minOrder: least };
}

function changeRates(
  before: Readonly<Record<string, string>>,
  changes: NonNullable<Changes['rates']>,
): Readonly<Record<string, string>> {
  const rates = { ...before };
  for (const [currency, rate] of Object.entries(changes)) {
    const name = `earn.rates.${currency.slice(0, 10)}`;
    if (!isCurrency(currency))
      throw invalidField(name, 'format', 'is no currency of ISO 4217.', { limit: 'currency' });
    if (rate === null) delete rates[currency];
    else if (/[1-9]/.test(rate)) rates[currency] = rate;
    else throw invalidField(name, 'more_than', 'must be more than 0.', { limit: 0 });
  }
  return rates;
}
