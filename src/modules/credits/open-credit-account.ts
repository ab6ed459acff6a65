import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { grantCredits, insertCreditAccount } from './credits.sql.ts';

/** The credit account of a new workspace, with its first credits. */
export async function openCreditAccount(
  tx: Tx,
  ctx: PublicCtx,
  input: { workspaceId: string; credits: number },
): Promise<void> {
  await insertCreditAccount(tx, input.workspaceId);
  if (input.credits === 0) return;
  const grant = { amount: input.credits, externalRef: null, note: 'First credits', at: ctx.app.now() };
  await grantCredits(tx, input.workspaceId, grant);
}
