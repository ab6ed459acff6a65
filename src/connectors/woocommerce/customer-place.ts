import { unreadable } from '../read-json.ts';

/**
 * A place in the list of customers, which is asked for by how many to leave out, since the platform cannot be asked for
 * the numbers behind one. Whoever is deleted moves all behind them forward, and would make us leave somebody out.
 */
export interface CustomerPlace {
  /** So many rows lead up to the highest number. */
  readonly offset: number;
  /** The number of the last customer that was read. */
  readonly highest: string | null;
}

/** As `<offset>:<highest>`; a number alone begins anew and leaves out all up to it. */
export function placeOfCustomers(after: string | null): CustomerPlace {
  if (after === null) return { offset: 0, highest: null };
  const [first = '', second] = after.split(':');
  return second === undefined ? { offset: 0, highest: first } : { offset: Number(first), highest: second };
}

/** One row of the page before is asked for again, and tells whether all are where they were. */
export function queryOfCustomers(place: CustomerPlace, perPage: number): string {
  return new URLSearchParams({
    orderby: 'id',
    order: 'asc',
    role: 'all',
    per_page: String(perPage),
    offset: String(firstRow(place)),
  }).toString();
}

/** Where to go on; `isShifted`: the rows in between have not been seen, and the place lies further back. */
export function nextCustomers(
  place: CustomerPlace,
  numbers: readonly string[],
  perPage: number,
): { isShifted: boolean; next: string | null } {
  const first = firstRow(place);
  const { highest } = place;
  const [front] = numbers;
  if (highest !== null && first > 0 && (front === undefined || BigInt(front) > BigInt(highest)))
    return { isShifted: true, next: `${Math.max(0, first - perPage)}:${highest}` };
  if (numbers.some((number, at) => at > 0 && BigInt(number) <= BigInt(numbers[at - 1] ?? number)))
    throw unreadable('the order of customers');
  const last = numbers.at(-1);
  if (last === undefined || numbers.length < perPage) return { isShifted: false, next: null };
  const reached = highest !== null && BigInt(highest) > BigInt(last) ? highest : last;
  return { isShifted: false, next: `${first + numbers.length}:${reached}` };
}

function firstRow({ offset }: CustomerPlace): number {
  return Math.max(0, offset - 1);
}
