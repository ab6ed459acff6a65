import { setTimeout as sleep } from 'node:timers/promises';
import { StoreTrouble } from '../../connectors/connector.ts';
import type { PublicCtx } from '../../context.ts';
import { type Condition, isAnyDue, takeDue } from '../../engine/due.sql.ts';
import { backOff } from '../../kit/back-off.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { endSweep } from './end-sweep.ts';
import { findStoreOfSweep } from './find-sweep.ts';
import { type CustomerPage, readCustomers } from './read-customers.ts';
import { recordPage } from './record-page.ts';
import type { SweepRow } from './sweep-row.ts';
import { dueSweeps, type Ground, holdSweep, restSweep, saveProgress, takenBy } from './sweeps.sql.ts';

/** A worker that is not heard of for so long has lost its sweep to the next that comes. */
const leaseMs = 30_000;
/** After so long it is the turn of the sweep that has waited longest. */
const turnMs = 5_000;
/** A store that wants a longer rest is not waited for. */
const shortRestMs = 250;
/** Failed pages in a row after which it ends; what nobody can read will seldom become readable. */
const mostFailures = { usual: 10, unreadable: 3 };
const pauses = { firstMs: 1_000, mostMs: 60_000 };
/** However long a store wants to be left alone: it is looked after the pass and the store at least so often. */
const longestRestMs = 15 * 60_000;

/** Whether a sweep is to go on. */
export function isSweepDue({ app }: PublicCtx): Condition {
  return isAnyDue(dueSweeps, app.now());
}

/**
 * Takes the sweep that has waited longest and reads on in its store, page by page, for a while. False when there is none.
 * A page is one transaction, which also keeps how far the sweep came, so that a worker that dies leaves the rest to
 * others; and it is written only as long as the sweep is still this worker's.
 */
export async function runSweeps(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const lease = {
    now: now(),
    until: new Date(now().getTime() + leaseMs),
    most: 1,
    set: takenBy(newUuidV7()),
  };
  const [sweep] = await takeDue({ database, queue: dueSweeps }, lease);
  if (sweep === undefined) return false;
  try {
    await readOn(ctx, sweep);
  } catch (error) {
    await noteTrouble(ctx, sweep, error);
  }
  return true;
}

/** The next page is fetched while one is written. */
async function readOn(ctx: PublicCtx, taken: SweepRow): Promise<void> {
  const endsAt = performance.now() + turnMs;
  const store = await findStoreOfSweep(ctx, taken);
  let sweep: SweepRow | null = taken;
  let fetched = settle(readCustomers(ctx, store, taken.cursor));
  while (sweep !== null) {
    const page = await fetched();
    const isOver = performance.now() > endsAt || ctx.app.isDraining() || page.restMs > shortRestMs;
    const next = page.next;
    if (next !== null && !isOver)
      fetched = settle(sleep(page.restMs).then(() => readCustomers(ctx, store, next)));
    sweep = await writePage(ctx, sweep, page, isOver ? page.restMs : null);
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
    const ground = await holdSweep(tx, sweep);
    if (ground === undefined || (await isGroundless(tx, ctx, sweep, ground))) return null;
    const { counts, isFull } = await recordPage(tx, ctx, sweep, page.customers);
    const progress = { cursor: isFull ? sweep.cursor : page.next, counts, ...leaseAfter(ctx, sweep, restMs) };
    await saveProgress(tx, sweep, progress);
    if (!isRead && !isFull) return { ...sweep, ...progress };
    await endSweep(tx, ctx, sweep, 'completed');
    return null;
  });
  return restMs === null ? written : null;
}

/** Ends a sweep whose pass invites nobody any more, or whose store is gone. */
async function isGroundless(tx: Tx, ctx: PublicCtx, sweep: SweepRow, ground: Ground): Promise<boolean> {
  const problem = ground.isPublished ? 'store_not_connected' : 'pass_not_active';
  if (ground.isPublished && ground.isConnected) return false;
  await endSweep(tx, ctx, sweep, 'failed', problem);
  return true;
}

/** With a rest it is left to whoever comes first then. */
function leaseAfter({ app }: PublicCtx, { leaseOwner }: SweepRow, restMs: number | null) {
  const until = new Date(app.now().getTime() + (restMs ?? leaseMs));
  return { leaseOwner: restMs === null ? leaseOwner : null, leaseUntil: until };
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
    const ground = await holdSweep(tx, sweep);
    if (ground === undefined || (await isGroundless(tx, ctx, sweep, ground))) return;
    const failures = ground.failures + 1;
    const unreadable = isUnreadable ? ground.unreadable + 1 : 0;
    if (isLasting || failures >= mostFailures.usual || unreadable >= mostFailures.unreadable) {
      await endSweep(tx, ctx, sweep, 'failed', problem);
      return;
    }
    const restMs = Math.min(Math.max(backOff(pauses, ground.failures), trouble?.retryMs ?? 0), longestRestMs);
    await restSweep(tx, sweep, { until: new Date(now + restMs), failures, unreadable, problem });
  });
}
