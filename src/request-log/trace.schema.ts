import { Type } from 'typebox';
import { EventShape } from '../events/event.schema.ts';
import { closed, Id, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { Entry } from '../ledger/entry.schema.ts';
import { Delivery } from '../webhooks/webhook.schema.ts';
import { AuditLineShape } from './audit.schema.ts';
import { RequestShape } from './request.schema.ts';

/** All that a request has left, up to a hundred of each. */
export const Trace = closed(
  {
    requestId: Type.String(),
    requests: Type.Array(RequestShape),
    audit: Type.Array(AuditLineShape),
    entries: Type.Array(Entry, { description: 'of the points ledger' }),
    events: Type.Array(EventShape),
    deliveries: Type.Array(Delivery, { description: 'of these events, to webhooks' }),
    pushes: Type.Array(
      closed({
        instanceId: Id,
        status: oneOf(['waiting', 'skipped', 'delivered', 'failed']),
        at: Timestamp,
      }),
      {
        description:
          'of the cards that it has changed, to wallets: their outcomes, and what a card waits for now',
      },
    ),
  },
  { $id: 'Trace' },
);
