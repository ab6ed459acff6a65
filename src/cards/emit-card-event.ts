import type { PublicCtx } from '../context.ts';
import { changedProperties } from '../events/changed-properties.ts';
import { recordEvent } from '../events/record-event.ts';
import type { TimelineKind } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { presentInstance } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';

type Kind = Extract<
  TimelineKind,
  | 'instance.installed'
  | 'instance.removed'
  | 'instance.updated'
  | 'instance.voided'
  | 'instance.reactivated'
  | 'instance.erased'
>;

/** Emits an event for a change of a card: how the API shows it now, and its former values. */
export function emitCardEvent(
  tx: Tx,
  ctx: PublicCtx & { readonly actor: string },
  type: Kind,
  { before, after }: { readonly before: InstanceRow; readonly after: InstanceRow },
): void {
  const data = presentInstance(ctx.app.config.publicUrl, after);
  const was = presentInstance(ctx.app.config.publicUrl, before);
  const { previous } = changedProperties({ ...was, updatedAt: data.updatedAt }, data);
  // An own value may change behind what the card shows.
  if (type === 'instance.updated' && Object.keys(previous).length === 0) return;
  const { workspaceId, passId, instanceId } = after;
  recordEvent(tx, ctx, { type, workspaceId, actor: ctx.actor, passId, instanceId, data, previous });
}
