import { randomBytes } from 'node:crypto';
import { findHolders, fittingLocale, fittingName } from '../cards/keep-holder.ts';
import type { PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { neverLeft } from './invite-row.ts';
import {
  type EarlierInvite,
  findInvited,
  findSuppressed,
  type InviteScope,
  insertInvites,
} from './invites.sql.ts';

/** A person who may be invited, as a store or a caller knows them. */
export interface Invitee {
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  /** The identifier that the card gets; null: the address. */
  readonly identifier: string | null;
}

/** The outcome of inviting a person. */
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

/** What would become of each person, in their places; writes nothing. */
export async function judgeInvitees(
  db: Db,
  ctx: PublicCtx,
  scope: InviteScope,
  people: readonly Invitee[],
): Promise<Judged[]> {
  const judged = await judgeAlone(db, ctx, scope, people);
  const earlier = await findEarlier(db, scope, judged);
  return judged.map((one) => {
    const before = earlier.get(keyOf(one));
    if (before === undefined || !isOpen(one)) return one;
    const isOurs = scope.sweepId !== null && before.sweepId === scope.sweepId;
    return neverLeft(before.status) && !isOurs ? one : invitedBefore(one, before, scope);
  });
}

/**
 * Invites the people who may be invited: their mails are due once the transaction is committed. Returns the outcome for
 * each person, in their order, with the id of the invitation. Set-based: a page of a sweep costs four statements.
 */
export async function invitePeople(
  tx: Tx,
  ctx: PublicCtx,
  scope: InviteScope,
  people: readonly Invitee[],
): Promise<Judged[]> {
  const judged = await judgeAlone(tx, ctx, scope, people);
  const wanted = judged.flatMap(({ verdict, person, contact }) =>
    verdict !== 'invited' || contact === null ? [] : [newInvite(person, contact, 'queued')],
  );
  const written = new Map(
    (await insertInvites(tx, scope, wanted, ctx.app.now())).map(({ emailHash, inviteId }) => [
      emailHash.toString('hex'),
      inviteId,
    ]),
  );
  if (written.size > 0) wakeAfter(tx, ctx, scope.workspaceId, 'sendInvites');
  // Few in a first sweep: a person who was just inserted has had no other.
  const earlier = await findEarlier(
    tx,
    scope,
    judged.filter((one) => isOpen(one) && !written.has(keyOf(one))),
  );
  return judged.map((one) => {
    if (!isOpen(one)) return one;
    const before = earlier.get(keyOf(one));
    return before === undefined
      ? { ...one, inviteId: written.get(keyOf(one)) ?? null }
      : invitedBefore(one, before, scope);
  });
}

/** What can be said without looking at earlier invitations. */
async function judgeAlone(
  db: Db,
  ctx: PublicCtx,
  scope: InviteScope,
  people: readonly Invitee[],
): Promise<Judged[]> {
  const contacts = people.map(({ email }) => contactOf(ctx, scope, email));
  const suppressed = await findSuppressed(
    db,
    scope.workspaceId,
    contacts.flatMap((contact) => (contact === null ? [] : [contact.hash])),
  );
  const holders = await findHolders(
    db,
    scope,
    people.map((person, at) => ({ identifier: person.identifier, email: contacts[at]?.email ?? null })),
  );
  const seen = new Set<string>();
  return people.map((person, at) => {
    const contact = contacts[at] ?? null;
    const judged = (verdict: Verdict) => ({ person, verdict, contact, inviteId: null });
    if (contact === null) return judged(person.email?.trim() ? 'invalid_contact' : 'no_contact');
    const hex = contact.hash.toString('hex');
    if (suppressed.has(hex)) return judged('suppressed');
    if (holders[at] != null) return judged('already_holder');
    if (seen.has(hex)) return judged('duplicate_contact');
    seen.add(hex);
    return judged('invited');
  });
}

async function findEarlier(
  db: Db,
  scope: InviteScope,
  judged: readonly Judged[],
): Promise<Map<string, EarlierInvite>> {
  const hashes = new Map(
    judged.flatMap((one) => (one.contact === null ? [] : [[keyOf(one), one.contact.hash]])),
  );
  const found = await findInvited(db, scope, [...hashes.values()]);
  return new Map(found.map((invite) => [invite.emailHash.toString('hex'), invite]));
}

/** Whether only an earlier invitation could still say otherwise. */
function isOpen({ verdict }: Judged): boolean {
  return verdict === 'invited' || verdict === 'duplicate_contact';
}

/** An address that the same sweep has already is one that several customers share. */
function invitedBefore(one: Judged, before: EarlierInvite, { sweepId }: InviteScope): Judged {
  const isOurs = sweepId !== null && before.sweepId === sweepId;
  return { ...one, verdict: isOurs ? 'duplicate_contact' : 'already_invited', inviteId: before.inviteId };
}

function keyOf({ contact }: Judged): string {
  return contact?.hash.toString('hex') ?? '';
}

/** The row of an invitation. A person who must not be written to is not known by it either. */
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
          name: fittingName(name),
          locale: fittingLocale(locale),
          identifier: identifier?.normalize('NFC') ?? null,
        };
  return { inviteId: newUuidV7(), linkSecret: randomBytes(16), emailHash: hash, ...person, status };
}

function contactOf(ctx: PublicCtx, { workspaceId }: InviteScope, text: string | null) {
  const email = normalEmail(text ?? '');
  return email === null ? null : { email, hash: emailHashOf(ctx, workspaceId, email) };
}
