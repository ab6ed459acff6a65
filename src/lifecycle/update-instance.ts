import type { Static } from 'typebox';
import { claimDetail } from '../cards/card-calls.ts';
import { changeFieldValues } from '../cards/field-values.ts';
import { lockInstance } from '../cards/find-instance.ts';
import type { InstanceChanges } from '../cards/instance.schema.ts';
import type { InstanceRow, Updated } from '../cards/instance-row.ts';
import { changedNow } from '../cards/last-modified.ts';
import type { KeyCtx } from '../context.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { futureMoment } from '../kit/http/endpoints/parameters.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { changeOf, saveChange } from './change-card.ts';
import { numberRead } from './issue-item.ts';
import { changedHolder } from './new-card.ts';
import { keepHolderAndAccount } from './take-over.ts';

interface Input {
  readonly instanceId: string;
  readonly changes: Static<typeof InstanceChanges>;
  readonly key: string | null;
}

/**
 * Changes holder, expiry, metadata or own values: absent leaves alone, null clears. With the identifier of a former card it
 * takes over that card's account. Raises the refusals of `changeFieldValues`, and `holder_has_active_instance`.
 */
export async function updateInstance(tx: Tx, ctx: KeyCtx, input: Input): Promise<Updated> {
  const before = await lockInstance(tx, ctx, input.instanceId);
  if (before.erasedAt !== null)
    throw invalidRequest('This instance was erased and cannot be changed. Issue a new one.');
  const { holder, expiresAt, metadata, fields } = input.changes;
  const own = fields === undefined ? null : changeFieldValues(before, fields);
  const wanted: InstanceRow = {
    ...before,
    holder:
      holder === undefined ? before.holder : changedHolder(before.holder, await numberRead(ctx, holder)),
    expiresAt:
      expiresAt === undefined ? before.expiresAt : futureMoment('expiresAt', expiresAt, ctx.app.now()),
    metadata: metadata ?? before.metadata,
    fields: own?.fields ?? before.fields,
    updatedAt: changedNow(ctx, before),
  };
  const taken = holder === undefined ? null : await keepHolderAndAccount(tx, wanted);
  const change = changeOf(before, { ...wanted, ...taken }, own);
  const detail = claimDetail('updateInstance', input.key);
  const hasChanged = change.changed.length > 0;
  if (hasChanged) await saveChange(tx, ctx, change, { action: 'updateInstance', detail });
  else if (input.key !== null)
    await insertEvent(tx, before, {
      kind: 'instance.unchanged',
      detail,
      actor: ctx.actor,
      createdAt: ctx.app.now(),
    });
  const row = hasChanged ? change.after : before;
  return { row, push: await announceChange(tx, ctx, row, change.shown) };
}
