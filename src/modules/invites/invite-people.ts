import { randomBytes } from 'node:crypto';
import type { PublicCtx } from '../../context.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { findHolders } from '../instances/find-holders.ts';
import { emailHashOf, normalEmail } from './address.ts';
import { neverLeft } from './invite-row.ts';
import { invitedLocale, invitedName } from './invitee.ts';
import { findInvited, type InviteScope, insertInvites } from './invites.sql.ts';
import { findSuppressed } from './suppressions.sql.ts';

/** Somebody who may be invited, as a store or a caller knows them. */
export interface Invitee {
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  /** The identifier that the card gets; null: the address. */
  readonly identifier: string | null;
}

/** What becomes of somebody who is to be invited. */
export type Verdict =
  | 'invited'
  | 'no_contact'
  | 'invalid_contact'
  | 'suppressed'
  | 'already_holder'
  | 'already_invited'
  | 'duplicate_contact';

/** A person who was looked at. */
export interface Judged {
  readonly person: Invitee;
  readonly verdict: Verdict;
  /** The normal form of the address and its hash; null where there is none, or none that can be used. */
  readonly contact: { readonly email: string; readonly hash: Buffer } | null;
  /** An invitation that the address has had before, where that is the verdict. */
  readonly inviteId: string | null;
}

/**
 * What would become of each person, in their places; writes nothing. An address that the same sweep, or an earlier
 * person of the list, has already is `duplicate_contact`.
 */
export async function judgeInvitees(
  db: Db,
  ctx: PublicCtx,
  scope: InviteScope,
  people: readonly Invitee[],
): Promise<Judged[]> {
  const contacts = people.map(({ email }) => contactOf(ctx, scope, email));
  const hashes = contacts.flatMap((contact) => (contact === null ? [] : [contact.hash]));
  const suppressed = await findSuppressed(db, scope.workspaceId, hashes);
  const holders = await findHolders(
    db,
    scope,
    people.map((person, at) => ({ identifier: person.identifier, email: contacts[at]?.email ?? null })),
  );
  const earlier = new Map(
    (await findInvited(db, scope, hashes)).map((invite) => [invite.emailHash.toString('hex'), invite]),
  );
  const seen = new Set<string>();
  return people.map((person, at) => {
    const contact = contacts[at] ?? null;
    const judged = (verdict: Verdict, inviteId: string | null = null) => ({
      person,
      verdict,
      contact,
      inviteId,
    });
    if (contact === null) return judged(person.email?.trim() ? 'invalid_contact' : 'no_contact');
    const hex = contact.hash.toString('hex');
    if (suppressed.has(hex)) return judged('suppressed');
    if (holders[at] != null) return judged('already_holder');
    const before = earlier.get(hex);
    if (before !== undefined && !neverLeft(before.status)) {
      const isOurs = before.sweepId !== null && before.sweepId === scope.sweepId;
      return judged(isOurs ? 'duplicate_contact' : 'already_invited', before.inviteId);
    }
    if (seen.has(hex)) return judged('duplicate_contact');
    seen.add(hex);
    return judged('invited');
  });
}

/**
 * Invites those who may be: their mails are due once the transaction is committed (`app.wake`). Answers what became of
 * each person, in their places, with the id of the invitation of those who are invited. Set-based: a page of a sweep
 * costs four statements.
 */
export async function invitePeople(
  tx: Tx,
  ctx: PublicCtx,
  scope: InviteScope,
  people: readonly Invitee[],
): Promise<Judged[]> {
  const judged = await judgeInvitees(tx, ctx, scope, people);
  const wanted = judged.flatMap(({ verdict, person, contact }) =>
    verdict !== 'invited' || contact === null ? [] : [newInvite(person, contact, 'queued')],
  );
  const written = new Map(
    (await insertInvites(tx, scope, wanted, ctx.app.now())).map(({ emailHash, inviteId }) => [
      emailHash.toString('hex'),
      inviteId,
    ]),
  );
  return judged.map((one) => {
    if (one.verdict !== 'invited') return one;
    const inviteId = written.get(one.contact?.hash.toString('hex') ?? '');
    // Somebody else was faster.
    return inviteId === undefined ? { ...one, verdict: 'already_invited' } : { ...one, inviteId };
  });
}

/** The row of an invitation. Who must not be written to is not known by it either. */
export function newInvite(
  { name, locale, identifier }: Invitee,
  { email, hash }: { readonly email: string; readonly hash: Buffer },
  status: 'queued' | 'suppressed' | 'already_holder',
) {
  const person =
    status === 'suppressed'
      ? { email: null, name: null, locale: null, identifier: null }
      : {
          email,
          name: invitedName(name),
          locale: invitedLocale(locale),
          identifier: identifier?.normalize('NFC') ?? null,
        };
  return { inviteId: newUuidV7(), linkSecret: randomBytes(16), emailHash: hash, ...person, status };
}

function contactOf(ctx: PublicCtx, { workspaceId }: InviteScope, text: string | null) {
  const email = normalEmail(text ?? '');
  return email === null ? null : { email, hash: emailHashOf(ctx, workspaceId, email) };
}
