import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import type { PassRow } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';
import { findMark } from './pool.sql.ts';

/** From which code on the pool of a pass is low, and since when it is. */
export type PoolMark = Pick<PassRow, 'poolLowSeq' | 'poolLowSince'>;

/**
 * Where the mark of a pool lies after its codes, or `poolLowAt`, have changed otherwise than by an issue. Tells, once,
 * of a pool that has become low by it. The pass is locked: its counts are exact.
 */
export async function moveMark(
  tx: Tx,
  pass: PassRow,
  { pooled, assigned }: PassCounts,
  at: Date,
): Promise<PoolMark> {
  if (pooled - assigned > pass.poolLowAt) return { poolLowSeq: await findMark(tx, pass), poolLowSince: null };
  const hasCrossed = pass.poolLowSeq !== null && pass.barcodeMode === 'pool';
  if (pass.poolLowSince !== null || !hasCrossed) return { poolLowSeq: null, poolLowSince: pass.poolLowSince };
  await tellPoolLow(tx, pass, { pooled, assigned }, at);
  return { poolLowSeq: null, poolLowSince: at };
}

/** Tells the event log that the pool of a pass has become low. */
async function tellPoolLow(
  tx: Tx,
  { workspaceId, passId, poolLowAt }: Pick<PassRow, 'workspaceId' | 'passId' | 'poolLowAt'>,
  { pooled, assigned }: Pick<PassCounts, 'pooled' | 'assigned'>,
  at: Date,
): Promise<void> {
  const data = { available: pooled - assigned, total: pooled, lowAt: poolLowAt };
  await recordEvent(tx, { workspaceId, kind: 'pool.low', passId, data, createdAt: at });
}
