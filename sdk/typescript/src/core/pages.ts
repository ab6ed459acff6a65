import type { Result } from './result.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A list, newest first unless its method says otherwise. Nothing is asked for before it is read:
 * `for await (const item of list)` reads all pages, `list.page()` one.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item> & Result>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Item> & Result>) {
    this.#read = read;
  }

  /** The first page, or the one behind a `nextCursor`. */
  page(cursor?: string): Promise<Page<Item> & Result> {
    return this.#read(cursor);
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item> & Result, void> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#read(cursor);
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** All items at once, or the first of them. */
  async toArray({ most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= most) break;
    }
    return items;
  }
}
