import type { ActorCtx, PublicCtx } from '../../context.ts';
import { encodeId } from '../../kit/ids.ts';
import type { StoreRow } from './store-row.ts';

/** Whoever acts on behalf of a store. */
export function actorOf(ctx: PublicCtx, store: Pick<StoreRow, 'workspaceId' | 'storeId'>): ActorCtx {
  return {
    ...ctx,
    workspaceId: store.workspaceId,
    actor: encodeId('store', store.storeId),
    passIds: null,
  };
}
