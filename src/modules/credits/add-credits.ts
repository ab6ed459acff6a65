import { audit } from '../../audit.ts';
import type { OperatorCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { grantCredits } from './credits.sql.ts';

interface Input {
  readonly workspaceId: string;
  readonly amount: number;
  readonly externalRef: string;
  readonly note?: string | undefined;
}

/** Tops up a workspace; `workspaceId` is its uuid. The balance never exceeds 2^53 - 1. */
export async function addCredits(tx: Tx, ctx: OperatorCtx, input: Input) {
  const { workspaceId, amount, externalRef, note = null } = input;
  const after = await grantCredits(tx, workspaceId, { amount, externalRef, note, at: ctx.app.now() });
  if (after === undefined) throw invalidRequest('amount: the balance would become too large.');
  await audit(tx, ctx, {
    workspaceId,
    action: 'addCredits',
    actor: 'operator',
    target: encodeId('ws', workspaceId),
    detail: { amount, externalRef },
  });
  return after;
}
