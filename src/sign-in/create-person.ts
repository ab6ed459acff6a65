import type { Static } from 'typebox';
import type { ActorCtx, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { askedLanguage } from '../locales/languages.ts';
import { mayMail } from '../mail/mail-limits.ts';
import { findPartner } from '../passes/partners/partners.ts';
import {
  findMemberByEmail,
  insertMember,
  insertPerson,
  type MemberRow,
  type PersonRow,
} from '../people/people.sql.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { postLink } from './letters.ts';
import { linkLasts, newLink } from './new-link.ts';
import { type NewPerson, presentPerson } from './person.schema.ts';
import { refuseViewersPin } from './pin-rules.ts';

/** Whom to invite, with what is stored of their PIN. */
type Invitee = Omit<Static<typeof NewPerson>, 'pin'> & { readonly pinHash: string | null };

/**
 * Invites a person to the caller's workspace: they are a member once they have followed their link, or said so when signed
 * in. The link is mailed; without a mail server it is in the answer. Raises `person_exists`.
 */
export async function createPerson(tx: Tx, ctx: KeyCtx, input: Invitee, acceptLanguage: string | undefined) {
  await lockWorkspaceRow(tx, ctx.workspaceId);
  const invited = await addPerson(tx, ctx, input, acceptLanguage);
  const { personId: target, name, role, partnerId } = invited;
  audit(tx, ctx, { action: 'createPerson', target, detail: { name, role, partnerId } });
  return invited;
}

/** The same for a caller who has locked the workspace, and writes the audit line. */
export async function addPerson(tx: Tx, ctx: ActorCtx, input: Invitee, acceptLanguage: string | undefined) {
  const { workspaceId } = ctx;
  const { name, role, pinHash: pin } = input;
  if (pin !== null) refuseViewersPin(role);
  const email = usableEmail(input.email);
  const known = await findMemberByEmail(tx, workspaceId, email);
  if (known !== undefined) throw personExists(known.personId);
  const createdAt = ctx.app.now();
  // A new person, even if the address is known elsewhere: this workspace must not learn that.
  const person = { personId: newUuidV7(), homeId: workspaceId, email };
  await insertPerson(tx, { ...person, createdAt });
  const partnerId = await boundPartner(tx, ctx, role, input.partnerId ?? null);
  const member: MemberRow = {
    personId: person.personId,
    accountId: null,
    workspaceId,
    email,
    name,
    role,
    partnerId,
    pin,
    pending: true,
    createdAt,
  };
  await insertMember(tx, member);
  return { ...presentPerson(member), link: await giveLink(tx, ctx, { person, name, acceptLanguage }) };
}

interface Invited {
  readonly person: PersonRow;
  readonly name: string;
  /** The language of the inviting person's browser. */
  readonly acceptLanguage: string | undefined;
}

/**
 * Mails a person their link, in the language of the person who invites, or else of the workspace; without a mail server answers it,
 * where it opens nothing but the caller's own workspace.
 */
export async function giveLink(
  tx: Tx,
  ctx: ActorCtx,
  { person, name, acceptLanguage }: Invited,
): Promise<string | null> {
  const { personId, homeId, email } = person;
  const link = { personId, lastsMs: linkLasts.invitation, asked: false };
  if (ctx.app.config.mail.smtpUrl === null || email === null)
    return homeId === ctx.workspaceId ? newLink(tx, ctx, { ...link, proves: null }) : null;
  if (!(await mayMail(ctx, ctx.workspaceId, email)))
    throw refusal(
      'rate_limited',
      `${email} has had several mails lately. Try again later.`,
      {},
      { 'retry-after': '900' },
    );
  const url = await newLink(tx, ctx, { ...link, proves: email });
  const { name: workspace, locale } = await ownWorkspace(tx, ctx);
  tx.unit.afterCommit(`postLink ${personId}`, () =>
    postLink(ctx, {
      to: email,
      link: url,
      locale: askedLanguage(acceptLanguage) ?? locale,
      invitedTo: { workspace, name },
    }),
  );
  return null;
}

/** The address as it is kept. Raises `invalid_request`. */
export function usableEmail(text: string): string {
  const email = normalEmail(text);
  if (email === null)
    throw invalidField('email', 'format', 'is no address that a mail server would take.', { limit: 'email' });
  return email;
}

/** The partner that a person of this role is bound to, as its uuid. Raises `partner_not_found`. */
export async function boundPartner(
  tx: Tx,
  ctx: ActorCtx,
  role: string,
  publicId: string | null,
): Promise<string | null> {
  if (publicId === null) return null;
  const { partnerId } = await findPartner(tx, ctx, publicId);
  if (role !== 'staff') throw invalidField('partnerId', 'excluded', 'only staff are bound to a partner.');
  return partnerId;
}

/** The refusal of an address that the workspace knows. */
export function personExists(personId: string) {
  return refusal(
    'person_exists',
    `${encodeId('person', personId)} has this address in the workspace already.`,
  );
}
