import type { ActorCtx } from '../context.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import type { PassRow } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';
import { presentPool } from './pool.schema.ts';
import {
  advancePool,
  findMark,
  type LowCounts,
  lockMark,
  markLow,
  moveMarkOn,
  type TakenCode,
} from './pool.sql.ts';

/** What was taken out of the pool of a pass. */
interface PoolTaken {
  /** Of one of those who took it. */
  readonly ctx: ActorCtx;
  readonly pass: PassRow;
  readonly at: Date;
  /** The next in the order of their upload. */
  readonly drawn: readonly TakenCode[];
  /** Codes that cards brought with them, wherever they were. */
  readonly known: readonly TakenCode[];
  /** Whether a card was refused for want of a code. */
  readonly isExhausted: boolean;
}

const deferred: DeferredWrite<PoolTaken[]> = {
  lockRank: lockRankOf('pool'),
  empty: () => [],
  async write(tx, taken) {
    const passes = Map.groupBy(taken, ({ pass }) => pass.passId);
    const inOrder = [...passes].sort(([a], [b]) => (a < b ? -1 : 1));
    await Promise.all(inOrder.map(([, ofPass]) => countPool(tx, ofPass)));
  },
};

/**
 * Notes the codes that were taken out of a pool. At the end of the unit of work, after the counts, emits once that the pool
 * has become low, and advances its front now and then. Otherwise this costs a comparison.
 */
export function noteTaken(tx: Tx, taken: PoolTaken): void {
  tx.unit.of(deferred).push(taken);
}

/** How far the front of a pool may lie behind: so many dead index entries are walked past in no time. */
const frontStep = 1_000;

async function countPool(tx: Tx, taken: readonly PoolTaken[]): Promise<void> {
  const [first] = taken;
  if (first === undefined) return;
  const { pass } = first;
  const writes = pass.poolLowSince === null ? emitLowPools(tx, first, taken) : [];
  const last = lastOf(taken.flatMap(({ drawn }) => drawn));
  if (last !== null && last - pass.poolFromSeq >= frontStep) writes.push(advancePool(tx, pass, last));
  await Promise.all(writes);
}

/** Marks the pool as low if it has become so by the taken codes, and emits that. */
function emitLowPools(tx: Tx, { ctx, pass, at }: PoolTaken, taken: readonly PoolTaken[]): Promise<void>[] {
  const { poolLowSeq } = pass;
  const emitted = async (marking: Promise<LowCounts | undefined>): Promise<void> => {
    const counts = await marking;
    if (counts !== undefined) emitPoolLow(tx, ctx, pass, counts, at);
  };
  if (taken.some(({ isExhausted }) => isExhausted))
    return [lockMark(tx, pass), emitted(markLow(tx, pass, at, null))];
  const last = lastOf(taken.flatMap(({ drawn, known }) => [...drawn, ...known]));
  if (last === null || last < (poolLowSeq ?? 0)) return [];
  const lastKnown = lastOf(taken.flatMap(({ known }) => known));
  const isInTurn = poolLowSeq === null || lastKnown === null || lastKnown < poolLowSeq;
  // Behind the mark there are fewer codes now than the pool is low at: it lies further ahead.
  return [lockMark(tx, pass), emitted(isInTurn ? markLow(tx, pass, at, last) : moveMarkOn(tx, pass, at))];
}

function lastOf(codes: readonly TakenCode[]): number | null {
  return codes.length === 0 ? null : Math.max(...codes.map(({ seq }) => seq));
}

/** The code from which on the pool of a pass is low, and the moment since when it is. */
type PoolMark = Pick<PassRow, 'poolLowSeq' | 'poolLowSince'>;

/**
 * Moves the mark of a pool after its codes, or `poolLowAt`, have changed other than by an issue. Emits, once, that the
 * pool has become low. The caller has locked the pass, so its counts are exact.
 */
export async function moveMark(
  tx: Tx,
  ctx: ActorCtx,
  pass: PassRow,
  { pooled, assigned }: PassCounts,
): Promise<PoolMark> {
  const at = ctx.app.now();
  if (pooled - assigned > pass.poolLowAt) return { poolLowSeq: await findMark(tx, pass), poolLowSince: null };
  const hasCrossed = pass.poolLowSeq !== null && pass.barcodeMode === 'pool';
  if (pass.poolLowSince !== null || !hasCrossed) return { poolLowSeq: null, poolLowSince: pass.poolLowSince };
  emitPoolLow(tx, ctx, pass, { pooled, assigned }, at);
  return { poolLowSeq: null, poolLowSince: at };
}

/** Emits that the pool of a pass has become low. */
function emitPoolLow(tx: Tx, ctx: ActorCtx, pass: PassRow, counts: LowCounts, at: Date): void {
  recordEvent(tx, ctx, {
    type: 'pool.low',
    passId: pass.passId,
    instanceId: null,
    data: presentPool({ ...pass, poolLowSince: at }, counts),
    previous: { lowSince: null },
  });
}
