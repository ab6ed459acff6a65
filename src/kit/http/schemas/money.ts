import { type Static, type TSchema, Type } from 'typebox';
import { currencies, isCurrency } from '../../money/currencies.ts';
import { digitsOf } from '../../money/digits.ts';
import { decimalText } from '../../money/minor.ts';
import { invalidField } from '../api-error.ts';
import { documentedWith } from './documented.ts';
import { closed } from './shapes.ts';

/** A currency. The list of currencies is checked apart from the shape: a list of them all is no message. */
export const Currency = documentedWith(
  Type.String({
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
    description: 'a currency of ISO 4217, e.g. EUR',
  }),
  { $id: 'Currency', pattern: undefined, maxLength: undefined, enum: [...currencies] },
);

/** An object with a value for each of some currencies. The list of currencies is checked apart from the shape here too. */
export function byCurrency<S extends TSchema>(value: S, description: string) {
  const names = { enum: [...currencies] };
  return documentedWith(
    Type.Record(Type.String(), value, { maxProperties: currencies.length, description }),
    {
      propertyNames: names,
    },
  );
}

/** An amount as JSON has it: a decimal string, since numbers would round it, and the currency. */
export const Money = documentedWith(
  closed({
    amount: Type.String({
      pattern: '^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,4})?$',
      maxLength: 21,
      description: 'a decimal number such as 12.50',
    }),
    currency: Currency,
  }),
  { $id: 'Money', description: 'an amount of money, e.g. `{"amount":"12.50","currency":"EUR"}`' },
);

export type Money = Static<typeof Money>;

/** An amount that an answer adds to another one, or takes from it. */
export const MoneyMoved = documentedWith(
  closed({
    amount: Type.String({ description: 'a decimal number such as 12.50; below zero: taken' }),
    currency: Currency,
  }),
  { $id: 'MoneyMoved' },
);

/** Raises `invalid_request` for a code that amounts cannot have. */
export function requireCurrency(parameter: string, code: string): void {
  if (!isCurrency(code))
    throw invalidField(parameter, 'format', `"${code.slice(0, 10)}" is no currency of ISO 4217.`, {
      limit: 'currency',
    });
}

/** An amount in the smallest unit of its currency, of which 10 ^ `digits` make one unit. */
export interface MinorUnits {
  readonly minor: number;
  readonly currency: string;
  readonly digits: number;
}

/**
 * What a parameter says, exactly. Raises `invalid_request` for an unknown currency, for more decimals than the currency
 * has, and for more than a whole number of 53 bits holds.
 */
export function parseMoney(
  parameter: string,
  { amount, currency }: { readonly amount: string; readonly currency: string },
): MinorUnits {
  requireCurrency(`${parameter}.currency`, currency);
  const digits = digitsOf(currency);
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amount);
  if (parts === null)
    throw invalidField(
      `${parameter}.amount`,
      'format',
      'must be a decimal number such as "12.50", in quotes.',
      { limit: 'decimal' },
    );
  const [, whole = '', decimals = ''] = parts;
  if (decimals.length > digits)
    throw invalidField(`${parameter}.amount`, 'max_decimals', `${currency} has ${decimalsIn(digits)}.`, {
      limit: digits,
    });
  const minor = BigInt(whole + decimals.padEnd(digits, '0'));
  if (minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidField(`${parameter}.amount`, 'max_value', 'is too large.');
  return { minor: Number(minor), currency, digits };
}

/** The same for an amount that moves money: raises `invalid_request` for nothing, too. */
export function parsePositive(parameter: string, amount: Money): MinorUnits {
  const parsed = parseMoney(parameter, amount);
  if (parsed.minor === 0)
    throw invalidField(`${parameter}.amount`, 'more_than', 'must be above 0.', { limit: 0 });
  return parsed;
}

/** The amount as JSON has it, with all decimals of its currency. */
export function presentMoney({ minor, currency, digits }: MinorUnits): Money {
  return { amount: decimalText(minor, digits), currency };
}

function decimalsIn(digits: number): string {
  return digits === 0 ? 'no decimals' : `at most ${digits} decimals`;
}
