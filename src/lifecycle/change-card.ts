import { isDeepStrictEqual } from 'node:util';
import { changeInstance } from '../cards/changes.sql.ts';
import { emitCardEvent } from '../cards/emit-card-event.ts';
import type { ChangedFields } from '../cards/field-values.ts';
import { expiryOf } from '../cards/instance.schema.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import type { ActorCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';

/** A change of a card that the caller holds. */
export interface CardChange {
  readonly before: InstanceRow;
  /** With the moment of the change. */
  readonly after: InstanceRow;
  /** What differs: properties of the card, and keys of its fields; nothing where there is nothing to write. */
  readonly changed: readonly string[];
  readonly shown: boolean;
}

/** What differs between a card and how it is wanted, `own` being what was asked of its fields. */
export function changeOf(before: InstanceRow, after: InstanceRow, own: ChangedFields | null): CardChange {
  const hasTaken = before.loyalty !== after.loyalty;
  const expires = expiryOf(before)?.getTime() !== expiryOf(after)?.getTime();
  const changed = [
    ...(['holder', 'expiresAt', 'metadata'] as const).filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    ),
    ...(hasTaken ? ['loyalty'] : []),
    ...(own?.changed ?? []),
  ];
  return { before, after, changed, shown: hasTaken || expires || own?.shown === true };
}

/** Writes what has changed except the holder, and emits the events: `detail` names the claim whose answer shows the card. */
export async function saveChange(
  tx: Tx,
  ctx: ActorCtx,
  { before, after, changed, shown }: CardChange,
  { action, detail }: { readonly action: string; readonly detail: { op?: string; key?: string } },
): Promise<void> {
  const { expiresAt, metadata, fields, updatedAt } = after;
  const line = {
    kind: 'instance.updated',
    detail: { changed, ...detail },
    actor: ctx.actor,
    createdAt: ctx.app.now(),
  } as const;
  await Promise.all([
    changeInstance(tx, after, { expiresAt, metadata, fields }, { at: updatedAt, shown }),
    insertEvent(tx, after, line),
  ]);
  emitCardEvent(tx, ctx, 'instance.updated', { before, after });
  const expiries = changed.includes('expiresAt') && {
    before: { expiresAt: before.expiresAt },
    after: { expiresAt },
  };
  const target = encodeId('inst', after.instanceId);
  audit(tx, ctx, { action, target, detail: { changed, ...expiries } });
}
