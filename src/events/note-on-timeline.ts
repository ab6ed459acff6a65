import type { ActorCtx, ClockCtx, PublicCtx } from '../context.ts';
import type { CardKey } from '../engine/card-key.ts';
import type { Tx } from '../kit/db/database.ts';
import { firstIdSince } from '../kit/ids.ts';
import { countSince, type InstanceEventRow, insertEvent, insertEvents } from './timeline.sql.ts';

/** Repeats within this time are one event, so that reloading a page cannot fill the timeline. */
const quietMs = 3_600_000;

/** Anyone can write a line that names a card: more than these in an hour are not kept. */
const mostReports = 20;

/** Adds an event to a card's timeline, unless the timeline has the same event from the last hour. */
export async function noteOnTimeline(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  kind: 'instance.link_opened' | 'instance.fetched',
): Promise<void> {
  const now = ctx.app.now();
  const since = firstIdSince(new Date(now.getTime() - quietMs));
  if ((await countSince(tx, card, kind, since, 1)) > 0) return;
  await insertEvent(tx, card, { kind, detail: {}, actor: null, createdAt: now });
}

/** Adds the outcome of a push to the timelines of a workspace's cards. */
export async function noteDelivery(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  instanceIds: readonly string[],
  kind: 'push.delivered' | 'push.skipped' | 'push.failed',
  detail: Pick<InstanceEventRow['detail'], 'wallet' | 'reason'>,
): Promise<void> {
  if (instanceIds.length === 0) return;
  await insertEvents(tx, workspaceId, instanceIds, { kind, detail, actor: null, createdAt: ctx.app.now() });
}

/** Adds that a message to an audience was one to these cards of a workspace, and its sender. */
export async function noteMessage(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  cards: readonly { readonly instanceId: string }[],
  actor: string | null,
): Promise<void> {
  if (cards.length === 0) return;
  const instanceIds = cards.map(({ instanceId }) => instanceId);
  await insertEvents(tx, workspaceId, instanceIds, {
    kind: 'message.sent',
    detail: {},
    actor,
    createdAt: ctx.app.now(),
  });
}

/** Adds that a caller has had a card pushed again; the answer that is kept under the key shows the card. */
export async function noteRepeatedPush(tx: Tx, ctx: ActorCtx, card: CardKey, key: string): Promise<void> {
  const detail = { op: 'pushInstance', key };
  const { actor } = ctx;
  await insertEvent(tx, card, { kind: 'push.repeated', detail, actor, createdAt: ctx.app.now() });
}

/**
 * Adds lines that devices have written about a card to its timeline, few of them in an hour. The caller holds the card.
 * Returns how many were kept.
 */
export async function noteReports(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  messages: readonly string[],
): Promise<number> {
  const now = ctx.app.now();
  const since = firstIdSince(new Date(now.getTime() - quietMs));
  const earlier = await countSince(tx, card, 'instance.reported', since, mostReports);
  const kept = messages.slice(0, mostReports - earlier);
  for (const message of kept)
    await insertEvent(tx, card, {
      kind: 'instance.reported',
      detail: { message },
      actor: null,
      createdAt: now,
    });
  return kept.length;
}
