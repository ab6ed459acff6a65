import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import { type EntryRow, findEntryAnywhere } from './entries.sql.ts';

/**
 * An entry of the caller by its public id. Raises `entry_not_found`; `forbidden` when another account owns it;
 * `insufficient_scope` when the key is restricted to other passes.
 */
export async function findEntry(db: Db, ctx: KeyCtx, publicId: string): Promise<EntryRow> {
  const entryId = decodeId('entry', publicId);
  const row = entryId === null ? undefined : await findEntryAnywhere(db, entryId);
  if (row === undefined) {
    throw refusal(
      'entry_not_found',
      `No entry has the id "${publicId.slice(0, 40)}". GET /loyalty/entries lists yours.`,
    );
  }
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This entry belongs to another account.');
  refuseOtherPass(ctx, row.passId);
  return row;
}
