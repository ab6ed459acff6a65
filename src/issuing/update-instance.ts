import type { Static } from 'typebox';
import { holdInstance } from '../cards/find-instance.ts';
import { expiryOf, type InstanceChanges } from '../cards/instance.schema.ts';
import type { InstanceRow, Updated } from '../cards/instance-row.ts';
import { changeInstance } from '../cards/instances.sql.ts';
import { shownNow } from '../cards/last-modified.ts';
import type { KeyCtx } from '../context.ts';
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
 * Changes holder, expiry or metadata: absent leaves alone, null clears. With the identifier of a former card it takes
 * over that card's account. Raises `holder_has_active_instance`.
 */
export async function updateInstance(tx: Tx, ctx: KeyCtx, input: Input): Promise<Updated> {
  const before = await holdInstance(tx, ctx, input.instanceId);
  if (before.erasedAt !== null)
    throw invalidRequest('This instance was erased and cannot be changed. Issue a new one.');
  const { holder, expiresAt, metadata } = input.changes;
  const wanted: InstanceRow = {
    ...before,
    holder: holder === undefined ? before.holder : completeHolder({ ...before.holder, ...holder }),
    expiresAt:
      expiresAt === undefined ? before.expiresAt : futureMoment('expiresAt', expiresAt, ctx.app.now()),
    metadata: metadata ?? before.metadata,
  };
  const taken = holder === undefined ? null : await keepHolderAndAccount(tx, wanted);
  const after = { ...wanted, loyalty: taken ?? wanted.loyalty };
  const shown = taken !== null || expiryOf(before)?.getTime() !== expiryOf(after)?.getTime();
  await changeInstance(
    tx,
    after,
    { expiresAt: after.expiresAt, metadata: after.metadata },
    shown ? shownNow(ctx, before) : null,
  );
  const changed = Object.keys(input.changes);
  const detail = { changed, ...(input.key !== null && { op: 'updateInstance', key: input.key }) };
  await insertEvent(tx, after, { kind: 'instance.updated', detail, createdAt: ctx.app.now() });
  return { row: after, push: await announceChange(tx, ctx, after, shown) };
}
