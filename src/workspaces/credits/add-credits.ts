import type { CommandCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { insertCreditAccount, moveCredits, requestFlush } from './credits.sql.ts';

interface Input {
  readonly workspaceId: string;
  readonly amount: number;
  readonly externalRef: string;
  readonly note?: string | undefined;
}

/**
 * Tops up a workspace, and has the pushes delivered that were skipped for lack of credits. `workspaceId` is its uuid.
 * The balance never exceeds 2^53 - 1.
 */
export async function addCredits(tx: Tx, ctx: CommandCtx, input: Input) {
  const { workspaceId, amount, externalRef, note = null } = input;
  const at = ctx.app.now();
  // Before the account: who pays for skipped pushes takes the rows in this order.
  await requestFlush(tx, workspaceId, at);
  const move = { kind: 'grant', amount, reserved: 0, externalRef, note, at } as const;
  const after = await moveCredits(tx, workspaceId, move);
  if (after === undefined) throw invalidRequest('amount: the balance would become too large.');
  audit(tx, ctx, {
    workspaceId,
    action: 'addCredits',
    actor: 'operator',
    target: encodeId('ws', workspaceId),
    detail: { amount, externalRef },
  });
  wakeAfter(tx, ctx, workspaceId, 'flushSkipped');
  return after;
}

/** The credit account of a new workspace, with its first credits. */
export async function addCreditAccount(
  tx: Tx,
  ctx: CommandCtx,
  input: { workspaceId: string; credits: number },
): Promise<void> {
  await insertCreditAccount(tx, input.workspaceId);
  if (input.credits === 0) return;
  const { workspaceId, credits: amount } = input;
  const grant = { kind: 'grant', amount, reserved: 0, note: 'First credits', at: ctx.app.now() } as const;
  await moveCredits(tx, workspaceId, grant);
}
