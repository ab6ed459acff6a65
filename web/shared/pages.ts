/** A list as far as it was read. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items: readonly T[] | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Reads the next page; undefined on the last one. */
  readonly more: (() => void) | undefined;
  reload(): void;
}

/** A list that is there as a whole. */
export function wholeList<T>(items: readonly T[]): Pages<T> {
  return { items, error: undefined, isLoading: false, more: undefined, reload: () => undefined };
}

/**
 * Two lists that each begin with the newest as one. It ends where one of them has more that is not loaded: nothing comes to
 * stand above a line that is shown.
 */
export function mergedPages<T extends { readonly createdAt: string }>(
  first: Pages<T>,
  second: Pages<T>,
): Pages<T> {
  const common = {
    error: first.error ?? second.error,
    isLoading: first.isLoading || second.isLoading,
    reload: () => {
      first.reload();
      second.reload();
    },
  };
  if (first.items === undefined || second.items === undefined)
    return { ...common, items: undefined, more: undefined };
  const [one, other] = [[...first.items], [...second.items]];
  const ended = () => [one.length === 0 && first.more, other.length === 0 && second.more].filter(isDue);
  const items: T[] = [];
  while (ended().length === 0) {
    const next = (isAbove(one[0], other[0]) ? one : other).shift();
    if (next === undefined) break;
    items.push(next);
  }
  const due = ended();
  const readOn = () => {
    for (const more of due) more();
  };
  return {
    ...common,
    items,
    more: due.length === 0 ? undefined : readOn,
  };
}

function isDue(more: false | (() => void) | undefined): more is () => void {
  return typeof more === 'function';
}

function isAbove(
  one: { readonly createdAt: string } | undefined,
  other: { readonly createdAt: string } | undefined,
): boolean {
  return other === undefined || (one !== undefined && one.createdAt >= other.createdAt);
}
