import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { CardMailing, Invite, ListInvitesQuery, NewInvite, SentCards } from '../types.ts';

export class InvitesResource extends Resource {
  /**
   * Invite a person to a pass by e-mail.
   *
   * The mail has one button, which issues the card when it is pressed. Each address is mailed once a
   * pass: for a person who was invited before, the answer is that invitation. `suppressed`: the address
   * has unsubscribed, or does not exist; `already_holder`: it has a card of the pass. Make sure that the
   * person has agreed to be written to.
   *
   * Refused with `forbidden`, `pass_not_found`, `pass_not_active`.
   */
  create(passId: string, body: NewInvite, options?: CallOptions): Promise<Invite & Result> {
    return this.sender.json<Invite>(
      { method: 'POST', path: path`/passes/${passId}/invites`, body, key: 'externalRef' },
      options,
    );
  }

  /**
   * List the invitations of a pass.
   *
   * `unknown`: the service handed it to the mail server, which has not said whether it arrived; it is not
   * sent again, so that no person is mailed twice.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  list(passId: string, query?: ListInvitesQuery, options?: CallOptions): List<Invite> {
    return this.sender.list<Invite>({ method: 'GET', path: path`/passes/${passId}/invites`, query }, options);
  }

  /**
   * Mail people their card.
   *
   * Looks at up to 1,000 cards of the pass and mails the holders of those that no wallet has ever had,
   * each address once a pass: who was mailed before, by an invitation or by this, is not again. The mail
   * has one button, which leads to the card. Go on with `nextCursor` until it is null; after a break,
   * begin anew.
   *
   * Refused with `forbidden`, `pass_not_found`, `pass_not_active`.
   */
  sendCards(passId: string, body?: CardMailing, options?: CallOptions): Promise<SentCards & Result> {
    return this.sender.json<SentCards>(
      { method: 'POST', path: path`/passes/${passId}/invites/cards`, body, key: 'header' },
      options,
    );
  }
}
