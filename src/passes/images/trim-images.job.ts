import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { findStaleFiles, lockStaleFiles, removeUnshown } from './images.sql.ts';
import { deleteUploads, findStaleUploads } from './uploads.sql.ts';

const filesPerTurn = 200;
/** Wallets that were given the address of an image may fetch it late. */
const keptMs = 30 * 24 * 3_600_000;

/** Removes images that no pass has shown for a month, and uploads after their days. False when there is nothing more to look at. */
export async function trimImages(ctx: PublicCtx): Promise<boolean> {
  const [files, uploads] = [await trimFiles(ctx), await trimUploads(ctx)];
  return files || uploads;
}

async function trimFiles({ app: { database, now } }: PublicCtx): Promise<boolean> {
  const before = new Date(now().getTime() - keptMs);
  const stale = await findStaleFiles(database.db, before, filesPerTurn);
  for (const [workspaceId, files] of byWorkspace(stale)) {
    const hashes = files.map(({ hash }) => hash);
    await database.transaction(async (tx) => {
      const held = await lockStaleFiles(tx, workspaceId, hashes, before);
      if (held.length > 0) await removeUnshown(tx, workspaceId, held, now());
    });
  }
  return stale.length === filesPerTurn;
}

async function trimUploads({ app: { database, now } }: PublicCtx): Promise<boolean> {
  const at = now();
  const stale = await findStaleUploads(database.db, at, filesPerTurn);
  for (const [workspaceId, uploads] of byWorkspace(stale)) {
    const hashes = uploads.map(({ hash }) => hash);
    await database.transaction((tx) => deleteUploads(tx, workspaceId, hashes, at));
  }
  return stale.length === filesPerTurn;
}
