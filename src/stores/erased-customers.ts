import type { OrderCustomer, StoreEvent, StoreOrder } from '../connectors/connector.ts';
import type { ActorCtx, PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { emailHashOf, foldAddress, normalEmail } from '../kit/mail/address.ts';
import { findCustomersCards, findErased, insertPrivacyRequest } from './privacy.sql.ts';
import { identifierOf, type StoreRow } from './store-row.ts';

/** How a store's erasure request names a customer. */
interface CustomerNames {
  readonly customerId: string | null;
  /** Keyed, as hex. */
  readonly emailHash: string | null;
}

/** The names of a customer, of whom the address itself is not kept. */
export function namesOf(
  ctx: PublicCtx,
  { workspaceId }: Pick<StoreRow, 'workspaceId'>,
  { customerId, email }: Pick<OrderCustomer, 'customerId' | 'email'>,
): CustomerNames {
  const address = normalEmail(email ?? '');
  const emailHash = address === null ? null : emailHashOf(ctx, workspaceId, address).toString('hex');
  return { customerId, emailHash };
}

/**
 * The orders without those of customers who were to be erased after they had placed them: updates that come late, or once
 * more, must not bring the person back.
 */
export async function withoutErased<Item extends { readonly order: StoreOrder }>(
  ctx: PublicCtx,
  store: StoreRow,
  items: readonly Item[],
): Promise<Item[]> {
  const named = items.map((item) => ({
    item,
    names: item.order.state?.customer == null ? null : namesOf(ctx, store, item.order.state.customer),
  }));
  const customerIds = named.flatMap(({ names }) => names?.customerId ?? []);
  const emailHashes = named.flatMap(({ names }) =>
    names === null || names.customerId !== null ? [] : (names.emailHash ?? []),
  );
  if (customerIds.length + emailHashes.length === 0) return [...items];
  const erased = await findErased(ctx.app.database.db, store, { customerIds, emailHashes });
  if (erased.length === 0) return [...items];
  return named
    .filter(({ item, names }) => {
      const placedAt = item.order.state?.placedAt ?? new Date(0);
      return !erased.some((one) => names !== null && isSame(one, names) && placedAt <= one.at);
    })
    .map(({ item }) => item);
}

/** A number is that of one customer; guests have their address only. */
export function isSame(erased: CustomerNames, names: CustomerNames): boolean {
  if (erased.customerId !== null && names.customerId !== null) return erased.customerId === names.customerId;
  return erased.emailHash !== null && erased.emailHash === names.emailHash;
}

type Demand = Extract<StoreEvent, { kind: 'data_request' | 'customer_redact' | 'shop_redact' }>;

/** A worker that has an order of the customer in its hands is through with it by then. */
const graceMs = 120_000;
const mostOrders = 1_000;

/**
 * Writes down what a platform demands for the sake of a customer's privacy, without the customer's address, and which
 * cards it concerns. What is to be erased is erased by a job.
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
