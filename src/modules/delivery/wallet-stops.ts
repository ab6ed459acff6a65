import type { PublicCtx } from '../../context.ts';
import { deleteStop, findStop, upsertStop } from './wallet-stops.sql.ts';

type StoppableWallet = 'apple' | 'google';

/** How long a wallet that refuses what we are is left alone before it is tried again. */
const pauseMs = 900_000;

/** Whether the wallet is left alone, because it refuses our certificate, topic or account. */
export async function isStopped(ctx: PublicCtx, wallet: StoppableWallet, scope: string): Promise<boolean> {
  const stop = await findStop(ctx.app.database.db, wallet, scope);
  return stop !== undefined && stop.retryAt > ctx.app.now();
}

/**
 * Stops sending to a wallet that refuses what we are, with an alarm: nothing that waits is lost, and it is tried again
 * every quarter of an hour. `scope` is the pass type identifier, or the issuer id.
 */
export async function stopWallet(
  ctx: PublicCtx,
  wallet: StoppableWallet,
  scope: string,
  reason: string,
): Promise<void> {
  const now = ctx.app.now();
  const retryAt = new Date(now.getTime() + pauseMs);
  await ctx.app.database.transaction((tx) => upsertStop(tx, { wallet, scope, reason, since: now, retryAt }));
  ctx.app.log.error(
    { wallet, scope, reason },
    'the wallet refuses us: nothing is sent to it, see punchcard doctor',
  );
}

/** Takes the alarm back: the wallet has taken something. */
export async function resumeWallet(ctx: PublicCtx, wallet: StoppableWallet, scope: string): Promise<void> {
  const stop = await findStop(ctx.app.database.db, wallet, scope);
  if (stop === undefined) return;
  await ctx.app.database.transaction((tx) => deleteStop(tx, wallet, scope));
  ctx.app.log.info({ wallet, scope }, 'the wallet takes our updates again');
}
