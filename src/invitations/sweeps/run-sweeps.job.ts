import { setTimeout as sleep } from 'node:timers/promises';
import { StoreTrouble } from '../../connectors/connector.ts';
import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { changeLeased, leaseDue, lockLeased } from '../../engine/queue.sql.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { backOff } from '../../kit/time.ts';
import { type CustomerPage, readCustomers } from './decide-outcomes.ts';
import { endSweep } from './end-sweep.ts';
import { findStoreOfSweep } from './find-sweep.ts';
import { recordPage } from './record-page.ts';
import { removeItems } from './sweep-items.sql.ts';
import type { SweepRow } from './sweep-row.ts';
import { dueSweeps, findPassAndStore, findStaleSweep, lockStaleSweep, markTrimmed } from './sweeps.sql.ts';

/** A worker that does not report for so long loses its sweep to the next worker. */
const leaseMs = 30_000;
/** After so long it is the turn of the sweep that has waited longest. */
const turnMs = 5_000;
/** A store that wants a longer rest is not waited for. */
const shortRestMs = 250;
/** Failed pages in a row after which it ends; an unreadable page seldom becomes readable. */
const mostFailures = { usual: 10, unreadable: 3 };
const pauses = { firstMs: 1_000, mostMs: 60_000 };
/** However long a store wants to be left alone: it is looked after the pass and the store at least so often. */
const longestRestMs = 15 * 60_000;

/** The sweeps that are to go on. */
export function sweepsDue(): DueWork {
  return { queues: [dueSweeps] };
}

/**
 * Takes the sweep that has waited longest and reads on in its store, page by page, for a while. False when there is none.
 * A page is one transaction, which also keeps how far the sweep came, so that a worker that dies leaves the rest to
 * others; and it is written only as long as the sweep is still this worker's.
 */
export async function runSweeps(ctx: PublicCtx): Promise<boolean> {
  const { now } = ctx.app;
  const lease = { now: now(), until: new Date(now().getTime() + leaseMs), most: 1 };
  const [sweep] = await leaseDue({ app: ctx.app, queue: dueSweeps }, lease);
  if (sweep === undefined) return false;
  await readOn(ctx, sweep);
  return true;
}

/** The next page is fetched while one is written. */
async function readOn(ctx: PublicCtx, taken: SweepRow): Promise<void> {
  const endsAt = performance.now() + turnMs;
  let sweep = taken;
  try {
    const store = await findStoreOfSweep(ctx, taken);
    let fetched = settle(readCustomers(ctx, store, taken.cursor));
    for (;;) {
      const page = await fetched();
      const isOver = performance.now() > endsAt || ctx.app.isDraining() || page.restMs > shortRestMs;
      const next = page.next;
      if (next !== null && !isOver)
        fetched = settle(sleep(page.restMs).then(() => readCustomers(ctx, store, next)));
      const written = await writePage(ctx, sweep, page, isOver ? page.restMs : null);
      if (written === null) return;
      sweep = written;
    }
  } catch (error) {
    await noteTrouble(ctx, sweep, error);
  }
}

/** What is not awaited at once must not end the process when it fails. */
function settle<T>(work: Promise<T>): () => Promise<T> {
  work.catch(() => undefined);
  return () => work;
}

/**
 * Writes a page. The sweep as it is now; null where it goes on no more, here or at all. `restMs`: how long it is left
 * alone afterwards.
 */
async function writePage(
  ctx: PublicCtx,
  sweep: SweepRow,
  page: CustomerPage,
  restMs: number | null,
): Promise<SweepRow | null> {
  const isRead = page.next === null;
  const written = await ctx.app.database.transaction(async (tx) => {
    if (!(await isStillOurs(tx, ctx, sweep))) return null;
    const { counts, isFull } = await recordPage(tx, ctx, sweep, page.customers);
    const progress = {
      cursor: isFull ? sweep.cursor : page.next,
      counts,
      failures: 0,
      unreadable: 0,
      problem: null,
      dueAt: new Date(ctx.app.now().getTime() + (restMs ?? leaseMs)),
    };
    await changeLeased(tx, dueSweeps, sweep, progress);
    if (!isRead && !isFull) return { ...sweep, ...progress };
    await endSweep(tx, ctx, sweep, 'completed');
    return null;
  });
  return restMs === null ? written : null;
}

/**
 * Keeps a sweep from others until the transaction ends, as long as it is this worker's. One whose pass no longer
 * invites, or whose store is gone, is ended instead.
 */
async function isStillOurs(tx: Tx, ctx: PublicCtx, sweep: SweepRow): Promise<boolean> {
  if ((await lockLeased(tx, dueSweeps, sweep)) === undefined) return false;
  const { isPublished, isConnected } = await findPassAndStore(tx, sweep);
  if (isPublished && isConnected) return true;
  await endSweep(tx, ctx, sweep, 'failed', isPublished ? 'store_not_connected' : 'pass_not_active');
  return false;
}

/** Tries again later, or gives up where that would not help. */
async function noteTrouble(ctx: PublicCtx, sweep: SweepRow, error: unknown): Promise<void> {
  const trouble = error instanceof StoreTrouble ? error : null;
  if (trouble === null)
    ctx.app.log.error({ err: error, sweepId: encodeId('sweep', sweep.sweepId) }, 'a sweep met an error');
  const problem = trouble?.reason ?? 'internal_error';
  const isUnreadable = trouble?.reason === 'store_answer_unreadable';
  const isLasting = trouble !== null && trouble.retryMs === null && !isUnreadable;
  const now = ctx.app.now().getTime();
  await ctx.app.database.transaction(async (tx) => {
    if (!(await isStillOurs(tx, ctx, sweep))) return;
    const failures = sweep.failures + 1;
    const unreadable = isUnreadable ? sweep.unreadable + 1 : 0;
    if (isLasting || failures >= mostFailures.usual || unreadable >= mostFailures.unreadable) {
      await endSweep(tx, ctx, sweep, 'failed', problem);
      return;
    }
    const restMs = Math.min(Math.max(backOff(pauses, sweep.failures), trouble?.retryMs ?? 0), longestRestMs);
    await changeLeased(tx, dueSweeps, sweep, {
      dueAt: new Date(now + restMs),
      failures,
      unreadable,
      problem,
    });
  });
}

const itemsPerTurn = 2_000;
const keptMs = 90 * 24 * 3_600_000;

/**
 * Deletes the outcomes of customers 90 days after a sweep has ended, and those of a dry run at once. The counts stay.
 * False if nothing is left.
 */
export async function trimSweeps(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const sweep = await findStaleSweep(database.db, new Date(now().getTime() - keptMs));
  if (sweep === undefined) return false;
  return database.transaction(async (tx) => {
    if (!(await lockStaleSweep(tx, sweep))) return false;
    const removed = await removeItems(tx, sweep, itemsPerTurn);
    if (removed === 0) await markTrimmed(tx, sweep, now());
    return true;
  });
}
