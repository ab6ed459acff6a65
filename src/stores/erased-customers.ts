import type { OrderCustomer, StoreOrder } from '../connectors/connector.ts';
import type { PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { findErased } from './privacy.sql.ts';
import type { StoreRow } from './store-row.ts';

/** How a store's erasure request names a customer. */
interface CustomerNames {
  readonly customerId: string | null;
  /** Keyed, as hex. */
  readonly emailHash: string | null;
}

/** The identifiers of a customer: the number, and a hash in place of the address. */
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
 * Removes the orders of customers whose erasure was requested after they placed them. A late or repeated update must not
 * bring the person back.
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

/** True if both name the same customer. Numbers are unique; guests have an address only. */
export function isSame(erased: CustomerNames, names: CustomerNames): boolean {
  if (erased.customerId !== null && names.customerId !== null) return erased.customerId === names.customerId;
  return erased.emailHash !== null && erased.emailHash === names.emailHash;
}
