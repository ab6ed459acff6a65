import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { claimDetail } from '../cards/card-calls.ts';
import { changeInstance } from '../cards/changes.sql.ts';
import { changeFieldValues } from '../cards/field-values.ts';
import { holdInstance } from '../cards/find-instance.ts';
import { expiryOf, type InstanceChanges } from '../cards/instance.schema.ts';
import type { InstanceRow, Updated } from '../cards/instance-row.ts';
import { shownNow } from '../cards/last-modified.ts';
import { tellChange } from '../cards/tell-change.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { futureMoment } from '../kit/http/parameters.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { completeHolder } from './new-card.ts';
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
  const before = await holdInstance(tx, ctx, input.instanceId);
  if (before.erasedAt !== null)
    throw invalidRequest('This instance was erased and cannot be changed. Issue a new one.');
  const { holder, expiresAt, metadata, fields } = input.changes;
  const own = fields === undefined ? null : changeFieldValues(before, fields);
  const wanted: InstanceRow = {
    ...before,
    holder: holder === undefined ? before.holder : completeHolder({ ...before.holder, ...holder }),
    expiresAt:
      expiresAt === undefined ? before.expiresAt : futureMoment('expiresAt', expiresAt, ctx.app.now()),
    metadata: metadata ?? before.metadata,
    fields: own?.fields ?? before.fields,
  };
  const taken = holder === undefined ? null : await keepHolderAndAccount(tx, wanted);
  const after = { ...wanted, loyalty: taken ?? wanted.loyalty };
  const expires = expiryOf(before)?.getTime() !== expiryOf(after)?.getTime();
  const shown = taken !== null || expires || own?.shown === true;
  const changed = [
    ...(['holder', 'expiresAt', 'metadata'] as const).filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    ),
    ...(own?.changed ?? []),
  ];
  await saveChange(tx, ctx, input, { before, after, changed, shown });
  return { row: after, push: await announceChange(tx, ctx, after, shown) };
}

interface Change {
  readonly before: InstanceRow;
  readonly after: InstanceRow;
  /** What differs: properties of the card, and keys of its fields. */
  readonly changed: readonly string[];
  readonly shown: boolean;
}

/** Writes what has changed but the holder, and tells of all. */
async function saveChange(
  tx: Tx,
  ctx: KeyCtx,
  { instanceId, key }: Input,
  { before, after, changed, shown }: Change,
): Promise<void> {
  const { expiresAt, metadata, fields } = after;
  await changeInstance(tx, after, { expiresAt, metadata, fields }, shown ? shownNow(ctx, before) : null);
  const kind = changed.length > 0 ? 'instance.updated' : 'instance.unchanged';
  const detail = { ...(changed.length > 0 && { changed }), ...claimDetail('updateInstance', key) };
  if (changed.length > 0 || key !== null)
    await insertEvent(tx, after, { kind, detail, createdAt: ctx.app.now() });
  if (changed.length === 0) return;
  tellChange(tx, ctx, 'instance.updated', { before, after });
  const expiries = changed.includes('expiresAt') && {
    before: { expiresAt: before.expiresAt },
    after: { expiresAt },
  };
  audit(tx, ctx, { action: 'updateInstance', target: instanceId, detail: { changed, ...expiries } });
}
