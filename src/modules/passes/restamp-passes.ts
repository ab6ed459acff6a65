import type { ClockCtx, PublicCtx } from '../../context.ts';
import { wholeSecond } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/database.ts';
import { rollOutDesign } from '../delivery/begin-rollout.ts';
import { countsOf, restampAll, restampEverywhere } from './passes.sql.ts';

/** Something changed that the cards of all passes show: their files are made anew, and their wallets are told. */
export async function restampPasses(tx: Tx, ctx: PublicCtx, workspaceId: string): Promise<void> {
  const passIds = await restampAll(tx, workspaceId, ctx.app.now());
  for (const [passId, { installed }] of await countsOf(tx, workspaceId, passIds))
    await rollOutDesign(tx, ctx, { workspaceId, passId }, installed);
}

/**
 * Makes all copies of all cards old, of whatever workspace, without telling anybody: also those that were given a second
 * ahead of the clock.
 */
export async function outdateCopies(tx: Tx, ctx: ClockCtx): Promise<void> {
  await restampEverywhere(tx, new Date(wholeSecond(ctx.app.now()).getTime() + 2_000));
}
