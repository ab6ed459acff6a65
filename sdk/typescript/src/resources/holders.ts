import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { Resource } from '../core/resource.ts';
import type { Holder, ListHoldersQuery } from '../types.ts';

export class HoldersResource extends Resource {
  /**
   * Find people, with their cards of all passes.
   *
   * By exactly one of identifier, email, phone (in E.164 form) and `q`. Cards are one person's that have
   * the same identifier; of those without one, the same address; of those without either, the same
   * number. A restricted key sees the cards of its passes; staff ask by a `q` of at least three letters,
   * for names and numbers alone, and see its first page. An identifier that no card has exactly is found
   * in another case, and without its blanks and hyphens. They come in the order of what was found, and a
   * page may hold fewer than `limit`: go on while there is a `nextCursor`.
   */
  list(query?: ListHoldersQuery, options?: CallOptions): List<Holder> {
    return this.sender.list<Holder>({ method: 'GET', path: '/holders', query }, options);
  }
}
