import { StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { KeyCtx } from '../../context.ts';
import { callStore, unsealCredentials } from './call-store.ts';
import { findConnectedStore } from './find-store.ts';
import type { StoreRow } from './store-row.ts';
import { makeDue } from './stores.sql.ts';

/**
 * Asks the store for its name with the credentials that are kept. A store that could not be read before, and can be now,
 * is read at once.
 */
export async function testStore(ctx: KeyCtx, input: { storeId: string }) {
  const { app } = ctx;
  const store = await findConnectedStore(app.database.db, ctx, input.storeId);
  const { api } = connectors[store.platform];
  if (api === null) return { ok: true as const, shop: null, message: 'Nothing is asked of this store.' };
  try {
    const { value: shop } = await callStore(app, store, api.getShop(unsealCredentials(app, store)));
    if (store.failures > 0) await readAtOnce(ctx, store);
    return { ok: true as const, shop: { name: shop.name }, message: 'The store answers.' };
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    return { ok: false as const, reason: error.reason, message: error.message };
  }
}

/** Unless the caller's key was revoked while the store was asked. */
function readAtOnce(ctx: KeyCtx, store: StoreRow): Promise<void> {
  const { app } = ctx;
  return app.database.transaction(async (tx) => {
    await app.askKeyAgain.now(tx, ctx);
    await makeDue(tx, store, app.now());
  });
}
