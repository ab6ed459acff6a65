import type { CallOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { GetStatisticsQuery, Statistics } from '../types.ts';

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
}
