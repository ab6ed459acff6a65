import type { Tx } from '../../kit/db/database.ts';
import type { PassRow } from './pass-row.ts';
import { countsOfPass } from './passes.sql.ts';
import { advancePool, findMark, holdMark, markLow, shiftMark, type TakenCode } from './pool.sql.ts';
import { tellPoolLow } from './tell-pool-low.ts';

/** What a transaction has taken out of the pool of a pass. */
export interface PoolTaken {
  readonly pass: PassRow;
  readonly at: Date;
  /** The next in the order of their upload. */
  readonly drawn: TakenCode[];
  /** Codes that cards brought with them, wherever they were. */
  readonly known: TakenCode[];
  /** Whether a card was refused for want of a code. */
  isExhausted: boolean;
}

/** How many codes were taken. */
export function countTaken(taken: readonly PoolTaken[]): number {
  return taken.reduce((sum, { drawn, known }) => sum + drawn.length + known.length, 0);
}

/**
 * Tells, once, of a pool that has become low by what was taken, and moves its front on now and then. Costs nothing but a
 * comparison otherwise. Once in a transaction, after the counts.
 */
export async function settlePool(tx: Tx, taken: readonly PoolTaken[]): Promise<void> {
  const [first] = taken;
  if (first === undefined) return;
  const { pass, at } = first;
  if (pass.poolLowSince === null && (await hasBecomeLow(tx, pass, taken, at))) {
    await tellPoolLow(tx, pass, await countsOfPass(tx, pass), at);
  }
  const last = lastOf(taken.flatMap(({ drawn }) => drawn));
  if (last !== null && last - pass.poolFromSeq >= frontStep) await advancePool(tx, pass, last);
}

/** How far the front of a pool may lie behind: so many dead index entries are walked past in no time. */
const frontStep = 1_000;

/** Whether this transaction is the one that marks the pool as low. */
async function hasBecomeLow(tx: Tx, pass: PassRow, taken: readonly PoolTaken[], at: Date): Promise<boolean> {
  if (taken.some(({ isExhausted }) => isExhausted)) return markLow(tx, pass, null, at);
  const last = lastOf(taken.flatMap(({ drawn, known }) => [...drawn, ...known]));
  if (last === null || last < (pass.poolLowSeq ?? 0)) return false;
  const lastKnown = lastOf(taken.flatMap(({ known }) => known));
  if (pass.poolLowSeq === null || lastKnown === null || lastKnown < pass.poolLowSeq)
    return markLow(tx, pass, last, at);
  // Behind the mark there are fewer codes now than the pool is low at: it lies further ahead.
  await holdMark(tx, pass);
  const seq = await findMark(tx, pass);
  if (seq === null) return markLow(tx, pass, null, at);
  await shiftMark(tx, pass, seq);
  return false;
}

function lastOf(codes: readonly TakenCode[]): number | null {
  return codes.length === 0 ? null : Math.max(...codes.map(({ seq }) => seq));
}
