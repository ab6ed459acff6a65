import { findInstance } from '../cards/find-instance.ts';
import { findHolders } from '../cards/keep-holder.ts';
import { linkTo } from '../cards/link-token.ts';
import type { ActorCtx, PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { issueInstance } from '../lifecycle/issue-instances.ts';
import { itemOf } from '../lifecycle/issue-item.ts';
import { emitInviteEvent } from './emit-invite-event.ts';
import { inviteByLink, inviteGone } from './invite-link.ts';
import { forInvited } from './inviter-brand.ts';
import { keepAccepted, type LinkedInvite, lockInvite } from './invites.sql.ts';

/**
 * Gives the person their card: the one that the invitation was turned into before, the one that they have of the pass, or
 * a new one. Answers the address of its page. However often and however many at a time: one card.
 * Raises `invite_not_found`, `workspace_suspended` and what the issue of a card is refused with.
 */
export async function acceptInvite(ctx: PublicCtx, token: string): Promise<string> {
  const invite = await inviteByLink(ctx, token, 'claim');
  return forInvited(ctx, invite, () => acceptFor(ctx, invite));
}

async function acceptFor(ctx: PublicCtx, invite: LinkedInvite): Promise<string> {
  if (invite.email === null) throw inviteGone();
  const own: ActorCtx = {
    ...ctx,
    workspaceId: invite.workspaceId,
    actor: encodeId('invite', invite.inviteId),
    passIds: null,
  };
  const { app } = ctx;
  const instanceId =
    invite.acceptedAt === null || invite.instanceId === null
      ? await takeCard(own, { ...invite, email: invite.email })
      : invite.instanceId;
  const card = await findInstance(app.database.db, own, encodeId('inst', instanceId));
  return linkTo(app.config.publicUrl, card);
}

async function takeCard(ctx: ActorCtx, invite: LinkedInvite & { email: string }): Promise<string> {
  const { email, name, locale, suspendedAt } = invite;
  if (suspendedAt !== null && invite.instanceId === null)
    throw refusal('workspace_suspended', 'This shop gives out no cards now.');
  const { app } = ctx;
  // A person without a number in the shop is identified by the address, like guests who order something.
  const identifier = invite.identifier ?? normalEmail(email);
  const [found] = await findHolders(app.database.db, invite, [{ identifier, email }]);
  const held = invite.instanceId ?? found;
  const instanceId = held ?? (await issue(ctx, invite, { identifier, name, email, locale }));
  return app.database.transaction((tx) => accept(tx, ctx, invite, instanceId));
}

/** Notes the card of the invitation; the first stands. Answers which one it is. */
async function accept(tx: Tx, ctx: ActorCtx, invite: LinkedInvite, instanceId: string): Promise<string> {
  const before = await lockInvite(tx, invite);
  if (before === undefined || before.acceptedAt !== null) return before?.instanceId ?? instanceId;
  const accepted = { instanceId, acceptedAt: ctx.app.now() };
  await keepAccepted(tx, before, accepted);
  emitInviteEvent(tx, ctx, 'invite.accepted', 'holder', before, { ...before, ...accepted });
  return instanceId;
}

async function issue(
  ctx: ActorCtx,
  { passId }: LinkedInvite,
  holder: { identifier: string | null; name: string | null; email: string; locale: string | null },
): Promise<string> {
  const item = itemOf(ctx, encodeId('pass', passId), { holder }, null);
  try {
    const { body } = await issueInstance(item);
    return decodeId('inst', body.instanceId) ?? '';
  } catch (error) {
    throw error instanceof ApiError && error.code === 'pass_not_found' ? inviteGone() : error;
  }
}
