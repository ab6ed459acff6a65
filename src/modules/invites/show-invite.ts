import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { encodeId } from '../../kit/ids.ts';
import { cardView } from '../holder/card-view.ts';
import type { PageDocument } from '../holder/page-document.ts';
import { readNewCard } from '../holder/read-cards.ts';
import { findAnyPass } from '../passes/find-pass.ts';
import { claimPage } from './claim-page.ts';
import { inviteGone, openInvite } from './open-invite.ts';

/**
 * The page of an invitation: what its card will look like. Changes nothing. Raises `invite_not_found`, and, where no
 * card could be taken, `workspace_suspended`, `pass_archived` and `pass_not_active`.
 */
export async function showInvite(ctx: PublicCtx, token: string): Promise<PageDocument> {
  const invite = await openInvite(ctx, token, 'claim');
  const { email, name, locale, workspaceLocale, instanceId } = invite;
  const pass = await findAnyPass(ctx.app.database.db, encodeId('pass', invite.passId));
  const card = await readNewCard(ctx, invite);
  if (pass === undefined || card === undefined || email === null) throw inviteGone();
  if (instanceId === null) {
    if (invite.suspendedAt !== null)
      throw refusal('workspace_suspended', 'This shop gives out no cards at the moment.');
    if (pass.status === 'archived') throw refusal('pass_archived', 'This card is given out no longer.');
    if (pass.status === 'draft') throw refusal('pass_not_active', 'This card is not given out yet.');
  }
  const view = { ...cardView(ctx, card), locale: locale ?? workspaceLocale };
  return claimPage(view, { name, hasCard: instanceId !== null });
}
