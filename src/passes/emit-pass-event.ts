import type { ActorCtx } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import type { PassRow } from './pass-row.ts';

/** Emits a change of a pass; `data` is the pass as the API shows it. */
export function emitPassEvent(
  tx: Tx,
  ctx: ActorCtx,
  { passId }: Pick<PassRow, 'passId'>,
  event: {
    readonly type: 'pass.created' | 'pass.published' | 'pass.archived' | 'pass.updated';
    readonly data: object;
    readonly previous?: object;
  },
): void {
  recordEvent(tx, ctx, { ...event, passId, instanceId: null });
}
