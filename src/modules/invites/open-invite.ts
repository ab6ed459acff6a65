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
