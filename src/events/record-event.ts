import type { ClockCtx, CommandCtx, CommandInWorkspace } from '../context.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { countsOf } from './event-counts.ts';
import type { EventType } from './event-kinds.ts';
import type { LoggedEvent } from './event-log.sql.ts';
import { appendEvents, type Followed, scheduleFollowing } from './log-writes.sql.ts';

/** An event caused by a caller who acts in a workspace. */
interface NewEvent {
  readonly type: EventType;
  readonly passId: string | null;
  readonly instanceId: string | null;
  /** What it concerns, as the API shows it after the change. */
  readonly data: object;
  /** The changed properties as they were before; absent where there was nothing before. */
  readonly previous?: object;
}

/** An event caused by an actor outside a workspace: background work, the operator, a holder. */
interface NewEventIn extends NewEvent {
  readonly workspaceId: string;
  readonly actor: string;
}

/** Who acts: a caller of a workspace by its public id, or else the service itself. */
export function actorOf(ctx: object): string {
  return 'actor' in ctx && typeof ctx.actor === 'string' ? ctx.actor : 'system';
}

/** The context that requests and background work share. A command has no service to wake. */
export type EventCtx = ClockCtx & {
  readonly app: Partial<Pick<CommandCtx['app'], 'wake'>>;
  readonly requestId: string;
};

/** What a transaction writes to the log of a workspace. */
interface LogWrite {
  readonly events: LoggedEvent[];
  followed: Followed | null;
}

const deferred: DeferredWrite<Map<string, LogWrite>> = {
  lockRank: lockRankOf('events'),
  isLast: true,
  empty: () => new Map(),
  async write(tx, byWorkspace) {
    const inOrder = [...byWorkspace].sort(([one], [other]) => (one < other ? -1 : 1));
    await Promise.all(
      inOrder.flatMap(([workspaceId, { events, followed }]) => [
        ...(events.length === 0 ? [] : [appendEvents(tx, workspaceId, events, countsOf(events))]),
        ...(followed === null ? [] : [scheduleFollowing(tx, workspaceId, followed)]),
      ]),
    );
  },
};

function logOf(tx: Tx, workspaceId: string): LogWrite {
  const byWorkspace = tx.unit.of(deferred);
  const known = byWorkspace.get(workspaceId);
  if (known !== undefined) return known;
  const made: LogWrite = { events: [], followed: null };
  byWorkspace.set(workspaceId, made);
  return made;
}

/** Says at the end of the transaction when the log of a workspace is to be followed next. */
export function followLater(tx: Tx, workspaceId: string, followed: Followed): void {
  logOf(tx, workspaceId).followed = followed;
}

/** The workspace has got a webhook: what comes after this transaction, which has followed the log, is followed at once. */
export function followAtOnce(tx: Tx, workspaceId: string, now: Date): void {
  const log = logOf(tx, workspaceId);
  // Otherwise there is no event yet, and the first one is followed a second later.
  if (log.followed !== null) log.followed = { ...log.followed, nextIfMore: now, hasWebhooks: true };
}

/**
 * Records an event with the unit of work that makes the change: both are committed, or neither. Record nothing for a
 * replay, a refusal or an unchanged value. The events of a unit of work get their numbers together, with its
 * COMMIT. Returns the id of the event.
 */
export function recordEvent(tx: Tx, ctx: EventCtx & CommandInWorkspace, event: NewEvent): string;
export function recordEvent(tx: Tx, ctx: EventCtx, event: NewEventIn): string;
export function recordEvent(
  tx: Tx,
  ctx: EventCtx | (EventCtx & CommandInWorkspace),
  event: NewEvent | NewEventIn,
): string {
  const { workspaceId, actor } = 'workspaceId' in event ? event : (ctx as CommandInWorkspace);
  const { events } = logOf(tx, workspaceId);
  if (events.length === 0)
    tx.unit.afterCommit(`followLogs ${workspaceId}`, () => ctx.app.wake?.('followLogs', workspaceId));
  const { type, passId, instanceId, data, previous = {} } = event;
  const eventId = newUuidV7();
  events.push({
    eventId,
    type,
    passId,
    instanceId,
    actor,
    requestId: ctx.requestId,
    data,
    previous,
    createdAt: ctx.app.now(),
  });
  return eventId;
}
