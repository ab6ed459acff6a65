import { isDamaged } from '../../../src/kit/anywhere/csv-text.ts';

/** What a cell of numbers says: a whole number in plain digits, or why it is none. */
type CellNumber = { readonly whole: string } | { readonly problem: 'fraction' | 'balance' };

interface ColumnOfNumbers {
  /** A cell such as `1.200` that may be either, where no other cell of the column says which; null: there is none. */
  readonly unclear: string | null;
  /** What a cell says; those that may be either have thousands, unless `hasDecimals`. */
  read(text: string, hasDecimals: boolean): CellNumber;
}

/**
 * The numbers of a column in its notation: `3,00`, `1.200,00`, `1,200.00`, `1 200`, `1’200`. A cell that may be read in two ways
 * is read as the others are; where these are of both kinds it is no number.
 */
export function columnOfNumbers(column: readonly string[]): ColumnOfNumbers {
  const signs = new Set<string>();
  let unclear: string | null = null;
  for (const text of column) {
    const parts = partsOf(text);
    if (parts?.decimal) signs.add(parts.decimal);
    if (parts?.isUnclear) unclear ??= text;
  }
  return {
    unclear: signs.size === 0 ? unclear : null,
    read(text, hasDecimals) {
      const parts = partsOf(text);
      if (parts === null || (parts.isUnclear && signs.size > 1)) return { problem: 'balance' };
      const { whole, rest, sign } = parts;
      const isFraction = parts.isUnclear && (signs.size === 0 ? hasDecimals : signs.has(sign));
      const digits = parts.isUnclear && !isFraction ? whole + rest : whole;
      if ((isFraction || !parts.isUnclear) && /[1-9]/.test(rest)) return { problem: 'fraction' };
      const plain = digits.replace(/^0+(?=\d)/, '');
      return plain.length > 9 ? { problem: 'balance' } : { whole: plain };
    },
  };
}

interface Parts {
  readonly whole: string;
  readonly rest: string;
  /** What stands between both. */
  readonly sign: string;
  /** The sign of decimals in this notation; null where the number does not say. */
  readonly decimal: string | null;
  /** Whether `rest` may be thousands as well as decimals. */
  readonly isUnclear: boolean;
}

function partsOf(text: string): Parts | null {
  const isSpaced = /^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/.test(text);
  const plain = isSpaced ? text.replace(/[\s'’]/g, '') : text;
  if (/^\d+$/.test(plain)) return { whole: plain, rest: '', sign: '', decimal: null, isUnclear: false };
  const [, groups, separator, decimals = ''] =
    /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))$/.exec(plain) ??
    /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})+)$/.exec(plain) ??
    [];
  if (groups !== undefined) {
    const decimal = separator === '.' ? ',' : '.';
    return {
      whole: groups.replaceAll(separator ?? '', ''),
      rest: decimals,
      sign: decimal,
      decimal,
      isUnclear: false,
    };
  }
  const [, whole, sign, rest] = /^(\d+)([.,])(\d+)$/.exec(plain) ?? [];
  if (whole === undefined || sign === undefined || rest === undefined) return null;
  const isUnclear = !isSpaced && rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return { whole, rest, sign, decimal: isUnclear ? null : sign, isUnclear };
}

/** What to put before telephone numbers that a spreadsheet took for numbers; nothing, where they are as they were. */
export const phonePrefixes = ['', '0', '+'] as const;
export type PhonePrefix = (typeof phonePrefixes)[number];

interface BarePhones {
  readonly count: number;
  readonly example: string;
}

/** Telephone numbers of a column that seem to have lost what they began with; null where none has. */
export function barePhones(column: readonly string[]): BarePhones | null {
  const texts = column.filter((text) => text !== '' && !isDamaged(text));
  const bare = texts.filter(isBare);
  const [example] = bare;
  // Numbers that are written without a zero, or digits that still have theirs: they are so where they come from.
  const others = texts.filter((text) => !isBare(text));
  const areWhole = others.some((text) => /^\(?[1-9]/.test(text) || /^0\d+$/.test(text));
  return example === undefined || areWhole ? null : { count: bare.length, example };
}

/** Digits alone, as spreadsheets show a number. */
export function isBare(phone: string): boolean {
  return /^[1-9]\d{6,14}$/.test(phone);
}
