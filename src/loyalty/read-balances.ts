import { ApiError, catchRefusal, invalidAs, invalidField } from '../kit/http/api-error.ts';
import { parseMoney } from '../kit/http/schemas/money.ts';
import { type CsvRow, certainShape, isDamaged, meantBy, readCsv, textOfCell } from '../kit/text/csv.ts';
import { balanceColumn, cardColumns } from './balances.schema.ts';
import type { CardTarget } from './lock-targets.ts';
import { targetOf } from './target.schema.ts';

/** A line of a file of balances: what it asks for, or why it says nothing. */
export interface BalanceLine {
  readonly line: number;
  readonly asked: { readonly target: CardTarget; readonly balance: number } | ApiError;
}

const mostLines = 20_000;
const columns = [...cardColumns, balanceColumn] as const;
type Places = Partial<Record<(typeof columns)[number], number>>;

/**
 * The lines of a file of balances: whole numbers, or amounts of a currency, which are read in its smallest unit. Raises `invalid_request` for a file that is no table, or lacks a column; a bad line
 * has its refusal in its place.
 */
export async function readBalances(text: string, currency: string | null): Promise<BalanceLine[]> {
  const [header, ...rows] = await readCsv(text, mostLines + 1, isColumn);
  if (header === undefined)
    throw invalidField('line 1', 'required', 'the file is empty. Begin it with a header line.');
  const places = placesOf(header, `by ${JSON.stringify(certainShape(text, isColumn).delimiter)}`);
  return rows.map((row) => ({ line: row.line, asked: askedOf(row, header.cells.length, places, currency) }));
}

function isColumn(cell: string): boolean {
  return columns.some((column) => column.toLowerCase() === cell.trim().toLowerCase());
}

/** Finds each column. `apart` says how cells were separated. */
function placesOf({ line, cells }: CsvRow, apart: string): Places {
  const names = cells.map((cell) =>
    columns.find((column) => column.toLowerCase() === cell.trim().toLowerCase()),
  );
  const twice = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw invalidField(`line ${line}`, 'unique', `the column "${twice}" is there twice.`);
  const places: Places = Object.fromEntries(
    columns.flatMap((column) => (names.includes(column) ? [[column, names.indexOf(column)]] : [])),
  );
  if (places.balance === undefined)
    throw invalidField(
      `line ${line}`,
      'other',
      `the header has no column "${balanceColumn}"; its cells are separated ${apart}.`,
    );
  if (cardColumns.every((column) => places[column] === undefined))
    throw invalidField(
      `line ${line}`,
      'other',
      `the header has none of the columns ${cardColumns.join(', ')}; its cells are separated ${apart}.`,
    );
  return places;
}

function askedOf(
  { cells }: CsvRow,
  width: number,
  places: Places,
  currency: string | null,
): BalanceLine['asked'] {
  if (cells.length !== width)
    return invalidAs('syntax', `The line has ${cells.length} cells, the header ${width}.`);
  const cellOf = (column: keyof Places) => {
    const cell = cells[places[column] ?? -1] ?? '';
    // Blanks may belong to an identifier: what we export has them as they are.
    return column === 'identifier' && !cell.startsWith('="') ? textOfCell(cell) : meantBy(cell);
  };
  const column = cardColumns.find((name) => cellOf(name) !== '');
  if (column === undefined)
    return invalidAs('required', `The line names no card: all of ${cardColumns.join(', ')} are empty.`, {
      limit: [...cardColumns],
    });
  if (isDamaged(cellOf(column)))
    return invalidField(
      column,
      'type',
      `a spreadsheet has rounded it to ${cellOf(column)}; save it as text.`,
      { limit: ['integer'] },
    );
  const figure = cellOf(balanceColumn);
  const balance = currency === null ? wholeNumber(figure) : amountIn(currency, figure);
  if (balance instanceof ApiError) return balance;
  return { target: targetOf({ [column]: cellOf(column) }), balance };
}

function wholeNumber(figure: string): number | ApiError {
  const balance = Number(figure);
  if (!/^\d{1,16}$/.test(figure) || !Number.isSafeInteger(balance))
    return invalidField(
      'balance',
      'type',
      'must be a whole number from 0 to 9007199254740991, in digits only.',
      { limit: ['integer'] },
    );
  return balance;
}

/** In the smallest unit. */
function amountIn(currency: string, figure: string): number | ApiError {
  if (!/^\d{1,16}(?:\.\d{1,4})?$/.test(figure))
    return invalidField(
      balanceColumn,
      'format',
      'must be an amount such as 12.50, with a point and without the currency.',
      { limit: 'decimal' },
    );
  const read = catchRefusal(() => parseMoney(balanceColumn, { amount: figure, currency }));
  return read instanceof ApiError ? read : read.minor;
}
