import type { StoreEvent } from '../../connectors/connector.ts';
import type { ActorCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { foldAddress } from '../../kit/mail/address.ts';
import { namesOf } from '../../stores/erased-customers.ts';
import { insertPrivacyRequest } from '../../stores/privacy.sql.ts';
import { identifierOf, type StoreRow } from '../../stores/store-row.ts';
import { findCustomersCards } from '../customers-cards.sql.ts';

type Demand = Extract<StoreEvent, { kind: 'data_request' | 'customer_redact' | 'shop_redact' }>;

/** Workers that process an order of the customer now have finished after this time. */
const graceMs = 120_000;
const mostOrders = 1_000;

/**
 * Records a platform's privacy request, without the customer's address, and the cards that it concerns. A job does the
 * erasing.
 */
export async function notePrivacyRequest(
  tx: Tx,
  ctx: ActorCtx,
  store: StoreRow,
  demand: Demand,
  receivedAt: Date,
): Promise<void> {
  const now = ctx.app.now();
  const isQuestion = demand.kind === 'data_request';
  const { customerId, email, orderIds } =
    demand.kind === 'shop_redact' ? { customerId: null, email: null, orderIds: [] } : demand;
  const subject = {
    ...namesOf(ctx, store, { customerId, email }),
    orderIds: orderIds.slice(0, mostOrders),
  };
  const person = {
    identifier: customerId === null ? null : identifierOf(store, customerId),
    email: email === null ? null : foldAddress(email),
    orderIds: subject.orderIds,
  };
  await insertPrivacyRequest(tx, {
    workspaceId: store.workspaceId,
    requestId: newUuidV7(),
    storeId: store.storeId,
    topic: demand.kind,
    subject,
    cursor: null,
    instanceIds: await findCustomersCards(tx, store, person, isQuestion),
    receivedAt,
    dueAt: isQuestion ? null : new Date(now.getTime() + graceMs),
    doneAt: isQuestion ? now : null,
  });
}
