import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Answered } from '../engine/idempotency.ts';
import { insertEach } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import { announceChange } from '../pushes/announce-change.ts';
import {
  type CardCall,
  cardCall,
  cardVerb,
  claimDetail,
  type LockedCall,
  noteUnchanged,
  submitCardCall,
  submitEach,
} from './card-calls.ts';
import { FieldUpdate } from './card-changes.schema.ts';
import { saveFields } from './changes.sql.ts';
import { emitCardEvent } from './emit-card-event.ts';
import { type ChangedFields, changeFieldValues, type FieldChanges } from './field-values.ts';
import type { Updated } from './instance-row.ts';
import { changedNow } from './last-modified.ts';
import type { UpdateAnswer } from './update-answer.ts';

const operation = 'updateFields';

interface Update {
  /** Public id. */
  readonly instanceId: string;
  readonly fields: FieldChanges;
}

type FieldsCall = CardCall & Update;

const changeFields = cardVerb<FieldsCall>(async (tx, workspaceId, held) => {
  const outcomes = new Map<FieldsCall, Updated | ApiError>();
  const allowed = held.flatMap((one) => {
    const change = catchRefusal(() => changeFieldValues(one.row, one.call.fields));
    if (change instanceof ApiError) outcomes.set(one.call, change);
    return change instanceof ApiError ? [] : [{ ...one, change, at: changedNow(one.call.ctx, one.row) }];
  });
  await saveAll(tx, workspaceId, allowed);
  const updated = allowed.map(async ({ call, row, change, at }) => {
    const changes = change.changed.length > 0;
    const after = { ...row, fields: change.fields, updatedAt: changes ? at : row.updatedAt };
    if (changes) {
      emitCardEvent(tx, call.ctx, 'instance.updated', { before: row, after });
      audit(tx, call.ctx, {
        action: operation,
        target: call.instanceId,
        detail: { changed: change.changed },
      });
    }
    outcomes.set(call, { row: after, push: await announceChange(tx, call.ctx, row, change.shown) });
  });
  await Promise.all(updated);
  return outcomes;
});

/** Writes what has changed, and on the timelines also that a caller has a key for what has not. */
async function saveAll(
  tx: Tx,
  workspaceId: string,
  allowed: readonly (LockedCall<FieldsCall> & { readonly change: ChangedFields; readonly at: Date })[],
): Promise<void> {
  const changed = allowed.filter(({ change }) => change.changed.length > 0);
  const unchanged = allowed.filter(({ change }) => change.changed.length === 0);
  await Promise.all([
    saveFields(
      tx,
      workspaceId,
      changed.map(({ row, change: { fields, shown }, at }) => ({ row, fields, at, shown })),
    ),
    insertEach(
      tx,
      workspaceId,
      'instance.updated',
      changed.map(({ call: { ctx, key }, row: { instanceId }, change }) => ({
        instanceId,
        detail: { changed: change.changed, ...claimDetail(operation, key) },
        actor: ctx.actor,
        createdAt: ctx.app.now(),
      })),
    ),
    noteUnchanged(tx, workspaceId, operation, unchanged),
  ]);
}

/**
 * Gives holders values of their own: null leaves a field blank, `useDefault` returns it to the value of the pass. One bad
 * key and nothing is changed. Raises what `findInstance` and `changeFieldValues` do.
 */
export function updateFields(
  ctx: KeyCtx,
  update: Update,
  key: string | null,
): Promise<Answered<UpdateAnswer>> {
  return submitCardCall(ctx, changeFields, callOf(ctx, update, key));
}

const checkUpdate = shapeCheck(FieldUpdate);

/** The same for many cards, of any passes; results are in the order of the items. */
export function updateFieldsBatch(ctx: KeyCtx, updates: readonly unknown[], key: string | null) {
  return submitEach(ctx, changeFields, updates, key, {
    op: 'updateFieldsBatch',
    check: checkUpdate,
    toCall: ({ externalRef, ...update }: Update & { externalRef?: string }, ownKey) =>
      callOf(ctx, update, externalRef ?? ownKey),
  });
}

function callOf(ctx: KeyCtx, { instanceId, fields }: Update, key: string | null): FieldsCall {
  return { ...cardCall(ctx, operation, instanceId, { key, effect: { fields } }), fields };
}
