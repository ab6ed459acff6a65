import type { Db, Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { foldNumber } from '../kit/text/fold.ts';
import type { OrderRule, Refund } from './order-state.ts';

/** What names an order within its workspace. */
export interface OrderKey {
  /** The store; all zeroes where the caller of the API keeps the orders. */
  readonly source: string;
  readonly orderId: string;
}

export interface OrderRow extends OrderKey {
  readonly workspaceId: string;
  readonly passId: string | null;
  readonly currency: string | null;
  readonly paidVersion: number | null;
  readonly paidTotal: number | null;
  readonly latestVersion: number | null;
  readonly latestTotal: number | null;
  readonly cancelled: boolean;
  readonly placedAt: Date | null;
  /** The number that customers know it by; null: it has none of its own. */
  readonly number: string | null;
  readonly partnerId: string | null;
  readonly items: readonly Readonly<Record<string, unknown>>[] | null;
  readonly instanceId: string | null;
  /** Whether the card was issued for it. */
  readonly issued: boolean;
  readonly accountId: string | null;
  /** The earn rule that it was processed with; null until then. */
  readonly rule: OrderRule | null;
  /** The moment at which its points expire, in ms; Infinity: never. Null where it has earned none. */
  readonly pointsExpireAt: number | null;
  readonly limitedBy: string | null;
  /** The points that it has earned in its known state. */
  readonly points: number;
  /** The points that the ledger has for it. */
  readonly credited: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface RefundRow extends OrderKey, Refund {
  readonly refundId: string;
  readonly createdAt: Date;
}

const written = sql`
  source, order_id, pass_id, currency, paid_version, paid_total, latest_version, latest_total, cancelled, placed_at,
  partner_id, items, instance_id, issued, account_id, rule, points_expire_at, limited_by, points, credited, created_at,
  updated_at, number, folded_number`;
/** All columns of an order. */
export const orderColumns = sql`workspace_id, ${written}`;

/** An order as the database gives it. */
export type StoredOrder = Omit<OrderRow, 'pointsExpireAt'> & {
  readonly pointsExpireAt: Date | number | null;
};

/** Locks orders until the transaction ends. Returns the known ones. */
export async function lockOrders(
  tx: Tx,
  workspaceId: string,
  keys: readonly OrderKey[],
): Promise<OrderRow[]> {
  const sorted = inOrder(keys);
  const { rows } = await prepared<StoredOrder>`
    select o.*
    from unnest(${sorted.map(({ source }) => source)}::uuid[], ${sorted.map(({ orderId }) => orderId)}::text[])
      as asked(source, order_id)
    cross join lateral (
      select ${orderColumns} from orders
      where source = asked.source and order_id = asked.order_id and workspace_id = ${workspaceId}
      for no key update
    ) as o
  `.execute(tx);
  return rows.map(rowOf);
}

/** An order as it is now. */
export async function findKnownOrder(
  db: Db,
  workspaceId: string,
  { source, orderId }: OrderKey,
): Promise<OrderRow | undefined> {
  const { rows } = await prepared<StoredOrder>`
    select ${orderColumns} from orders
    where workspace_id = ${workspaceId} and source = ${source} and order_id = ${orderId}
  `.execute(db);
  return rows.map(rowOf)[0];
}

/** The refunds of orders, the first ones first. */
export async function readRefunds(
  db: Db,
  workspaceId: string,
  keys: readonly OrderKey[],
): Promise<RefundRow[]> {
  if (keys.length === 0) return [];
  return prepared<RefundRow>`
    select r.source, r.order_id, r.refund_id, r.amount, r.currency, r.created_at
    from unnest(${keys.map(({ source }) => source)}::uuid[], ${keys.map(({ orderId }) => orderId)}::text[])
      as asked(source, order_id)
    cross join lateral (
      select * from order_refunds r
      where r.source = asked.source and r.order_id = asked.order_id and r.workspace_id = ${workspaceId}
      order by r.created_at, r.refund_id
    ) as r
  `.rows(db);
}

/** Inserts new orders. Raises `LostRace` when another transaction has inserted one since. */
export async function insertOrders(tx: Tx, workspaceId: string, orders: readonly OrderRow[]): Promise<void> {
  if (orders.length === 0) return;
  const { rows } = await prepared<{ added: number }>`
    with added as (
      insert into orders (workspace_id, ${written})
      select ${workspaceId}, o.* from ${unnested(orders)} as o
      on conflict do nothing
      returning 1
    )
    select count(*)::int as added from added
  `.execute(tx);
  if (rows[0]?.added !== orders.length) throw new LostRace();
}

/** Writes orders that the caller has locked. */
export async function updateOrders(tx: Tx, workspaceId: string, orders: readonly OrderRow[]): Promise<void> {
  if (orders.length === 0) return;
  await prepared`
    update orders
    set pass_id = o.pass_id, currency = o.currency, paid_version = o.paid_version, paid_total = o.paid_total,
      latest_version = o.latest_version, latest_total = o.latest_total, cancelled = o.cancelled,
      placed_at = o.placed_at, partner_id = o.partner_id, items = o.items, instance_id = o.instance_id,
      issued = o.issued, account_id = o.account_id, rule = o.rule, points_expire_at = o.points_expire_at,
      limited_by = o.limited_by, points = o.points, credited = o.credited, updated_at = o.updated_at,
      number = o.number, folded_number = o.folded_number
    from (select * from ${unnested(orders)} as given(${written}) limit ${orders.length}) as o
    where orders.source = o.source and orders.order_id = o.order_id and orders.workspace_id = ${workspaceId}
  `.execute(tx);
}

/** Deletes an order without refunds. The caller has locked it. */
export async function deleteOrder(tx: Tx, workspaceId: string, { source, orderId }: OrderKey): Promise<void> {
  await sql`
    delete from orders where workspace_id = ${workspaceId} and source = ${source} and order_id = ${orderId}
  `.execute(tx);
}

/** Removes what a card's orders say of what was bought, in the order in which orders are locked. */
export async function clearItems(
  tx: Tx,
  { workspaceId, instanceId }: { readonly workspaceId: string; readonly instanceId: string },
): Promise<void> {
  await sql`
    with held as materialized (
      select source, order_id from orders
      where instance_id = ${instanceId} and workspace_id = ${workspaceId} and items is not null
      order by source, order_id collate "C"
      for no key update
    )
    update orders o set items = null
    from held
    where o.source = held.source and o.order_id = held.order_id and o.workspace_id = ${workspaceId}
  `.execute(tx);
}

/** Writes refunds; of one that is known the greater stays. */
export async function keepRefunds(tx: Tx, workspaceId: string, refunds: readonly RefundRow[]): Promise<void> {
  if (refunds.length === 0) return;
  await prepared`
    insert into order_refunds (workspace_id, source, order_id, refund_id, amount, currency, created_at)
    select ${workspaceId}, r.*
    from unnest(
      ${refunds.map((row) => row.source)}::uuid[], ${refunds.map((row) => row.orderId)}::text[],
      ${refunds.map((row) => row.refundId)}::text[], ${refunds.map((row) => row.amount)}::bigint[],
      ${refunds.map((row) => row.currency)}::text[], ${refunds.map((row) => row.createdAt.toISOString())}::timestamptz[]
    ) as r
    on conflict (source, order_id, refund_id, workspace_id) do update
    set amount = excluded.amount, currency = excluded.currency
  `.execute(tx);
}

/** Locks new customers of a pass by name until the transaction ends, on the node that has the pass. */
export async function lockNewcomers(
  tx: Tx,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  names: readonly string[],
): Promise<void> {
  await prepared`
    select pg_advisory_xact_lock(lock)
    from (
      select distinct hashtextextended(${`${workspaceId} ${passId} `} || name, 0) as lock
      from passes p cross join unnest(${names}::text[]) as name
      where p.workspace_id = ${workspaceId} and p.pass_id = ${passId}
      order by lock
    ) as locks
  `.execute(tx);
}

/** So that two callers cannot block each other. */
function inOrder<Key extends OrderKey>(keys: readonly Key[]): Key[] {
  return [...keys].sort((a, b) => (`${a.source} ${a.orderId}` < `${b.source} ${b.orderId}` ? -1 : 1));
}

function unnested(orders: readonly OrderRow[]) {
  const sorted = inOrder(orders);
  const column = <K extends keyof OrderRow>(name: K) => sorted.map((row) => row[name]);
  const json = (name: 'items' | 'rule') =>
    column(name).map((value) => (value === null ? null : JSON.stringify(value)));
  const moments = (name: 'placedAt' | 'createdAt' | 'updatedAt') =>
    column(name).map((value) => value?.toISOString() ?? null);
  return sql`unnest(
    ${column('source')}::uuid[], ${column('orderId')}::text[], ${column('passId')}::uuid[],
    ${column('currency')}::text[], ${column('paidVersion')}::bigint[], ${column('paidTotal')}::bigint[],
    ${column('latestVersion')}::bigint[], ${column('latestTotal')}::bigint[], ${column('cancelled')}::boolean[],
    ${moments('placedAt')}::timestamptz[], ${column('partnerId')}::uuid[], ${json('items')}::jsonb[],
    ${column('instanceId')}::uuid[], ${column('issued')}::boolean[], ${column('accountId')}::uuid[],
    ${json('rule')}::jsonb[], ${column('pointsExpireAt').map(expiry)}::timestamptz[],
    ${column('limitedBy')}::text[], ${column('points')}::bigint[], ${column('credited')}::bigint[],
    ${moments('createdAt')}::timestamptz[], ${moments('updatedAt')}::timestamptz[],
    ${column('number')}::text[],
    ${column('number').map((number) => number && foldNumber(number))}::text[]
  )`;
}

function expiry(at: number | null): string | null {
  if (at === null) return null;
  return at === Number.POSITIVE_INFINITY ? 'infinity' : new Date(at).toISOString();
}

/** An order as it is computed with. */
export function rowOf(row: StoredOrder): OrderRow {
  return { ...row, pointsExpireAt: row.pointsExpireAt === null ? null : Number(row.pointsExpireAt) };
}
