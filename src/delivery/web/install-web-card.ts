import type { PublicCtx } from '../../context.ts';
import { invalidField } from '../../kit/http/api-error.ts';
import { cardView } from '../../rendering/card-view.ts';
import { openCard } from '../../rendering/open-card.ts';
import { isPoint, type PushSubscription } from '../../wallet/web/push-encryption.ts';
import { keepInstalled, watchedForMs } from './keep-viewer.ts';
import { saidBy } from './push-note.ts';
import { shortenViewer } from './web-cards.sql.ts';

interface Installation {
  readonly token: string;
  readonly viewerId: string;
  /** What a browser's push service has given it for this card; null without one. */
  readonly subscription: PushSubscription | null;
}

/**
 * Notes that a browser has the card installed, and whether it takes pushes: all of what it says now, whatever it said
 * before. Raises `instance_not_found`, and `invalid_request` for an endpoint of no known push service and for a wrong key.
 */
export async function installWebCard(ctx: PublicCtx, installation: Installation): Promise<void> {
  const { token, viewerId, subscription } = installation;
  const card = await openCard(ctx, token);
  const { workspaceId, instanceId } = card;
  if (subscription !== null) checkSubscription(ctx, subscription);
  // A browser that subscribes shows the card as it is.
  const knowing = subscription && { ...subscription, said: saidBy(cardView(ctx, card)) };
  await ctx.app.database.transaction((tx) =>
    keepInstalled(tx, ctx, { workspaceId, instanceId, viewerId }, knowing),
  );
}

function checkSubscription(ctx: PublicCtx, { pushEndpoint, pushKeys }: PushSubscription): void {
  if (!ctx.app.webPush.allows(pushEndpoint)) {
    const message = 'must be an https address of a known push service. WEB_PUSH_HOSTS allows further hosts.';
    throw invalidField('subscription.endpoint', 'other', message);
  }
  if (pushKeys !== null && !isPoint(pushKeys.p256dh)) {
    const message = 'must be a point of P-256, as the browser gives it.';
    throw invalidField('subscription.keys.p256dh', 'other', message);
  }
}

/**
 * Notes that a browser has the card installed no longer. It counts until a minute has passed, and while it has the card
 * open. Raises `instance_not_found`.
 */
export async function removeWebCard(
  ctx: PublicCtx,
  { token, viewerId }: { readonly token: string; readonly viewerId: string },
): Promise<void> {
  const { workspaceId, instanceId } = await openCard(ctx, token);
  const until = new Date(ctx.app.now().getTime() + watchedForMs);
  await ctx.app.database.transaction((tx) => shortenViewer(tx, { workspaceId, instanceId, viewerId }, until));
}
