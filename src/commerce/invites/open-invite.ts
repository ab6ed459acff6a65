import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { opensInvite, readInviteToken } from './invite-link.ts';
import { findLinkedInvite, type LinkedInvite } from './reading.sql.ts';

/** The invitation that a link's token opens for this purpose. Raises `invite_not_found`. */
export async function openInvite(
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
