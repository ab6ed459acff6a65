import type { PublicCtx } from '../../context.ts';
import { openCard } from '../../drawing/open-card.ts';
import { watchedForMs } from './keep-viewer.ts';
import { shortenViewer } from './web-cards.sql.ts';

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
