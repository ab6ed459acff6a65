import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { FileResult, Result } from '../core/result.ts';
import type { ListSweepResultsQuery, StartSweepBody, Sweep, SweepItem } from '../types.ts';

export class SweepsResource extends Resource {
  /**
   * Invite a store's existing customers.
   *
   * Those who have agreed to be written to, each address once. Works in the background; `state` says how
   * far it is. The store is `storeId`, else the one that is connected with the pass, else the only one.
   * Customers who have a card, were invited before or want no mail are left out. `sweep_running` has the
   * `state` of the sweep that is running.
   *
   * Refused with `forbidden`, `pass_not_found`, `store_not_found`, `pass_not_active`, `sweep_running`,
   * `sweep_failed`.
   */
  start(passId: string, body?: StartSweepBody, options?: CallOptions): Promise<Sweep & Result> {
    return this.sender.json<Sweep>(
      { method: 'POST', path: path`/passes/${passId}/invites/sweep`, body, key: 'header' },
      options,
    );
  }

  /**
   * The last sweep of a pass.
   *
   * How far it is, or how it has ended.
   *
   * Refused with `forbidden`, `pass_not_found`, `sweep_not_found`.
   */
  get(passId: string, options?: CallOptions): Promise<Sweep & Result> {
    return this.sender.json<Sweep>({ method: 'GET', path: path`/passes/${passId}/invites/sweep` }, options);
  }

  /**
   * How far the last sweep of a pass has come, as it goes on.
   *
   * Server-sent events: `progress` with what `getSweep` answers, at once unless Last-Event-ID names that
   * state, and whenever it changes; `done` with the same once it has ended and no mail waits, and then
   * the stream ends. Who comes again with the id of that is answered 204, which ends an EventSource. A
   * comment every 15 seconds while nothing happens. A key that is revoked is cut off.
   *
   * Refused with `forbidden`, `pass_not_found`, `sweep_not_found`.
   */
  progress(passId: string, options?: CallOptions): Promise<FileResult> {
    return this.sender.file({ method: 'GET', path: path`/passes/${passId}/invites/sweep/progress` }, options);
  }

  /**
   * End the sweep of a pass.
   *
   * No further customer is invited, and mails that wait are not sent. A sweep that has ended stays as it
   * is.
   *
   * Refused with `forbidden`, `pass_not_found`, `sweep_not_found`.
   */
  cancel(passId: string, options?: CallOptions): Promise<Sweep & Result> {
    return this.sender.json<Sweep>(
      { method: 'POST', path: path`/passes/${passId}/invites/sweep/cancel`, key: 'header' },
      options,
    );
  }

  /**
   * The outcome for each customer in the last sweep.
   *
   * In the order of their numbers, as text; kept for 90 days. With `format=csv` all of them in one file;
   * text that a spreadsheet would take for a formula begins with an apostrophe. A dry run has none.
   *
   * Refused with `forbidden`, `pass_not_found`, `sweep_not_found`.
   */
  results(passId: string, query?: ListSweepResultsQuery, options?: CallOptions): List<SweepItem> {
    return this.sender.list<SweepItem>(
      { method: 'GET', path: path`/passes/${passId}/invites/sweep/results`, query },
      options,
    );
  }

  /**
   * The outcome for each customer in the last sweep.
   *
   * In the order of their numbers, as text; kept for 90 days. With `format=csv` all of them in one file;
   * text that a spreadsheet would take for a formula begins with an apostrophe. A dry run has none.
   *
   * Refused with `forbidden`, `pass_not_found`, `sweep_not_found`.
   */
  resultsCsv(passId: string, options?: CallOptions): Promise<FileResult> {
    return this.sender.file(
      { method: 'GET', path: path`/passes/${passId}/invites/sweep/results`, query: { format: 'csv' } },
      options,
    );
  }
}
