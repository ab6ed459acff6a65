import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { findPass, passNotFound } from '../passes/find-pass.ts';
import { countsOfPass, deletePassRow, lockPassAlone } from '../passes/passes.sql.ts';
import { awaitUploads } from '../passes/uploads.sql.ts';
import { takePassOff } from '../stores/stores.sql.ts';

/** Removes a design that has no instances, with its pool. */
export async function deletePass(tx: Tx, ctx: KeyCtx, input: { passId: string }): Promise<void> {
  const { passId } = await findPass(tx, ctx, input.passId);
  await awaitUploads(tx, passId);
  const pass = await lockPassAlone(tx, ctx.workspaceId, passId);
  if (pass === undefined) throw passNotFound(input.passId);
  const { issued } = await countsOfPass(tx, pass);
  if (issued > 0) {
    throw invalidRequest(
      `The pass has ${issued} instances and cannot be deleted. Archive it: PATCH with {"status":"archived"}.`,
    );
  }
  await takePassOff(tx, ctx.workspaceId, passId);
  await deletePassRow(tx, ctx.workspaceId, passId);
  audit(tx, ctx, {
    action: 'deletePass',
    target: input.passId,
    detail: { before: { title: pass.title, type: pass.type, status: pass.status } },
  });
}
