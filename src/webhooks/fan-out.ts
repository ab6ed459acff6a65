import type { CommandCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { insertDeliveries, insertOwnDeliveries } from './new-deliveries.sql.ts';
import { listWebhooks } from './webhooks.sql.ts';

/** Has events of a workspace that were just numbered delivered to its webhooks, in the transaction that numbers them. */
export async function fanOut(
  tx: Tx,
  ctx: CommandCtx,
  workspaceId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const numbers = { from, to, now: ctx.app.now() };
  let { deliveries, areOfWebhooks } = await insertDeliveries(tx, workspaceId, numbers);
  if (areOfWebhooks) deliveries += await tellWebhooks(tx, workspaceId, numbers);
  if (deliveries > 0) wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
}

async function tellWebhooks(
  tx: Tx,
  workspaceId: string,
  numbers: { readonly from: number; readonly to: number; readonly now: Date },
): Promise<number> {
  const webhooks = await listWebhooks(tx, workspaceId, null, mostWebhooks);
  const named = webhooks.map(({ webhookId }) => ({ webhookId, publicId: encodeId('hook', webhookId) }));
  return insertOwnDeliveries(tx, workspaceId, named, numbers);
}

/** No workspace has more. */
const mostWebhooks = 100;
