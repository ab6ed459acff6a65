import type { KeyCtx, PublicCtx } from '../context.ts';
import { foldCase, foldCode, foldName } from '../kit/text/fold.ts';
import { digitsOf, phonePrefix } from '../kit/text/phone.ts';
import { findCountry } from '../workspaces/phone-country.ts';
import type { NameKind, Place, Sought } from './lists.sql.ts';

/**
 * What a search text is looked for in: words of a name, in any order; a telephone number, in any spelling or by its last digits,
 * only where it may be one.
 */
export async function soughtBy(
  ctx: KeyCtx,
  q: string,
  kinds: readonly ('identifier' | 'email' | 'barcode')[],
): Promise<Sought[]> {
  const found = [
    ...kinds.map((kind) => ({ kind, text: kind === 'email' ? foldCase(q) : foldCode(q) })),
    ...wordsOf(q),
  ];
  if (mayBeNumber.test(q)) found.push(...numbersOf(q, await findCountry(ctx)));
  return found.flatMap((one) => (one.text === '' ? [] : [{ ...one, isWhole: false }]));
}

type Begun = Omit<Sought, 'isWhole'>;

const nameKinds: readonly NameKind[] = ['name', 'nameFrom2', 'nameFrom3', 'lastWord'];
/** Those behind it are not looked for. */
const mostWords = 8;

/** A name as it is, and as umlauts are written without their dots: `Müller` and `Mueller` find each other. */
function wordsOf(q: string): Begun[] {
  const withE = q.normalize('NFC').replace(/[äöü]/gi, (letter) => `${letter.normalize('NFD').charAt(0)}e`);
  const withoutE = q.replace(/([aou])e/gi, '$1');
  return [
    ...namesLike(foldName(q)),
    ...(foldName(withE) === foldName(q) ? [] : namesLike(foldName(withE))),
    ...(withoutE === q
      ? []
      : namesLike(foldName(withoutE)).map((one) => ({ ...one, hasUmlaut: true as const }))),
  ];
}

/** The longest word leads, since fewest names have it. */
function namesLike(name: string): Begun[] {
  const words = name.split(' ').slice(0, mostWords);
  const [text = '', ...others] = words.sort((one, other) => other.length - one.length);
  return nameKinds.map((kind) => ({ kind, text, others }));
}

/** As it begins, and as it ends: with and without the zero that is dialled before it. */
function numbersOf(q: string, country: string | null): Begun[] {
  const begins = new Set([phonePrefix(q, country) ?? '', digitsOf(q)]);
  // The one keeps zeros at the beginning from being read as the way abroad.
  const last = digitsOf(`1${q}`).slice(1);
  const ends = new Set(last.includes('+') ? [] : [last, last.replace(/^0+/, '')]);
  return [
    ...[...begins].map((text) => ({ kind: 'phone' as const, text })),
    ...[...ends]
      .filter(({ length }) => length >= leastDigits)
      .map((end) => ({ kind: 'lastDigits' as const, text: [...end].reverse().join('') })),
  ];
}

/** Fewer are the end of too many numbers. */
const leastDigits = 4;

/** Digits of any script, and what stands between them. */
const mayBeNumber = /^(?:tel:)?[\p{Nd}\p{Zs}\p{Pd}\p{Cf}+\uff0b()./]+$/iu;

/** A place in the order of what was found, with what is shown there; null where that is shown elsewhere, or not asked for. */
export interface Found<Item> extends Place {
  readonly item: Item | null;
}

interface SearchPage {
  readonly take: number;
  readonly after: Place | null;
}

/** A page that has not become full by then ends there, with a cursor: few of very many may be what is asked for. */
const mostReads = 4;

/** A page of what was found, in the order of its texts. It may hold fewer than `limit`, or none, and still have a next one. */
export async function listFound<Item>(
  { app }: PublicCtx,
  scope: string,
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  read: (page: SearchPage) => Promise<readonly Found<Item>[]>,
): Promise<{ data: Item[]; nextCursor: string | null }> {
  const limit = Number(query.limit ?? 25);
  const take = limit + 1;
  const data: Item[] = [];
  let after = query.cursor === undefined ? null : placeOf(app.cursors.decode(query.cursor, scope));
  for (let reads = 0; reads < mostReads; reads++) {
    const found = await read({ take, after });
    for (const { term, instanceId, item } of found) {
      if (item !== null && data.length === limit) return { data, nextCursor: cursorOf(after) };
      if (item !== null) data.push(item);
      after = { term, instanceId };
    }
    if (found.length < take) return { data, nextCursor: null };
  }
  return { data, nextCursor: cursorOf(after) };

  function cursorOf(place: Place | null): string | null {
    return place === null ? null : app.cursors.encode([place.term, place.instanceId], scope);
  }
}

function placeOf([term, instanceId]: readonly (string | number)[]): Place {
  return { term: String(term), instanceId: String(instanceId) };
}
