import type { KeyCtx, PublicCtx } from '../context.ts';
import { foldCase, foldName } from '../kit/text/fold.ts';
import { digitsOf, phonePrefix } from '../kit/text/phone.ts';
import { findCountry } from '../workspaces/phone-country.ts';
import type { Place, Sought, TermKind } from './lists.sql.ts';

/** What a search text is looked for in: a telephone number, in any spelling, only where it may begin one. */
export async function soughtBy(
  ctx: KeyCtx,
  q: string,
  kinds: readonly Exclude<TermKind, 'phone'>[],
): Promise<Sought[]> {
  const text = foldCase(q);
  const texts = kinds.map((kind) => ({ kind, text: kind === 'name' ? foldName(q) : text }));
  const numbers = mayBeNumber.test(q) ? [phonePrefix(q, await findCountry(ctx)), digitsOf(q)] : [];
  const found = [
    ...texts,
    ...[...new Set(numbers)].map((number) => ({ kind: 'phone' as const, text: number ?? '' })),
  ];
  return found.flatMap((one) => (one.text === '' ? [] : [{ ...one, isWhole: false }]));
}

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
