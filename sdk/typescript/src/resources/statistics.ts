import type { CallOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { GetStatisticsQuery, GetVisitorsQuery, Statistics, Visitors } from '../types.ts';

export class StatisticsResource extends Resource {
  /**
   * What has happened by day, week, month or partner.
   *
   * Of a pass or of all, of a partner or of all. Days are those of the time zone of the workspace; weeks
   * begin on Mondays; weeks and months are whole. By default the last 30 days. limit and cursor are for
   * partners: by day, week and month the answer has all.
   *
   * Refused with `forbidden`, `pass_not_found`, `partner_not_found`.
   */
  get(query?: GetStatisticsQuery, options?: CallOptions): Promise<Statistics & Result> {
    return this.sender.json<Statistics>({ method: 'GET', path: '/statistics', query }, options);
  }

  /**
   * Who came lately, who came before, and who did not come for long.
   *
   * Of a pass or of all: cards that were awarded or redeemed in the last days, 30 unless `days` says
   * another number, and those that were not for 60, or `away`. Who holds cards of two passes counts
   * twice.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  visitors(query?: GetVisitorsQuery, options?: CallOptions): Promise<Visitors & Result> {
    return this.sender.json<Visitors>({ method: 'GET', path: '/statistics/visitors', query }, options);
  }
}
