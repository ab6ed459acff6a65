import type { Tx } from '../../kit/db/database.ts';
import { recordEvent } from '../events/record-event.ts';
import type { PassRow } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';

/** Tells the event log that the pool of a pass has become low. */
export async function tellPoolLow(
  tx: Tx,
  { workspaceId, passId, poolLowAt }: Pick<PassRow, 'workspaceId' | 'passId' | 'poolLowAt'>,
  { pooled, assigned }: Pick<PassCounts, 'pooled' | 'assigned'>,
  at: Date,
): Promise<void> {
  const data = { available: pooled - assigned, total: pooled, lowAt: poolLowAt };
  await recordEvent(tx, { workspaceId, kind: 'pool.low', passId, data, createdAt: at });
}
