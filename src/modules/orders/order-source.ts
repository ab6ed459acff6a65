import type { KeyCtx } from '../../context.ts';
import { findStore } from '../stores/find-store.ts';
import { apiSource } from './order-item.ts';

/**
 * Where an order belongs that a caller names: a store of the workspace, or to the caller. Raises `store_not_found` and
 * `forbidden`.
 */
export async function sourceOf(
  ctx: KeyCtx,
  storeId: string | null | undefined,
): Promise<{ source: string; followsEdits: boolean }> {
  if (storeId == null) return { source: apiSource, followsEdits: false };
  const store = await findStore(ctx.app.database.db, ctx, storeId);
  return { source: store.storeId, followsEdits: store.followsEdits };
}
