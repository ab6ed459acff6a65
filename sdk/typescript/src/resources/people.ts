import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  InvitedPerson,
  ListPeopleQuery,
  NewPerson,
  Person,
  PersonChanges,
  PersonLink,
} from '../types.ts';

export class PeopleResource extends Resource {
  /**
   * Invite a person to the workspace.
   *
   * Owners do everything; managers all but people and keys; staff look up, award and redeem, and undo
   * what they entered, at their partner where one is set; viewers read. The invitation is mailed, in the
   * language that `Accept-Language` asks for or else that of the workspace; without a mail server `link`
   * is for you to pass on. With a `pin` they sign in at shared tills from then on.
   *
   * Refused with `recent_sign_in_required`, `partner_not_found`, `person_exists`.
   */
  invite(body: NewPerson, options?: CallOptions): Promise<InvitedPerson & Result> {
    return this.sender.json<InvitedPerson>({ method: 'POST', path: '/people', body, key: 'header' }, options);
  }

  /**
   * List the people of the workspace.
   *
   * Newest first.
   */
  list(query?: ListPeopleQuery, options?: CallOptions): List<Person> {
    return this.sender.list<Person>({ method: 'GET', path: '/people', query }, options);
  }

  /**
   * A person of the workspace.
   *
   * By the id that audit log, ledger and events name.
   *
   * Refused with `person_not_found`.
   */
  get(personId: string, options?: CallOptions): Promise<Person & Result> {
    return this.sender.json<Person>({ method: 'GET', path: path`/people/${personId}` }, options);
  }

  /**
   * Change a person's name, role or partner.
   *
   * It counts within a second. The last owner stays one. A `pin` signs in at shared tills; null takes it
   * away. A person without an address can get one; it never changes.
   *
   * Refused with `recent_sign_in_required`, `person_not_found`, `partner_not_found`, `last_owner`,
   * `person_exists`.
   */
  update(personId: string, body: PersonChanges, options?: CallOptions): Promise<Person & Result> {
    return this.sender.json<Person>(
      { method: 'PATCH', path: path`/people/${personId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Take a person out of the workspace.
   *
   * Within a second they reach nothing of it. The last owner stays.
   *
   * Refused with `recent_sign_in_required`, `person_not_found`, `last_owner`.
   */
  remove(personId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/people/${personId}`, key: 'header' },
      options,
    );
  }

  /**
   * Give a person a new sign-in link.
   *
   * It works once, for seven days. It is mailed; without a mail server `link` is for you to pass on, and
   * null for a person who belongs to other workspaces too.
   *
   * Refused with `recent_sign_in_required`, `person_not_found`.
   */
  createLink(personId: string, options?: CallOptions): Promise<PersonLink & Result> {
    return this.sender.json<PersonLink>(
      { method: 'POST', path: path`/people/${personId}/links`, key: 'header' },
      options,
    );
  }
}
