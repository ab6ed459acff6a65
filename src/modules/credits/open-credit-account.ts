import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { insertCreditAccount, moveCredits } from './credits.sql.ts';

/** The credit account of a new workspace, with its first credits. */
export async function openCreditAccount(
  tx: Tx,
  ctx: PublicCtx,
  input: { workspaceId: string; credits: number },
): Promise<void> {
  await insertCreditAccount(tx, input.workspaceId);
  if (input.credits === 0) return;
  const { workspaceId, credits: amount } = input;
  const grant = { kind: 'grant', amount, reserved: 0, note: 'First credits', at: ctx.app.now() } as const;
  await moveCredits(tx, workspaceId, grant);
}
