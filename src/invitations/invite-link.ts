import { createHash } from 'node:crypto';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { decodeIdToken, encodeIdToken, isSameSecret } from '../kit/crypto/tokens.ts';
import { findLinkedInvite, type LinkedInvite } from './invites.sql.ts';

/** What the links of a mail name: the invitation, and a secret of 128 bits. */
interface LinkTarget {
  readonly workspaceId: string;
  readonly inviteId: string;
  readonly secret: Buffer;
}

/** An invitation with the secret that its links are made of. */
interface Linked {
  readonly workspaceId: string;
  readonly inviteId: string;
  readonly linkSecret: Buffer;
}

/** Each link opens one thing: a person who has seen the one that ends the mails cannot take the card with it. */
const secretFor = {
  claim: (linkSecret: Buffer) => linkSecret,
  unsubscribe: (linkSecret: Buffer) =>
    createHash('sha256').update('unsubscribe').update(linkSecret).digest().subarray(0, 16),
};

/** The page on which the card is taken. */
export function claimLink(publicUrl: string, invite: Linked): string {
  return `${publicUrl}/invites/${tokenOf(invite, 'claim')}`;
}

/** The page on which the mails are ended; mail programs call it by themselves. */
export function unsubscribeLink(publicUrl: string, invite: Linked): string {
  return `${publicUrl}/unsubscribe/${tokenOf(invite, 'unsubscribe')}`;
}

/** What a token names, or null when it is none; the secret is still to be compared. */
function readInviteToken(token: string): LinkTarget | null {
  const read = decodeIdToken(token);
  return read && { workspaceId: read.scope, inviteId: read.id, secret: read.secret };
}

/** Compares the secret of a link with that of the invitation, in constant time. */
function opensInvite(
  target: LinkTarget,
  invite: { readonly linkSecret: Buffer },
  link: keyof typeof secretFor,
): boolean {
  return isSameSecret(target.secret, secretFor[link](invite.linkSecret));
}

function tokenOf({ workspaceId, inviteId, linkSecret }: Linked, link: keyof typeof secretFor): string {
  return encodeIdToken({ scope: workspaceId, id: inviteId, secret: secretFor[link](linkSecret) });
}

/** The invitation that a link's token opens for this purpose. Raises `invite_not_found`. */
export async function inviteByLink(
  ctx: PublicCtx,
  token: string,
  link: 'claim' | 'unsubscribe',
): Promise<LinkedInvite> {
  const target = readInviteToken(token);
  const invite = target === null ? undefined : await findLinkedInvite(ctx.app.database.db, target);
  if (target === null || invite === undefined || !opensInvite(target, invite, link))
    throw refusal('invite_not_found', 'No invitation has this link. Open it again from the mail it came in.');
  return invite;
}

/** The person was forgotten, or the pass is gone; the way out of the mails stays open. */
export function inviteGone() {
  return refusal('invite_not_found', 'This invitation is no longer there. Ask the shop for a card.');
}
