import type { PublicCtx } from '../context.ts';
import { deleteEvents, findCounter, listOldest, listToTrim } from './event-log.sql.ts';
import { lockCursor } from './log-cursor.sql.ts';
import { keptMs } from './log-writes.sql.ts';

const workspacesPerTurn = 200;
const eventsPerStep = 5_000;

/** Deletes events that were kept for long enough, some of each workspace. False when none are left. */
export async function trimEvents({ app }: PublicCtx): Promise<boolean> {
  const { database } = app;
  const now = app.now();
  const before = new Date(now.getTime() - keptMs);
  const workspaces = await listToTrim(database.db, now, workspacesPerTurn);
  for (const { workspaceId } of workspaces)
    await database.transaction(async (tx) => {
      // Not while the log is followed.
      if ((await lockCursor(tx, workspaceId, 'skip')) === undefined) return;
      const counter = await findCounter(tx, workspaceId);
      if (counter === undefined) return;
      const { firstSeq, lastSeq } = counter;
      const oldest = await listOldest(tx, workspaceId, firstSeq, eventsPerStep + 1);
      const first = oldest.find(({ createdAt }, place) => place === eventsPerStep || createdAt > before);
      await deleteEvents(tx, workspaceId, {
        from: firstSeq,
        before: first?.seq ?? lastSeq + 1,
        trimAt: first === undefined ? null : new Date(first.createdAt.getTime() + keptMs),
        lastSeq,
        now,
      });
    });
  return workspaces.length === workspacesPerTurn;
}
