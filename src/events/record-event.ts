import type { ClockCtx, CommandCtx, CommandInWorkspace } from '../context.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { countsOf } from './event-counts.ts';
import type { EventType } from './event-kinds.ts';
import { insertOutbox, type LoggedEvent } from './event-log.sql.ts';

/** Something that happened, of whoever acts in a workspace. */
interface NewEvent {
  readonly type: EventType;
  readonly passId: string | null;
  readonly instanceId: string | null;
  /** What it concerns, as the API shows it after the change. */
  readonly data: object;
  /** The changed properties as they were before; absent where there was nothing before. */
  readonly previous?: object;
}

/** The same, of whoever acts in no workspace: background work, the operator, a holder. */
interface NewEventIn extends NewEvent {
  readonly workspaceId: string;
  readonly actor: string;
}

/** Who acts: a caller of a workspace by its public id, or else the service itself. */
export function actorOf(ctx: object): string {
  return 'actor' in ctx && typeof ctx.actor === 'string' ? ctx.actor : 'system';
}

/** What a request and background work have alike. A command has no service to wake. */
export type TellingCtx = ClockCtx & {
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
 * Tells the event log of a change with the unit of work that makes it: both are committed, or neither. Tell nothing of
 * what does not happen: a replay, a refusal, an unchanged value. It writes nothing by itself; the events of a unit are
 * written as one row at its end. Returns the id of the event.
 */
export function recordEvent(tx: Tx, ctx: TellingCtx & CommandInWorkspace, event: NewEvent): string;
export function recordEvent(tx: Tx, ctx: TellingCtx, event: NewEventIn): string;
export function recordEvent(
  tx: Tx,
  ctx: TellingCtx | (TellingCtx & CommandInWorkspace),
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
