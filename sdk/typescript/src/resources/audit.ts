import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { Resource } from '../core/resource.ts';
import type { AuditLine, ListAuditQuery } from '../types.ts';

export class AuditResource extends Resource {
  /**
   * Who changed what, newest first.
   *
   * A line for each change, written with it and never changed. What awards and orders have given is in
   * the ledger instead: GET /loyalty/entries.
   */
  list(query?: ListAuditQuery, options?: CallOptions): List<AuditLine> {
    return this.sender.list<AuditLine>({ method: 'GET', path: '/audit', query }, options);
  }
}
