import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { CreditAccount, CreditEntry, ListCreditEntriesQuery } from '../types.ts';

export class CreditsResource extends Resource {
  /**
   * Credit balance.
   *
   * What is free to spend, what is held for pushes under way, and what was spent.
   */
  get(options?: CallOptions): Promise<CreditAccount & Result> {
    return this.sender.json<CreditAccount>({ method: 'GET', path: '/credits' }, options);
  }

  /**
   * The credit ledger, newest first.
   *
   * Every top-up and correction, and what pushes have taken and given back. An entry covers all that was
   * paid for together: it names the card, the message, the rollout and the request where they are one,
   * and null where they are several.
   */
  entries(query?: ListCreditEntriesQuery, options?: CallOptions): List<CreditEntry> {
    return this.sender.list<CreditEntry>({ method: 'GET', path: '/credits/entries', query }, options);
  }
}
