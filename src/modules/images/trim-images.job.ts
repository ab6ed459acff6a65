import type { PublicCtx } from '../../context.ts';
import { holdStaleFiles, removeUnshown } from './images.sql.ts';

const filesPerTurn = 200;
/** Wallets that were told of an image may fetch it late. */
const keptMs = 30 * 24 * 3_600_000;

/** Removes images that no pass has shown for a month. False when there is nothing more to look at. */
export async function trimImages(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  return database.transaction(async (tx) => {
    const stale = await holdStaleFiles(tx, new Date(now().getTime() - keptMs), filesPerTurn);
    if (stale.length > 0) await removeUnshown(tx, stale, now());
    return stale.length === filesPerTurn;
  });
}
