import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { findStaleFiles, holdStaleFiles, removeUnshown } from './images.sql.ts';

const filesPerTurn = 200;
/** Wallets that were given the address of an image may fetch it late. */
const keptMs = 30 * 24 * 3_600_000;

/** Removes images that no pass has shown for a month. False when there is nothing more to look at. */
export async function trimImages(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const before = new Date(now().getTime() - keptMs);
  const stale = await findStaleFiles(database.db, before, filesPerTurn);
  for (const [workspaceId, files] of byWorkspace(stale)) {
    const hashes = files.map(({ hash }) => hash);
    await database.transaction(async (tx) => {
      const held = await holdStaleFiles(tx, workspaceId, hashes, before);
      if (held.length > 0) await removeUnshown(tx, workspaceId, held, now());
    });
  }
  return stale.length === filesPerTurn;
}
