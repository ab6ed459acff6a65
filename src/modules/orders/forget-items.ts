import type { Tx } from '../../kit/db/database.ts';
import { clearItems } from './orders.sql.ts';

/** Forgets what the orders of a card say of what was bought; what they have earned stays. */
export async function forgetItems(
  tx: Tx,
  card: { readonly workspaceId: string; readonly instanceId: string },
): Promise<void> {
  await clearItems(tx, card);
}
