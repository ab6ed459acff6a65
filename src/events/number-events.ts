import type { PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { lanes, shared } from '../engine/share-transactions.ts';
import type { Tx } from '../kit/db/database.ts';
import { allEnded, inLanes } from '../kit/promises.ts';
import {
  deleteEvents,
  emptyEvents,
  listOldest,
  listOutbox,
  listOutboxWorkspaces,
  listToTrim,
  lockCounter,
  moveToLog,
  outboxDue,
} from './event-log.sql.ts';

/** Events are kept for so long. */
export const keptMs = 30 * 86_400_000;
const transactionsPerStep = 200;
/** Of the job: their deliveries are made with them, and the first ones are sent while the next are numbered. */
const eventsPerStep = 1_000;
const eventsPerTrim = 5_000;

/**
 * Gives numbers to the events of a workspace that are committed, in the order in which they were written: numbers without
 * a gap, since the counter is locked until they are committed, and what depends on what was written later. So that a reader
 * who goes on from the last number misses nothing. Has them delivered. False when none are left; undefined where another
 * transaction is at it, and was not to be waited for.
 */
export async function numberEvents(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  wait: 'wait' | 'skip' = 'wait',
): Promise<boolean | undefined> {
  const counter = await lockCounter(tx, workspaceId, wait);
  if (counter === undefined) return undefined;
  const outbox = await listOutbox(tx, workspaceId, transactionsPerStep);
  const [first] = outbox;
  if (first === undefined) return false;
  // A caller that waits for the lock wants all events numbered.
  const most = wait === 'skip' ? eventsPerStep : Number.POSITIVE_INFINITY;
  let { lastSeq } = counter;
  const numbered: { outboxId: string; firstSeq: number }[] = [];
  for (const { outboxId, events } of outbox) {
    // The events of one transaction stay together.
    if (numbered.length > 0 && lastSeq + events > counter.lastSeq + most) break;
    numbered.push({ outboxId, firstSeq: lastSeq + 1 });
    lastSeq += events;
  }
  const trimAt = counter.trimAt ?? new Date(first.dueAt.getTime() + keptMs);
  await moveToLog(tx, workspaceId, numbered, { lastSeq, trimAt, numberedAt: ctx.app.now() });
  await ctx.app.afterNumbering(tx, ctx, workspaceId, { from: counter.lastSeq + 1, to: lastSeq });
  return numbered.length < outbox.length || outbox.length === transactionsPerStep;
}

/** The events that are to be numbered. */
export function eventsDue(): DueWork {
  return { queues: [outboxDue] };
}

/** Numbers events of the workspaces that have waited longest. False when none are left. */
export async function numberNewEvents(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const asked = { now: now(), most: transactionsPerStep };
  const found = await findDueRows(ctx.app, 'numberEvents', asked, (within, most) =>
    listOutboxWorkspaces(database.db, { now: asked.now, within, most }),
  );
  // Several counters are always locked in the same order.
  const workspaceIds = [...new Set(found.map((row) => row.workspaceId))].sort();
  let isMore = found.length === transactionsPerStep;
  await inLanes(shared(ctx.app, workspaceIds), lanes, async (some) => {
    if (await numberTogether(ctx, some)) isMore = true;
  });
  return isMore;
}

/** Numbers events of some workspaces in one transaction; if that fails, of each by itself. Whether there are more. */
async function numberTogether(ctx: PublicCtx, workspaceIds: readonly string[]): Promise<boolean> {
  try {
    const isMore = await ctx.app.database.transaction((tx) =>
      allEnded(workspaceIds.map((id) => numberEvents(tx, ctx, id, 'skip'))),
    );
    return isMore.includes(true);
  } catch (error) {
    if (workspaceIds.length === 1) throw error;
    let isMore = false;
    for (const id of workspaceIds) if (await numberTogether(ctx, [id])) isMore = true;
    return isMore;
  }
}

/** Deletes events that were kept for long enough, some of each workspace. False when none are left. */
export async function trimEvents(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const before = new Date(now().getTime() - keptMs);
  const workspaces = await listToTrim(database.db, now(), transactionsPerStep);
  for (const { workspaceId } of workspaces)
    await database.transaction(async (tx) => {
      const counter = await lockCounter(tx, workspaceId, 'skip');
      if (counter === undefined) return;
      const oldest = await listOldest(tx, workspaceId, counter.firstSeq, eventsPerTrim + 1);
      const first = oldest.find(({ createdAt }, place) => place === eventsPerTrim || createdAt > before);
      await deleteEvents(tx, workspaceId, {
        from: counter.firstSeq,
        before: first?.seq ?? counter.lastSeq + 1,
        trimAt: first === undefined ? null : new Date(first.createdAt.getTime() + keptMs),
      });
    });
  return workspaces.length === transactionsPerStep;
}

/**
 * Removes a card's data from its events in the log, and from those that have no number yet. Runs after `before`, which may
 * still read them. The caller has locked the card.
 */
export async function forgetEvents(
  tx: Tx,
  ctx: PublicCtx,
  card: { readonly workspaceId: string; readonly instanceId: string },
  before: (tx: Tx, workspaceId: string) => Promise<void>,
): Promise<void> {
  while (await numberEvents(tx, ctx, card.workspaceId));
  await before(tx, card.workspaceId);
  await emptyEvents(tx, card);
}
