import { Type } from 'typebox';
import { invalidField } from '../kit/http/api-error.ts';
import { freelyNamed, named } from '../kit/http/schemas/documented.ts';
import { closed, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { type EventType as EventTypeName, eventTypes } from './event-kinds.ts';
import type { EventRow } from './event-log.sql.ts';

export const EventType = named('EventType', oneOf(eventTypes));

/** As a filter of a list. */
export const EventTypes = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: '^[a-z]+\\.[a-z]+(,[a-z]+\\.[a-z]+)*$',
  description: 'a kind of event, or several with commas between them',
});

const properties = (description: string) =>
  freelyNamed(Type.Record(Type.String(), Type.Unknown(), { description }));

export const EventShape = closed(
  {
    eventId: Type.String(),
    seq: Type.Integer({ description: 'without a gap in the workspace' }),
    type: EventType,
    createdAt: Timestamp,
    requestId: Type.String({ description: 'of the request that did it, or the name of the background work' }),
    actor: Type.String({
      description: 'who did it: the id of a key, a person or a store, or `operator`, `holder`, `system`',
    }),
    passId: nullable(Type.String()),
    instanceId: nullable(Type.String()),
    data: properties('what it concerns, as the API showed it then; empty once the card was erased'),
    previous: properties('the changed properties, as they were before'),
  },
  { $id: 'Event' },
);

/** The kinds that a filter names; all without one. Raises `invalid_request` where there is no such kind. */
export function typesIn(filter: string | undefined): readonly EventTypeName[] {
  if (filter === undefined) return eventTypes;
  return [...new Set(filter.split(','))].map((name) => {
    const type = eventTypes.find((one) => one === name);
    if (type === undefined)
      throw invalidField('type', 'enum', `there is no kind "${name}". There are ${eventTypes.join(', ')}.`, {
        limit: [...eventTypes],
        part: 'query',
      });
    return type;
  });
}

/** An event as the API and webhooks show it. */
export function presentEvent(row: EventRow) {
  return {
    eventId: encodeId('evt', row.eventId),
    seq: row.seq,
    type: row.type,
    createdAt: row.createdAt.toISOString(),
    requestId: row.requestId,
    actor: row.actor,
    passId: row.passId === null ? null : encodeId('pass', row.passId),
    instanceId: row.instanceId === null ? null : encodeId('inst', row.instanceId),
    data: row.data as Record<string, unknown>,
    previous: row.previous as Record<string, unknown>,
  };
}
