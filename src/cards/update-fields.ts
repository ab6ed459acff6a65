import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { shownTier } from '../passes/programs/tiers.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { changeFieldValues, checkFieldKeys } from './field-values.ts';
import { holdInstance, refuseVoided } from './find-instance.ts';
import { fieldValuesOf } from './instance.schema.ts';
import type { InstanceRow, Updated } from './instance-row.ts';
import { changeInstance } from './instances.sql.ts';
import { shownNow } from './last-modified.ts';

interface Input {
  readonly instanceId: string;
  readonly fields: Readonly<Record<string, string | null>>;
  readonly key: string | null;
}

/**
 * Gives the holder values of their own; null clears one. One bad key and nothing is changed. Raises
 * `instance_voided`, the refusals of `checkFieldKeys`, then `fields_update_unsupported`.
 */
export async function updateFields(tx: Tx, ctx: KeyCtx, input: Input): Promise<Updated> {
  const row = await holdInstance(tx, ctx, input.instanceId);
  refuseVoided(row);
  checkFieldKeys(row.passFields, input.fields);
  if (!row.addressable) {
    throw refusal(
      'fields_update_unsupported',
      'This card was issued elsewhere and no wallet link of ours reaches it. Re-adding the pass through its link makes an addressable card.',
    );
  }
  const { after, changed } = changeFieldValues(row.fields, input.fields);
  const tier = shownTier(row.loyalty);
  const content = (fields: InstanceRow['fields']) => JSON.stringify(fieldValuesOf({ ...row, fields }, tier));
  const shown = content(row.fields) !== content(after);
  if (changed.length > 0) await changeInstance(tx, row, { fields: after }, shown ? shownNow(ctx, row) : null);
  if (changed.length > 0 || input.key !== null) {
    const detail = { changed, ...(input.key !== null && { op: 'updateFields', key: input.key }) };
    await insertEvent(tx, row, { kind: 'instance.updated', detail, createdAt: ctx.app.now() });
  }
  return { row: { ...row, fields: after }, push: await announceChange(tx, ctx, row, shown) };
}
