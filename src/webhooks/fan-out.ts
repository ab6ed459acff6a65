import type { CommandCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { insertDeliveries } from './deliveries.sql.ts';
import { listWebhooks } from './webhooks.sql.ts';

/** Has events of a workspace that were just numbered delivered to its webhooks, in the transaction that numbers them. */
export async function fanOut(
  tx: Tx,
  ctx: CommandCtx,
  workspaceId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const webhooks = await listWebhooks(tx, workspaceId, null, mostWebhooks);
  if (webhooks.length === 0) return;
  const named = webhooks.map(({ webhookId }) => ({ webhookId, publicId: encodeId('hook', webhookId) }));
  const count = await insertDeliveries(tx, workspaceId, named, { from, to, now: ctx.app.now() });
  if (count > 0) wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
}

/** No workspace has more. */
const mostWebhooks = 100;
