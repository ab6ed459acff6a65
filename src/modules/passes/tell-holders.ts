import type { KeyCtx } from '../../context.ts';
import { laterMoment } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/database.ts';
import { keepPass } from './change-shown.ts';
import { countsOfPass, replacePass } from './passes.sql.ts';

/**
 * Puts a message on all cards of a pass, the caller's by its public id. Returns the pass and how many of its cards are
 * installed. Raises what `findPass` raises.
 */
export async function tellHolders(
  tx: Tx,
  ctx: KeyCtx,
  input: { passId: string; message: string },
): Promise<{ workspaceId: string; passId: string; installed: number }> {
  const before = await keepPass(tx, ctx, input.passId);
  const { workspaceId, passId } = before;
  const modifiedAt = laterMoment(before.modifiedAt, ctx.app.now());
  await replacePass(tx, { ...before, message: input.message, revision: before.revision + 1, modifiedAt });
  const { installed } = await countsOfPass(tx, before);
  return { workspaceId, passId, installed };
}
