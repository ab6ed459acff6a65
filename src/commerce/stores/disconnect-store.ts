import type { ActorCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { holdStore } from './find-store.ts';
import type { StoreProblem } from './store-row.ts';
import { changeStore } from './stores.sql.ts';

/**
 * Ends the connection: the credentials are gone, orders earn nothing any more. The row stays, with what signs its
 * webhooks, since a platform sends its privacy requests afterwards.
 */
export async function disconnectStore(
  tx: Tx,
  ctx: ActorCtx,
  input: { storeId: string; problem?: StoreProblem },
): Promise<void> {
  const store = await holdStore(tx, ctx, input.storeId);
  const now = ctx.app.now();
  await changeStore(tx, store, {
    credentials: null,
    reconcileAt: null,
    disconnectedAt: now,
    problem: input.problem ?? null,
    failures: 0,
    updatedAt: now,
  });
  audit(tx, ctx, {
    action: 'disconnectStore',
    target: encodeId('store', store.storeId),
    detail: { platform: store.platform, domain: store.domain, problem: input.problem ?? null },
  });
}
