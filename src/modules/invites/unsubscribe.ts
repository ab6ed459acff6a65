import type { PublicCtx } from '../../context.ts';
import { stopInvitesTo } from './forgetting.sql.ts';
import { openInvite } from './open-invite.ts';
import type { LinkedInvite } from './reading.sql.ts';
import { insertSuppression } from './suppressions.sql.ts';

/**
 * Nobody in the workspace writes to the address of an invitation any more, nor is what waits for it sent. Again is the
 * same. Raises `invite_not_found`.
 */
export async function unsubscribe(ctx: PublicCtx, token: string): Promise<LinkedInvite> {
  const invite = await openInvite(ctx, token, 'unsubscribe');
  const { workspaceId, emailHash } = invite;
  await ctx.app.database.transaction(async (tx) => {
    await insertSuppression(tx, {
      workspaceId,
      emailHash,
      reason: 'unsubscribed',
      createdAt: ctx.app.now(),
    });
    await stopInvitesTo(tx, workspaceId, emailHash);
  });
  return invite;
}
