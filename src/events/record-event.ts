import type { ClockCtx, CommandCtx, CommandInWorkspace } from '../context.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { countsOf } from './event-counts.ts';
import type { EventType } from './event-kinds.ts';
import { insertOutbox, type LoggedEvent } from './event-log.sql.ts';

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

const deferred: DeferredWrite<Map<string, LoggedEvent[]>> = {
  lockRank: lockRankOf('events'),
  empty: () => new Map(),
  async write(tx, byWorkspace) {
    await Promise.all(
      [...byWorkspace].map(([workspaceId, events]) =>
        insertOutbox(tx, workspaceId, events, countsOf(events)),
      ),
    );
  },
};

/**
 * Records an event with the unit of work that makes the change: both are committed, or neither. Record nothing for a
 * replay, a refusal or an unchanged value. The events of a unit of work are written as one row at its end. Returns the
 * id of the event.
 */
export function recordEvent(tx: Tx, ctx: EventCtx & CommandInWorkspace, event: NewEvent): string;
export function recordEvent(tx: Tx, ctx: EventCtx, event: NewEventIn): string;
export function recordEvent(
  tx: Tx,
  ctx: EventCtx | (EventCtx & CommandInWorkspace),
  event: NewEvent | NewEventIn,
): string {
  const { workspaceId, actor } = 'workspaceId' in event ? event : (ctx as CommandInWorkspace);
  const byWorkspace = tx.unit.of(deferred);
  let events = byWorkspace.get(workspaceId);
  if (events === undefined) {
    events = [];
    byWorkspace.set(workspaceId, events);
    tx.unit.afterCommit(`numberEvents ${workspaceId}`, () => ctx.app.wake?.('numberEvents', workspaceId));
  }
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
