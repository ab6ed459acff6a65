import { Type } from 'typebox';
import { closed, Id, nullable, oneOf, Timestamp } from '../../kit/http/shapes.ts';
import { encodeId } from '../../kit/ids.ts';
import type { PrivacyRequestRow } from './privacy.sql.ts';

export const PrivacyRequest = closed(
  {
    requestId: Id,
    topic: oneOf(['data_request', 'customer_redact', 'shop_redact']),
    customerId: nullable(Type.String({ description: "the store's number of the customer" })),
    orderIds: Type.Array(Type.String(), { description: "the store's numbers of the orders" }),
    instanceIds: Type.Array(Id, { description: 'cards of the customer, or that were erased' }),
    receivedAt: Timestamp,
    doneAt: nullable(Type.String({ format: 'date-time' })),
  },
  { $id: 'PrivacyRequest' },
);

/** A demand as the API shows it. */
export function presentPrivacyRequest(row: PrivacyRequestRow) {
  return {
    requestId: encodeId('preq', row.requestId),
    topic: row.topic,
    customerId: row.subject.customerId,
    orderIds: [...row.subject.orderIds],
    instanceIds: row.instanceIds.map((instanceId) => encodeId('inst', instanceId)),
    receivedAt: row.receivedAt.toISOString(),
    doneAt: row.doneAt?.toISOString() ?? null,
  };
}
