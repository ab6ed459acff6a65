import type { PublicCtx } from '../../context.ts';
import { invalidField } from '../../kit/http/api-error.ts';
import { openCard } from '../../rendering/open-card.ts';
import { keepInstalled, watchedForMs } from './keep-viewer.ts';
import { shortenViewer } from './web-cards.sql.ts';

interface Installation {
  readonly token: string;
  readonly viewerId: string;
  /** The address that a browser's push service has given it for this card; null without one. */
  readonly pushEndpoint: string | null;
}

/**
 * Notes that a browser has the card installed, and whether it takes pushes: all of what it says now, whatever it said
 * before. Raises `instance_not_found`, and `invalid_request` for an endpoint of no known push service.
 */
export async function installWebCard(ctx: PublicCtx, installation: Installation): Promise<void> {
  const { token, viewerId, pushEndpoint } = installation;
  const { workspaceId, instanceId } = await openCard(ctx, token);
  if (pushEndpoint !== null && !ctx.app.webPush.allows(pushEndpoint)) {
    throw invalidField(
      'subscription.endpoint',
      'other',
      'must be an https address of a known push service. WEB_PUSH_HOSTS allows further hosts.',
    );
  }
  await ctx.app.database.transaction((tx) =>
    keepInstalled(tx, ctx, { workspaceId, instanceId, viewerId }, pushEndpoint),
  );
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
