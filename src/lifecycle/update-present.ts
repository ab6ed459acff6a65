import { changeFieldValues } from '../cards/field-values.ts';
import { saveHolder } from '../cards/holders.sql.ts';
import { presentInstance } from '../cards/instance.schema.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import { changedNow } from '../cards/last-modified.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { type CardChange, changeOf, saveChange } from './change-card.ts';
import { claimDetail, type Issued, type IssueItem } from './issue-item.ts';
import { changedHolder } from './new-card.ts';

/** An item whose holder has a card, which is held. */
export interface Repeat {
  readonly item: IssueItem;
  readonly row: InstanceRow;
}

/**
 * Gives a card that its holder has what the item says of holder and fields, and answers it as an update. Without effect it is
 * a repeat, which its caller notes. A refusal is that of `changeFieldValues`.
 */
export async function updatePresent(
  tx: Tx,
  { item, row }: Repeat,
): Promise<{ readonly outcome: Issued | ApiError; readonly hasChanged: boolean }> {
  const change = catchRefusal(() => wantedChange(item, row));
  if (change instanceof ApiError) return { outcome: change, hasChanged: false };
  const { ctx, op } = item;
  const hasChanged = change.changed.length > 0;
  const now = hasChanged ? change.after : row;
  if (hasChanged) {
    await Promise.all([
      change.changed.includes('holder') && now.holder !== null && saveHolder(tx, now, now.holder, true),
      saveChange(tx, ctx, change, { action: op, detail: claimDetail(item) }),
    ]);
  }
  const push = await announceChange(tx, ctx, now, change.shown);
  const shown = presentInstance(ctx.app.config.publicUrl, now);
  return { outcome: { row: now, isNew: false, shown, push }, hasChanged };
}

/** Absent leaves alone, null clears; the identifier is that by which the card was found. */
function wantedChange({ ctx, input: { holder, fields = {} } }: IssueItem, row: InstanceRow): CardChange {
  const own = Object.keys(fields).length === 0 ? null : changeFieldValues(row, fields);
  const wanted = {
    ...row,
    holder: changedHolder(row.holder, holder ?? null),
    fields: own?.fields ?? row.fields,
    updatedAt: changedNow(ctx, row),
  };
  return changeOf(row, wanted, own);
}
