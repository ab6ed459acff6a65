import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { type EntryRow, findEntryOf, findOwnerOfEntry } from '../ledger/entries.sql.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';

/**
 * An entry of the caller by its public id. Raises `entry_not_found`; `forbidden` when another account owns it;
 * `insufficient_scope` when the key is restricted to other passes.
 */
export async function findEntry(db: Db, ctx: KeyCtx, publicId: string): Promise<EntryRow> {
  const entryId = decodeId('entry', publicId);
  const row = entryId === null ? undefined : await findEntryOf(db, ctx.workspaceId, entryId);
  if (row === undefined) {
    if (entryId !== null && (await findOwnerOfEntry(db, entryId)) !== undefined)
      throw refusal('forbidden', 'This entry belongs to another account.');
    throw refusal(
      'entry_not_found',
      `No entry has the id "${publicId.slice(0, 40)}". GET /loyalty/entries lists yours.`,
    );
  }
  refuseOtherPass(ctx, row.passId);
  return row;
}

/** Refuses staff an entry that another person has made: `role_required`. */
export function refuseEntryOfOthers({ key, actor }: KeyCtx, row: EntryRow): void {
  if (key.role === 'staff' && row.actor !== actor)
    throw refusal('role_required', 'Staff undo what they entered themselves. Ask a manager.');
}
