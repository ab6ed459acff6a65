import type { KeyCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { listStoresOfPass } from './stores.sql.ts';
import { retryWaiting } from './webhooks.sql.ts';

/** Makes the refused webhooks of a pass's stores due at once, since the reason of the refusal may have changed. */
export async function retryOrders(tx: Tx, ctx: KeyCtx, passId: string): Promise<void> {
  const { workspaceId, app } = ctx;
  const stores = await listStoresOfPass(tx, workspaceId, decodeId('pass', passId) ?? '');
  for (const store of stores) await retryWaiting(tx, store, app.now());
  if (stores.length > 0) wakeAfter(tx, ctx, workspaceId, 'workOffWebhooks');
}
