import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { happenedSince, type InstanceEventRow, insertEvent, insertEvents } from './events.sql.ts';
import { firstIdSince } from './since.ts';

/** Repeats within this time are one event, so that reloading a page cannot fill the timeline. */
const quietMs = 3_600_000;

/** Adds an event to a card's timeline, unless the same one stands there from the last hour. */
export async function noteOnTimeline(
  tx: Tx,
  ctx: PublicCtx,
  card: { workspaceId: string; instanceId: string },
  kind: 'link opened' | 'fetched',
): Promise<void> {
  const now = ctx.app.now();
  if (await happenedSince(tx, card, kind, firstIdSince(new Date(now.getTime() - quietMs)))) return;
  await insertEvent(tx, card, { kind, detail: {}, createdAt: now });
}

/** Adds what became of a push to the timelines of a workspace's cards. */
export async function noteDelivery(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  instanceIds: readonly string[],
  kind: 'pushed' | 'push skipped' | 'push failed',
  detail: Pick<InstanceEventRow['detail'], 'wallet' | 'reason'>,
): Promise<void> {
  await insertEvents(tx, workspaceId, instanceIds, { kind, detail, createdAt: ctx.app.now() });
}
