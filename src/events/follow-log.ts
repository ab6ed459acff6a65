import type { ActorCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { groupByTransaction, transactionsAtOnce } from '../engine/share-transactions.ts';
import type { Tx } from '../kit/db/database.ts';
import { allEnded, withConcurrency } from '../kit/promises.ts';
import { findCounter, followDue, listToFollow } from './event-log.sql.ts';
import { lockCursor, moveCursor } from './log-cursor.sql.ts';
import { countRestMs } from './log-writes.sql.ts';
import { followLater } from './record-event.ts';

const workspacesPerTurn = 200;
/** Their deliveries are made with them, and the first ones are sent while the next are read. */
const eventsPerStep = 1_000;
/** Of what a caller waits for. */
const mostSteps = 50;

/** What a step has left. */
interface Step {
  /** The last event that all have. */
  readonly seq: number;
  /** Whether there is more to do at once. */
  readonly isMore: boolean;
}

/**
 * Follows the log of a workspace by a step. Undefined where another transaction is at it, and was not to be waited for. A caller who
 * waits has all events counted; the job leaves young ones for later.
 */
export async function followLog(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  wait: 'wait' | 'skip' = 'wait',
): Promise<Step | undefined> {
  const cursor = await lockCursor(tx, workspaceId, wait);
  if (cursor === undefined) return undefined;
  const counter = await findCounter(tx, workspaceId);
  if (counter === undefined) return { seq: 0, isMore: false };
  const { followers } = ctx.app;
  const now = ctx.app.now();
  const { firstSeq, lastSeq } = counter;
  const sent = Math.max(cursor.sentSeq, firstSeq - 1);
  const counted = Math.max(cursor.countedSeq, firstSeq - 1);
  const to = Math.min(lastSeq, Math.min(sent, counted) + eventsPerStep);
  const hasWebhooks = await followers.send(tx, ctx, workspaceId, { from: sent + 1, to });
  const sentSeq = Math.max(sent, to);
  const restedMs = Math.abs(now.getTime() - cursor.countedAt.getTime());
  const counts = wait === 'wait' || to < lastSeq || restedMs >= countRestMs;
  const countedSeq =
    counts && counted < to
      ? await followers.count(tx, workspaceId, { from: counted + 1, to }, cursor.countsFrom)
      : counted;
  await moveCursor(tx, workspaceId, { countedSeq, sentSeq, countedAt: counts ? now : cursor.countedAt });
  const later = new Date(now.getTime() + countRestMs);
  const isMore = sentSeq < lastSeq || (counts && countedSeq < lastSeq);
  followLater(tx, workspaceId, {
    seq: lastSeq,
    next: isMore ? now : countedSeq < lastSeq ? later : null,
    nextIfMore: hasWebhooks ? now : later,
    hasWebhooks,
  });
  return { seq: Math.min(sentSeq, countedSeq), isMore };
}

/** The workspaces whose log is to be followed. */
export function logsDue(): DueWork {
  return { queues: [followDue] };
}

/** Follows the logs of the workspaces that have waited longest. False when none are left. */
export async function followLogs(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const asked = { now: now(), most: workspacesPerTurn };
  const found = await findDueRows(ctx.app, 'followLogs', asked, (within, most) =>
    listToFollow(database.db, { now: asked.now, within, most }),
  );
  // Several cursors are always locked in the same order.
  const workspaceIds = [...new Set(found.map((row) => row.workspaceId))].sort();
  let isMore = found.length === workspacesPerTurn;
  await withConcurrency(groupByTransaction(ctx.app, workspaceIds), transactionsAtOnce, async (some) => {
    if (await followTogether(ctx, some)) isMore = true;
  });
  return isMore;
}

/** Follows some logs in one transaction; if that fails, each by itself, whatever fails. Whether there is more. */
async function followTogether(ctx: PublicCtx, workspaceIds: readonly string[]): Promise<boolean> {
  try {
    const steps = await ctx.app.database.transaction((tx) =>
      allEnded(workspaceIds.map((id) => followLog(tx, ctx, id, 'skip'))),
    );
    return steps.some((step) => step?.isMore === true);
  } catch (error) {
    if (workspaceIds.length === 1) throw error;
    let isMore = false;
    const failures: unknown[] = [];
    for (const id of workspaceIds)
      await followTogether(ctx, [id]).then(
        (more) => (isMore ||= more),
        (failure) => failures.push(failure),
      );
    if (failures.length > 0) throw failures[0];
    return isMore;
  }
}

/** Follows the log of a workspace up to its present end, within a transaction of the caller. */
export async function followInTransaction(tx: Tx, ctx: PublicCtx, workspaceId: string): Promise<void> {
  const lastSeq = (await findCounter(tx, workspaceId))?.lastSeq ?? 0;
  for (let seq = 0; seq < lastSeq; ) seq = (await followLog(tx, ctx, workspaceId))?.seq ?? lastSeq;
}

/** Follows the log of the caller's workspace up to its present end. False if that is more than a caller can wait for. */
export async function followAll(ctx: ActorCtx): Promise<boolean> {
  const { database } = ctx.app;
  const lastSeq = (await findCounter(database.db, ctx.workspaceId))?.lastSeq ?? 0;
  for (let steps = 0; steps < mostSteps; steps++) {
    const step = await database.transaction((tx) => followLog(tx, ctx, ctx.workspaceId));
    if (step === undefined || step.seq >= lastSeq) return true;
  }
  return false;
}
