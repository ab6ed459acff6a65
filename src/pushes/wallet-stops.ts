import type { App, ClockCtx, PublicCtx } from '../context.ts';
import type { Condition } from '../engine/due.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import {
  deleteStop,
  findStop,
  isNotStopped,
  upsertStop,
  type WalletScopes,
  type WalletStop,
} from './wallet-stops.sql.ts';

type StoppableWallet = 'apple' | 'google';

/** How long a wallet that refuses what we are is left alone before it is tried again. */
const pauseMs = 900_000;

/** The credentials that wallets know us by at present. */
export function scopesOf({ apple, google }: Pick<App, 'apple' | 'google'>): WalletScopes {
  return { apple: [apple.passTypeIdentifier], google: google === null ? [] : [google.issuerId] };
}

/** Whether the wallet is left alone, because it refuses our certificate, topic or account. */
export async function isStopped(ctx: PublicCtx, wallet: StoppableWallet, scope: string): Promise<boolean> {
  return (await findStopped(ctx, wallet, scope)) !== undefined;
}

/** Why and until when it is; undefined where it is not. */
export async function findStopped(
  ctx: PublicCtx,
  wallet: StoppableWallet,
  scope: string,
): Promise<WalletStop | undefined> {
  const stop = await findStop(ctx.app.database.db, wallet, scope);
  return stop !== undefined && stop.retryAt > ctx.app.now() ? stop : undefined;
}

/** The same as a question that is asked together with others: whether it is not left alone. */
export function maySend(ctx: ClockCtx, wallet: StoppableWallet, scope: string): Condition {
  return isNotStopped(wallet, scope, ctx.app.now());
}

/**
 * Stops the background work for a wallet that refuses what we are, with an alarm: nothing that waits is lost, and it is
 * tried again every quarter of an hour: the answer says when. Holders who press its button ask it all the same. `scope`
 * is the pass type identifier, or the issuer id; of a workspace's own behind the workspace's.
 */
export async function stopWallet(
  ctx: PublicCtx,
  wallet: StoppableWallet,
  scope: string,
  reason: string,
): Promise<Date> {
  const now = ctx.app.now();
  const retryAt = new Date(now.getTime() + pauseMs);
  const stop = { wallet, scope, reason, since: now, retryAt };
  // Each holder who presses the button may meet the refusal: it is reported once for each try.
  if (!(await ctx.app.database.transaction((tx) => upsertStop(tx, stop)))) return retryAt;
  ctx.app.log.error(
    { wallet, scope, reason },
    'the wallet refuses us: its updates wait, see punchcard doctor',
  );
  return retryAt;
}

/** Takes the alarm back: the wallet has taken something. */
export async function resumeWallet(ctx: PublicCtx, wallet: StoppableWallet, scope: string): Promise<void> {
  const stop = await findStop(ctx.app.database.db, wallet, scope);
  if (stop === undefined) return;
  await ctx.app.database.transaction((tx) => deleteStop(tx, wallet, scope));
  ctx.app.log.info({ wallet, scope }, 'the wallet takes our updates again');
}

/** Ends a stop at once: the credentials that the wallet refused were replaced or deleted. */
export async function forgetStop(tx: Tx, wallet: StoppableWallet, scope: string): Promise<void> {
  await deleteStop(tx, wallet, scope);
}
