import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { StoreRow } from '../stores/store-row.ts';

type Store = Pick<StoreRow, 'workspaceId' | 'storeId'>;

/** A customer of a store, as a privacy request names one. */
interface Person {
  readonly identifier: string | null;
  /** Normalised, as guests' cards have it. */
  readonly email: string | null;
  readonly orderIds: readonly string[];
}

/**
 * Cards of a customer, voided ones too: those with the customer's identifier; those that were issued for a guest's order
 * in the store; and with `linked` those that the named orders have earned on, no matter who issued them.
 */
export async function findCustomersCards(
  db: Db,
  { workspaceId, storeId }: Store,
  { identifier, email, orderIds }: Person,
  linked: boolean,
): Promise<string[]> {
  const { rows } = await sql<{ instanceId: string }>`
    select h.instance_id from holders h
    where h.workspace_id = ${workspaceId} and h.identifier = ${identifier}
    union
    select h.instance_id
    from holders h
    join orders o on o.workspace_id = h.workspace_id and o.instance_id = h.instance_id
    where h.workspace_id = ${workspaceId} and h.identifier = ${email} and o.source = ${storeId} and o.issued
    union
    select h.instance_id
    from orders o
    join holders h on h.workspace_id = o.workspace_id and h.instance_id = o.instance_id
    where o.workspace_id = ${workspaceId} and o.source = ${storeId} and o.order_id = any(${orderIds}::text[])
      and (o.issued or ${linked})
    order by instance_id
    limit 1000
  `.execute(db);
  return rows.map(({ instanceId }) => instanceId);
}

/** Returns the next orders of a store, with cards that were issued for them, optionally `before` a moment. */
export async function listCardsOfOrders(
  db: Db,
  { workspaceId, storeId }: Store,
  { after, before }: { after: string; before: Date | null },
  take: number,
): Promise<{ instanceIds: string[]; last: string | null }> {
  const { rows } = await sql<{ last: string | null; found: string[] | null }>`
    with next as materialized (
      select order_id, instance_id, issued from orders
      where workspace_id = ${workspaceId} and source = ${storeId} and order_id > ${after}
      order by order_id
      limit ${take}
    )
    select
      (select order_id from next order by order_id desc limit 1) as last,
      array_agg(distinct i.instance_id) filter (
        where issued and i.instance_id is not null and (${before}::timestamptz is null or i.created_at < ${before})
      ) as found
    from next
    left join lateral (
      select instance_id, created_at from instances
      where instance_id = next.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as i on true
  `.execute(db);
  return { instanceIds: rows[0]?.found ?? [], last: rows[0]?.last ?? null };
}
