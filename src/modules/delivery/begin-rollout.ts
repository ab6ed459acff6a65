import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { wakeAfter } from '../../wake-after.ts';
import { insertMessageRollout, upsertDesignRollout } from './rollouts.sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/**
 * Brings a changed design to the installed cards of a pass, in the background: a credit a card, as long as there are
 * any; the others wait for a top-up. `installed` is how many there are. Changed again meanwhile, the walk begins anew.
 */
export async function rollOutDesign(tx: Tx, ctx: PublicCtx, pass: Pass, installed: number): Promise<void> {
  if (installed === 0) return;
  await upsertDesignRollout(tx, pass, installed, ctx.app.now());
  wakeAfter(tx, ctx, 'walkRollouts');
}

/** Brings a message to `recipients` installed cards of a pass; the caller reserves a credit for each. Its id. */
export async function rollOutMessage(
  tx: Tx,
  ctx: PublicCtx,
  pass: Pass,
  recipients: number,
): Promise<string> {
  const rolloutId = newUuidV7();
  await insertMessageRollout(tx, pass, rolloutId, recipients, ctx.app.now());
  wakeAfter(tx, ctx, 'walkRollouts');
  return rolloutId;
}
