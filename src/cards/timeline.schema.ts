import { Type } from 'typebox';
import type { InstanceEventRow } from '../events/timeline.sql.ts';
import { closed, Id, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';

export const InstanceEvent = closed(
  {
    eventId: Id,
    kind: Type.String({ description: 'as in the event log, such as `instance.updated`; kinds are added' }),
    changed: Type.Optional(Type.Array(Type.String(), { description: 'the keys that an update changed' })),
    wallet: Type.Optional(oneOf(['apple', 'google', 'web'])),
    reason: Type.Optional(
      Type.String({
        description:
          "why it failed or was skipped: the platform's own word; `notification_quota` on a push that arrived silently",
      }),
    ),
    message: Type.Optional(Type.String({ description: 'what a device has reported' })),
    actor: Type.Optional(
      Type.String({
        description:
          'who did it, as in the event log; absent where no call was the cause, and in lines of before it was kept',
      }),
    ),
    createdAt: Timestamp,
  },
  { $id: 'InstanceEvent' },
);

/** A line of an instance's timeline as the API shows it. */
export function presentEvent(row: InstanceEventRow) {
  const { changed, wallet, reason = null, message, actor } = row.detail;
  return {
    eventId: encodeId('evt', row.eventId),
    kind: row.kind,
    ...(changed !== undefined && { changed: [...changed] }),
    ...(wallet !== undefined && { wallet }),
    ...(reason !== null && { reason }),
    ...(message !== undefined && { message }),
    ...(actor !== undefined && { actor }),
    createdAt: row.createdAt.toISOString(),
  };
}
