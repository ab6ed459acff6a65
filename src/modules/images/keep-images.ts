import type { KeyCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import type { PassImages } from '../passes/pass-row.ts';
import { type ImageFile, insertFiles, touchFiles } from './images.sql.ts';

/**
 * Stores the files that a pass is about to show; the workspace may have some of them. Call it, as `keepImages`, before
 * anything is locked: files are large, and nobody is to wait for them.
 */
export async function storeImages(tx: Tx, ctx: KeyCtx, files: readonly ImageFile[]): Promise<void> {
  if (files.length === 0) return;
  const hashes = files.map(({ hash }) => hash);
  const stored = await touchFiles(tx, ctx.workspaceId, hashes, ctx.app.now());
  const missing = files.filter(({ hash }) => !stored.has(hash));
  if (missing.length > 0) await insertFiles(tx, ctx.workspaceId, missing, ctx.app.now());
}

/** Keeps the images of one pass for another that is about to show them too. */
export async function keepImages(tx: Tx, ctx: KeyCtx, images: PassImages): Promise<void> {
  const files = Object.values(images).flatMap(({ shown, files }) => [shown, ...Object.values(files)]);
  const hashes = [...new Set(files.map(({ hash }) => hash))];
  if (hashes.length === 0) return;
  const stored = await touchFiles(tx, ctx.workspaceId, hashes, ctx.app.now());
  if (stored.size < hashes.length) throw new Error('an image of a pass is not in the store');
}
