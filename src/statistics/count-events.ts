import type { ActorCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { lanes } from '../engine/share-transactions.ts';
import { findCounter } from '../events/event-log.sql.ts';
import { numberAll } from '../events/read-events.ts';
import { dropCounted, listUncounted, uncountedDue } from '../events/statistics-backlog.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { inLanes } from '../kit/promises.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { addDays, lockCursor, moveCursor } from './days.sql.ts';
import { tallyEvents } from './tally.sql.ts';

const eventsPerStep = 2_000;
const workspacesPerTurn = 50;
/** Of what a caller waits for. */
const mostSteps = 50;

/** How far a workspace is counted. */
interface Counted {
  readonly seq: number;
  readonly isAll: boolean;
}

/**
 * Counts the next events of a workspace: each once, since how far it is counted is locked, and moves with what is counted.
 * Undefined where another transaction is at it, and was not to be waited for.
 */
export async function countEvents(
  tx: Tx,
  workspaceId: string,
  wait: 'wait' | 'skip' = 'wait',
): Promise<Counted | undefined> {
  const cursor = await lockCursor(tx, workspaceId, wait);
  if (cursor === undefined) return undefined;
  const log = await findCounter(tx, workspaceId);
  const last = log?.lastSeq ?? 0;
  const after = Math.max(cursor.countedSeq, (log?.firstSeq ?? 1) - 1);
  if (after >= last) return { seq: last, isAll: true };
  const next = { after, to: Math.min(last, after + eventsPerStep) };
  const { timezone } = await ownWorkspace(tx, { workspaceId });
  const { countsFrom } = cursor;
  const { to, counts } = await tallyEvents(tx, workspaceId, next, { timezone, countsFrom });
  await addDays(tx, workspaceId, counts);
  await moveCursor(tx, workspaceId, to);
  return { seq: to, isAll: to === last };
}

/** The events that are to be counted. */
export function countsDue(): DueWork {
  return { queues: [uncountedDue] };
}

/** Counts events of the workspaces that have waited longest. False when none are left. */
export async function countNewEvents(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const asked = { now: now(), most: workspacesPerTurn };
  const before = new Date(asked.now.getTime() - (uncountedDue.lateMs ?? 0));
  const found = await findDueRows(ctx.app, 'countEvents', asked, (within, most) =>
    listUncounted(database.db, { before, within, most }),
  );
  await inLanes(found, lanes, async ({ workspaceId }) => {
    const counted = await database.transaction((tx) => countEvents(tx, workspaceId, 'skip'));
    // By itself: who numbers events holds what is written here, and may count what it has numbered.
    if (counted?.isAll === true)
      await database.transaction((tx) => dropCounted(tx, workspaceId, counted.seq));
  });
  return found.length === workspacesPerTurn;
}

/** Counts the events committed so far. False if they are more than a caller can wait for. */
export async function countAll(ctx: ActorCtx): Promise<boolean> {
  const head = await numberAll(ctx);
  for (let steps = 0; steps < mostSteps; steps++) {
    const counted = await ctx.app.database.transaction((tx) => countEvents(tx, ctx.workspaceId));
    if (counted === undefined || counted.seq >= head) return true;
  }
  return false;
}

/** Counts all events of a workspace that are numbered, before they lose what they say. */
export async function countNumbered(tx: Tx, workspaceId: string): Promise<void> {
  while ((await countEvents(tx, workspaceId))?.isAll === false);
}
