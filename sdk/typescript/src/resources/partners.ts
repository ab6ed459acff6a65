import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { FileResult, Result } from '../core/result.ts';
import type {
  GetPartnerStatementCsvQuery,
  GetPartnerStatementQuery,
  ListPartnersQuery,
  NewPartner,
  Partner,
  PartnerChanges,
  PartnerStatement,
} from '../types.ts';

export class PartnersResource extends Resource {
  /**
   * Create a partner.
   *
   * A partner is a shop, a branch or a campaign that cards and points are attributed to: name it as
   * `partnerId` when you issue, award or redeem. With a `location`, cards that are issued at it come up
   * at the places of their pass that are nearest to it.
   *
   * Refused with `external_id_taken`.
   */
  create(body: NewPartner, options?: CallOptions): Promise<Partner & Result> {
    return this.sender.json<Partner>({ method: 'POST', path: '/partners', body, key: 'header' }, options);
  }

  /**
   * List partners.
   *
   * Deleted partners are not listed.
   */
  list(query?: ListPartnersQuery, options?: CallOptions): List<Partner> {
    return this.sender.list<Partner>({ method: 'GET', path: '/partners', query }, options);
  }

  /**
   * A partner.
   *
   * A deleted one is not found.
   *
   * Refused with `partner_not_found`.
   */
  get(partnerId: string, options?: CallOptions): Promise<Partner & Result> {
    return this.sender.json<Partner>({ method: 'GET', path: path`/partners/${partnerId}` }, options);
  }

  /**
   * Change name, external id, location or metadata of a partner.
   *
   * Absent leaves alone, null clears. `metadata` is replaced as a whole. A new `location` is pushed to
   * the installed cards of all passes with more than ten places, at a credit each.
   *
   * Refused with `partner_not_found`, `external_id_taken`.
   */
  update(partnerId: string, body: PartnerChanges, options?: CallOptions): Promise<Partner & Result> {
    return this.sender.json<Partner>(
      { method: 'PATCH', path: path`/partners/${partnerId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Delete a partner.
   *
   * Cards and entries keep its id; nothing can be attributed to it afterwards.
   *
   * Refused with `partner_not_found`.
   */
  delete(partnerId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/partners/${partnerId}`, key: 'header' },
      options,
    );
  }

  /**
   * What happened at a partner in a month.
   *
   * The month is one of the workspace's time zone, and counts what was recorded in it. `statement.csv`
   * has the same as a table.
   *
   * Refused with `partner_not_found`.
   */
  statement(
    partnerId: string,
    query: GetPartnerStatementQuery,
    options?: CallOptions,
  ): Promise<PartnerStatement & Result> {
    return this.sender.json<PartnerStatement>(
      { method: 'GET', path: path`/partners/${partnerId}/statement`, query },
      options,
    );
  }

  /**
   * The same as CSV.
   *
   * A header, a line per pass, and one with the totals. Names that a spreadsheet would take for a formula
   * begin with an apostrophe.
   *
   * Refused with `partner_not_found`.
   */
  statementCsv(
    partnerId: string,
    query: GetPartnerStatementCsvQuery,
    options?: CallOptions,
  ): Promise<FileResult> {
    return this.sender.file(
      { method: 'GET', path: path`/partners/${partnerId}/statement.csv`, query },
      options,
    );
  }
}
