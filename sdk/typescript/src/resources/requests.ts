import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { ListRequestsQuery, Request, Trace } from '../types.ts';

export class RequestsResource extends Resource {
  /**
   * Your requests and their outcomes, newest first.
   *
   * Everything that changes something and everything that was refused, a second later and for 30 days; of
   * reads that succeed one in ten seconds for each key and operation. Bodies are not kept.
   */
  list(query?: ListRequestsQuery, options?: CallOptions): List<Request> {
    return this.sender.list<Request>({ method: 'GET', path: '/requests', query }, options);
  }

  /**
   * The outcome of a request.
   *
   * The newest with this id, where you have sent one and the same with several.
   *
   * Refused with `request_not_found`.
   */
  get(requestId: string, options?: CallOptions): Promise<Request & Result> {
    return this.sender.json<Request>({ method: 'GET', path: path`/requests/${requestId}` }, options);
  }

  /**
   * All that a request has left.
   *
   * What it was answered, what it has changed, entries of the ledger, events, and the outcomes of these
   * at webhooks and wallets; up to a hundred of each.
   *
   * Refused with `request_not_found`.
   */
  trace(requestId: string, options?: CallOptions): Promise<Trace & Result> {
    return this.sender.json<Trace>({ method: 'GET', path: path`/trace/${requestId}` }, options);
  }
}
